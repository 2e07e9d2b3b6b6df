import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { Time } from "@/format/Figures";

type Bot = Schemas["ListedBot"];

const KINDS: Partial<Record<string, { name: string; tab: string }>> = {
  simulation: { name: "Paper run", tab: "simulation" },
  watch: { name: "Watch", tab: "watch" },
  optimisation: { name: "Search", tab: "explore" },
  survey: { name: "Survey", tab: "explore" },
};

/** Its newest run of every other kind: what runs, and what has ended. */
export default function OtherRuns({ bot }: { bot: Bot }) {
  const runs = (bot.latest_runs ?? []).filter(({ kind, run_id }) => KINDS[kind] && run_id !== bot.simulation?.run_id);
  if (runs.length === 0) return null;
  return (
    <ul aria-label="Other runs" className="flex flex-wrap gap-x-4 gap-y-1 px-4 pb-3 text-small text-ink-soft">
      {runs.map(({ kind, run_id, status, created_at, ended_at }) => (
        <li key={run_id}>
          <Link
            className="relative rounded-small underline-offset-2 hover:underline"
            href={`/bots/${bot.id}?tab=${KINDS[kind]?.tab}`}
          >
            {KINDS[kind]?.name} {status}
          </Link>{" "}
          <Time at={ended_at ?? created_at} className="text-ink-faint" relative />
        </li>
      ))}
    </ul>
  );
}
