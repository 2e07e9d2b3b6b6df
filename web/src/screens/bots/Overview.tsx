import { type ReactNode, useState } from "react";
import type { Schemas } from "@/api/client";
import { Field, Input, Select } from "@/design/Field";
import { Change, Money } from "@/format/Figures";
import { type Bot, type Choice, chosen, ORDERS, type Order, SHOWN, type Show, tagsOf } from "@/screens/bots/glance";

type Total = Schemas["PaperTotal"];
type OverviewProps = { bots: Bot[]; total: Total; cards: (bots: Bot[]) => ReactNode };

const ALL: Choice = { show: "all", order: "newest", named: "", tag: "" };

/** The filtered bots, below the total of all paper portfolios. A single bot needs neither filter nor total. */
export default function Overview({ bots, total, cards }: OverviewProps) {
  const [choice, setChoice] = useState(ALL);
  const shown = chosen(bots, choice);
  return (
    <>
      {bots.length > 1 && (
        <Choosing
          choice={choice}
          onChoice={setChoice}
          replays={bots.filter(({ simulation }) => simulation?.mode === "replay").length}
          tags={tagsOf(bots)}
          total={total}
        />
      )}
      {shown.length === 0 && <p className="text-small text-ink-soft">No bot matches the filter.</p>}
      {cards(shown)}
    </>
  );
}

type ChoosingProps = {
  total: Total;
  replays: number;
  tags: string[];
  choice: Choice;
  onChoice: (choice: Choice) => void;
};

function Choosing({ total, replays, tags, choice, onChoice }: ChoosingProps) {
  return (
    <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
      <p aria-label="All paper portfolios" className="text-small text-ink-soft" role="status">
        {total.simulations > 0 && (
          <>
            {total.simulations === 1 ? "1 paper portfolio" : `${total.simulations} paper portfolios`}:{" "}
            <strong className="figures font-medium text-ink">
              <Money value={total.total_value} />
            </strong>{" "}
            (<Change value={total.pnl_percent} />)
            {replays > 0 && `, ${replays === total.simulations ? "replayed" : `${replays} of them replayed`}`}
          </>
        )}
      </p>
      <div className="grid grid-cols-2 gap-2 max-sm:w-full sm:flex sm:flex-wrap">
        <Field label="Name">
          {(control) => (
            <Input
              {...control}
              onChange={(event) => onChoice({ ...choice, named: event.target.value })}
              type="search"
              value={choice.named}
            />
          )}
        </Field>
        {tags.length > 0 && (
          <Field label="Tag">
            {(control) => (
              <Select
                {...control}
                onChange={(event) => onChoice({ ...choice, tag: event.target.value })}
                value={choice.tag}
              >
                <option value="">Any</option>
                {tags.map((tag) => (
                  <option key={tag}>{tag}</option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Field label="Show">
          {(control) => (
            <Select
              {...control}
              onChange={(event) => onChoice({ ...choice, show: event.target.value as Show })}
              value={choice.show}
            >
              {SHOWN.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Order">
          {(control) => (
            <Select
              {...control}
              onChange={(event) => onChoice({ ...choice, order: event.target.value as Order })}
              value={choice.order}
            >
              {ORDERS.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </div>
  );
}
