/** The fields of a comparison: a series, how it is compared, and with which number or series. */
import { Choice, Field, Input, Select } from "@/design/Field";
import { type ComparisonDraft, comparison, type Operator, type SeriesDraft } from "@/strategy/comparison";
import { Phrase } from "@/strategy/description";
import { label, type Parameter, type SeriesEntry, useSeriesTable, usualValues } from "@/strategy/language";

const OPERATORS: Record<Operator, string> = {
  above: "is above",
  below: "is below",
  crosses_above: "crosses above",
  crosses_below: "crosses below",
};
const LONGER = ["5m", "15m", "1h", "4h", "1d"];

type Wrong = (member: string) => string | undefined;
type ComparisonFieldsProps = {
  draft: ComparisonDraft;
  wrong: Wrong;
  onChange: (draft: ComparisonDraft) => void;
};

export function ComparisonFields({ draft, wrong, onChange }: ComparisonFieldsProps) {
  const table = useSeriesTable();
  const set = (part: Partial<ComparisonDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <SeriesFields
        draft={draft.left}
        name="Indicator"
        onChange={(left) => set({ left })}
        table={table}
        wrong={(member) => wrong(`left.${member}`) ?? wrong(`left.${draft.left.series}.${member}`)}
      />
      <Select
        aria-label="How it is compared"
        onChange={(event) => set({ operator: event.target.value as Operator })}
        value={draft.operator}
      >
        {Object.entries(OPERATORS).map(([operator, words]) => (
          <option key={operator} value={operator}>
            {words}
          </option>
        ))}
      </Select>
      <Choice
        label="Compared with"
        onChange={(against) => set({ against })}
        options={[
          { value: "number", label: "A number" },
          { value: "series", label: "An indicator" },
        ]}
        value={draft.against}
      />
      {draft.against === "number" ? (
        <Field error={wrong("right") ?? wrong("right.float")} label="Number">
          {(control) => (
            <Input
              {...control}
              onChange={(event) => set({ number: event.target.value })}
              step="any"
              type="number"
              value={draft.number}
            />
          )}
        </Field>
      ) : (
        <SeriesFields
          draft={draft.right}
          name="Compared indicator"
          onChange={(right) => set({ right })}
          table={table}
          wrong={(member) => wrong(`right.${member}`) ?? wrong(`right.${draft.right.series}.${member}`)}
        />
      )}
      <Field error={wrong("within_candles")} label="True if it was so in the last … candles">
        {(control) => (
          <Input
            {...control}
            max={100}
            min={1}
            onChange={(event) => set({ within: event.target.value })}
            type="number"
            value={draft.within}
          />
        )}
      </Field>
      <p aria-live="polite" className="text-small text-ink-soft">
        When <Phrase condition={comparison(draft)} />
      </p>
    </>
  );
}

type SeriesFieldsProps = {
  draft: SeriesDraft;
  name: string;
  table: SeriesEntry[];
  wrong: Wrong;
  onChange: (draft: SeriesDraft) => void;
};

function SeriesFields({ draft, name, table, wrong, onChange }: SeriesFieldsProps) {
  const entry = table.find((each) => each.name === draft.series);
  const setValue = (key: string, value: string) => onChange({ ...draft, values: { ...draft.values, [key]: value } });
  function choose(series: string) {
    const chosen = table.find((each) => each.name === series);
    onChange({ ...draft, series: series as SeriesDraft["series"], values: chosen ? usualValues(chosen) : {} });
  }
  return (
    <div className="stack gap-2">
      <Select aria-label={name} onChange={(event) => choose(event.target.value)} value={draft.series}>
        {(table.length > 0 ? table.map((each) => each.name) : [draft.series]).map((each) => (
          <option key={each} value={each}>
            {label(each)}
          </option>
        ))}
      </Select>
      <div className="grid grid-cols-2 gap-2.5">
        {entry?.parameters.map((parameter) => (
          <Field error={wrong(parameter.name)} key={parameter.name} label={label(parameter.name)}>
            {(control) => (
              <ParameterInput
                control={control}
                onChange={(value) => setValue(parameter.name, value)}
                parameter={parameter}
                value={draft.values[parameter.name] ?? String(parameter.default ?? "")}
              />
            )}
          </Field>
        ))}
      </div>
      <details>
        <summary className="w-fit rounded-small text-small text-ink-soft hover:text-ink">More</summary>
        <div className="mt-2 grid grid-cols-2 gap-2.5">
          <Field error={wrong("interval")} label="Longer candles">
            {(control) => (
              <Select
                {...control}
                onChange={(event) => onChange({ ...draft, interval: event.target.value })}
                value={draft.interval}
              >
                <option value="">The run’s own</option>
                {LONGER.map((interval) => (
                  <option key={interval} value={interval}>
                    {interval}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {[
            ["offset", "Candles ago"],
            ["times", "Times"],
            ["plus", "Plus"],
          ].map(([key = "", words = ""]) => (
            <Field error={wrong(key)} key={key} label={words}>
              {(control) => (
                <Input
                  {...control}
                  onChange={(event) => setValue(key, event.target.value)}
                  step="any"
                  type="number"
                  value={draft.values[key] ?? ""}
                />
              )}
            </Field>
          ))}
        </div>
      </details>
    </div>
  );
}

type ParameterInputProps = {
  control: { id: string };
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
};

function ParameterInput({ control, parameter, value, onChange }: ParameterInputProps) {
  if (parameter.choices) {
    return (
      <Select {...control} onChange={(event) => onChange(event.target.value)} value={value}>
        {parameter.choices.map((choice) => (
          <option key={choice} value={choice}>
            {label(choice)}
          </option>
        ))}
      </Select>
    );
  }
  return (
    <Input
      {...control}
      max={parameter.maximum ?? undefined}
      min={parameter.minimum ?? undefined}
      onChange={(event) => onChange(event.target.value)}
      step={parameter.type === "integer" ? 1 : "any"}
      type="number"
      value={value}
    />
  );
}
