import { Badge } from "@/design/Badge";
import { Button } from "@/design/Button";
import { Figure } from "@/design/Card";
import { PlayIcon } from "@/design/icons";
import { Note, ProblemNote } from "@/design/States";
import type { Search, Variant } from "@/explore/grid";
import { useApply, useTestVariant } from "@/explore/searches";
import { Change, Percent } from "@/format/Figures";
import { count } from "@/format/numbers";
import { Term } from "@/format/Term";
import { isSame } from "@/strategy/edits";
import type { Bot, Strategy } from "@/strategy/versions";

export type Chosen = { variant: Variant; strategy: Strategy; name: string; isRecommended: boolean };

type VariantPanelProps = { bot: Bot; search: Search; chosen: Chosen; onTest: () => void };

/** One variant, with buttons to apply and to test it. */
export function VariantPanel({ bot, search, chosen, onTest }: VariantPanelProps) {
  const { variant, strategy, name, isRecommended } = chosen;
  const apply = useApply(bot);
  const test = useTestVariant(bot, search, onTest);
  const isApplied = isSame(bot.strategy, strategy);
  const next = bot.revision + 1;
  return (
    <section aria-label="Chosen variant" className="stack gap-3 rounded-control border border-line p-3">
      <p className="font-medium">
        {isRecommended && <Badge tone="accent">Recommended</Badge>} {name}
      </p>
      <dl className="grid grid-cols-4 gap-3 max-sm:grid-cols-2">
        <Figure name="Return">
          <Change value={variant.total_return} />
        </Figure>
        <Figure name="Trades">{count(variant.total_trades)}</Figure>
        <Figure name={<Term name="win_rate" />}>
          <Percent value={variant.win_rate} />
        </Figure>
        <Figure name={<Term name="max_drawdown" />}>
          <Percent value={variant.max_drawdown} />
        </Figure>
      </dl>
      {!isApplied && !isSame(bot.strategy, search.strategy) && (
        <Note>
          The strategy has changed since this search. Applying writes the searched strategy with these values; the
          present one stays among the revisions.
        </Note>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          busy={apply.isPending}
          disabled={isApplied || test.isPending}
          look={isRecommended ? "primary" : "secondary"}
          onClick={() => apply.mutate(strategy)}
        >
          {isApplied ? "Applied" : "Apply"}
        </Button>
        <Button busy={test.isPending} disabled={apply.isPending} onClick={() => test.mutate(strategy)}>
          <PlayIcon />
          Test this variant
        </Button>
        <p className="text-small text-ink-faint">
          {isApplied ? "The bot trades these values." : `Both write the strategy as revision ${next}.`}
        </p>
      </div>
      <ProblemNote error={apply.error ?? test.error} />
    </section>
  );
}
