import type { ReactNode } from "react";
import { Link } from "wouter";
import { queries } from "@/api/client";
import { CHATS_OF_A_VISITOR, remainingWords, useRemainingChats } from "@/chat/allowance";
import { ArrowRightIcon } from "@/design/icons";
import { useSession } from "@/session/store";

/** What a visitor can do without an account, what is left of it, and a link to the bot that was made. */
export function Remaining() {
  const { accessToken, anonymousToken } = useSession();
  if (accessToken) {
    return (
      <Line>
        What you make is kept in your account. <Way href="/bots">Your bots</Way>
      </Line>
    );
  }
  return anonymousToken ? (
    <OfVisitor />
  ) : (
    <Line>No account needed: {CHATS_OF_A_VISITOR} messages, one bot, one backtest.</Line>
  );
}

function OfVisitor() {
  const chats = useRemainingChats();
  const { data } = queries.useQuery("get", "/api/bots", {});
  const bot = data?.bots[0];
  return (
    <Line>
      {remainingWords(chats)} without an account{bot ? ", and your bot is made" : ", one bot and one backtest"}.{" "}
      {bot && <Way href={`/bots/${bot.id}`}>Go on with {bot.name}</Way>}
    </Line>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <p className="min-h-5 text-center text-small text-ink-soft">{children}</p>;
}

function Way({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      className="inline-flex items-center gap-1 font-medium text-accent underline-offset-2 hover:underline"
      href={href}
    >
      {children}
      <ArrowRightIcon size={13} />
    </Link>
  );
}
