import { Store } from "@/kit/store";

/** Whether the browser has a connection at all. */
export const isOnline = new Store(navigator.onLine);

addEventListener("online", () => isOnline.set(true));
addEventListener("offline", () => isOnline.set(false));
