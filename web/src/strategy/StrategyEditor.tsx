/** A bot's strategy as editable cards. Each change, by form or by chat, is shown as a diff that can be undone. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useMemo, useRef } from "react";
import type { Instrument } from "@/backtests/instrument";
import { Button } from "@/design/Button";
import { lazyPart } from "@/design/lazyPart";
import { Empty, Note, ProblemNote, Skeleton } from "@/design/States";
import { ConditionList } from "@/strategy/ConditionList";
import { Conflict, TWO_VERSIONS } from "@/strategy/Conflict";
import { ChangeNotice, Diff, diff } from "@/strategy/Diff";
import { Sentence } from "@/strategy/description";
import { type Draft, FIRST_STRATEGY, toDraft, toStrategy } from "@/strategy/draft";
import { discardEdits, dismissSaved, edit, saveEdits, useEdits } from "@/strategy/edits";
import { PortfolioFields } from "@/strategy/PortfolioFields";
import { RiskFields } from "@/strategy/RiskFields";
import { TEMPLATES } from "@/strategy/templates";
import type { Bot, Strategy } from "@/strategy/versions";

const SAVED = "Saved";
const Preview = lazyPart(() => import("@/strategy/Preview"), { name: "The preview" });

/** `instrument` is what the preview is drawn on, where the bot has no token of its own. */
type StrategyEditorProps = { bot: Bot; instrument?: Instrument | null };

export function StrategyEditor({ bot, instrument = null }: StrategyEditorProps) {
  const { edits, changed, conflicts, problem, saved } = useEdits(bot);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same revision has the same strategy, and typing must not lose its place
  const held = useMemo(() => bot.strategy && toDraft(bot.strategy), [bot.id, bot.revision]);
  const form = useRef<HTMLFormElement>(null);
  const isByKeys = useRef(false);
  const save = useMutation({ mutationFn: () => saveEdits(bot.id) });
  useEffect(() => {
    // The button that saved is gone; whoever pressed it by keyboard goes on at what was saved.
    const notice = form.current?.querySelector<HTMLElement>(`[aria-label="${SAVED}"]`);
    if (save.isSuccess && document.activeElement === document.body) notice?.focus({ preventScroll: !isByKeys.current });
  }, [save.isSuccess]);
  const draft = edits?.draft ?? held;
  if (!draft) return <NoStrategy onWrite={(strategy) => edit(bot, toDraft(strategy))} />;

  const change = (part: Partial<Draft>) => edit(bot, { ...draft, ...part });
  const wrong = (member: string) => problem?.field(member ? `strategy.${member}` : "strategy");

  function submit(event: FormEvent) {
    event.preventDefault();
    isByKeys.current = document.activeElement?.matches(":focus-visible") ?? false;
    if (changed && !conflicts) save.mutate();
  }

  return (
    <form aria-label="Strategy" className="stack gap-4" noValidate onSubmit={submit} ref={form}>
      {edits && conflicts && <Conflict base={edits.base} bot={bot} mine={toStrategy(edits.draft)} />}
      {saved && !changed && (
        <ChangeNotice
          after={saved.after}
          before={saved.before}
          botId={bot.id}
          key={saved.after.revision}
          onDismiss={() => dismissSaved(bot.id)}
          title={SAVED}
        />
      )}
      <Preview
        bot={bot}
        fallback={(bot.token || instrument) && <Skeleton className="my-1 h-56" />}
        instrument={instrument}
        strategy={toStrategy(draft)}
      />
      <ConditionList
        conditions={draft.conditions}
        empty="Without a condition it never buys."
        error={wrong("conditions")}
        match={draft.match}
        onChange={(conditions) => change({ conditions })}
        onMatch={(match) => change({ match })}
        title="Buy when"
        wrong={(member) => wrong(`conditions.${member}`)}
      />
      <ConditionList
        conditions={draft.exit_conditions}
        empty="No condition: only the risk settings sell."
        error={wrong("exit_conditions")}
        match={draft.exit_match}
        onChange={(exit_conditions) => change({ exit_conditions })}
        onMatch={(exit_match) => change({ exit_match })}
        title="Sell when"
        wrong={(member) => wrong(`exit_conditions.${member}`)}
      />
      <RiskFields
        guards={draft.guards}
        onChange={change}
        parts={draft.parts}
        risk={draft.risk}
        size={draft.size}
        wrong={wrong}
      />
      <PortfolioFields onChange={(portfolio) => change({ portfolio })} portfolio={draft.portfolio} wrong={wrong} />
      {conflicts && <ConflictBar />}
      {edits && changed && !conflicts && (
        <SaveBar
          before={edits.base.strategy}
          busy={save.isPending}
          draft={draft}
          error={problem}
          onDiscard={() => discardEdits(bot.id)}
        />
      )}
    </form>
  );
}

function NoStrategy({ onWrite }: { onWrite: (strategy: Strategy) => void }) {
  const templates = (
    <ul aria-label="Templates" className="flex flex-wrap justify-center gap-1.5">
      {TEMPLATES.map(({ name, about, strategy }) => (
        <li key={name}>
          <Button onClick={() => onWrite(strategy)} size="small" title={about}>
            {name}
          </Button>
        </li>
      ))}
    </ul>
  );
  const first = (
    <Button look="primary" onClick={() => onWrite(FIRST_STRATEGY)}>
      Write the first condition
    </Button>
  );
  return (
    <Empty
      action={
        <div className="stack items-center gap-3">
          {first}
          {templates}
        </div>
      }
      title="No strategy yet."
    >
      Describe one in the chat, begin with a condition here, or take a template.
    </Empty>
  );
}

/** A link to the two versions at the top, for readers further down. */
function ConflictBar() {
  const show = () => {
    document.getElementById(TWO_VERSIONS)?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div className="sticky bottom-0 -mx-4 -mb-4 flex items-center justify-between gap-2 rounded-b-card border-t border-line bg-raised p-3 text-small shadow-raised">
      Also changed elsewhere: yours is not saved.
      <Button onClick={show} size="small">
        Choose a version
      </Button>
    </div>
  );
}

type SaveBarProps = {
  before: Strategy | null;
  draft: Draft;
  busy: boolean;
  error: unknown;
  onDiscard: () => void;
};

/** What saving would change, with buttons to save or discard. It stays visible. */
function SaveBar({ before, draft, busy, error, onDiscard }: SaveBarProps) {
  const after = toStrategy(draft);
  const changes = diff(before, after).length;
  return (
    <div className="sticky bottom-0 -mx-4 -mb-4 stack gap-2 rounded-b-card border-t border-line bg-raised p-3 shadow-raised">
      <ProblemNote error={error} />
      <Sentence strategy={after} />
      <div className="flex items-center gap-2">
        <details className="min-w-0 flex-1">
          <summary className="rounded-small text-small text-ink-soft">
            {changes} unsaved {changes === 1 ? "change" : "changes"}
          </summary>
          <div className="mt-2 max-h-48 overflow-y-auto">
            <Diff after={after} before={before} />
          </div>
        </details>
        <Button className="self-start" look="ghost" onClick={onDiscard} size="small">
          Discard
        </Button>
        <Button busy={busy} className="self-start" look="primary" size="small" type="submit">
          Save
        </Button>
      </div>
    </div>
  );
}

/** Shown next to buttons that run the bot: unsaved edits are saved first. */
export function SavedFirst({ bot }: { bot: Bot }) {
  const { changed } = useEdits(bot);
  if (!changed) return null;
  return <Note>Your unsaved changes of the strategy are saved first, as revision {bot.revision + 1}.</Note>;
}
