import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Run } from "@/backtests/runs";
import { VerdictDetail } from "@/backtests/Verdict";
import { render } from "@/testing/render";

const CHECK = {
  name: "chance",
  passed: true,
  value: 0.01,
  limit: 0.05,
  sentence: "This is your 14th try on this token.",
};
const PART = { label: "one", value: 1 };
const VERDICT = {
  grade: "fragile",
  headline: "Fragile: bought one candle later, most of the profit is gone.",
  sentence: "The evidence is strong, but a small change takes the profit away.",
  checks: [CHECK, { ...CHECK, name: "neighbours", passed: false, sentence: "3 of 4 make money.", parts: [PART, PART] }],
  graded_at: "2026-01-02T03:04:05Z",
  other_tokens_pending: true,
};

function run(fields: object): Run {
  return {
    status: "completed",
    verdict: null,
    verdict_error: null,
    pool: null,
    holdout: null,
    ...fields,
  } as unknown as Run;
}

test("a verdict says its grade, its tries and its weaknesses", () => {
  render(<VerdictDetail run={run({ verdict: VERDICT })} />);
  expect(screen.getByText(VERDICT.headline)).toBeTruthy();
  expect(screen.getByText("This is your 14th try on this token.")).toBeTruthy();
  expect(screen.getByText("Weak")).toBeTruthy();
  expect(screen.getByRole("status").textContent).toContain("other tokens");
});

test("a loading part and a failed part are announced", () => {
  const { unmount } = render(<VerdictDetail run={run({})} />);
  expect(screen.getByRole("status").textContent).toContain("Checking how far");
  unmount();
  render(<VerdictDetail run={run({ verdict_error: "The verdict could not be computed." })} />);
  expect(screen.getByText("The verdict could not be computed.")).toBeTruthy();
});

test("an unfinished run has no verdict, and an opened holdout is shown", () => {
  const { unmount } = render(<VerdictDetail run={run({ status: "stopped" })} />);
  expect(screen.queryByLabelText("Verdict")).toBeNull();
  unmount();
  const holdout = {
    from: "2026-01-01T00:00:00Z",
    sealed_at: "2026-01-02T00:00:00Z",
    opened_at: "2026-01-03T00:00:00Z",
  };
  render(<VerdictDetail run={run({ verdict: VERDICT, holdout })} />);
  expect(screen.getByText(/was opened/)).toBeTruthy();
});
