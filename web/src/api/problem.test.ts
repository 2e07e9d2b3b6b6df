import { expect, test } from "vitest";
import { Problem, problemOf, TOO_SLOW } from "@/api/problem";

test.each([
  ["strategy.conditions.0.percent", "must be below 100", "Condition 1, percent: must be below 100"],
  ["strategy.risk_management.stop_loss_percent", "must be above 0", "Stop loss percent: must be above 0"],
  ["strategy.ladder.1.drop_percent", "must be below 100", "Ladder step 2, drop percent: must be below 100"],
  [
    "strategy.risk_management.take_profits.0.gain_percent",
    "must be above 0",
    "Target 1, gain percent: must be above 0",
  ],
  ["strategy.conditions.0.conditions.2.to", "is late", "Condition 1, condition 3, to: is late"],
  ["start_time", "must be before end_time", "Start time: must be before end time"],
  ["body", "is not valid JSON", "Is not valid JSON"],
])("the path %s is not for readers", (field, message, words) => {
  expect(new Problem(422, `${field} ${message}`, null, [{ field, message }]).words).toBe(words);
});

test("without fields the message is that of the API", () => {
  expect(new Problem(409, "You have a bot of this name already.").words).toBe("You have a bot of this name already.");
});

test("a server that does not answer is a failure that can be retried", () => {
  const problem = problemOf(new DOMException("signal timed out", "TimeoutError"));
  expect([problem.detail, problem.mayPass]).toEqual([TOO_SLOW, true]);
});
