/** Follows when the user leaves, the changes of other tabs, and the stream of the server's events. */
import { followOtherTabs } from "@/api/changes";
import { session } from "@/session/store";
import { noteLeaving } from "@/session/visits";

/** Milliseconds; the data on the screen is fetched first. */
const AFTER_THE_SCREEN = 500;

export function followChanges(): void {
  followOtherTabs();
  noteLeaving();
  followEventsOnceKnown();
}

/** Waits until there is a token: without one there is nothing to follow. */
function followEventsOnceKnown(): void {
  const { accessToken, anonymousToken } = session.get();
  if (accessToken || anonymousToken) {
    setTimeout(() => void followLive(), AFTER_THE_SCREEN);
    return;
  }
  const ended = session.follow(() => {
    ended();
    followEventsOnceKnown();
  });
}

/** Loads and follows the stream; tries again when the browser comes online. */
async function followLive(): Promise<void> {
  try {
    const { followEvents } = await import("@/api/live");
    followEvents();
  } catch {
    addEventListener("online", () => void followLive(), { once: true });
  }
}
