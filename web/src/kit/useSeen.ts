import { type RefObject, useEffect, useRef, useState } from "react";

/** Whether the element has been in sight: what nobody has scrolled to need not be asked for. */
export function useSeen<Target extends Element>(): [RefObject<Target | null>, boolean] {
  const target = useRef<Target>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!target.current || seen) return;
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    watcher.observe(target.current);
    return () => watcher.disconnect();
  }, [seen]);
  return [target, seen];
}
