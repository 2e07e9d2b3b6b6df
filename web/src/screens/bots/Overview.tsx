import { type ReactNode, useState } from "react";
import { Field, Input, Select } from "@/design/Field";
import { type Bot, type Choice, chosen, ORDERS, type Order, SHOWN, type Show, tagsOf } from "@/screens/bots/glance";

type OverviewProps = { bots: Bot[]; cards: (bots: Bot[]) => ReactNode };

const ALL: Choice = { show: "all", order: "newest", named: "", tag: "" };

/** The filtered bots. A single bot needs no filter. */
export default function Overview({ bots, cards }: OverviewProps) {
  const [choice, setChoice] = useState(ALL);
  const shown = chosen(bots, choice);
  return (
    <>
      {bots.length > 1 && <Choosing choice={choice} onChoice={setChoice} tags={tagsOf(bots)} />}
      {shown.length === 0 && <p className="text-small text-ink-soft">No bot matches the filter.</p>}
      {cards(shown)}
    </>
  );
}

type ChoosingProps = {
  tags: string[];
  choice: Choice;
  onChoice: (choice: Choice) => void;
};

function Choosing({ tags, choice, onChoice }: ChoosingProps) {
  return (
    <div className="mb-4">
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
