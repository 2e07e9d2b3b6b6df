import { type FormEvent, useState } from "react";
import { problemOf } from "@/api/problem";
import { CandlesAndTime, Costs, Dates, useRunFields } from "@/backtests/RunFields";
import type { Summary } from "@/backtests/runs";
import { Button } from "@/design/Button";
import { PlayIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";
import { useStartSurvey } from "@/explore/searches";
import { count } from "@/format/numbers";
import { ManyTokens } from "@/purse/ManyTokens";
import { askedOf, startOf } from "@/purse/many";
import { useMe, useSettings } from "@/session/user";
import { SavedFirst } from "@/strategy/StrategyEditor";
import type { Bot } from "@/strategy/versions";

type SurveyFormProps = { bot: Bot; shown: Summary | undefined; onStart: (runId: string) => void };

export function SurveyForm({ bot, shown, onStart }: SurveyFormProps) {
  const { default_chain } = useSettings();
  const most = useMe().data?.limits.survey_tokens;
  const { choices, set, interval, request } = useRunFields(bot, shown);
  const [many, setMany] = useState(() => startOf(bot.chain ?? default_chain));
  const start = useStartSurvey(bot.id, onStart);
  const problem = start.error ? problemOf(start.error) : null;

  function submit(event: FormEvent) {
    event.preventDefault();
    const { tokens, universe } = askedOf(many);
    start.mutate({
      ...request,
      ...(universe ? { trending: universe.trending, limit: universe.limit ?? most } : { tokens }),
    });
  }

  return (
    <form aria-label="New survey" className="stack gap-3" noValidate onSubmit={submit}>
      <ManyTokens many={many} most={most} onChange={setMany} wrong={(field) => problem?.field(field)} />
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
          disabled={many.which === "list" && many.tokens.length === 0}
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
