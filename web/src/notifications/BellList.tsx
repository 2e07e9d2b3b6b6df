import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { Empty, ErrorState } from "@/design/States";
import { Time } from "@/format/Figures";
import { classes } from "@/kit/classes";

type Notification = Schemas["NotificationView"];
type BellListProps = {
  list: Schemas["NotificationList"] | undefined;
  error: unknown;
  onRetry: () => void;
  onChosen: () => void;
};

export function BellList({ list, error, onRetry, onChosen }: BellListProps) {
  if (!list) return error ? <ErrorState error={error} onRetry={onRetry} /> : null;
  if (list.notifications.length === 0) {
    return <Empty title="Nothing yet">Finished backtests and what simulations buy and sell are told here.</Empty>;
  }
  return (
    <ul>
      {list.notifications.map((notification) => (
        <li
          className={classes("border-b border-line last:border-0", !notification.read && "bg-accent-soft")}
          key={notification.id}
        >
          <Link className="stack px-4 py-2.5 hover:bg-hover" href={placeOf(notification)} onClick={onChosen}>
            <span className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 font-medium break-words">{notification.title}</span>
              <span className="shrink-0 text-tiny text-ink-soft">
                <Time at={notification.created_at} relative />
              </span>
            </span>
            <span className="text-small break-words text-ink-soft">{notification.text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The run that it is about, in the workbench; the account page for a target. */
export function placeOf({ event, bot_id, run_id }: Pick<Notification, "event" | "bot_id" | "run_id">): string {
  if (event === "target.disabled") return "/account";
  if (!bot_id) return "/bots";
  if (!run_id) return `/bots/${bot_id}`;
  if (event === "watch.signal") return `/bots/${bot_id}?tab=watch`;
  if (event === "optimisation.finished") return `/bots/${bot_id}?tab=explore`;
  return event.startsWith("simulation.")
    ? `/bots/${bot_id}?tab=simulation&simulation=${run_id}`
    : `/bots/${bot_id}?tab=backtests&run=${run_id}`;
}
