/** The parameters of a run: token, candles, dates, costs, revision of the strategy, and source of the prices. */
import type { ReactNode } from "react";
import type { Schemas } from "@/api/client";
import { TokenName } from "@/backtests/instrument";
import { Badge } from "@/design/Badge";
import { Day } from "@/format/Figures";
import { period } from "@/format/times";
import { classes } from "@/kit/classes";
import { chainName } from "@/market/chains";

type Identified = Pick<
  Schemas["BacktestSummary"],
  | "token"
  | "chain"
  | "token_symbol"
  | "fee_percent"
  | "slippage_percent"
  | "costs"
  | "strategy_revision"
  | "data_source"
> & { tokens_total?: number; kline_interval: string; start_time?: string; end_time?: string };

const SOURCES: Record<string, string> = { ave: "AVE", geckoterminal: "GeckoTerminal" };

/** `brief` leaves out the costs and the revision, for which a card has no room. */
export function RunIdentity({ run, brief, className }: { run: Identified; brief?: boolean; className?: string }) {
  return (
    <p className={classes("flex flex-wrap items-center gap-x-4 gap-y-0.5 text-small text-ink-soft", className)}>
      <span>
        <strong className="font-medium text-ink">
          <TokenName {...run} />
        </strong>{" "}
        {isMany(run) ? "with one purse" : `on ${chainName(run.chain)}`}
      </span>
      <Part>{run.kline_interval} candles</Part>
      {run.start_time && run.end_time && <Period brief={brief} from={run.start_time} to={run.end_time} />}
      {!brief && (
        <>
          <Part>
            fee {run.fee_percent}% + slippage {run.slippage_percent}% each way
          </Part>
          <Tax costs={run.costs} />
          {run.strategy_revision !== null && <Part>revision {run.strategy_revision}</Part>}
        </>
      )}
      <Source name={run.data_source} />
    </p>
  );
}

/** The tokens of one run may be on several chains. */
function isMany({ tokens_total = 1 }: Identified): boolean {
  return tokens_total > 1;
}

function Tax({ costs }: { costs: Identified["costs"] }) {
  const [buy, sell] = [costs?.buy_tax_percent ?? 0, costs?.sell_tax_percent ?? 0];
  if (buy === 0 && sell === 0) return null;
  return (
    <Part>
      tax {buy}% buying, {sell}% selling
    </Part>
  );
}

function Part({ children }: { children: ReactNode }) {
  return <span className="whitespace-nowrap">{children}</span>;
}

function Period({ from, to, brief }: { from: string; to: string; brief?: boolean }) {
  const days = period({ start_time: from, end_time: to });
  if (brief) return <Part>{days}</Part>;
  return (
    <Part>
      <Day at={from} /> – <Day at={to} /> ({days})
    </Part>
  );
}

/** Invented prices are marked wherever a result of them is shown. */
export function Source({ name }: { name: string | null }) {
  if (name === null) return null;
  if (name === "demo") return <Badge tone="warn">Demo prices</Badge>;
  return <Part>prices from {SOURCES[name] ?? name}</Part>;
}
