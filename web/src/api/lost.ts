import { Store } from "@/kit/store";

/** When the server was last heard, in milliseconds, while it does not answer; null while it does. */
export const lostSince = new Store<number | null>(null);
