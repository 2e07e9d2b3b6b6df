import { Field, Select } from "@/design/Field";
import { type PortfolioDraft, USUAL_PORTFOLIO } from "@/strategy/draft";
import { Folded } from "@/strategy/Folded";
import { NumberField } from "@/strategy/NumberField";
import { PREFERENCES } from "@/strategy/words";

type PortfolioFieldsProps = {
  portfolio: PortfolioDraft;
  wrong: (member: string) => string | undefined;
  onChange: (portfolio: PortfolioDraft) => void;
};

/** How one purse trades many tokens. A run on one token does not read it. */
export function PortfolioFields({ portfolio, wrong, onChange }: PortfolioFieldsProps) {
  const { max_open, prefer } = portfolio;
  const isUsed = prefer !== USUAL_PORTFOLIO.prefer || max_open !== String(USUAL_PORTFOLIO.max_open);
  return (
    <Folded isUsed={isUsed} title="Many tokens with one purse">
      <div className="grid grid-cols-2 gap-2.5">
        <NumberField
          error={wrong("portfolio.max_open")}
          isWhole
          label="Hold at a time"
          onChange={(typed) => onChange({ ...portfolio, max_open: typed })}
          value={max_open}
        />
        <Field error={wrong("portfolio.prefer")} label="If places are few, buy">
          {(control) => (
            <Select
              {...control}
              onChange={(event) => onChange({ ...portfolio, prefer: event.target.value as PortfolioDraft["prefer"] })}
              value={prefer}
            >
              {Object.entries(PREFERENCES).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <p className="text-small text-ink-faint">A run on one token does not read this.</p>
    </Folded>
  );
}
