import { expect, test } from "vitest";
import { placeOf } from "@/notifications/BellList";

test.each([
  ["backtest.finished", "/bots/b?tab=backtests&run=r"],
  ["simulation.sold", "/bots/b?tab=simulation&simulation=r"],
  ["optimisation.finished", "/bots/b?tab=explore"],
  ["watch.signal", "/bots/b?tab=watch"],
  ["target.disabled", "/account"],
] as const)("%s leads to what it is about", (event, place) => {
  expect(placeOf({ event, bot_id: "b", run_id: "r" })).toBe(place);
});
