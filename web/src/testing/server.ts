import { vi } from "vitest";
import type { Schemas } from "@/api/client";

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> };
type Strategy = Schemas["Strategy"];
type Answers = Record<string, Answer | ((request: Request) => Answer | Response | Promise<Answer | Response>)>;

const DESCRIBE = "/api/strategies/describe";

/** A condition in words is its values: `price_drop 5 15m`. */
function described({ conditions, exit_conditions = [] }: Strategy): Schemas["StrategyDescription"] {
  const phrase = (condition: Strategy["conditions"][number]) => Object.values(condition).join(" ");
  return {
    strategy_summary: conditions.map(phrase).join(", "),
    conditions: conditions.map(phrase),
    exit_conditions: exit_conditions.map(phrase),
    recommended_kline_interval: "1h",
    unusable_intervals: [],
  };
}

/**
 * A stand-in for the API: `serve({ "GET /api/bots": { body: page } })`. Returns the requests it has seen.
 * An answer may be made from the request, and be a whole `Response` where JSON is not enough.
 * What it does not know is answered with 404, so that a forgotten answer is noticed. Descriptions of strategies, which
 * many components ask for, are answered without being recorded.
 */
export function serve(answers: Answers): Request[] {
  const seen: Request[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.url.endsWith(DESCRIBE)) return Response.json(described(await request.json()));
    seen.push(request.clone());
    const known = answers[`${request.method} ${new URL(request.url).pathname}`];
    const answer = typeof known === "function" ? await known(request) : known;
    if (answer instanceof Response) return answer;
    const { status = 200, body, headers } = answer ?? { status: 404, body: { detail: "Not found." } };
    return status === 204 ? new Response(null, { status }) : Response.json(body, { status, headers });
  });
  return seen;
}
