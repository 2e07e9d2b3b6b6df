import { vi } from "vitest";

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> };
type Answers = Record<string, Answer | ((request: Request) => Answer | Response | Promise<Answer | Response>)>;

/**
 * A stand-in for the API: `serve({ "GET /api/bots": { body: page } })`. Returns the requests it has seen.
 * An answer may be made from the request, and be a whole `Response` where JSON is not enough.
 * What it does not know is answered with 404, so that a forgotten answer is noticed.
 */
export function serve(answers: Answers): Request[] {
  const seen: Request[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    seen.push(request.clone());
    const known = answers[`${request.method} ${new URL(request.url).pathname}`];
    const answer = typeof known === "function" ? await known(request) : known;
    if (answer instanceof Response) return answer;
    const { status = 200, body, headers } = answer ?? { status: 404, body: { detail: "Not found." } };
    return status === 204 ? new Response(null, { status }) : Response.json(body, { status, headers });
  });
  return seen;
}
