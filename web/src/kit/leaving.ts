/** Asks users with unsaved work before the app goes to another address or the tab is closed. */
import { useEffect } from "react";
import type { AroundNavHandler } from "wouter";
import { Store } from "@/kit/store";

/** The navigation that waits for the user's answer. */
export type Departure = { to: string; go: () => void };

const FREE = ["/login", "/register"];
const guarded = new Set<symbol>();
export const departure = new Store<Departure | null>(null);

/** For the router: another query of the same address is no departure, and the way to the login loses nothing. */
export const askBeforeLeaving: AroundNavHandler = (navigate, to, options) => {
  const path = new URL(to, location.href).pathname;
  const go = () => navigate(to, options);
  if (guarded.size === 0 || path === location.pathname || FREE.includes(path)) go();
  else departure.set({ to, go });
};

export function useGuard(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const mark = Symbol("guard");
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    guarded.add(mark);
    addEventListener("beforeunload", warn);
    return () => {
      guarded.delete(mark);
      removeEventListener("beforeunload", warn);
    };
  }, [isOn]);
}

export function leaveNow(): void {
  const pending = departure.get();
  departure.set(null);
  guarded.clear();
  pending?.go();
}
