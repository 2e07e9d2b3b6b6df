import { expect, test } from "vitest";
import { plainReason } from "@/simulations/reasons";
import type { Strategy } from "@/strategy/words";

const STRATEGY: Strategy = {
  conditions: [
    { kind: "price_drop", percent: 2, window: "4h", reference: "close" },
    { kind: "price_drop", percent: 5, window: "1d", reference: "high" },
    { kind: "price_rise", percent: 1.5, window: "1h", reference: "close" },
    { kind: "volume_spike", multiplier: 3, window: "2h" },
  ],
};

test.each([
  ["waiting: price_drop 0.601 of 2 %", "Not yet: the price fell 0.601% in 4h, it takes a fall of 2%."],
  ["waiting: price_drop -0.3 of 2 %", "Not yet: the price rose 0.3% in 4h, it takes a fall of 2%."],
  ["waiting: price_drop 4.2 of 5 %", "Not yet: the price fell 4.2% from its high of 1d, it takes a fall of 5%."],
  ["waiting: price_rise -1 of 1.5 %", "Not yet: the price fell 1% in 1h, it takes a rise of 1.5%."],
  ["waiting: price_rise 1 of 7 %", "Not yet: the price rose 1%, it takes a rise of 7%."],
  ["waiting: volume_spike 1.2 of 3 ×", "Not yet: the volume is 1.2× its 2h average, it takes 3×."],
  ["waiting: price_level 5.1 is not above 6", "Not yet: the price is $5.1, not above $6."],
  [
    "waiting: price_level 5.1 is already above 5, no cross",
    "Not yet: the price is $5.1, and was above $5 before: it has to cross it anew.",
  ],
  ["waiting: price_drop needs 4 candles before it, has 2", "Not yet: it has to see 4 candles first, and has seen 2."],
  ["waiting: price_drop needs 1 candle before it, has 0", "Not yet: it has to see 1 candle first, and has seen 0."],
  ["waiting: volume_spike has no volume in 2h to compare with", "Not yet: the volume of the last 2h is not known."],
  [
    "waiting: price_drop 0.6 of 2 %; volume_spike 1.2 of 3 ×",
    "Not yet: the price fell 0.6% in 4h, it takes a fall of 2%; the volume is 1.2× its 2h average, it takes 3×.",
  ],
  [
    "holding: 1.2 % from the entry 113.4, stop 110, target 118",
    "It holds, 1.2% above what it paid. It sells when the price falls to $110 or rises to $118.",
  ],
  ["holding: -0.5 % from the entry 113.4", "It holds, 0.5% below what it paid."],
  ["cooling down for another 1h 30m", "It has just sold, and waits another 1h 30m before it buys again."],
  ["price fell 2.5 % in 4h, threshold 2 %", "Its conditions are met: it trades at the next candle."],
])("while nothing is traded, “%s” means “%s”", (reason, words) => {
  expect(plainReason({ action: "HOLD", reason }, STRATEGY)).toBe(words);
});

test.each([
  ["stop loss: low 109.9 ≤ stop 110", "The price fell to its stop loss, $110."],
  ["trailing stop: open 109 ≤ stop 110 (gap)", "The price jumped past its trailing stop, $110."],
  ["take profit: high 118.2 ≥ target 118", "The price rose to its take profit, $118."],
])("a sale because of “%s” means “%s”", (reason, words) => {
  expect(plainReason({ action: "SELL", reason }, STRATEGY)).toBe(words);
});

test.each([
  ["BUY", "price fell 2.5 % in 4h, threshold 2 %"],
  ["SELL", "held 12h, the longest allowed is 12h"],
  ["HOLD", "waiting: price_drop is beyond any number"],
  ["HOLD", "waiting: moon_phase 3 of 4"],
] as const)("to a %s because of “%s” nothing is added", (action, reason) => {
  expect(plainReason({ action, reason }, STRATEGY)).toBeNull();
});
