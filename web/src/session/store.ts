import { recall, remember } from "@/kit/storage";
import { Store, useStore } from "@/kit/store";

/**
 * Who is using this browser: a user with an access token, a visitor with an anonymous one, or nobody yet.
 * `expired` stands from a refused token to the next login.
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
 * After register or login: what the visitor made is the user's now, so the anonymous token has ended; unless the account had
 * no room for it, when the visitor keeps it.
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

/** Another tab that logs in or out does so for this one too. */
export function followOtherTabs(): void {
  addEventListener("storage", (event) => {
    if (event.key?.startsWith("strategybot.")) session.set(stored());
  });
}

export function useSession(): Session {
  return useStore(session);
}
