/**
 * A running conversation. It lives outside of the screens, so that an answer continues while the user opens another one.
 * Saved messages are in the query of the conversation; this holds only the newer ones.
 */
import { api, identityHeaders, noticeRefusedToken, queryClient, type Schemas } from "@/api/client";
import { Problem, problemIn, problemOf } from "@/api/problem";
import { noteRemaining, noteTaken } from "@/chat/allowance";
import { type GrowingAnswer, grow, NO_ANSWER, type Part } from "@/chat/answer";
import { type LentToken, testForTheFirstTime } from "@/chat/firstTest";
import { conversationQuery, keepConversation, refreshBots, refreshConversations } from "@/chat/records";
import { events } from "@/chat/stream";
import { Store } from "@/kit/store";
import { becomeVisitor, type Session, session } from "@/session/store";

type Phase = "answering" | "stopped" | "failed";

export type Turn = {
  asked: string;
  answer: GrowingAnswer;
  phase: Phase;
  problem: Problem | null;
  /** Whether the server has accepted the message: then it is saved, and answered even without a listener. */
  admitted: boolean;
};

export type ThreadState = { conversationId: string | null; turns: Turn[]; warning: string | null };

/** The subject of a new conversation: an existing bot, or the token for a new one. */
type Subject = { botId?: string; token?: LentToken };

const BROKEN_OFF = "The connection broke off before the answer was complete.";

export class Thread {
  readonly state: Store<ThreadState>;
  readonly #about: Subject;
  #listening = new AbortController();
  #opening: Promise<string> | null = null;

  constructor(conversationId: string | null, about: Subject = {}) {
    this.#about = about;
    this.state = new Store<ThreadState>({ conversationId, turns: [], warning: null });
  }

  get isAnswering(): boolean {
    return this.state.get().turns.at(-1)?.phase === "answering";
  }

  /** Resolves in any case: a failure is part of the state. */
  async send(asked: string): Promise<void> {
    if (this.isAnswering) return;
    const listening = new AbortController();
    this.#listening = listening;
    const kept = this.state.get().turns.filter((turn) => turn.admitted);
    const turn: Turn = { asked, answer: NO_ANSWER, phase: "answering", problem: null, admitted: false };
    this.#change({ turns: [...kept, turn] });
    try {
      await this.#ask(asked, listening.signal);
    } catch (error) {
      if (!listening.signal.aborted) this.#fail(problemOf(error));
    }
  }

  /** Stops listening. The server still finishes the answer. */
  stop(): void {
    if (!this.isAnswering) return;
    this.#listening.abort();
    this.#changeTurn({ phase: "stopped" });
  }

  /** Sends the message again; if the server has accepted it already, only fetches its answer. */
  async retry(): Promise<void> {
    const turn = this.state.get().turns.at(-1);
    if (!turn || this.isAnswering) return;
    if (turn.admitted) await this.#lookUp();
    else await this.send(turn.asked);
  }

  async #ask(asked: string, signal: AbortSignal): Promise<void> {
    const conversationId = this.state.get().conversationId ?? (await this.#openOnce());
    signal.throwIfAborted();
    const headers = new Headers({
      ...identityHeaders(),
      "Content-Type": "application/json",
      Accept: "text/event-stream",
    });
    const address = new URL(`/api/conversations/${conversationId}/chat`, location.origin);
    const request = new Request(address, { method: "POST", headers, body: JSON.stringify({ message: asked }), signal });
    const response = await fetch(request);
    if (!response.ok || !response.body) {
      noticeRefusedToken(response, headers);
      throw await problemIn(response);
    }
    this.#changeTurn({ admitted: true });
    if (session.get().accessToken === null) noteTaken();
    for await (const part of events(response.body)) this.#take(part as Part);
    if (this.isAnswering) throw new Problem(0, BROKEN_OFF);
  }

  /** One who stops and asks again while the conversation is being opened waits for the same one. */
  async #openOnce(): Promise<string> {
    this.#opening ??= this.#open();
    try {
      return await this.#opening;
    } finally {
      this.#opening = null;
    }
  }

  async #open(): Promise<string> {
    const { data } = await api.POST("/api/conversations", { body: { bot_id: this.#about.botId ?? null } });
    if (!data) throw new Problem(500, "The conversation could not be begun.");
    if ("anonymous_token" in data) becomeVisitor(data.anonymous_token);
    keepConversation(data);
    threads.set(data.id, this);
    this.#change({ conversationId: data.id });
    refreshConversations();
    return data.id;
  }

  #take(part: Part): void {
    const turn = this.state.get().turns.at(-1);
    if (turn?.phase !== "answering") return;
    if (part.type === "error") throw new Problem(500, part.errorText);
    if (part.type === "data-turn") this.#settle(part.data);
    else this.#changeTurn({ answer: grow(turn.answer, part) });
    // A run that a tool has only started is announced by the stream of events.
    if (part.type === "tool-output-available") refreshBots();
  }

  #settle(turn: Schemas["TurnView"]): void {
    keepConversation(turn.conversation);
    if (turn.remaining_chats !== null) noteRemaining(turn.remaining_chats);
    this.#change({ turns: [], warning: turn.warning });
    refreshBots();
    refreshConversations();
    void testForTheFirstTime(turn, this.#about.token);
  }

  /** Fetches the saved messages, which are shown from here on, answered or not. */
  async #lookUp(): Promise<void> {
    const { conversationId } = this.state.get();
    if (!conversationId) return;
    try {
      await queryClient.fetchQuery({ ...conversationQuery(conversationId), staleTime: 0 });
      // What was asked while it was looked up goes on.
      this.#change({ turns: this.state.get().turns.filter(({ phase }) => phase === "answering") });
    } catch (error) {
      if (!this.isAnswering) this.#fail(problemOf(error));
    }
  }

  #fail(problem: Problem): void {
    this.#changeTurn({ phase: "failed", problem });
    if (problem.upsell && !session.get().accessToken) noteRemaining(0);
    // The conversation is gone, or was a visitor's whose token has ended: the next message begins a new one.
    if (problem.status === 404 || problem.status === 401) this.#change({ conversationId: null });
  }

  #change(part: Partial<ThreadState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }

  #changeTurn(part: Partial<Turn>): void {
    const { turns } = this.state.get();
    const last = turns.at(-1);
    if (last) this.#change({ turns: [...turns.slice(0, -1), { ...last, ...part }] });
  }
}

const threads = new Map<string, Thread>();

/** The thread of a conversation; the running one, if there is one. */
export function threadOf(conversationId: string): Thread {
  const thread = threads.get(conversationId) ?? new Thread(conversationId);
  threads.set(conversationId, thread);
  return thread;
}

export function forgetThread(conversationId: string): void {
  threads.get(conversationId)?.stop();
  threads.delete(conversationId);
}

/** Ends all threads, so that the next user neither sees nor continues them. */
let before = session.get();
session.follow(() => {
  const now = session.get();
  if (now.accessToken !== before.accessToken) for (const thread of threads.values()) thread.stop();
  if (identity(before) !== null && identity(now) !== identity(before)) threads.clear();
  before = now;
});

function identity({ accessToken, anonymousToken }: Session): string | null {
  return accessToken ?? anonymousToken;
}
