/** How many messages a visitor has left. The server counts; this stores its last figure, also across a reload. */
import { recall, remember } from "@/kit/storage";
import { Store, useStore } from "@/kit/store";
import { session } from "@/session/store";

export const CHATS_OF_A_VISITOR = 50;
const FEW = 10;
const KEY = "strategybot.remaining-chats";

function stored(): number {
  const text = recall(KEY);
  const chats = text === null ? Number.NaN : Number(text);
  return session.get().anonymousToken !== null && chats >= 0 ? chats : CHATS_OF_A_VISITOR;
}

const remaining = new Store(stored());

export function noteRemaining(chats: number): void {
  remember(KEY, String(chats));
  remaining.set(chats);
}

/** Counts one message less when the server accepts it; the figure in the answer then replaces this one. */
export function noteTaken(): void {
  noteRemaining(Math.max(0, remaining.get() - 1));
}

/** A new visitor or user has another allowance, so the figure is reset. */
let lastToken = session.get().anonymousToken;
session.follow(() => {
  const { anonymousToken } = session.get();
  if (anonymousToken === lastToken) return;
  lastToken = anonymousToken;
  remember(KEY, null);
  remaining.set(CHATS_OF_A_VISITOR);
});

export function useRemainingChats(): number {
  return useStore(remaining);
}

export function areFew(chats: number): boolean {
  return chats <= FEW;
}

/** What is left, in a few words. */
export function remainingWords(chats: number): string {
  if (chats === 0) return "No messages left";
  return chats === 1 ? "1 message left" : `${chats} messages left`;
}
