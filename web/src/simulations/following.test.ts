import { expect, test } from "vitest";
import { drawnToken, joined, lastSeen, onToken, type Simulation, walked } from "@/simulations/following";
import { chartData } from "@/simulations/runs";

const kline = (time: number, close = 1) => ({ time, open: 1, high: 1, low: 1, close, volume: 1 });
const entry = (number: number, time: number, action: "BUY" | "SELL" | "HOLD" = "HOLD", pnl: number | null = null) => ({
  number,
  time,
  action,
  price: 2,
  reason: action,
  entry_price: null,
  quantity: null,
  pnl,
  late: false,
});
const limit = (condition: string, value: number) => ({ condition, limit: value }) as Simulation["next_exit"][number];
const page = (part: Partial<Simulation>): Simulation =>
  ({ run_id: "r", status: "running", klines: [], signals: [], trade_log: [], progress: 0, ...part }) as Simulation;

test("a page since the last candle is appended without duplicates", () => {
  const known = page({
    klines: [kline(60), kline(120)],
    signals: [{ time: 60, side: "buy", price: 1, reason: "a" }],
    trade_log: [entry(1, 60), entry(2, 120)],
    progress: 10,
  });
  const news = page({
    klines: [kline(120, 5), kline(180)],
    signals: [
      { time: 120, side: "sell", price: 1, reason: "b" },
      { time: 120, side: "buy", price: 1, reason: "c" },
    ],
    trade_log: [entry(2, 120), entry(3, 120, "BUY"), entry(4, 180)],
    progress: 20,
  });
  const whole = joined(known, news);
  expect(whole.klines.map(({ time, close }) => [time, close])).toEqual([
    [60, 1],
    [120, 5],
    [180, 1],
  ]);
  expect(whole.signals.map(({ reason }) => reason)).toEqual(["a", "b", "c"]);
  expect(whole.trade_log.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  expect(whole.progress).toBe(20);
});

test("an empty page changes only the status", () => {
  const known = page({ klines: [kline(60)], trade_log: [entry(1, 60)] });
  const whole = joined(known, page({ status: "stopped" }));
  expect(whole).toMatchObject({ status: "stopped", klines: known.klines, trade_log: known.trade_log });
});

test("the next page begins with the last candle of the log, if there is one", () => {
  expect(lastSeen(page({ trade_log: [entry(1, 60), entry(2, 120)] }))).toBe(120);
  expect(lastSeen(page({ klines: [kline(60)] }))).toBeUndefined();
});

test("candles that a replay has not reached are hidden", () => {
  const run = page({ klines: [kline(60), kline(120), kline(180)], trade_log: [entry(1, 60), entry(2, 120)] });
  const { candles, upcoming } = walked(run);
  expect(candles.map(({ time }) => time)).toEqual([60, 120]);
  expect(upcoming).toEqual([180]);
});

test("each sale is paired with the purchase before it", () => {
  const data = chartData(
    page({
      klines: [kline(60)],
      portfolio: { entry_price: 9 } as Simulation["portfolio"],
      next_exit: [limit("stop loss", 8.5), limit("take profit", 10)],
      trade_log: [entry(1, 60, "BUY"), entry(2, 120), entry(3, 180, "SELL", -1), entry(4, 240, "BUY")],
    }),
  );
  expect(data.fills.map(({ time, side }) => [time, side])).toEqual([
    [60, "buy"],
    [180, "sell"],
    [240, "buy"],
  ]);
  expect(data.trades).toMatchObject([{ entryTime: 60, exitTime: 180, won: false }]);
  expect(data.rules).toMatchObject([
    { entry_filled_at: 240, entry_price: 9, exit_filled_at: null, stop: [{ time: 240, price: 8.5 }], target: 10 },
  ]);
});

test("a position that is bought and sold in parts is one position", () => {
  const part = (number: number, action: "BUY" | "SELL", quantity: number) => ({
    ...entry(number, 60 * number, action, 1),
    quantity,
    entry_price: 10 - number,
  });
  const data = chartData(
    page({
      klines: [kline(60)],
      portfolio: { entry_price: 9 } as Simulation["portfolio"],
      next_exit: [limit("break even", 9), limit("take profit", 10), limit("ladder", 7)],
      trade_log: [
        part(1, "BUY", 0.1),
        part(2, "BUY", 0.2),
        part(3, "SELL", 0.15),
        part(4, "SELL", 0.15),
        part(5, "BUY", 1),
        part(6, "SELL", 0.5),
      ],
    }),
  );
  expect(data.fills).toHaveLength(6);
  expect(data.trades.map(({ entryTime, entryPrice, exitTime }) => [entryTime, entryPrice, exitTime])).toEqual([
    [60, 7, 180],
    [60, 6, 240],
    [300, 4, 360],
  ]);
  expect(data.rules).toMatchObject([
    { entry_filled_at: 300, stop: [{ time: 360, price: 9 }], target: 10, ladder: [{ time: 360, price: 7 }] },
  ]);
});

test("of many tokens the chart shows the chosen one, or else one that is held, with its own buys", () => {
  const tokens = ["a", "b", "c"].map((token) => ({
    token_id: `${token}-base`,
    token,
    chain: "base",
    symbol: null,
    error: token === "a" ? "has no candles" : null,
  }));
  const portfolio = { positions: [{ token_id: "c-base", entry_price: 7 }] } as Simulation["portfolio"];
  const log = [
    { ...entry(1, 60, "BUY"), token_id: "b-base" },
    { ...entry(2, 60, "BUY"), token_id: "c-base" },
  ];
  const run = page({ tokens, portfolio, trade_log: log, klines: [kline(60)], next_exit: [] });
  expect(["b-base", "a-base", null].map((chosen) => drawnToken(run, chosen)?.token)).toEqual(["b", "c", "c"]);
  const drawn = onToken(run, tokens[2] as NonNullable<Simulation["tokens"]>[number]);
  expect(chartData(drawn).fills).toHaveLength(1);
  expect(chartData(drawn).rules?.[0]).toMatchObject({ entry_price: 7, entry_filled_at: 60 });
  expect(chartData(onToken(run, tokens[1] as NonNullable<Simulation["tokens"]>[number])).rules).toEqual([]);
});
