import { expect, test } from "vitest";
import { plainSentences } from "@/simulations/reasons";

const reason = (code: "condition_met" | "decided", text: string) => ({ code, values: {}, text });
const MET = reason("condition_met", "price fell 5 % in 1h, threshold 4 %");
const DECIDED = reason("decided", "Its conditions are met: it buys at the next candle.");

test.each([
  ["an entry of an older version", MET.text, undefined, []],
  ["a purchase, whose words are plain already", MET.text, [MET], []],
  ["a decision", MET.text, [DECIDED, MET], [DECIDED.text]],
])("the sentences of %s", (_, words, reasons, expected) => {
  expect(plainSentences(words, reasons)).toEqual(expected);
});
