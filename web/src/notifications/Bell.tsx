import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { api, queries, type Schemas } from "@/api/client";
import { BellList } from "@/notifications/BellList";

/** What happened before the app was opened was not seen. */
const opened = Date.now();

/** The notifications, newest first, with the number of unread ones. Opening the list marks them as read, and so does seeing all that they tell. */
export default function Bell() {
  const { data, error, refetch } = queries.useQuery("get", "/api/notifications", {}, { staleTime: 60_000 });
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const quiet = useSeenOnThePage(data?.notifications ?? []);
  const unread = Math.max(0, (data?.unread_count ?? 0) - quiet);
  const newest = data?.notifications[0];
  useClosing(place, isOpen, () => setOpen(false));
  const isRead = isOpen ? unread > 0 : quiet > 0 && unread === 0;
  useEffect(() => {
    if (!isRead || !newest) return;
    // They stay marked as new on the screen until the list is fetched again. An error here does no harm.
    void api.POST("/api/notifications/read", { body: { until: newest.id } }).catch(() => undefined);
  }, [isRead, newest]);
  return (
    <div className="relative" ref={place}>
      <button
        aria-controls={id}
        aria-expanded={isOpen}
        aria-label={unread > 0 ? `Notifications, ${unread} unread` : "Notifications"}
        className="relative grid size-8 place-items-center rounded-control text-ink-soft hover:bg-hover hover:text-ink"
        onClick={() => setOpen(!isOpen)}
        type="button"
      >
        <BellIcon />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="figures absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-[10px] leading-none font-semibold text-canvas"
          >
            {unread}
          </span>
        )}
      </button>
      <section
        aria-label="Notifications"
        className="absolute right-0 z-40 mt-2 max-h-[min(32rem,calc(100dvh-5rem))] w-[min(24rem,calc(100vw-1.5rem))] overflow-y-auto rounded-card border border-line bg-raised shadow-raised max-sm:fixed max-sm:right-3"
        hidden={!isOpen}
        id={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
      >
        {isOpen && <BellList error={error} list={data} onChosen={() => setOpen(false)} onRetry={refetch} />}
      </section>
    </div>
  );
}

const FINISHED = /^(backtest|optimisation)\.finished$/;
const seen = new Set<string>();

/** How many unread ones say that a run has finished whose page is open and visible: they do not ring, now and later. */
function useSeenOnThePage(notifications: Schemas["NotificationView"][]): number {
  const [path] = useLocation();
  for (const { id, event, bot_id, created_at, read } of notifications) {
    const isFresh = Date.parse(created_at) > opened;
    if (!read && isFresh && FINISHED.test(event) && path === `/bots/${bot_id}` && !document.hidden) seen.add(id);
  }
  return notifications.filter(({ id, read }) => !read && seen.has(id)).length;
}

function BellIcon() {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      height="16"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.5"
      viewBox="0 0 16 16"
      width="16"
    >
      <path d="M8 2a4 4 0 0 0-4 4v2.5L2.5 11h11L12 8.5V6a4 4 0 0 0-4-4ZM6.5 13.5a1.5 1.5 0 0 0 3 0" />
    </svg>
  );
}

/** A click outside and Escape close it. */
function useClosing(place: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const onPointer = ({ target }: PointerEvent) => {
      if (!place.current?.contains(target as Node)) close();
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape") close();
    };
    addEventListener("pointerdown", onPointer);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("pointerdown", onPointer);
      removeEventListener("keydown", onKey);
    };
  });
}
