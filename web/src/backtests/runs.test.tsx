import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queryClient } from "@/api/client";
import { type Trades, useAllBacktests, useEveryTrade, useTrades } from "@/backtests/runs";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

const IDS = Array.from({ length: 250 }, (_, number) => `run ${number}`);

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

function Listed() {
  const { runs, total } = useAllBacktests("b");
  return (
    <p>
      {runs?.length ?? 0} of {total}, the last is {runs?.at(-1)?.run_id}
    </p>
  );
}

test("all runs of a bot are listed once, however many pages they fill and though one moved to the next", async () => {
  serve({
    "GET /api/bots/b/backtests": ({ url }) => {
      const page = Number(new URL(url).searchParams.get("page") ?? 1);
      const start = page === 1 ? 0 : (page - 1) * 100 - 1;
      const backtests = IDS.slice(start, page * 100).map((run_id) => ({ run_id, status: "completed" }));
      return { body: { backtests, page, total_pages: 3, total_backtests: 250 } };
    },
  });
  render(<Listed />);
  expect(await screen.findByText("250 of 250, the last is run 249")).toBeTruthy();
});

const RUN = { bot_id: "b", run_id: "r", status: "completed" } as const;

function Traded() {
  const newest = useTrades(RUN).data;
  return newest ? <Counted newest={newest} /> : null;
}

function Counted({ newest }: { newest: Trades }) {
  const { trades } = useEveryTrade(RUN, newest);
  return (
    <p>
      {newest.trades.length} shown, {trades.length} played, from {trades.at(-1)?.number} to {trades[0]?.number}
    </p>
  );
}

test("a run with more trades than are shown is played with all of them", async () => {
  serve({
    "GET /api/bots/b/backtest/r/trades": ({ url }) => {
      const page = Number(new URL(url).searchParams.get("page"));
      const numbers = Array.from({ length: page < 22 ? 100 : 50 }, (_, place) => 100 * (page - 1) + place + 1);
      return { body: { trades: numbers.map((number) => ({ number })), total_pages: 22, total_trades: 2150 } };
    },
  });
  render(<Traded />);
  expect(await screen.findByText("1950 shown, 2150 played, from 1 to 2150")).toBeTruthy();
});
