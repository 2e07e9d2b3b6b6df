import { type Answer, withoutRemarks } from "@/chat/answer";
import { versionsIn } from "@/chat/StrategyChange";

/** The end of a question that the server asks before it acts. */
const YES_OR_NO = /\(yes\/no\)$/;
const OFFER = /\bsay (?:“[^”]+”[^“”.?!]*)+/gi;
/** Not of an incomplete one: “switch to” and its name. */
const QUOTED = /“([^”]+)”(?! and its)/g;

const UNDO = "undo";

/**
 * What the reader can answer with one press: yes and no, or what the answer's last paragraph says one can say. An answer
 * that shows a change has a button to undo it there.
 */
export function offersIn({ content, calls }: Pick<Answer, "content" | "calls">): string[] {
  const last = withoutRemarks(content).text.split("\n\n").at(-1)?.trim() ?? "";
  if (YES_OR_NO.test(last)) return ["Yes", "No"];
  const offers = [...last.matchAll(OFFER)].flatMap(([sentence]) => [...sentence.matchAll(QUOTED)]);
  const words = new Set(offers.flatMap(([, quoted]) => quoted ?? []));
  if (calls.some(versionsIn)) words.delete(UNDO);
  return [...words];
}
