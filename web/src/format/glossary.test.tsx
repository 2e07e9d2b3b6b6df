import { expect, test } from "vitest";
import { KEY_METRICS, MORE_METRICS } from "@/backtests/metrics";
import { labelOf, meaningOf, TERM_NAMES } from "@/format/glossary";
import { Term } from "@/format/Term";
import { render } from "@/testing/render";

test.each(TERM_NAMES)("%s is explained in a sentence or three of plain words", (name) => {
  expect(meaningOf(name)).toMatch(/^[A-Z].*\.$/);
  expect(meaningOf(name).length).toBeLessThan(200);
  expect(meaningOf(name)).not.toMatch(/[×√_=]|\bpnl\b|\bstd\b/);
});

test("every metric has the label of the glossary", () => {
  for (const { name, label } of [...KEY_METRICS, ...MORE_METRICS]) expect(label).toBe(labelOf(name));
});

test("a term is described by its meaning", () => {
  const { getByRole } = render(<Term name="sortino_ratio" />);
  const id = getByRole("button", { name: "Sortino ratio" }).getAttribute("aria-describedby");
  expect(document.getElementById(id ?? "")?.textContent).toContain("only falls of the account count");
});
