/** The fields that choose many tokens: the trending ones of a chain, or a list. */
import { TokenList } from "@/backtests/TokenList";
import { Choice, Field, Input, Labelled, Select } from "@/design/Field";
import { CHAINS } from "@/market/chains";
import type { AsOf, Many, Which } from "@/purse/many";

const WHICH: { value: Which; label: string }[] = [
  { value: "trending", label: "Trending" },
  { value: "list", label: "My own list" },
];
/** What a run does with the lists of its days: a test looks them up, a live run takes in each as it comes. */
export type Days = "test" | "live";
const AS_OF: Record<Days, Record<AsOf, { label: string; words: string }>> = {
  test: {
    today: { label: "Today", words: "Tokens that died meanwhile are not in today's list." },
    each_day: {
      label: "Each day of the test",
      words: "Buys on each day only what was listed on that day, also what died later.",
    },
  },
  live: {
    today: { label: "Now", words: "Trades the tokens of this list until it ends." },
    each_day: {
      label: "Each day",
      words:
        "Takes in the list of each day, up to 200 tokens in all. What leaves the list is sold by the rules and not bought again.",
    },
  },
};

type ManyTokensProps = {
  many: Many;
  onChange: (many: Many) => void;
  /** How many the tier has. */
  most: number | undefined;
  /** What the API says about a field. */
  wrong: (field: "trending" | "limit" | "tokens" | "as_of") => string | undefined;
  /** Without it, the list is that of now. */
  days?: Days | undefined;
};

export function ManyTokens({ many, onChange, most, wrong, days }: ManyTokensProps) {
  const set = (part: Partial<Many>) => onChange({ ...many, ...part });
  return (
    <>
      <div className="flex flex-wrap items-start gap-3">
        <Labelled label="Tokens">
          <Choice label="Tokens" onChange={(which) => set({ which })} options={WHICH} value={many.which} />
        </Labelled>
        {many.which === "trending" && (
          <>
            <Field className="w-40" error={wrong("trending")} label="Chain">
              {(control) => (
                <Select {...control} onChange={(event) => set({ chain: event.target.value })} value={many.chain}>
                  {[...new Set([many.chain, ...Object.keys(CHAINS)])].map((each) => (
                    <option key={each} value={each}>
                      {CHAINS[each] ?? each}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field className="w-28" error={wrong("limit")} label="How many">
              {(control) => (
                <Input
                  {...control}
                  max={most}
                  min={1}
                  onChange={(event) => set({ limit: event.target.value })}
                  placeholder={most?.toString()}
                  type="number"
                  value={many.limit}
                />
              )}
            </Field>
            {days && <ListOf days={days} error={wrong("as_of")} onChange={(asOf) => set({ asOf })} value={many.asOf} />}
          </>
        )}
      </div>
      {many.which === "list" && (
        <TokenList error={wrong("tokens")} most={most} onChange={(tokens) => set({ tokens })} tokens={many.tokens} />
      )}
    </>
  );
}

type ListOfProps = { days: Days; value: AsOf; onChange: (asOf: AsOf) => void; error: string | undefined };

function ListOf({ days, value, onChange, error }: ListOfProps) {
  const options = (["today", "each_day"] as const).map((value) => ({ value, label: AS_OF[days][value].label }));
  return (
    <Labelled label="The list of">
      <Choice label="The list of" onChange={onChange} options={options} value={value} />
      <p className={error ? "text-small text-down" : "text-small text-ink-faint"} role={error ? "alert" : undefined}>
        {error ? `The list of each day ${error}.` : AS_OF[days][value].words}
      </p>
    </Labelled>
  );
}
