const MOST_MILLISECONDS = 2000;

/** Once there is nothing better to do; at the latest after two seconds. Returns the way to call it off. */
export function whenIdle(work: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, MOST_MILLISECONDS / 2);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: MOST_MILLISECONDS });
  return () => cancelIdleCallback(handle);
}
