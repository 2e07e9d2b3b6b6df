/**
 * The stream of the server's events: one per tab, while the tab is visible. Changed data is refetched. A broken stream is
 * reopened and continues where it was; until then, running runs are refetched every half minute.
 */
import { type Change, notice } from "@/api/changes";
import { identityHeaders, noticeRefusedToken } from "@/api/client";
import { lostSince } from "@/api/lost";
import { lines } from "@/chat/stream";
import { session } from "@/session/store";

export type ServerEvent = { event: string; id: string | null; data: { bot_id?: string; run_id?: string } };

/** The events of background runs. */
const RUNS = ["backtest", "simulation", "optimisation", "survey", "watch"];
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
/** A stream that is opened again sooner was not missed. */
const LOST_AFTER = 3000;
/** The server writes at least every five seconds, if only a comment. */
const SILENT_AFTER = 8000;
/** A hidden tab closes its stream: a browser opens six connections to one server, for all its tabs together. */
const HIDDEN_FOR = 10_000;

/** What to refetch after an event; null if nothing here shows it. */
export function changeOf({ event, data }: ServerEvent): Change | null {
  const { bot_id: botId, run_id: runId } = data;
  if (event === "bot" && botId) return { kind: "bot", id: botId };
  if (RUNS.includes(event) && botId && runId) return { kind: "run", botId, runId };
  if (event === "notification") return { kind: "notifications" };
  return event === "reset" ? { kind: "everything" } : null;
}

export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let fields: Record<string, string> = {};
  for await (const line of lines(body)) {
    if (line !== "") {
      const [name = "", ...rest] = line.split(": ");
      fields[name] = rest.join(": ");
      continue;
    }
    if (fields.event) yield { event: fields.event, id: fields.id ?? null, data: JSON.parse(fields.data ?? "{}") };
    fields = {};
  }
}

class Live {
  #lastId: string | null = null;
  #pause = FIRST_PAUSE;
  #connection: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #who = whoAsks();
  #heard = Date.now();
  #silence: ReturnType<typeof setTimeout> | undefined;
  #nextByte: ReturnType<typeof setTimeout> | undefined;

  begin(): void {
    session.follow(() => {
      if (whoAsks() === this.#who) return;
      this.#who = whoAsks();
      this.#lastId = null;
      this.#connect();
    });
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.#timer);
      if (document.hidden) this.#timer = setTimeout(() => this.#leave(), HIDDEN_FOR);
      else if (!this.#connection) this.#connect();
    });
    addEventListener("online", () => this.#connect());
    this.#connect();
  }

  #leave(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#nextByte);
    this.#connection?.abort();
    this.#connection = null;
  }

  #connect(): void {
    this.#leave();
    if (!this.#who) return;
    const connection = new AbortController();
    this.#connection = connection;
    this.#awaitByte();
    void this.#follow(connection.signal)
      .catch(() => false)
      .then((mayGoOn) => {
        if (this.#connection !== connection) return;
        this.#connection = null;
        clearTimeout(this.#nextByte);
        if (!mayGoOn) return;
        this.#silence ??= setTimeout(() => lostSince.set(this.#heard), LOST_AFTER);
        this.#connectLater();
      });
  }

  /** A server that falls silent without closing the connection is lost too. */
  #awaitByte(): void {
    clearTimeout(this.#nextByte);
    this.#nextByte = setTimeout(() => {
      lostSince.set(this.#heard);
      this.#connection?.abort();
    }, SILENT_AFTER);
  }

  #connectLater(): void {
    this.#timer = setTimeout(() => this.#connect(), this.#pause * (0.5 + Math.random()));
    this.#pause = Math.min(LONGEST_PAUSE, 2 * this.#pause);
  }

  /** Returns, once the stream has ended, whether to open another one. */
  async #follow(signal: AbortSignal): Promise<boolean> {
    const headers = new Headers({ Accept: "text/event-stream", ...identityHeaders() });
    if (this.#lastId) headers.set("Last-Event-ID", this.#lastId);
    const isFirst = this.#lastId === null;
    const response = await fetch("/api/events", { headers, signal }).catch(() => null);
    if (!response?.ok || !response.body) {
      if (response) noticeRefusedToken(response, headers);
      return response?.status !== 401;
    }
    this.#hear();
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, next) => {
        this.#hear();
        next.enqueue(bytes);
      },
    });
    try {
      for await (const event of serverEvents(response.body.pipeThrough(heard))) {
        if (event.event === "replaced") return false; // newer tabs have taken its place, until this tab is visible again
        this.#take(event, isFirst);
      }
    } catch {
      // It broke: the next stream continues from here.
    }
    return true;
  }

  #hear(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
    this.#heard = Date.now();
    lostSince.set(null);
    this.#awaitByte();
  }

  #take(event: ServerEvent, isFirst: boolean): void {
    this.#pause = FIRST_PAUSE;
    this.#lastId = event.id ?? this.#lastId;
    // A run that was fetched before the first stream was open may have ended meanwhile.
    const change: Change | null = event.event === "ready" && isFirst ? { kind: "live runs" } : changeOf(event);
    if (change) void notice(change);
  }
}

function whoAsks(): string | null {
  const { accessToken, anonymousToken } = session.get();
  return accessToken ?? anonymousToken;
}

export function followEvents(): void {
  new Live().begin();
}
