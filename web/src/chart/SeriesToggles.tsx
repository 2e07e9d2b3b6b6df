import type { ReactNode } from "react";
import type { ChartData } from "@/chart/Drawing";
import { HIDEABLE } from "@/chart/hiding";
import { lineColour } from "@/chart/lines";
import type { Rules } from "@/chart/RuleLines";
import { classes } from "@/kit/classes";

type Entry = { name: string; mark: ReactNode };
type SeriesTogglesProps = { data: ChartData; hidden: readonly string[]; onHide: (hidden: string[]) => void };

/** The legend: each entry hides or shows its series or pane. */
export function SeriesToggles({ data, hidden, onHide }: SeriesTogglesProps) {
  const toggle = (name: string) =>
    onHide(hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <span aria-label="Shown on the chart" className="flex flex-wrap items-center gap-x-1" role="group">
      {entriesOf(data).map(({ name, mark }) => (
        <button
          aria-pressed={!hidden.includes(name)}
          className={classes(
            "h-6 rounded-small px-1.5 text-tiny text-ink-soft hover:bg-hover hover:text-ink",
            hidden.includes(name) && "line-through",
          )}
          key={name}
          onClick={() => toggle(name)}
          title={hidden.includes(name) ? `Show: ${name}` : `Hide: ${name}`}
          type="button"
        >
          <span aria-hidden="true">{mark} </span>
          {name}
        </button>
      ))}
      <RuleMarks rules={data.rules ?? []} />
    </span>
  );
}

/** The marks of a chosen trade. */
function RuleMarks({ rules }: { rules: Rules[] }) {
  return (
    <span aria-hidden="true" className="flex gap-x-3 px-1.5 text-tiny text-ink-faint">
      {rules.some(({ entry }) => entry.length > 0) && (
        <span>
          <span className="text-accent">●</span> decided
        </span>
      )}
      {rules.some(({ ladder }) => ladder.length > 0) && (
        <span>
          <span className="text-warn">┅</span> next step of the ladder
        </span>
      )}
    </span>
  );
}

function entriesOf({ fills, curves, lines = [] }: ChartData): Entry[] {
  const trades = (
    <>
      <span className="text-up">▲</span>
      <span className="text-down">▼</span>
    </>
  );
  return [
    ...(fills.length > 0 ? [{ name: HIDEABLE.trades, mark: trades }] : []),
    { name: HIDEABLE.volume, mark: "▂▅" },
    ...lines.map(({ name }, place) => ({
      name,
      mark: <span style={{ color: `var(--${lineColour(place)})` }}>━</span>,
    })),
    ...(curves
      ? [
          { name: HIDEABLE.equity, mark: <span className="text-accent">━</span> },
          { name: HIDEABLE.hold, mark: "┅" },
          { name: HIDEABLE.drawdown, mark: <span className="text-down">◢</span> },
        ]
      : []),
  ];
}
