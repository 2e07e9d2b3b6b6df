/** What a run trades: one token, or many with one purse. */
import type { Schemas } from "@/api/client";
import type { Problem } from "@/api/problem";
import { Choice, Field, Input } from "@/design/Field";
import { count } from "@/format/numbers";
import { KeepButton } from "@/purse/KeepButton";
import { type Days, ManyTokens } from "@/purse/ManyTokens";
import type { TokenChoice } from "@/purse/useChoice";

type PurseFieldsProps = {
  bot: Schemas["BotView"];
  choice: TokenChoice;
  problem: Problem | null;
  /** Whether the form was sent without a token. */
  isMissing: boolean;
  days: Days;
};

const NEEDS_ACCOUNT = "Many tokens with one purse need an account.";
const USUAL_LOSS = 50;

export function OneOrMany({ choice }: { choice: TokenChoice }) {
  return (
    <Choice
      label="What it trades"
      onChange={(value) => choice.setIsMany(value === "many")}
      options={[
        { value: "one", label: "One token" },
        { value: "many", label: "Many tokens, one purse", unusable: choice.most ? undefined : NEEDS_ACCOUNT },
      ]}
      value={choice.isMany ? "many" : "one"}
    />
  );
}

export function PurseFields({ bot, choice, problem, isMissing, days }: PurseFieldsProps) {
  const { many, setMany, most, isEmpty } = choice;
  const missing = isMissing && isEmpty ? "Add the first token." : undefined;
  const wrong = (name: string) =>
    problem?.field(`universe.${name}`) ?? (name === "tokens" ? (missing ?? listProblem(problem)) : undefined);
  return (
    <fieldset className="stack gap-3">
      <legend className="sr-only">Tokens of the purse</legend>
      <ManyTokens days={days} many={many} most={most} onChange={setMany} wrong={wrong} />
      <p className="text-small text-ink-soft">
        {days === "live" && "It follows the market live. "}One purse for all: how many it holds at a time is part of the
        strategy.
        {most !== undefined && ` Your tier has up to ${count(most)} tokens.`}
      </p>
      <KeepButton bot={bot} many={many} />
    </fieldset>
  );
}

/** What the position of a token loses that stops trading. Nothing is shown for a run on one token. */
export function DeadLossField({ choice, problem }: Pick<PurseFieldsProps, "choice" | "problem">) {
  const { isMany, many, setMany } = choice;
  if (!isMany) return null;
  return (
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
  );
}

/** What is wrong with the list or with one of its entries, which has no field of its own. */
function listProblem(problem: Problem | null): string | undefined {
  return problem?.fields.find(({ field }) => field === "tokens" || field.startsWith("tokens."))?.message;
}
