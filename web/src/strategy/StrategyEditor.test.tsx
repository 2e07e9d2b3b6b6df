import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { discardEdits } from "@/strategy/edits";
import { StrategyEditor } from "@/strategy/StrategyEditor";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

const BOT: Schemas["BotView"] = {
  id: "b1",
  name: "Dip buyer",
  description: "",
  token: null,
  chain: null,
  strategy: { conditions: [{ kind: "price_drop", percent: 5, window: "15m" }] },
  strategy_summary: "Buy when …",
  recommended_kline_interval: null,
  tags: [],
  warnings: [],
  holdout: null,
  conversation_id: null,
  created_at: "2026-01-02T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
  revision: 1,
};

async function type(label: string, text: string) {
  const field = screen.getByLabelText(label);
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
}

afterEach(() => discardEdits("b1"));

test("a saved change is shown as a diff with undo", async () => {
  const seen = serve({
    "PATCH /api/bots/b1": async (request) => ({ body: { ...BOT, revision: 2, ...(await request.json()) } }),
    "POST /api/bots/b1/undo": { body: { ...BOT, revision: 3 } },
  });
  render(<StrategyEditor bot={BOT} />);
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  await type("At least, %", "7.5");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  const notice = await screen.findByRole("region", { name: "Saved" });
  expect(await within(notice).findByText("price_drop 7.5 15m close")).toBeTruthy();
  await userEvent.click(within(notice).getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(seen.at(-1)?.url).toContain("/bots/b1/undo"));
});

test("a refusal of the API is shown at its field", async () => {
  serve({
    "PATCH /api/bots/b1": {
      status: 422,
      body: {
        detail: "The body is not valid.",
        errors: [
          { field: "strategy.conditions.0.percent", message: "must be a number" },
          { field: "strategy.risk_management.stop_loss_percent", message: "must be below 100" },
        ],
      },
    },
  });
  render(<StrategyEditor bot={BOT} />);
  await type("At least, %", "");
  await type("Stop loss, %", "120");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Must be a number.");
  expect(screen.getByLabelText("At least, %").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("Must be below 100.")).toBeTruthy();
});

test("a change from elsewhere is shown at once, but does not replace what is being typed", async () => {
  serve({});
  const { rerender } = render(<StrategyEditor bot={BOT} />);
  const changed = (percent: number, revision: number): typeof BOT => ({
    ...BOT,
    revision,
    strategy: { conditions: [{ kind: "price_drop", percent, window: "15m" }] },
  });
  rerender(<StrategyEditor bot={changed(6, 2)} />);
  expect(screen.getByLabelText<HTMLInputElement>("At least, %").value).toBe("6");
  await type("At least, %", "9");
  rerender(<StrategyEditor bot={changed(7, 3)} />);
  expect(screen.getByLabelText<HTMLInputElement>("At least, %").value).toBe("9");
  const versions = screen.getByRole("region", { name: "Two versions" });
  expect(await within(versions).findByText("price_drop 7 15m")).toBeTruthy();
  expect(within(versions).getByText("price_drop 9 15m close")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Take the other one" }));
  expect(screen.getByLabelText<HTMLInputElement>("At least, %").value).toBe("7");
});

test("of two versions the own one can be saved over the other", async () => {
  const other: typeof BOT = {
    ...BOT,
    revision: 2,
    strategy: { conditions: [{ kind: "price_drop", percent: 6, window: "15m" }] },
  };
  const seen = serve({
    "PATCH /api/bots/b1": async (request) => ({ body: { ...other, revision: 3, ...(await request.json()) } }),
  });
  const { rerender } = render(<StrategyEditor bot={BOT} />);
  await type("At least, %", "9");
  rerender(<StrategyEditor bot={other} />);
  await userEvent.click(screen.getByRole("button", { name: "Save mine instead" }));
  await waitFor(() => expect(seen[0]?.headers.get("if-match")).toBe('"2"'));
});

test("a save that comes too late is refused, and nothing that was typed is lost", async () => {
  const current = { ...BOT, revision: 2, strategy: { ...BOT.strategy, risk_management: { stop_loss_percent: 3 } } };
  const seen = serve({ "PATCH /api/bots/b1": { status: 412, body: { detail: "Changed.", current } } });
  render(<StrategyEditor bot={BOT} />);
  await type("At least, %", "9");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Changed.")).toBeTruthy();
  expect(seen[0]?.headers.get("if-match")).toBe('"1"');
  expect(screen.getByLabelText<HTMLInputElement>("At least, %").value).toBe("9");
});

test("conditions are added, changed in kind, matched by any, and removed", async () => {
  const seen = serve({ "PATCH /api/bots/b1": { status: 500, body: { detail: "No." } } });
  render(<StrategyEditor bot={BOT} />);
  const entry = screen.getByRole("region", { name: "Buy when" });
  const exit = screen.getByRole("region", { name: "Sell when" });
  await userEvent.click(within(entry).getByRole("button", { name: "Add a condition" }));
  await userEvent.selectOptions(within(entry).getByLabelText("Kind of condition 2"), "Volume spike");
  await userEvent.click(within(entry).getByRole("radio", { name: "Any" }));
  await userEvent.click(within(exit).getByRole("button", { name: "Add a condition" }));
  await userEvent.click(within(entry).getByRole("button", { name: "Remove condition 1" }));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(seen).toHaveLength(1));
  expect(await seen[0]?.json()).toMatchObject({
    strategy: {
      conditions: [{ kind: "volume_spike", multiplier: 3, window: "1h" }],
      match: "any",
      exit_conditions: [{ kind: "price_drop" }],
    },
  });
});

