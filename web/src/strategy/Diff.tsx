/**
 * What changed between two strategies, with a button to undo it. Used wherever a strategy changes, by form or by chat:
 *
 *     <ChangeNotice botId={bot.id} before={{ revision: 3, strategy }} after={{ revision: 4, strategy }} />
 *
 * `before` and `after` are what the API calls revisions; revision 0 is the bot before its first strategy.
 * `<Diff before={…} after={…} />` is the list alone, without the button.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { Button } from "@/design/Button";
import { CheckIcon, CloseIcon, UndoIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";
import { canonical } from "@/strategy/conditionDraft";
import { Phrase } from "@/strategy/description";
import { USUAL_PORTFOLIO } from "@/strategy/draft";
import { botQuery, keepBot, keepNewerBot, refreshBot } from "@/strategy/refreshing";
import { revisionHeader, type Version } from "@/strategy/versions";
import { type Condition, KINDS, PREFERENCES, type Strategy } from "@/strategy/words";

export type { Version } from "@/strategy/versions";

type Part = string | Condition;
/** Null on one side: it was added, or removed. */
export type Difference = { what: string; before: Part | null; after: Part | null };

export function diff(before: Strategy | null, after: Strategy | null): Difference[] {
  return [
    ...conditionChanges("Buy when", before?.conditions, after?.conditions),
    ...valueChange("Buy when", matching(before?.conditions, before?.match), matching(after?.conditions, after?.match)),
    ...conditionChanges("Sell when", before?.exit_conditions, after?.exit_conditions),
    ...valueChange(
      "Sell when",
      matching(before?.exit_conditions, before?.exit_match ?? "any"),
      matching(after?.exit_conditions, after?.exit_match ?? "any"),
    ),
    ...SETTINGS.flatMap(([what, read]) => valueChange(what, before && read(before), after && read(after))),
  ];
}

const percents = (value: number | null | undefined) => (value == null ? null : `${value}%`);

const distance = (value: { period?: number; times: number } | null | undefined) =>
  value ? `${value.times} × ATR(${value.period ?? 14})` : null;

const SETTINGS: [string, (strategy: Strategy) => string | null][] = [
  ["Stop loss", ({ risk_management: risk }) => percents(risk?.stop_loss_percent) ?? distance(risk?.stop_loss_atr)],
  [
    "Take profit",
    ({ risk_management: risk }) => percents(risk?.take_profit_percent) ?? targetWords(risk?.take_profits),
  ],
  [
    "Trailing stop",
    ({ risk_management: risk }) => percents(risk?.trailing_stop_percent) ?? distance(risk?.trailing_stop_atr),
  ],
  ["Break even", (strategy) => breakEvenWords(strategy)],
  ["Longest holding", (strategy) => strategy.risk_management?.max_holding ?? null],
  ["Wait after a sale", (strategy) => strategy.risk_management?.cooldown ?? null],
  ["Ladder", (strategy) => ladderWords(strategy)],
  ["Buys of one position", (strategy) => entriesWords(strategy)],
  ["Stop buying for good", (strategy) => drawdownWords(strategy)],
  ["Pause after losses", (strategy) => streakWords(strategy)],
  ["Most buys a day", (strategy) => strategy.guards?.max_trades_per_day?.toString() ?? null],
  ["Position size", (strategy) => sizeWords(strategy)],
  ["With many tokens", (strategy) => portfolioWords(strategy)],
];

function targetWords(targets: Schemas["Target"][] | null | undefined): string | null {
  return targets?.map(({ gain_percent, sell_percent }) => `${sell_percent}% at +${gain_percent}%`).join(", ") ?? null;
}

function breakEvenWords({ risk_management: risk }: Strategy): string | null {
  const gain = percents(risk?.break_even_after_percent);
  return gain && `after a gain of ${gain}`;
}

function ladderWords({ ladder }: Strategy): string | null {
  return ladder?.map(({ drop_percent, size_percent }) => `${size_percent}% at −${drop_percent}%`).join(", ") ?? null;
}

function entriesWords({ max_entries = 1, entry_gap }: Strategy): string | null {
  if (max_entries === 1 && !entry_gap) return null;
  return `at most ${max_entries}${entry_gap ? `, ${entry_gap} apart` : ""}`;
}

function sizeWords({ position_percent, position_amount, risk_percent }: Strategy): string {
  if (position_amount != null) return `$${position_amount} a buy`;
  if (risk_percent != null) return `${risk_percent}% of the account at risk`;
  return `${position_percent ?? 100}% of the cash`;
}

/** Null where it is as usual. */
function portfolioWords({ portfolio }: Strategy): string | null {
  const { max_open, prefer } = { ...USUAL_PORTFOLIO, ...portfolio };
  if (max_open === USUAL_PORTFOLIO.max_open && prefer === USUAL_PORTFOLIO.prefer) return null;
  return `at most ${max_open} at a time, first: ${PREFERENCES[prefer].toLowerCase()}`;
}

function drawdownWords({ guards }: Strategy): string | null {
  const fall = percents(guards?.max_drawdown_percent);
  return fall && `after a fall of ${fall} from the highest equity`;
}

function streakWords({ guards }: Strategy): string | null {
  const streak = guards?.losing_streak;
  return streak ? `${streak.pause} after ${streak.losses} in a row` : null;
}

/** How several conditions are combined; null for one or none. */
function matching(conditions: Condition[] | undefined, match: Strategy["match"]): string | null {
  if (!conditions || conditions.length < 2) return null;
  return match === "any" ? "any of them is met" : "all of them are met";
}

