/**
 * Unsaved edits of a bot's strategy. They live outside of the screens, so that they survive navigation and are known to
 * everything that saves, tests or leaves.
 */
import { api, queryClient } from "@/api/client";
import { type Problem, problemOf } from "@/api/problem";
import { Store, useStore } from "@/kit/store";
import { type Session, session } from "@/session/store";
import { type Draft, same, toDraft, toStrategy } from "@/strategy/draft";
import { botQuery, keepBot, keepNewerBot, refreshBot } from "@/strategy/refreshing";
import { type Bot, revisionHeader, type Strategy, type Version } from "@/strategy/versions";

/** `base` is the strategy that the edits began with. */
type Edits = { base: Version; draft: Draft };
type Saved = { before: Version; after: Version };
type State = { edits: Edits | null; problem: Problem | null; saved: Saved | null };

const NOTHING: State = { edits: null, problem: null, saved: null };
const states = new Map<string, Store<State>>();

function stateOf(botId: string): Store<State> {
  const state = states.get(botId) ?? new Store(NOTHING);
  states.set(botId, state);
  return state;
}

function change(botId: string, part: Partial<State>): void {
  const state = stateOf(botId);
  state.set({ ...state.get(), ...part });
}

export function isSame(one: Strategy | null, other: Strategy | null): boolean {
  if (one === null || other === null) return one === other;
  return same(toDraft(one), toDraft(other));
}

function isChanged({ base, draft }: Edits): boolean {
  return base.strategy === null || !same(draft, toDraft(base.strategy));
}

function differs(edits: Edits, bot: Bot): boolean {
  return isChanged(edits) && !isSame(toStrategy(edits.draft), bot.strategy);
}

/** Edits that changed nothing are forgotten when the bot moves on. */
function current(edits: Edits | null, bot: Bot): Edits | null {
  return edits && (differs(edits, bot) || edits.base.revision === bot.revision) ? edits : null;
}

/** The edits began with another strategy than this one. */
function isOutdated({ base }: Edits, { revision, strategy }: Version): boolean {
  return base.revision !== revision && !isSame(base.strategy, strategy);
}

export function useEdits(bot: Bot) {
  const { edits, problem, saved } = useStore(stateOf(bot.id));
  const changed = edits !== null && differs(edits, bot);
  return {
    edits: current(edits, bot),
    changed,
    /** Somebody else has saved another strategy since the edits began. */
    conflicts: changed && isOutdated(edits, bot),
    problem: changed ? problem : null,
    saved,
  };
}

export function edit(bot: Bot, draft: Draft): void {
  const { revision, strategy } = bot;
  const base = current(stateOf(bot.id).get().edits, bot)?.base ?? { revision, strategy };
  change(bot.id, { edits: { base, draft } });
}

export function discardEdits(botId: string): void {
  change(botId, { edits: null, problem: null });
}

export function dismissSaved(botId: string): void {
  change(botId, { saved: null });
}

/**
 * Save what is typed as a new revision of `onto`: the strategy that the edits began with, or a newer one that the user
 * has seen and wants to replace. Throws a `Problem` when it is refused, and nothing is lost then.
 */
export async function saveEdits(botId: string, onto?: Version): Promise<Version | null> {
  const { edits } = stateOf(botId).get();
  if (!edits || (!isChanged(edits) && !onto)) return null;
  const known = queryClient.getQueryData<Bot>(botQuery(botId).queryKey);
  const before = onto ?? (known && !isOutdated(edits, known) ? known : edits.base);
  try {
    const { data } = await api.PATCH("/api/bots/{bot_id}", {
      params: { path: { bot_id: botId }, header: revisionHeader(before.revision) },
      body: { strategy: toStrategy(edits.draft) },
    });
    const after = data as Bot;
    keepBot(after);
    change(botId, { edits: null, problem: null, saved: { before, after } });
    void refreshBot(botId);
    return after;
  } catch (error) {
    keepNewerBot(error);
    change(botId, { problem: problemOf(error) });
    throw error;
  }
}

/** Deletes all edits at a logout, so that the next user does not see them; an expired session keeps them. */
let before: Session = session.get();
session.follow(() => {
  const now = session.get();
  if (before.accessToken !== null && now.accessToken === null && !now.expired) states.clear();
  before = now;
});
