/** A growing answer and a saved answer in one form, so that nothing moves when the answer is complete. */
import type { Schemas } from "@/api/client";

export type Call = {
  name: string;
  arguments: Record<string, unknown>;
  /** What the tool found; `{ error }` when it failed. */
  result: unknown;
  state: "running" | "done" | "failed";
};

export type Answer = { content: string; calls: Call[]; receipts: Schemas["ReceiptsView"] | null };

/** The parts of the stream (Vercel's UI message stream) that mean something here. */
export type Part =
  | { type: "text-delta"; delta: string }
  | { type: "tool-input-available"; toolCallId: string; toolName: string; input: Record<string, unknown> }
  | { type: "tool-output-available"; toolCallId: string; output: unknown }
  | { type: "tool-output-error"; toolCallId: string; errorText: string }
  | { type: "data-progress"; data: { text: string } }
  | { type: "data-turn"; data: Schemas["TurnView"] }
  | { type: "error"; errorText: string };

type GrowingCall = Call & { id: string };
/** `progress` says what a long answer is busy with, until its next part comes. */
export type GrowingAnswer = Omit<Answer, "calls"> & { calls: GrowingCall[]; progress?: string };

export const NO_ANSWER: GrowingAnswer = { content: "", calls: [], receipts: null };

export function grow(answer: GrowingAnswer, part: Part): GrowingAnswer {
  if (part.type === "data-progress") return { ...answer, progress: part.data.text };
  return { ...grown(answer, part), progress: undefined };
}

function grown(answer: GrowingAnswer, part: Part): GrowingAnswer {
  switch (part.type) {
    case "text-delta":
      return { ...answer, content: answer.content + part.delta };
    case "tool-input-available": {
      const call = { id: part.toolCallId, name: part.toolName, arguments: part.input, result: null };
      return { ...answer, calls: [...answer.calls, { ...call, state: "running" }] };
    }
    case "tool-output-available":
      return settled(answer, part.toolCallId, { state: "done", result: part.output });
    case "tool-output-error":
      return settled(answer, part.toolCallId, { state: "failed", result: { error: part.errorText } });
    default:
      return answer;
  }
}

function settled(answer: GrowingAnswer, id: string, end: Pick<Call, "state" | "result">): GrowingAnswer {
  return { ...answer, calls: answer.calls.map((call) => (call.id === id ? { ...call, ...end } : call)) };
}

export function answerIn(message: Schemas["MessageView"]): Answer {
  return { content: message.content, calls: message.tool_calls.map(callIn), receipts: message.receipts };
}

function callIn({ name, arguments: given, result }: Schemas["ToolCallView"]): Call {
  return { name, arguments: given, result, state: reasonIn(result) === null ? "done" : "failed" };
}

/** Why a tool could not do it; null when it did. */
export function reasonIn(result: unknown): string | null {
  if (typeof result !== "object" || result === null || !("error" in result) || "status" in result) return null;
  return typeof result.error === "string" ? result.error : null;
}

/** Whether nothing was done because the user has to agree first; the answer asks. */
export function asksForYes({ result }: Pick<Call, "result">): boolean {
  return typeof result === "object" && result !== null && "needs_yes" in result;
}

/** An answer without the remarks at its end (paragraphs all in italics), and those remarks. */
export function withoutRemarks(content: string): { text: string; remarks: string[] } {
  const paragraphs = content.split("\n\n");
  const remarks: string[] = [];
  for (let last = paragraphs.at(-1); last !== undefined; last = paragraphs.at(-1)) {
    const remark = /^\*([^*\n]+)\*$/.exec(last.trim())?.[1];
    if (!remark || paragraphs.length === 1) break;
    remarks.unshift(remark);
    paragraphs.pop();
  }
  return { text: paragraphs.join("\n\n"), remarks };
}
