import type { Tone } from "@/design/Badge";

export type RiskLevel = "low" | "medium" | "high" | "unknown";

export const RISK_WORDS: Record<RiskLevel, { text: string; tone: Tone }> = {
  low: { text: "Low risk", tone: "up" },
  medium: { text: "Medium risk", tone: "warn" },
  high: { text: "High risk", tone: "down" },
  unknown: { text: "Risk unknown", tone: "neutral" },
};

/** In lists there is only the score, 0 to 100; the token's own page has the provider's level. */
export function riskLevel(score: number | null | undefined): RiskLevel {
  if (score == null) return "unknown";
  if (score < 20) return "low";
  return score <= 55 ? "medium" : "high";
}
