/** What a run trades: one token, or many with one purse. */
import type { ReactNode } from "react";
import type { Problem } from "@/api/problem";
import { Choice, Field, Input } from "@/design/Field";
import { count } from "@/format/numbers";
import { ManyTokens } from "@/purse/ManyTokens";
import type { TokenChoice } from "@/purse/useChoice";

type TokenFieldsProps = { choice: TokenChoice; problem: Problem | null; hasDays?: boolean };

const NEEDS_ACCOUNT = "Many tokens with one purse need an account.";
const USUAL_LOSS = 50;

export function OneOrMany({ choice, children }: { choice: TokenChoice; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Choice
        label="What it trades"
        onChange={(value) => choice.setIsMany(value === "many")}
        options={[
          { value: "one", label: "One token" },
          { value: "many", label: "Many tokens, one purse", unusable: choice.most ? undefined : NEEDS_ACCOUNT },
        ]}
        value={choice.isMany ? "many" : "one"}
      />
      {children}
    </div>
  );
}

export function PurseFields({ choice, problem, hasDays }: TokenFieldsProps) {
  const { many, setMany, most, isEmpty } = choice;
  const wrong = (name: string) => problem?.field(`universe.${name}`) ?? problem?.field(name) ?? listProblem(problem, name);
  return (
    <fieldset className="stack gap-3">
      <legend className="sr-only">Tokens of the purse</legend>
      <ManyTokens hasDays={hasDays} many={many} most={most} onChange={setMany} wrong={wrong} />
      <div className="flex flex-wrap items-start gap-3">
        <Field
          className="max-w-72"
          error={problem?.field("dead_token_loss_percent")}
          hint="Of a position whose token has no candle for 24 hours"
          label="A dead token loses, %"
        >
          {(control) => (
            <Input
              {...control}
              className="max-w-28"
              onChange={(event) => setMany({ ...many, deadLoss: event.target.value })}
              placeholder={String(USUAL_LOSS)}
              step="any"
              type="number"
              value={many.deadLoss}
            />
          )}
        </Field>
      </div>
      <p className="text-small text-ink-soft">
        One purse for all: how many it holds at a time is part of the strategy.
        {most !== undefined && ` Your tier has up to ${count(most)} tokens.`}
        {isEmpty && " Add the first token."}
      </p>
    </fieldset>
  );
}

/** An error about one entry of the list, which has no field of its own. */
function listProblem(problem: Problem | null, name: string): string | undefined {
  return name === "tokens" ? problem?.fields.find(({ field }) => field.startsWith("tokens."))?.message : undefined;
}
