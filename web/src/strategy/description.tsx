/** What the API says about a strategy: its conditions in words, and which candles can show what it looks at. */
import { queries } from "@/api/client";
import { unbroken } from "@/format/numbers";
import { useDebounced } from "@/kit/useDebounced";
import { type Condition, KINDS, type Strategy } from "@/strategy/words";

type Interval = "1m" | "5m" | "15m" | "1h" | "4h" | "1d";

function useDescription(strategy: Strategy | null) {
  return queries.useQuery(
    "post",
    "/api/strategies/describe",
    { body: strategy as Strategy },
    { enabled: strategy !== null, staleTime: Number.POSITIVE_INFINITY, retry: false },
  ).data;
}

/** A condition in words; the name of its kind while it is not known or not valid. */
export function Phrase({ condition }: { condition: Condition }) {
  const settled = useDebounced(JSON.stringify(condition));
  const words = useDescription({ conditions: [JSON.parse(settled)] })?.conditions[0];
  return words ? unbroken(words) : KINDS[condition.kind];
}

/** What an edited strategy does, in words, as soon as typing pauses; nothing while it is not valid. */
export function Sentence({ strategy }: { strategy: Strategy }) {
  const settled = useDebounced(JSON.stringify(strategy));
  const words = useDescription(JSON.parse(settled))?.strategy_summary;
  return (
    <section
      aria-label="In words"
      aria-live="polite"
      className="max-h-[4lh] overflow-y-auto text-small text-ink-soft empty:hidden"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {words && unbroken(words)}
    </section>
  );
}

/** Why the strategy cannot run on these candles; undefined for those it can run on. */
export function useMisfit(strategy: Strategy | null): (interval: Interval) => string | undefined {
  const unusable = useDescription(strategy)?.unusable_intervals ?? [];
  return (interval) => unusable.find((each) => each.interval === interval)?.reason;
}
