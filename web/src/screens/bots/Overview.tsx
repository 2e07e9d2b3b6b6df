import type { Schemas } from "@/api/client";
import { Field, Input, Select } from "@/design/Field";
import { Change, Money } from "@/format/Figures";
import { ORDERS, type Order, SHOWN, type Show } from "@/screens/bots/glance";

export type Choice = { show: Show; order: Order; named: string };
type OverviewProps = { total: Schemas["PaperTotal"]; choice: Choice; onChoice: (choice: Choice) => void };

/** All paper portfolios together, and which bots are shown in which order. */
export default function Overview({ total, choice, onChoice }: OverviewProps) {
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
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
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
