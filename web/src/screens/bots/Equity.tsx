import { queries, type Schemas } from "@/api/client";
import { countsPool } from "@/backtests/costs";
import { gainTone } from "@/backtests/gainTone";
import { Sparkline } from "@/design/Sparkline";

type EquityProps = { run: Schemas["BacktestSummary"]; height: number };

/** The equity curve. A result without tax and impact, or of a token that cannot be sold, says so above it. */
export default function Equity({ run, height }: EquityProps) {
  const { data } = queries.useQuery("get", "/api/bots/{bot_id}/backtest/{run_id}", {
    params: { path: { bot_id: run.bot_id, run_id: run.run_id } },
  });
  const values = (data?.equity_curve ?? []).map((point) => point.equity).filter((equity) => equity !== null);
  const isDoubtful = !countsPool(run.costs) || run.costs?.can_be_sold === false;
  return (
    <>
      {data && isDoubtful && <p className="px-4 text-small text-ink-soft">{data.cost_notes[0]}</p>}
      <div className={gainTone(run.costs)}>
        <Sparkline height={height} values={values} />
      </div>
    </>
  );
}
