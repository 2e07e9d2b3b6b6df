/** What is being written in a chat and not sent yet: kept per bot for as long as the tab is open, also over a reload. */
import { useState } from "react";
import { session } from "@/session/store";

const PREFIX = "strategybot.chat-draft.";

function read(key: string): string {
  try {
    return sessionStorage.getItem(PREFIX + key) ?? "";
  } catch {
    return "";
  }
}

function write(key: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(PREFIX + key, text);
    else sessionStorage.removeItem(PREFIX + key);
  } catch {
    // Without storage it lasts as long as the screen.
  }
}

export function useChatDraft(about: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => read(about));
  return [
    text,
    (next) => {
      setText(next);
      write(about, next);
    },
  ];
}

/** Deletes all drafts, so that the next user does not see them. */
let last = session.get().accessToken;
session.follow(() => {
  const { accessToken, expired } = session.get();
  if (last !== null && accessToken === null && !expired) {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
  last = accessToken;
});
