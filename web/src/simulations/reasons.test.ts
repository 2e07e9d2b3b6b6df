import { expect, test } from "vitest";
import { sentencesOf } from "@/simulations/reasons";

const reason = (code: "condition_met" | "decided", text: string) => ({ code, values: {}, text });
const MET = reason("condition_met", "price fell 5 % in 1h, threshold 4 %");
const DECIDED = reason("decided", "Its conditions are met: it buys at the next candle.");

test.each([
  ["an entry of an older version", MET.text, undefined, [MET.text]],
  ["a purchase", MET.text, [MET], [MET.text]],
  ["a decision", MET.text, [DECIDED, MET], [DECIDED.text, "Price fell 5 % in 1h, threshold 4 %"]],
])("the sentences of %s", (_, words, reasons, expected) => {
  expect(sentencesOf(words, reasons)).toEqual(expected);
});
