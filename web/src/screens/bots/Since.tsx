/** What happened since the last visit, and what the paper portfolios are worth together. */
import { useQueries } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { queries, type Schemas } from "@/api/client";
import { Badge, type Tone } from "@/design/Badge";
import { Sparkline } from "@/design/Sparkline";
import { Change, Money, Time } from "@/format/Figures";
import { placeOf } from "@/notifications/BellList";
import type { Bot } from "@/screens/bots/glance";
import { lastVisit } from "@/session/visits";
import { together, worthOf } from "@/simulations/equity";
import { simulationQuery } from "@/simulations/runs";

type Notification = Schemas["NotificationView"];
type SinceProps = {
  bots: Bot[];
  /** What is below it, shown when its own height is known: nothing may move away under a finger. */
  children: ReactNode;
  placeholder: ReactNode;
};

/** Without an earlier visit, the last day is told. */
const A_DAY = 86_400_000;
const MOST = 8;
const TONES: Partial<Record<Notification["event"], { tone: Tone; word: string }>> = {
  "simulation.drawdown": { tone: "down", word: "Drawdown" },
  "simulation.waiting": { tone: "warn", word: "No prices" },
  "simulation.pool": { tone: "warn", word: "Pool" },
  "target.disabled": { tone: "warn", word: "Not delivered" },
};

export default function Since({ bots, children, placeholder }: SinceProps) {
  const [before] = useState(() => lastVisit());
  const { data, isPending } = queries.useQuery("get", "/api/notifications", {}, { staleTime: 60_000 });
  const since = before ?? Date.now() - A_DAY;
  const news = (data?.notifications ?? []).filter(({ created_at }) => Date.parse(created_at) > since);
  if (isPending) return placeholder;
  return (
    <>
      <div className="mb-6 grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
        <section
          aria-label="Since you were here"
          className="stack gap-2 rounded-card border border-line bg-surface p-4 text-small"
        >
          <h2 className="text-body">{before ? "Since you were here" : "In the last day"}</h2>
          {data && news.length === 0 && (
            <p className="text-ink-soft">
              Nothing happened{before && " since "}
              {before && <Time at={before / 1000} relative />}.
            </p>
          )}
          <ul className="stack">
            {news.slice(0, MOST).map((each) => (
              <li className="border-b border-line py-1.5 last:border-0" key={each.id}>
                <Link
                  className="flex flex-wrap items-baseline gap-x-2 rounded-small hover:bg-hover"
                  href={placeOf(each)}
                >
                  <Mark event={each.event} />
                  <strong className="font-medium">{each.title}</strong>
                  <span className="min-w-0 flex-1 basis-60 text-ink-soft">{each.text}</span>
                  <Time at={each.created_at} className="ml-auto text-ink-faint" relative />
                </Link>
              </li>
            ))}
          </ul>
          {news.length > MOST && <p className="text-ink-faint">And {news.length - MOST} more, below the bell.</p>}
        </section>
        {bots.some(({ simulation }) => simulation?.mode === "live") && <PaperMoney bots={bots} />}
      </div>
      {children}
    </>
  );
}

function Mark({ event }: { event: Notification["event"] }) {
  const mark = TONES[event];
  return mark ? <Badge tone={mark.tone}>{mark.word}</Badge> : null;
}

/** The value of all live runs, with its curve since the first of them began. */
function PaperMoney({ bots }: Pick<SinceProps, "bots">) {
  const live = bots.flatMap(({ id, simulation }) => (simulation?.mode === "live" ? { id, simulation } : []));
  const runs = useQueries({ queries: live.map(({ id, simulation }) => simulationQuery(id, simulation.run_id)) });
  const curve = together(runs.flatMap(({ data }) => (data ? [worthOf(data)] : [])));
  const began = sum(live.map(({ simulation }) => simulation.initial_cash));
  const worth = sum(live.map(({ simulation }) => simulation.total_value ?? simulation.initial_cash));
  return (
    <section
      aria-label="Paper money"
      className="stack gap-1 rounded-card border border-line bg-surface pt-4 text-small text-ink-soft"
    >
      <h2 className="px-4 text-body text-ink">Live paper money</h2>
      <p className="px-4">
        <strong className="figures text-title font-medium text-ink">
          <Money value={worth} />
        </strong>{" "}
        <Change value={100 * (worth / began - 1)} />
      </p>
      <p className="px-4 pb-2">
        {live.length === 1 ? "1 live portfolio" : `${live.length} live portfolios`}
        {curve.length < 2 && ". Its curve begins with the second candle"}
      </p>
      <div className="mt-auto min-h-14">{curve.length > 1 && <Sparkline height={56} values={curve} />}</div>
    </section>
  );
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