function valueChange(what: string, before: string | null, after: string | null): Difference[] {
  return before === after ? [] : [{ what, before, after }];
}

/** Equal conditions are paired first, then those of one kind; what is left was removed or added. */
function conditionChanges(what: string, before: Condition[] = [], after: Condition[] = []): Difference[] {
  const [gone, come] = unpaired(before, after, (one, other) => canonical(one) === canonical(other));
  const changed: Difference[] = [];
  const [removed, added] = unpaired(gone, come, (one, other) => {
    if (one.kind !== other.kind) return false;
    changed.push({ what, before: one, after: other });
    return true;
  });
  return [
    ...changed,
    ...removed.map((condition) => ({ what, before: condition, after: null })),
    ...added.map((condition) => ({ what, before: null, after: condition })),
  ];
}

/** The conditions without a counterpart on the other side. */
function unpaired<Item>(left: Item[], right: Item[], pairs: (one: Item, other: Item) => boolean): [Item[], Item[]] {
  const rest = [...right];
  const alone = left.filter((item) => {
    const partner = rest.findIndex((other) => pairs(item, other));
    if (partner >= 0) rest.splice(partner, 1);
    return partner < 0;
  });
  return [alone, rest];
}

export function Diff({ before, after }: { before: Strategy | null; after: Strategy | null }) {
  const differences = diff(before, after);
  if (differences.length === 0) return <p className="text-small text-ink-soft">There are no differences.</p>;
  return (
    <ul aria-label="Changes" className="stack gap-1.5 text-small">
      {differences.map((difference) => (
        <li className="stack" key={JSON.stringify(difference)}>
          <span className="text-tiny text-ink-faint">{difference.what}</span>
          {difference.before && <Side mark="−" name="Before" part={difference.before} tone="bg-down-soft text-down" />}
          {difference.after && <Side mark="+" name="After" part={difference.after} tone="bg-up-soft text-up" />}
        </li>
      ))}
    </ul>
  );
}

function Side({ mark, name, tone, part }: { mark: string; name: string; tone: string; part: Part }) {
  return (
    <span className={`flex gap-1.5 px-1.5 py-0.5 first-of-type:rounded-t-small last:rounded-b-small ${tone}`}>
      <span aria-hidden="true" className="font-mono">
        {mark}
      </span>
      <span className="sr-only">{name}:</span>
      <span className="min-w-0 wrap-anywhere">{typeof part === "string" ? part : <Phrase condition={part} />}</span>
    </span>
  );
}

type ChangeNoticeProps = { botId: string; before: Version; after: Version; title?: string; onDismiss?: () => void };

/** A change of the strategy. It can be undone as long as it is the newest one; afterwards it is history. */
export function ChangeNotice({ botId, before, after, title = "Strategy changed", onDismiss }: ChangeNoticeProps) {
  const { data: bot } = useQuery({ ...botQuery(botId), enabled: false });
  const undo = useMutation({ mutationFn: () => takeBack(botId, after) });
  const isNewest = bot === undefined || bot.revision === after.revision;
  const isUndone = bot?.revision === after.revision + 1 && diff(before.strategy, bot.strategy).length === 0;
  return (
    <section
      aria-label={title}
      className="stack gap-2.5 rounded-control border border-line bg-raised p-3"
      tabIndex={-1}
    >
      <div className="flex min-h-7 items-center gap-2">
        <span className="text-up">
          <CheckIcon size={14} />
        </span>
        <p className="min-w-0 flex-1 text-small font-medium" role="status">
          {isUndone ? "Undone: the earlier strategy is back" : title}
        </p>
        {isNewest && (
          <Button busy={undo.isPending} onClick={() => undo.mutate()} size="small" title={undoing(before, after)}>
            <UndoIcon size={14} />
            Undo
          </Button>
        )}
        {onDismiss && (
          <Button aria-label="Dismiss" look="ghost" onClick={onDismiss} size="small">
            <CloseIcon size={12} />
          </Button>
        )}
      </div>
      <div className={isUndone ? "line-through" : undefined}>
        <Diff after={after.strategy} before={before.strategy} />
      </div>
      {isNewest && <p className="text-tiny text-ink-faint">{undoing(before, after)}</p>}
      {!isNewest && !isUndone && (
        <p className="text-tiny text-ink-faint">
          The strategy has changed again since. Earlier ones can be restored under Revisions.
        </p>
      )}
      <ProblemNote error={undo.error} />
    </section>
  );
}

/** What undoing a change does, in a sentence. */
export function undoing(before: Version, after: Version): string {
  const changes = diff(after.strategy, before.strategy);
  const [only] = changes;
  if (before.strategy === null) return "Undo takes the whole strategy away.";
  if (!only || changes.length > 1) return `Undo takes these ${changes.length} changes back.`;
  const what = `${only.what.charAt(0).toLowerCase()}${only.what.slice(1)}`;
  if (only.after === null) return `Undo removes “${what}: ${nameOf(only.before)}”.`;
  return `Undo brings “${what}: ${nameOf(only.after)}” back.`;
}

function nameOf(part: Part | null): string | null {
  return part === null || typeof part === "string" ? part : KINDS[part.kind].toLowerCase();
}

/** The strategy before, as a new revision; refused if something newer than `after` is there. */
async function takeBack(botId: string, after: Version): Promise<void> {
  const params = { path: { bot_id: botId }, header: revisionHeader(after.revision) };
  try {
    const { data } = await api.POST("/api/bots/{bot_id}/undo", { params });
    if (data) keepBot(data);
  } catch (error) {
    keepNewerBot(error);
    throw error;
  } finally {
    void refreshBot(botId);
  }
}
