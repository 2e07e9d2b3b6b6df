import { type FormEvent, useState } from "react";
import { problemOf } from "@/api/problem";
import type { Instrument } from "@/backtests/instrument";
import { CandlesAndTime, Costs, Dates, useRunFields } from "@/backtests/RunFields";
import type { Summary } from "@/backtests/runs";
import { TokenList } from "@/backtests/TokenList";
import { Button } from "@/design/Button";
import { Choice, Field, Input, Labelled, Select } from "@/design/Field";
import { PlayIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";
import { useStartSurvey } from "@/explore/searches";
import { count } from "@/format/numbers";
import { CHAINS } from "@/market/chains";
import { useMe, useSettings } from "@/session/user";
import { SavedFirst } from "@/strategy/StrategyEditor";
import type { Bot } from "@/strategy/versions";

type Which = "trending" | "list";
type SurveyFormProps = { bot: Bot; shown: Summary | undefined; onStart: (runId: string) => void };

const WHICH: { value: Which; label: string }[] = [
  { value: "trending", label: "Trending" },
  { value: "list", label: "My own list" },
];

export function SurveyForm({ bot, shown, onStart }: SurveyFormProps) {
  const { default_chain } = useSettings();
  const most = useMe().data?.limits.survey_tokens;
  const { choices, set, interval, request } = useRunFields(bot, shown);
  const [which, setWhich] = useState<Which>("trending");
  const [chain, setChain] = useState(bot.chain ?? default_chain);
  const [limit, setLimit] = useState<string>();
  const [tokens, setTokens] = useState<Instrument[]>([]);
  const start = useStartSurvey(bot.id, onStart);
  const problem = start.error ? problemOf(start.error) : null;
  const asked = Number(limit ?? most);

  function submit(event: FormEvent) {
    event.preventDefault();
    const listed = tokens.map(({ address, chain }) => ({ token: address, chain }));
    start.mutate({ ...request, ...(which === "trending" ? { trending: chain, limit: asked } : { tokens: listed }) });
  }

  return (
    <form aria-label="New survey" className="stack gap-3" noValidate onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-3">
        <Labelled label="Tokens">
          <Choice label="Tokens" onChange={setWhich} options={WHICH} value={which} />
        </Labelled>
        {which === "trending" && (
          <>
            <Field className="w-40" error={problem?.field("trending")} label="Chain">
              {(control) => (
                <Select {...control} onChange={(event) => setChain(event.target.value)} value={chain}>
                  {[...new Set([chain, ...Object.keys(CHAINS)])].map((each) => (
                    <option key={each} value={each}>
                      {CHAINS[each] ?? each}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field className="w-28" error={problem?.field("limit")} label="How many">
              {(control) => (
                <Input
                  {...control}
                  max={most}
                  min={1}
                  onChange={(event) => setLimit(event.target.value)}
                  type="number"
                  value={limit ?? most ?? ""}
                />
              )}
            </Field>
          </>
        )}
      </div>
      {which === "list" && <TokenList error={problem?.field("tokens")} onChange={setTokens} tokens={tokens} />}
      <div className="flex flex-wrap items-end gap-3">
        <CandlesAndTime bot={bot} choices={choices} interval={interval} onChange={set} />
      </div>
      <Dates choices={choices} onChange={set} problem={problem} />
      <Costs choices={choices} onChange={set} problem={problem} />
      <SavedFirst bot={bot} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          busy={start.isPending}
          className="max-sm:w-full"
          disabled={which === "list" && tokens.length === 0}
          look="primary"
          type="submit"
        >
          <PlayIcon />
          Test on many tokens
        </Button>
        {most !== undefined && <p className="text-small text-ink-soft">Your tier has up to {count(most)} tokens.</p>}
      </div>
      <ProblemNote error={start.error} />
    </form>
  );
}
