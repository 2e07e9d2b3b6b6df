import type { components } from "@/api/schema";

type FieldError = components["schemas"]["FieldErrorView"];

/** A refusal or a failure of the API, in the API's own words. Status 0: it could not be reached. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly upsell: string | null = null,
    readonly fields: FieldError[] = [],
    readonly retryAfterSeconds: number | null = null,
    /** The bot as it is now, where a change was refused because it is based on an earlier strategy. */
    readonly current: components["schemas"]["BotView"] | null = null,
  ) {
    super(detail);
  }

  /** Whether the same request may well succeed later. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** What is wrong with one field of a form. */
  field(name: string): string | undefined {
    return this.fields.find((error) => error.field === name)?.message;
  }
}

export const UNREACHABLE = "The server cannot be reached. Check that it is running and that you are online.";

/** Whatever was thrown, as a problem that can be shown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError) return new Problem(0, UNREACHABLE);
  return new Problem(500, error instanceof Error && error.message ? error.message : "Something went wrong.");
}

/** The problem that an answer of the API describes. */
export async function problemIn(response: Response): Promise<Problem> {
  const body = await response.json().catch(() => null);
  const detail = typeof body?.detail === "string" ? body.detail : `The server answered ${response.status}.`;
  const seconds = Number(response.headers.get("Retry-After"));
  const fields = Array.isArray(body?.errors) ? body.errors : [];
  const upsell = body?.upsell_message ?? null;
  return new Problem(response.status, detail, upsell, fields, seconds > 0 ? seconds : null, body?.current ?? null);
}
