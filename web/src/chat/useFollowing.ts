import { useCallback, useEffect, useRef, useState } from "react";

const NEAR = 48;

export type Following = ReturnType<typeof useFollowing>;

/**
 * Keeps the end of what grows in sight, unless the reader has scrolled up to read: then it waits for them to come back.
 * `frame` scrolls, `content` grows inside of it.
 */
export function useFollowing() {
  const frame = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [isAtEnd, setIsAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    follows.current = true;
    setIsAtEnd(true);
    if (frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, []);

  useEffect(() => {
    const [outer, inner] = [frame.current, content.current];
    if (!outer || !inner) return;
    let last = outer.scrollTop;
    const onScroll = () => {
      // Only a reader scrolls up. That the end is far away may just mean that more has come in the meantime.
      const isNear = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR;
      if (isNear || outer.scrollTop < last) follows.current = isNear;
      last = outer.scrollTop;
      setIsAtEnd(follows.current);
    };
    const observer = new ResizeObserver(() => {
      if (follows.current) outer.scrollTop = outer.scrollHeight;
    });
    outer.addEventListener("scroll", onScroll, { passive: true });
    observer.observe(inner);
    observer.observe(outer);
    return () => {
      outer.removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, []);

  return { frame, content, isAtEnd, toEnd };
}
