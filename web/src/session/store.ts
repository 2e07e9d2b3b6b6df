import { recall, remember } from "@/kit/storage";
import { Store, useStore } from "@/kit/store";

/**
 * Who is using this browser: a user with an access token, a visitor with an anonymous one, or nobody yet.
 * `expired` is set from a refused token until the next login.
 */
export type Session = { accessToken: string | null; anonymousToken: string | null; expired: boolean };

const ACCESS = "strategybot.access-token";
const ANONYMOUS = "strategybot.anonymous-token";
const EXPIRED = "strategybot.expired";

function stored(): Session {
  return { accessToken: recall(ACCESS), anonymousToken: recall(ANONYMOUS), expired: recall(EXPIRED) !== null };
}

export const session = new Store<Session>(stored());

function change(part: Partial<Session>): void {
  const next = { ...session.get(), ...part };
  remember(ACCESS, next.accessToken);
  remember(ANONYMOUS, next.anonymousToken);
  remember(EXPIRED, next.expired ? "yes" : null);
  session.set(next);
}

/**
 * After registration or login: what the visitor made belongs to the user, so the anonymous token is deleted. If the account
 * had no room for it, the visitor keeps it with the token.
 */
export function enter(accessToken: string, { keepVisitor = false } = {}): void {
  const { anonymousToken } = session.get();
  change({ accessToken, anonymousToken: keepVisitor ? anonymousToken : null, expired: false });
}

export function leave(): void {
  change({ accessToken: null, expired: false });
}

export function expire(): void {
  change({ accessToken: null, expired: true });
}

export function becomeVisitor(anonymousToken: string): void {
  change({ anonymousToken });
}

export function forgetVisitor(): void {
  change({ anonymousToken: null });
}

/** A login or logout in another tab applies to this tab too. */
export function followOtherTabs(): void {
  addEventListener("storage", (event) => {
    if (event.key?.startsWith("strategybot.")) session.set(stored());
  });
}

export function useSession(): Session {
  return useStore(session);
}
