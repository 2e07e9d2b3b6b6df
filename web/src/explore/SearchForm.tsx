import { type FormEvent, useState } from "react";
import { type Problem, problemOf } from "@/api/problem";
import { CandlesAndTime, Costs, Dates, isOfCosts, useRunFields } from "@/backtests/RunFields";
import type { Summary } from "@/backtests/runs";
import { TokenField } from "@/backtests/TokenField";
import { Button } from "@/design/Button";
import { Choice, Field, Input, Labelled } from "@/design/Field";
import { PlayIcon, PlusIcon } from "@/design/icons";
import { Note, ProblemNote } from "@/design/States";
import type { Objective } from "@/explore/grid";
import { ParameterRow } from "@/explore/ParameterRow";
import { asked, type Draft, draftOf, MOST_PARAMETERS, variantsOf } from "@/explore/parameters";
import { type Place, placesOf } from "@/explore/places";
import { OBJECTIVES } from "@/explore/scores";
import { useStartSearch } from "@/explore/searches";
import { count } from "@/format/numbers";
import { useMe } from "@/session/user";
import { SavedFirst } from "@/strategy/StrategyEditor";
import type { Bot, Strategy } from "@/strategy/versions";

type SearchFormProps = {
  bot: Bot;
  strategy: Strategy;
  shown: Summary | undefined;
  onStart: (runId: string) => void;
};

export function SearchForm({ bot, strategy, shown, onStart }: SearchFormProps) {
  const places = placesOf(strategy);
  const { choices, set, instrument, interval, request } = useRunFields(bot, shown);
  const [kept, setDrafts] = useState<Draft[]>([]);
  // The strategy may have lost a rule since it was chosen.
  const known = kept.filter(({ path }) => places.some((place) => place.path === path));
  const drafts = known.length > 0 ? known : firstDrafts(places);
  const [objective, setObjective] = useState<Objective>("return");
  const [fewest, setFewest] = useState("20");
  const start = useStartSearch(bot.id, onStart);
  const problem = start.error ? problemOf(start.error) : null;
  const free = places.filter(({ path }) => drafts.every((draft) => draft.path !== path));
  const change = (place: number, draft: Draft) => setDrafts(drafts.with(place, draft));

  function submit(event: FormEvent) {
    event.preventDefault();
    start.mutate({
      token: instrument?.address,
      chain: instrument?.chain,
      ...request,
      parameters: drafts.map(asked),
      objective,
      minimum_trades: Number(fewest),
    });
  }

  return (
    <form aria-label="New search" className="stack gap-3" noValidate onSubmit={submit}>
      {strategy.guards && (
        <Note>A strategy with guards cannot be searched. Remove them, search, and add them again.</Note>
      )}
      <ul aria-label="What to vary" className="stack gap-3">
        {drafts.map((draft, place) => (
          <li key={draft.path}>
            <ParameterRow
              draft={draft}
              error={problem && rowError(problem, place)}
              number={place + 1}
              onChange={(changed) => change(place, changed)}
              onRemove={drafts.length > 1 ? () => setDrafts(drafts.filter((each) => each !== draft)) : undefined}
              places={places.filter((each) => each.path === draft.path || free.includes(each))}
            />
          </li>
        ))}
      </ul>
      {drafts.length < MOST_PARAMETERS && free[0] && (
        <Button className="self-start" onClick={() => setDrafts([...drafts, draftOf(free[0] as Place)])} size="small">
          <PlusIcon size={14} />
          Vary another number
        </Button>
      )}
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <TokenField
            error={problem?.field("token")}
            onChange={(instrument) => set({ instrument })}
            value={instrument}
          />
        </div>
        <CandlesAndTime bot={bot} choices={choices} interval={interval} onChange={set} />
      </div>
      <Dates choices={choices} onChange={set} problem={problem} />
      <div className="flex flex-wrap items-end gap-3">
        <Labelled label="Look for the best">
          <Choice label="Look for the best" onChange={setObjective} options={OBJECTIVES} value={objective} />
        </Labelled>
        <Field className="w-32" error={problem?.field("minimum_trades")} label="Fewest trades">
          {(control) => (
            <Input
              {...control}
              min={1}
              onChange={(event) => setFewest(event.target.value)}
              type="number"
              value={fewest}
            />
          )}
        </Field>
      </div>
      <Costs choices={choices} onChange={set} problem={problem} />
      <SavedFirst bot={bot} />
      <StartRow busy={start.isPending} drafts={drafts} />
      {problem && !isAllInPlace(problem) && <ProblemNote error={problem} />}
    </form>
  );
}

/** How many variants there will be, before anything is started. */
function StartRow({ drafts, busy }: { drafts: Draft[]; busy: boolean }) {
  const { data: me } = useMe();
  const variants = variantsOf(drafts);
  const most = me?.limits.optimiser_variants;
  const tooMany = variants !== null && most !== undefined && variants > most;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button busy={busy} className="max-sm:w-full" disabled={tooMany} look="primary" type="submit">
        <PlayIcon />
        Search
      </Button>
      <p className={tooMany ? "text-small text-down" : "text-small text-ink-soft"} role="status">
        {variants === null
          ? "Some values are missing, or too many."
          : `${count(variants)} ${variants === 1 ? "variant" : "variants"}`}
        {most !== undefined && `${variants === null ? " " : "; "}your tier has up to ${count(most)}.`}
      </p>
    </div>
  );
}

/** The first numbers of the strategy that are set: of its first rule, and its stop. */
function firstDrafts(places: Place[]): Draft[] {
  const set = places.filter(
    ({ value, kind, path }) => value !== null && kind === "number" && path !== "position_percent",
  );
  const stop = set.find(({ path }) => path.startsWith("stop_loss"));
  const chosen = [...new Set([set[0], stop ?? set[1]])].filter((place) => place !== undefined);
  return (chosen.length > 0 ? chosen : places.slice(0, 1)).map(draftOf);
}

function rowError(problem: Problem, place: number): string | null {
  const own = problem.fields.find(({ field }) => `${field}.`.startsWith(`parameters.${place}.`));
  return own?.message ?? null;
}

function isAllInPlace({ fields, upsell }: Problem): boolean {
  return fields.length > 0 && !upsell && fields.every(({ field }) => FIELDS.test(field) || isOfCosts(field));
}

const FIELDS = /^(parameters\.\d+(\..*)?|minimum_trades|token|start_time|end_time)$/;
