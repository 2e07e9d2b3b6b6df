import { useCallback, useEffect, useRef, useState } from "react";

const NEAR = 48;

export type Following = ReturnType<typeof useFollowing>;

/**
 * Keeps the end of growing content visible, unless the reader has scrolled up, until they scroll back down.
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
      // Only a reader scrolls up. A distant end may just mean that content was added.
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
