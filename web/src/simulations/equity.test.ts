import { expect, test } from "vitest";
import { together, worthOf } from "@/simulations/equity";

const kline = (time: number, close: number) => ({ time, open: close, high: close, low: close, close, volume: 1 });
const entry = { number: 0, reason: "", entry_price: null, quantity: null, pnl: null, late: false };
const RUN = {
  portfolio: { initial_cash: 1000 },
  klines: [kline(0, 9), kline(60, 10), kline(120, 12), kline(180, 11), kline(240, 99)],
  trade_log: [
    { ...entry, time: 60, action: "HOLD" as const, price: 10 },
    { ...entry, time: 120, action: "BUY" as const, price: 10, quantity: 50, fees: 5, tax: 10, impact: 5 },
    { ...entry, time: 180, action: "SELL" as const, price: 11, quantity: 50, pnl: 25 },
  ],
};

test("a simulation is worth its cash and what it holds, from its first step to its last", () => {
  expect(worthOf(RUN)).toEqual([
    { time: 60, value: 1000 },
    { time: 120, value: 480 + 50 * 12 },
    { time: 180, value: 1025 },
  ]);
});

test("several are added up, each with its first value before it begins", () => {
  const later = [{ time: 120, value: 500 }];
  expect(together([worthOf(RUN), later, []])).toEqual([1500, 1580, 1525]);
});

test("a purse of many tokens is worth what it has booked, and in the end what it is worth now", () => {
  const portfolio = { initial_cash: 1000, total_value: 1040, positions: [] };
  expect(worthOf({ ...RUN, portfolio })).toEqual([
    { time: 60, value: 1000 },
    { time: 180, value: 1025 },
    { time: 180, value: 1040 },
  ]);
});
