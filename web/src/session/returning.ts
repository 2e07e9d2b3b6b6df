/** The way to the login and back to where one was. */
import { useEffect } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useSession } from "@/session/store";

/** Where to go after the entrance: an address of our own, whatever the link says. */
export function safeReturn(next: string | null): string {
  return next?.startsWith("/") && !next.startsWith("//") && !next.includes("\\") ? next : "/bots";
}

export function useReturnAddress(): string {
  const [search] = useSearchParams();
  return safeReturn(search.get("next"));
}

export function entrance(door: "/login" | "/register", next: string): string {
  return `${door}?next=${encodeURIComponent(next)}`;
}

/** A session that has ended leads to the login, which leads back. */
export function useReturnAfterExpiry(): void {
  const { expired } = useSession();
  const [path, navigate] = useLocation();
  useEffect(() => {
    if (expired && path !== "/login" && path !== "/register") {
      navigate(entrance("/login", path + location.search), { replace: true });
    }
  }, [expired, path, navigate]);
}
