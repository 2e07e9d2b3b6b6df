import { expect, test } from "vitest";
import { answerIn, grow, NO_ANSWER, type Part, reasonIn, withoutRemarks } from "@/chat/answer";

const PARTS: Part[] = [
  { type: "text-delta", delta: "One " },
  { type: "tool-input-available", toolCallId: "a", toolName: "search_tokens", input: { query: "pipo" } },
  { type: "tool-input-available", toolCallId: "b", toolName: "create_bot", input: { name: "Dip" } },
  { type: "tool-output-error", toolCallId: "b", errorText: "The name is taken." },
  { type: "tool-output-available", toolCallId: "a", output: [{ symbol: "PIPO" }] },
  { type: "text-delta", delta: "two." },
];

test("a streamed answer looks like the saved one", () => {
  const grown = PARTS.reduce(grow, NO_ANSWER);
  const kept = answerIn({
    id: "m",
    role: "assistant",
    content: "One two.",
    tool_calls: [
      { name: "search_tokens", arguments: { query: "pipo" }, result: [{ symbol: "PIPO" }] },
      { name: "create_bot", arguments: { name: "Dip" }, result: { error: "The name is taken." } },
    ],
    receipts: null,
    created_at: "2026-01-01T00:00:00Z",
  });
  const withoutIds = { ...grown, calls: grown.calls.map(({ id: _id, ...call }) => call) };
  expect(withoutIds).toEqual(kept);
});

test("a call is running until its own result comes", () => {
  const begun = PARTS.slice(0, 4).reduce(grow, NO_ANSWER);
  expect(begun.calls.map((call) => [call.name, call.state])).toEqual([
    ["search_tokens", "running"],
    ["create_bot", "failed"],
  ]);
});

test("a long answer says what it is busy with until its next part comes", () => {
  const busy = grow(NO_ANSWER, { type: "data-progress", data: { text: "Still thinking (10 s)" } });
  expect(busy.progress).toBe("Still thinking (10 s)");
  expect(grow(busy, { type: "text-delta", delta: "One" })).toEqual({ ...NO_ANSWER, content: "One" });
});

test.each([
  [{ error: "No." }, "No."],
  [{ error: null, status: "completed" }, null],
  [{ error: "No klines.", status: "failed" }, null],
  [{ summary: "Buy" }, null],
  [null, null],
  ["error", null],
])("the reason in %j is %j: a run that failed is a result, not a failure to answer", (result, reason) => {
  expect(reasonIn(result)).toBe(reason);
});

test("remarks are the paragraphs in italics at the end, and only those", () => {
  expect(withoutRemarks("It made 5 %.\n\n*Answered offline.*\n\n*In no result: 5 %.*")).toEqual({
    text: "It made 5 %.",
    remarks: ["Answered offline.", "In no result: 5 %."],
  });
  expect(withoutRemarks("*Only this.*").remarks).toEqual([]);
  expect(withoutRemarks("*First.*\n\nthen **this**").remarks).toEqual([]);
  expect(withoutRemarks("text\n\n**bold**").remarks).toEqual([]);
});