test("a refusal of an order is shown at its field, and one of the whole strategy at the size", async () => {
  serve({
    "PATCH /api/bots/b1": {
      status: 422,
      body: {
        detail: "The body is not valid.",
        errors: [
          { field: "strategy", message: "the first buy and the ladder take more: lower position_percent" },
          { field: "strategy.ladder.0.drop_percent", message: "must be below 100" },
          { field: "strategy.risk_management.take_profits", message: "the targets sell more than 100 % together" },
          { field: "strategy.risk_management.take_profits.1.gain_percent", message: "must be above 0" },
          { field: "strategy.conditions.0.conditions.0.percent", message: "must be a number" },
        ],
      },
    },
  });
  render(<StrategyEditor bot={BOT} />);
  await userEvent.click(screen.getByText("More ways to sell"));
  await userEvent.click(screen.getByRole("button", { name: "Sell in parts, at several targets" }));
  await userEvent.click(screen.getByText("Buy in parts"));
  await userEvent.click(screen.getByRole("button", { name: "Buy more on the way down" }));
  await userEvent.selectOptions(screen.getByLabelText("Kind of condition 1"), "Group");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  const isRefused = (group: string, label: string) =>
    within(screen.getByRole("group", { name: group }))
      .getByLabelText(label)
      .getAttribute("aria-invalid");
  await screen.findByText("The first buy and the ladder take more: lower position percent.");
  expect(screen.getByLabelText("Position, % of cash").getAttribute("aria-invalid")).toBe("true");
  expect([isRefused("Step 1", "Lower by, %"), isRefused("Step 1", "Add, % of cash")]).toEqual(["true", null]);
  expect([isRefused("Target 1", "At a gain of, %"), isRefused("Target 2", "At a gain of, %")]).toEqual([null, "true"]);
  expect(screen.getByText("The targets sell more than 100 % together.")).toBeTruthy();
  expect(isRefused("Condition 1.1", "At least, %")).toBe("true");
  expect(screen.queryByLabelText("Take profit, %")).toBeNull();
});

test("a condition is moved by keyboard, into a group and out of it, and keeps the focus", async () => {
  const seen = serve({ "PATCH /api/bots/b1": { status: 500, body: { detail: "No." } } });
  render(<StrategyEditor bot={BOT} />);
  expect(screen.queryByRole("button", { name: "Move condition 1" })).toBeNull();
  await userEvent.click(within(screen.getByRole("region", { name: "Buy when" })).getByText("Add a condition"));
  await userEvent.selectOptions(screen.getByLabelText("Kind of condition 2"), "Group");
  screen.getByRole("button", { name: "Move condition 1" }).focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Move condition 1.1");
  expect(screen.getByText("Moved: it is condition 1.1 now.")).toBeTruthy();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "← Out of the group" }));
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Move condition 2");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(seen).toHaveLength(1));
  expect(await seen[0]?.json()).toMatchObject({
    strategy: {
      conditions: [
        { kind: "group", match: "any", conditions: [{ kind: "price_drop", window: "1h" }] },
        { kind: "price_drop", window: "15m" },
      ],
    },
  });
});
