/** Links to the login that return to the current address. */
import { useEffect } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useSession } from "@/session/store";

/** The address after the login. Only addresses of this site are accepted. */
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

/** Goes to the login when the session has ended, and back afterwards. */
export function useReturnAfterExpiry(): void {
  const { expired } = useSession();
  const [path, navigate] = useLocation();
  useEffect(() => {
    if (expired && path !== "/login" && path !== "/register") {
      navigate(entrance("/login", path + location.search), { replace: true });
    }
  }, [expired, path, navigate]);
}
