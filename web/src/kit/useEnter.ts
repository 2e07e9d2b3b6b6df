import { useEffect, useState } from "react";

/** Takes the chosen entry when Enter is pressed; while a search goes on, as soon as it has ended: what is listed belongs to older words. */
export function useEnter<Entry>(chosen: Entry | undefined, isSearching: boolean, take: (entry: Entry) => void) {
  const [isEntered, setEntered] = useState(false);
  useEffect(() => {
    if (!isEntered || isSearching) return;
    setEntered(false);
    if (chosen) take(chosen);
  });
  return { enter: () => setEntered(true), forget: () => setEntered(false) };
}
