import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { type Change, notice } from "@/api/changes";
import { queryClient } from "@/api/client";
import { changeOf, followEvents, serverEvents } from "@/api/live";
import { lostSince } from "@/api/lost";
import { enter, leave } from "@/session/store";

function streamOf(...parts: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
}

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

test("events are read however the bytes were cut, and comments are none", async () => {
  const found = [];
  const parts = ["id: 0.1\neve", 'nt: bot\ndata: {"bot_id":"b: 1"}\n', "\n:\n\nevent: replaced\ndata: {}\n\n"];
  for await (const event of serverEvents(streamOf(...parts))) found.push(event);
  expect(found).toEqual([
    { event: "bot", id: "0.1", data: { bot_id: "b: 1" } },
    { event: "replaced", id: null, data: {} },
  ]);
});

test.each([
  ["bot", { bot_id: "b" }, { kind: "bot", id: "b" }],
  ["backtest", { bot_id: "b", run_id: "r" }, { kind: "run", botId: "b", runId: "r" }],
  ["simulation", { bot_id: "b", run_id: "r" }, { kind: "run", botId: "b", runId: "r" }],
  ["optimisation", { bot_id: "b", run_id: "r" }, { kind: "run", botId: "b", runId: "r" }],
  ["survey", { bot_id: "b", run_id: "r" }, { kind: "run", botId: "b", runId: "r" }],
  ["notification", {}, { kind: "notifications" }],
  ["reset", {}, { kind: "everything" }],
  ["ready", {}, null],
  ["of a later version", { bot_id: "b" }, null],
])("%s leads to reading the right thing again", (event, data, change) => {
  expect(changeOf({ event, id: null, data })).toEqual(change);
});

test("a changed run is refetched, and results of other and finished runs are not", async () => {
  const key = (path: string, ids: object) => ["get", path, { params: { path: ids } }];
  const mine = { bot_id: "b", run_id: "r" };
  const concerned = [
    key("/api/bots/{bot_id}/backtest/{run_id}", mine),
    key("/api/bots/{bot_id}/backtests", { bot_id: "b" }),
    key("/api/bots/{bot_id}/simulations", { bot_id: "b" }),
    key("/api/bots/{bot_id}/optimise/{run_id}", mine),
    key("/api/bots/{bot_id}/optimisations", { bot_id: "b" }),
    key("/api/bots/{bot_id}/survey/{run_id}", mine),
    key("/api/bots/{bot_id}/surveys", { bot_id: "b" }),
  ];
  const others = [
    key("/api/bots/{bot_id}/backtest/{run_id}", { bot_id: "b", run_id: "other" }),
    key("/api/bots/{bot_id}/backtest/{run_id}/klines", mine),
    key("/api/bots/{bot_id}/optimise/{run_id}/variants", mine),
    key("/api/bots/{bot_id}/backtests", { bot_id: "other" }),
    key("/api/notifications", {}),
  ];
  for (const each of [...concerned, ...others]) queryClient.setQueryData(each, {});
  await notice({ kind: "run", botId: "b", runId: "r" });
  const isStale = (each: unknown[]) => queryClient.getQueryState(each)?.isInvalidated;
  expect(concerned.filter((each) => !isStale(each))).toEqual([]);
  expect(others.filter(isStale)).toEqual([]);
});

test("once the stream is open, runs that were running when they were fetched are refetched", async () => {
  const keys = ["going", "ended", "list", "bot", "searches"].map((path) => ["get", path, {}]);
  const data = [
    { status: "running" },
    { status: "completed" },
    { backtests: [{ status: "pending" }] },
    { name: "Bot" },
    { optimisations: [{ status: "running" }] },
  ];
  keys.forEach((key, place) => {
    queryClient.setQueryData(key, data[place]);
  });
  await notice({ kind: "live runs" });
  expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, false, true, false, true]);
});

test.each<[string, Change]>([
  ["the run changed", { kind: "run", botId: "b", runId: "r" }],
  ["the stream of events was opened", { kind: "live runs" }],
])("a run whose first answer was on its way when %s is read once more", async (_, change) => {
  const states = ["running", "completed"];
  const run = new QueryObserver(queryClient, {
    queryKey: ["get", "/api/bots/{bot_id}/survey/{run_id}", { params: { path: { bot_id: "b", run_id: "r" } } }],
    queryFn: async () => ({ status: states.shift() }),
  });
  const stop = run.subscribe(() => {});
  await notice(change);
  expect(run.getCurrentResult().data).toEqual({ status: "completed" });
  stop();
});

test("a server that falls silent without closing the connection is lost within ten seconds, and found again", async () => {
  vi.useFakeTimers();
  enter("token");
  const writers: WritableStreamDefaultWriter<Uint8Array>[] = [];
  vi.stubGlobal("fetch", async (_: string, { signal }: RequestInit) => {
    const pipe = new TransformStream<Uint8Array, Uint8Array>();
    const writer = pipe.writable.getWriter();
    signal?.addEventListener("abort", () => void writer.abort().catch(() => undefined));
    writers.push(writer);
    return new Response(pipe.readable);
  });
  followEvents();
  for (let beats = 0; beats < 5; beats++) {
    await vi.advanceTimersByTimeAsync(5000);
    void writers[0]?.write(new TextEncoder().encode(":\n\n"));
    await vi.advanceTimersByTimeAsync(0);
    expect(lostSince.get()).toBeNull();
  }
  const last = Date.now();
  await vi.advanceTimersByTimeAsync(8000);
  expect(lostSince.get()).toBe(last);
  await vi.advanceTimersByTimeAsync(2000);
  expect(writers).toHaveLength(2);
  expect(lostSince.get()).toBeNull();
  leave();
  vi.useRealTimers();
});
