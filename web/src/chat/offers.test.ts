import { expect, test } from "vitest";
import type { Call } from "@/chat/answer";
import { offersIn } from "@/chat/offers";

test.each([
  ["That clears the whole strategy. Shall I? (yes/no)", ["Yes", "No"]],
  ["Done.\n\nShall I backtest it on that? (yes/no)\n\n*Checked.*", ["Yes", "No"]],
  [
    "I cannot read news, so I have changed nothing. Shall I do that? Say “buy when it drops 5 % in 1h”.",
    ["buy when it drops 5 % in 1h"],
  ],
  ["Shall I? Say “backtest it” or “simulate it”.", ["backtest it", "simulate it"]],
  [
    "It has 1 candle. Say “follow it live” to trade from now on, or “replay it on 1m candles” to see 60.",
    ["follow it live", "replay it on 1m candles"],
  ],
  ["Shall I change to the other bot first? Say “switch to” and its name.", []],
  ["The bot is “Dip buyer”. It made 1.5 %.", []],
  ["Say “undo” to go back.\n\nThe stop loss is 4 % now.", []],
])("%s", (content, offers) => {
  expect(offersIn({ content, calls: [] })).toEqual(offers);
});

test("a change that is shown with its own button to undo it is not offered to be undone again", () => {
  const result = { bot: { id: "b" }, revision: 2, strategy: null };
  const change: Call = { name: "update_trading_strategy", arguments: {}, result, state: "done" };
  const content = "Shall I test it? Say “backtest it”, or “undo”.";
  expect(offersIn({ content, calls: [change] })).toEqual(["backtest it"]);
  expect(offersIn({ content, calls: [] })).toEqual(["backtest it", "undo"]);
});
