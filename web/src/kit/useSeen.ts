import { useEffect, useState } from "react";

/** Whether the element has been visible, so that data is fetched only when needed. It may be rendered later. */
export function useSeen<Target extends Element>(): [(target: Target | null) => void, boolean] {
  const [target, setTarget] = useState<Target | null>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!target || seen) return;
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    watcher.observe(target);
    return () => watcher.disconnect();
  }, [target, seen]);
  return [setTarget, seen];
}
