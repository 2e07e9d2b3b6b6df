const MOST_MILLISECONDS = 2000;

/** Calls back when the browser is idle, after two seconds at the latest. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, MOST_MILLISECONDS / 2);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: MOST_MILLISECONDS });
  return () => cancelIdleCallback(handle);
}
