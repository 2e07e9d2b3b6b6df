import { useEffect, useState } from "react";

/**
 * Takes the chosen entry when Enter is pressed. While the entry may still change, because the search for what was typed
 * goes on, it waits for the answer.
 */
export function useEnter<Entry>(chosen: Entry | undefined, mayChange: boolean, take: (entry: Entry) => void) {
  const [isEntered, setEntered] = useState(false);
  useEffect(() => {
    if (!isEntered || mayChange) return;
    setEntered(false);
    if (chosen) take(chosen);
  });
  return { enter: () => setEntered(true), forget: () => setEntered(false) };
}
