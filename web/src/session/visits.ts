/** When this browser was last here. A visit ends when its tab is left for a while. */
import { recall, remember } from "@/kit/storage";

const LEFT = "strategybot.left-at";
/** A shorter absence, such as a reload, belongs to the same visit. */
const A_BREAK = 15 * 60_000;

let since: number | null = null;

/** When the visit before this one ended, in milliseconds; null if there was none. */
export function lastVisit(now = Date.now()): number | null {
  const left = Number(recall(LEFT)) || null;
  const begun = Number(recall(`${LEFT}.before`)) || null;
  if (since === null) since = left !== null && now - left > A_BREAK ? left : begun;
  remember(`${LEFT}.before`, since === null ? null : String(since));
  return since;
}

export function noteLeaving(): void {
  const note = () => remember(LEFT, String(Date.now()));
  addEventListener("pagehide", note);
  document.addEventListener("visibilitychange", () => document.hidden && note());
}
