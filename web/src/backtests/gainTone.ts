import type { Schemas } from "@/api/client";

/** The class around the figures of a run: no gain is green if the token cannot be sold. */
export function gainTone(costs: Schemas["RunCosts"] | null | undefined): string | undefined {
  return costs?.can_be_sold === false ? "no-green" : undefined;
}
