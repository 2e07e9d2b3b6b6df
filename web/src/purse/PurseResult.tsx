/** The result of a purse: what the choice of tokens did to it, and what each token added. */
import type { ReactNode } from "react";
import { gainTone } from "@/backtests/gainTone";
import { Note } from "@/design/States";
import { Change } from "@/format/Figures";
import { meaningOf } from "@/format/glossary";
import { count, quantity, unbroken } from "@/format/numbers";
import { Contributions, Places } from "@/purse/Pictures";
import { namesOf, type Purse } from "@/purse/result";
import { TokenTable } from "@/purse/TokenTable";
import { USUAL_PORTFOLIO } from "@/strategy/draft";

type PurseResultProps = { purse: Purse; shown?: string | null; onShow?: (tokenId: string) => void };

/** Nothing for a run on one token. */
export function PurseResult({ purse, shown = null, onShow }: PurseResultProps) {
  const { tokens, places_used: places } = purse;
  if (!tokens) return null;
  const most = purse.strategy.portfolio?.max_open ?? USUAL_PORTFOLIO.max_open;
  return (
    <div className="@container stack gap-5">
      <PurseNotes notes={purse.portfolio_notes} />
      <Part title="Tokens">
        <div className="-mx-4">
          <TokenTable onShow={onShow} shown={shown} tokens={tokens} />
        </div>
      </Part>
      <div className={`grid gap-x-8 gap-y-5 @3xl:grid-cols-2 ${gainTone(purse.costs) ?? ""}`}>
        {tokens.some(({ contribution_percent }) => contribution_percent != null) && (
          <Part title="Who contributed">
            <Contributions tokens={tokens} />
          </Part>
        )}
        <div className="stack gap-5">
          {places && places.length > 0 && (
            <Part title="Places used">
              <Places most={most} places={places} />
              <TurnedAway purse={purse} />
            </Part>
          )}
          <Benchmarks purse={purse} />
          <Correlation purse={purse} />
        </div>
      </div>
    </div>
  );
}

/** What such a list of tokens leaves out, and which tokens died. */
export function PurseNotes({ notes = [] }: { notes?: string[] | undefined }) {
  const [first, ...others] = notes;
  if (!first) return null;
  return (
    <div className="stack gap-1.5">
      <Note>{unbroken(first)}</Note>
      {others.length > 0 && (
        <ul className="stack gap-1 text-small text-ink-soft">
          {others.map((note) => (
            <li key={note}>{unbroken(note)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="stack min-w-0 gap-2">
      <h3 className="text-small font-medium text-ink-soft">{title}</h3>
      {children}
    </section>
  );
}

const MOST_NAMED = 3;

function TurnedAway({ purse: { tokens, turned_away } }: { purse: Purse }) {
  if (turned_away == null) return null;
  const most = (tokens ?? [])
    .filter((row) => (row.turned_away ?? 0) > 0)
    .toSorted((one, other) => (other.turned_away ?? 0) - (one.turned_away ?? 0))
    .slice(0, MOST_NAMED);
  const names = namesOf(tokens);
  return (
    <p className="text-small text-ink-soft" title={meaningOf("turned_away")}>
      {turned_away === 0
        ? "No entry was turned away: there was always a free place."
        : `Turned away ${count(turned_away)} ${turned_away === 1 ? "time" : "times"} because no place was free`}
      {turned_away > 0 &&
        most.length > 0 &&
        `, most often ${most.map((row) => `${names(row.token_id)} (${count(row.turned_away)})`).join(", ")}`}
      {turned_away > 0 && ". Each close at which a token was wanted counts."}
    </p>
  );
}

function Benchmarks({ purse: { tokens, benchmarks, metrics } }: { purse: Purse }) {
  if (!benchmarks) return null;
  const largest = namesOf(tokens)(benchmarks.largest_token_id);
  const rows = [
    ["This purse", metrics?.total_return],
    ["All tokens held in equal parts", benchmarks.equal_parts],
    [`The largest held (${largest})`, benchmarks.largest],
    ["The same strategy on each token alone, on average", benchmarks.plain_mean],
  ] as const;
  return (
    <Part title="What else could have been done">
      <dl className="stack gap-1 text-small">
        {rows.map(([name, value]) => (
          <div className="flex justify-between gap-3" key={name}>
            <dt className="text-ink-soft">{name}</dt>
            <dd>
              <Change value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}

function Correlation({ purse: { tokens, correlation } }: { purse: Purse }) {
  if (!correlation) return null;
  const names = namesOf(tokens);
  return (
    <Part title="How alike the tokens are">
      <p className="text-small text-ink-soft" title={meaningOf("correlation")}>
        The daily returns of two tokens correlate by {quantity(correlation.mean, 2)} on average of{" "}
        {count(correlation.pairs)} {correlation.pairs === 1 ? "pair" : "pairs"}. The most alike are{" "}
        {correlation.highest_tokens.map(names).join(" and ")} with {quantity(correlation.highest, 2)}. 1 is exactly
        alike: such tokens fall together.
      </p>
    </Part>
  );
}
