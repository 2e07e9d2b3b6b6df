/** What a visitor may still say. The server counts; this remembers what it last said, over a reload too. */
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

/** The server took a message. What it says with the answer stands; whoever leaves before that has still one less. */
export function noteTaken(): void {
  noteRemaining(Math.max(0, remaining.get() - 1));
}

/** Whoever comes next, a new visitor or a user, has an allowance of their own. */
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
