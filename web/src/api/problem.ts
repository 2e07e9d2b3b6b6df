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

  /** Whether the same request may succeed later. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** What is wrong, in words for users instead of paths of API fields. */
  get words(): string {
    if (this.fields.length === 0) return this.detail;
    return this.fields.map(({ field, message }) => sentence(field, message)).join("; ");
  }

  /** What is wrong with one field of a form. */
  field(name: string): string | undefined {
    const message = this.fields.find((error) => error.field === name)?.message;
    return message && spaced(message);
  }
}

export const TOO_SLOW = "The server took too long to answer. Please try again.";
export const UNREACHABLE = "The server cannot be reached. Check that it is running and that you are online.";

/** Turns any thrown value into a problem that can be shown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError) return new Problem(0, UNREACHABLE);
  if (error instanceof DOMException && error.name === "TimeoutError") return new Problem(0, TOO_SLOW);
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

const PLURALS: Record<string, string> = {
  conditions: "condition",
  exit_conditions: "sell condition",
  ladder: "ladder step",
  take_profits: "target",
};

/** `strategy.conditions.0.percent` and `must be below 100` as “Condition 1, percent: must be below 100”. */
function sentence(field: string, message: string): string {
  const parts = field.split(".").filter((part) => !["body", "strategy", "risk_management", "guards"].includes(part));
  const names = parts.flatMap((part, place) => {
    if (/^\d+$/.test(part)) return [];
    const number = parts[place + 1];
    return PLURALS[part] && number && /^\d+$/.test(number) ? `${PLURALS[part]} ${Number(number) + 1}` : spaced(part);
  });
  const what = names.join(", ");
  const words = `${what}${what && ": "}${spaced(message)}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function spaced(text: string): string {
  return text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => name.replaceAll("_", " "));
}
