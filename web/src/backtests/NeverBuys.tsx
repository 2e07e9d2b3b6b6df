import type { Schemas } from "@/api/client";
import { useTokenName } from "@/backtests/instrument";
import { Button } from "@/design/Button";
import { count, unbroken } from "@/format/numbers";
import { period } from "@/format/times";

type NeverBuysProps = {
  preview: Schemas["PreviewView"];
  /** Applies the strategy with smaller numbers. */
  onEasier: (strategy: Schemas["Strategy"]) => void;
  onToken: () => void;
  /** Present if a longer time can be tested. */
  onLonger?: () => void;
};

/** Warns a visitor before the only backtest is used on a strategy that would never have bought. */
export function NeverBuys({ preview, onEasier, onToken, onLonger }: NeverBuysProps) {
  const name = useTokenName({ address: preview.token, chain: preview.chain });
  const { easier } = preview;
  return (
    <div className="stack gap-2 rounded-control border border-line bg-warn-soft p-3 text-small" role="status">
      <p>
        <strong className="font-medium">This rule would not have bought {name} once</strong> in these {period(preview)}.
        Your one backtest without an account would show nothing, so change something first:
      </p>
      {easier && (
        <p>
          {unbroken(easier.strategy_summary)} That would have bought {count(easier.total_entries)}{" "}
          {easier.total_entries === 1 ? "time" : "times"}.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {easier && (
          <Button look="primary" onClick={() => onEasier(easier.strategy)} size="small">
            Use smaller numbers
          </Button>
        )}
        <Button onClick={onToken} size="small">
          Choose another token
        </Button>
        {onLonger && (
          <Button onClick={onLonger} size="small">
            Test longer dates
          </Button>
        )}
      </div>
    </div>
  );
}
