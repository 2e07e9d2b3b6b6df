import type { Schemas } from "@/api/client";
import { Badge } from "@/design/Badge";
import { Card } from "@/design/Card";
import { Meter } from "@/design/Meter";
import { ErrorState, Loading, Note, Skeleton } from "@/design/States";
import { Day } from "@/format/Figures";
import { count } from "@/format/numbers";
import { useMe } from "@/session/user";

type Me = Schemas["MeView"];

const TIER_NAMES: Record<Me["tier"], string> = { free: "Free", normal: "Normal", pro: "Pro" };

const RATE_NAMES: Record<string, string> = {
  runs: "Runs started",
  simulation_starts: "Simulations started",
  chat_messages: "Chat messages",
};

function hours(seconds: number): string {
  return seconds === 3600 ? "an hour" : `${count(Math.round((seconds / 3600) * 10) / 10)} hours`;
}

export function TierCard() {
  const { data: me, error, refetch } = useMe();
  return (
    <Card actions={me && <Badge tone="accent">{TIER_NAMES[me.tier]}</Badge>} title="Your tier">
      {me ? <Allowances me={me} /> : error ? <ErrorState error={error} onRetry={refetch} /> : <Placeholder />}
    </Card>
  );
}

function Allowances({ me }: { me: Me }) {
  const { limits } = me;
  return (
    <div className="stack gap-4">
      {meters(me).map(({ label, value, max }) => (
        <Meter key={label} label={label} max={max} text={`${count(value)} of ${count(max)}`} value={value} />
      ))}
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-small">
        <Line name="Candles in one backtest">{count(limits.candles_per_backtest)}</Line>
        <Line name="Swap transactions">{limits.chain_swap ? "Yes" : "In the normal and pro tiers"}</Line>
        <Line name="Backtests of a bot with details">{`Newest ${count(limits.detailed_backtests_per_bot)}`}</Line>
        <Line name="Simulations of a bot with details">{`Newest ${count(limits.detailed_simulations_per_bot)}`}</Line>
        <Line name="Revisions of a bot">{`Newest ${count(limits.revisions_per_bot)}`}</Line>
        <Line name="Member since">
          <Day at={me.created_at} />
        </Line>
      </dl>
      {me.tier !== "pro" && <Note>The operator of this server can give you a larger tier.</Note>}
    </div>
  );
}

function meters({ limits, usage, rates }: Me): { label: string; value: number; max: number }[] {
  return [
    { label: "Bots", value: usage.bots, max: limits.bots },
    { label: "Backtests running", value: usage.running_backtests, max: limits.backtests },
    { label: "Simulations running", value: usage.running_simulations, max: limits.running_simulations },
    { label: "Conversations", value: usage.conversations, max: limits.conversations },
    ...Object.entries(rates).map(([name, rate]) => ({
      label: `${RATE_NAMES[name] ?? name} in ${hours(rate.window_seconds)}`,
      value: rate.used,
      max: rate.count,
    })),
  ];
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="figures text-right">{children}</dd>
    </>
  );
}

function Placeholder() {
  return (
    <Loading className="stack gap-4">
      <Skeleton className="h-7" />
      <Skeleton className="h-7" />
      <Skeleton className="h-24" />
    </Loading>
  );
}
