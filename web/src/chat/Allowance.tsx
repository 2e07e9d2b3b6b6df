import { useLocation } from "wouter";
import { areFew, CHATS_OF_A_VISITOR, remainingWords, useRemainingChats } from "@/chat/allowance";
import { ButtonLink } from "@/design/Button";
import { classes } from "@/kit/classes";
import { entrance } from "@/session/returning";
import { useSession } from "@/session/store";

/** How many messages a visitor has left, and a link to sign up. Nothing for a user. */
export function Allowance({ warning }: { warning: string | null }) {
  const { accessToken } = useSession();
  const [path] = useLocation();
  const chats = useRemainingChats();
  if (accessToken) return null;
  const isLow = areFew(chats);
  return (
    <div
      className={classes(
        "flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-control text-small",
        isLow ? "bg-warn-soft px-3 py-2 text-warn" : "text-ink-soft",
      )}
    >
      <AllowanceBar chats={chats} />
      <span
        className={classes("figures min-w-0 flex-1", isLow ? "basis-48" : "basis-20")}
        role={isLow ? "status" : undefined}
      >
        {(isLow && warning) || remainingWords(chats)}
      </span>
      <ButtonLink href={entrance("/register", path)} look={isLow ? "primary" : "secondary"} size="small">
        Sign up to keep it
      </ButtonLink>
    </div>
  );
}

function AllowanceBar({ chats }: { chats: number }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no two browsers draw <meter> alike, or let it be styled
    <div
      aria-label="Messages left"
      aria-valuemax={CHATS_OF_A_VISITOR}
      aria-valuemin={0}
      aria-valuenow={chats}
      className="h-1.5 w-8 shrink-0 overflow-hidden rounded-full bg-sunken"
      role="meter"
    >
      <div
        className={classes("h-full rounded-full", areFew(chats) ? "bg-warn" : "bg-accent")}
        style={{ width: `${(100 * chats) / CHATS_OF_A_VISITOR}%` }}
      />
    </div>
  );
}
