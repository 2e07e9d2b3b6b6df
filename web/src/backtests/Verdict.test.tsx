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

const TIMING = {
  in_percent: 12,
  rise_in_percent: 34,
  rise_out_percent: -5,
  t_gross: 2.5,
  t_net: 2.1,
  t_excess: 1.9,
  degrees: 24,
};

test("the picture of the timing has a bar for the time in and one for the time out, by their share", () => {
  const checks = [{ ...CHECK, name: "timing", sentence: "The market rose 34 % while you were in." }];
  const { container } = render(<VerdictDetail run={run({ verdict: { ...VERDICT, checks, timing: TIMING } })} />);
  expect(screen.getByText(/We check whether the market rose more while you were in/)).toBeTruthy();
  const [inside, outside] = Array.from(container.querySelectorAll("svg rect"));
  expect(inside?.getAttribute("class")).toBe("fill-up");
  expect(Number(inside?.getAttribute("width"))).toBeLessThan(Number(outside?.getAttribute("width")));
  expect(Number(inside?.getAttribute("height"))).toBeGreaterThan(Number(outside?.getAttribute("height")));
});

test("a verdict of an earlier version does not say how newer ones are found", () => {
  render(<VerdictDetail run={run({ verdict: { ...VERDICT, timing: null } })} />);
  expect(screen.queryByText(/We check whether/)).toBeNull();
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
