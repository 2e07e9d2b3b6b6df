import { useEffect, useRef } from "react";

/**
 * Keeps the focus of whoever works with the keyboard where the control that they pressed goes away: call `keep` when it
 * is pressed. Once `state` has changed and nothing has the focus, the first `control` inside `place` takes it.
 */
export function useKeptFocus(state: unknown, control: string) {
  const place = useRef<HTMLDivElement>(null);
  const isWanted = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the controls are others in each state
  useEffect(() => {
    // It stays wanted until something else has the focus: the control may be replaced more than once.
    if (document.activeElement !== document.body) isWanted.current = false;
    if (isWanted.current) place.current?.querySelector<HTMLElement>(control)?.focus({ preventScroll: true });
  }, [state]);
  const keep = () => {
    isWanted.current = true;
  };
  return { place, keep };
}
