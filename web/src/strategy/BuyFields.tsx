/** Further buys of one position: a ladder on the way down, and entries that buy again. And how much one buy takes. */
import { Choice, Field } from "@/design/Field";
import { DurationInput } from "@/strategy/DurationInput";
import type { LadderDraft, PartsDraft, SizeDraft } from "@/strategy/draft";
import { Folded } from "@/strategy/Folded";
import { NumberField } from "@/strategy/NumberField";
import { RowList } from "@/strategy/RowList";
import { newKey } from "@/strategy/typed";

const MOST_STEPS = 10;
const USUAL_DROP = 5;
/** The share of a step, and of a first buy that took all the cash before. */
const [USUAL_STEP, USUAL_FIRST] = [20, 40];

export type Buying = { size: SizeDraft; parts: PartsDraft };
type BuyFieldsProps = Buying & {
  wrong: (member: string) => string | undefined;
  onChange: (changed: Partial<Buying>) => void;
};

export function PartsFields({ size, parts, wrong, onChange }: BuyFieldsProps) {
  const { ladder, max_entries, entry_gap } = parts;
  const set = (part: Partial<PartsDraft>) => onChange({ parts: { ...parts, ...part } });
  const isUsed = ladder.length > 0 || (max_entries !== "" && max_entries !== "1") || entry_gap.count !== "";
  return (
    <Folded isUsed={isUsed} title="Buy in parts">
      <RowList
        add={ladder.length > 0 ? "Add a step" : "Buy more on the way down"}
        error={wrong("ladder")}
        fields={(step, index) => {
          const change = (part: Partial<LadderDraft>) => set({ ladder: ladder.with(index, { ...step, ...part }) });
          return (
            <>
              <NumberField
                error={wrong(`ladder.${index}.drop_percent`)}
                label="Lower by, %"
                onChange={(drop_percent) => change({ drop_percent })}
                value={step.drop_percent}
              />
              <NumberField
                error={wrong(`ladder.${index}.size_percent`)}
                label="Add, % of cash"
                onChange={(size_percent) => change({ size_percent })}
                value={step.size_percent}
              />
            </>
          );
        }}
        most={MOST_STEPS}
        name="Step"
        onAdd={() => onChange(withStep({ size, parts }))}
        onRemove={(index) => set({ ladder: ladder.toSpliced(index, 1) })}
        rows={ladder}
      />
      {ladder.length > 0 && (
        <p className="text-small text-ink-faint">
          Measured from the price of the first buy and the cash before it.
          {size.by === "percent" && ` ${restWords(left({ size, parts }))}`}
        </p>
      )}
      <div className="grid grid-cols-2 gap-2.5">
        <NumberField
          error={wrong("max_entries")}
          isWhole
          label="Buys of one position"
          none="1"
          onChange={(typed) => set({ max_entries: typed })}
          value={max_entries}
        />
        <Field error={wrong("entry_gap")} label="Time between them">
          {(control) => (
            <DurationInput control={control} none="any" onChange={(gap) => set({ entry_gap: gap })} value={entry_gap} />
          )}
        </Field>
      </div>
    </Folded>
  );
}

/** With one step more. A first buy that took all the cash leaves some for the steps. */
export function withStep({ size, parts }: Buying): Buying {
  const { ladder } = parts;
  const first =
    size.by === "percent" && Number(size.percent) === 100 ? { ...size, percent: String(USUAL_FIRST) } : size;
  const rest = first.by === "percent" ? left({ size: first, parts }) : USUAL_STEP;
  const step = {
    key: newKey(),
    drop_percent: String((Number(ladder.at(-1)?.drop_percent) || 0) + USUAL_DROP),
    size_percent: String(rest > 0 ? Math.min(rest, USUAL_STEP) : USUAL_STEP),
  };
  return { size: first, parts: { ...parts, ladder: [...ladder, step] } };
}

function restWords(rest: number): string {
  if (Number.isNaN(rest)) return "";
  return rest < 0 ? `Together ${-rest} % more than the cash.` : `${rest} % of the cash is not used.`;
}

/** The share of the cash that neither the first buy nor a step takes. */
function left({ size, parts }: Buying): number {
  const taken = parts.ladder.reduce((sum, { size_percent }) => sum + Number(size_percent), Number(size.percent));
  return Number((100 - taken).toFixed(6));
}

const SIZES = {
  percent: { choice: "Share of cash", field: "position_percent", label: "Position, % of cash" },
  amount: { choice: "Amount", field: "position_amount", label: "Each buy, $" },
  risk: { choice: "Risk", field: "risk_percent", label: "Risk of a buy, %" },
} as const;

type SizeProps = {
  size: SizeDraft;
  wrong: (member: string) => string | undefined;
  onChange: (size: SizeDraft) => void;
};

/** The one field that says how much a buy takes. */
export function SizeField({ size, wrong, onChange }: SizeProps) {
  const { field, label } = SIZES[size.by];
  return (
    <NumberField
      error={wrong(field) ?? wrong("")}
      label={label}
      onChange={(typed) => onChange({ ...size, [size.by]: typed })}
      value={size[size.by]}
    />
  );
}

/** What the size of a buy is measured in. */
export function SizeUnit({ size, onChange }: Omit<SizeProps, "wrong">) {
  return (
    <Folded isUsed={size.by !== "percent"} title="Size of a buy">
      <Choice
        label="Size of a buy"
        onChange={(by) => onChange({ ...size, by })}
        options={Object.entries(SIZES).map(([value, { choice }]) => ({
          value: value as SizeDraft["by"],
          label: choice,
        }))}
        value={size.by}
      />
      <p className="text-small text-ink-faint">{MEANINGS[size.by]}</p>
    </Folded>
  );
}

const MEANINGS: Record<SizeDraft["by"], string> = {
  percent: "A buy takes this share of the cash.",
  amount: "A buy takes this much money, or what is left of it.",
  risk: "A buy is so large that its stop loses this share of the account. It needs a stop.",
};
