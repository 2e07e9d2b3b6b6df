import { type FormEvent, useRef, useState } from "react";
import type { Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { useDryCount } from "@/backtests/dryCount";
import { NeverBuys } from "@/backtests/NeverBuys";
import { CandlesAndTime, Costs, Dates, IntrabarChoice, NO_TOKEN, useRunFields } from "@/backtests/RunFields";
import { type Run, useStart } from "@/backtests/runs";
import { TokenField } from "@/backtests/TokenField";
import { Button } from "@/design/Button";
import { PlayIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";
import { DeadLossField, OneOrMany, PurseFields } from "@/purse/TokenFields";
import { useChoice } from "@/purse/useChoice";
import { toDraft, toStrategy } from "@/strategy/draft";
import { edit, useEdits } from "@/strategy/edits";
import { SavedFirst } from "@/strategy/StrategyEditor";

type Bot = Schemas["BotView"];

/** `shown` is the selected run: the form starts with its parameters. */
type BacktestFormProps = { bot: Bot; shown: Run | undefined; onStart: () => void };

export function BacktestForm({ bot, shown, onStart }: BacktestFormProps) {
  const { choices, set, instrument, interval, request: asked } = useRunFields(bot, shown);
  const start = useStart(bot, onStart);
  const problem = start.error ? problemOf(start.error) : null;
  const tokens = useChoice(bot, shown);
  const traded = tokens.asked ?? { token: instrument?.address, chain: instrument?.chain };
  const request = { ...traded, ...asked, intrabar: choices.intrabar };
  const { edits } = useEdits(bot);
  const strategy = edits ? toStrategy(edits.draft) : bot.strategy;
  const preview = useDryCount(bot.id, !tokens.isMany && instrument && strategy ? { ...request, strategy } : null);
  const isWasted = preview?.total_entries === 0;
  const [isMissing, setIsMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const isReady = tokens.isMany ? !tokens.isEmpty : instrument !== null;
    setIsMissing(!isReady);
    if (isReady) start.mutate(request);
  }

  return (
    <form aria-label="New backtest" className="stack gap-3" noValidate onSubmit={submit} ref={form}>
      {isWasted && (
        <NeverBuys
          onEasier={(easier) => edit(bot, toDraft(easier))}
          onLonger={choices.period === "7" || choices.period === "30" ? () => set({ period: "90" }) : undefined}
          onToken={() => form.current?.querySelector<HTMLElement>("[data-token-change]")?.click()}
          preview={preview}
        />
      )}
      <OneOrMany choice={tokens} />
      {tokens.isMany && <PurseFields bot={bot} choice={tokens} days="test" isMissing={isMissing} problem={problem} />}
      <div className="flex flex-wrap items-end gap-3">
        {!tokens.isMany && (
          <div className="min-w-0 flex-1 basis-56">
            <TokenField
              error={isMissing && !instrument ? NO_TOKEN : problem?.field("token")}
              onChange={(instrument) => set({ instrument })}
              value={instrument}
            />
          </div>
        )}
        <CandlesAndTime bot={bot} choices={choices} interval={interval} onChange={set} />
        <Button busy={start.isPending} className="max-sm:w-full" look="primary" type="submit">
          <PlayIcon />
          {isWasted ? "Run anyway" : "Run backtest"}
        </Button>
      </div>
      <Dates choices={choices} onChange={set} problem={problem} />
      <Costs choices={choices} onChange={set} problem={problem}>
        <IntrabarChoice choices={choices} onChange={set} />
        <DeadLossField choice={tokens} problem={problem} />
      </Costs>
      <SavedFirst bot={bot} />
      <ProblemNote error={start.error} />
    </form>
  );
}
