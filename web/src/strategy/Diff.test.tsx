import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ChangeNotice, type Difference, diff, undoing } from "@/strategy/Diff";
import { keepBot } from "@/strategy/refreshing";
import type { Bot } from "@/strategy/versions";
import type { Condition, Strategy } from "@/strategy/words";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

const DROP: Condition = { kind: "price_drop", percent: 5, window: "15m" };
const SPIKE: Condition = { kind: "volume_spike", multiplier: 3, window: "1h" };
const BEFORE: Strategy = { conditions: [DROP], risk_management: { stop_loss_percent: 3 } };

test.each<[string, Strategy | null, Strategy | null, [string, Difference["before"], Difference["after"]][]]>([
  ["the same strategy", BEFORE, structuredClone(BEFORE), []],
  ["what is written out and what is meant", BEFORE, { ...BEFORE, match: "all", position_percent: 100 }, []],
  ["another order of conditions", { conditions: [DROP, SPIKE] }, { conditions: [SPIKE, DROP] }, []],
  [
    "a changed number",
    BEFORE,
    { ...BEFORE, conditions: [{ ...DROP, percent: 8 }] },
    [["Buy when", DROP, { ...DROP, percent: 8 }]],
  ],
  [
    "another kind of condition",
    BEFORE,
    { ...BEFORE, conditions: [SPIKE] },
    [
      ["Buy when", DROP, null],
      ["Buy when", null, SPIKE],
    ],
  ],
  [
    "one of two equal conditions removed",
    { conditions: [DROP, DROP] },
    { conditions: [DROP] },
    [
      ["Buy when", DROP, null],
      ["Buy when", "all of them are met", null],
    ],
  ],
  [
    "any instead of all",
    { conditions: [DROP, SPIKE] },
    { conditions: [DROP, SPIKE], match: "any" },
    [["Buy when", "all of them are met", "any of them is met"]],
  ],
  [
    "risk, exits and size",
    BEFORE,
    {
      conditions: [DROP],
      exit_conditions: [{ kind: "price_level", level: 1e-8, direction: "above" }],
      risk_management: { take_profit_percent: 10, max_holding: "2d" },
      position_percent: 50,
    },
    [
      ["Sell when", null, { kind: "price_level", level: 1e-8, direction: "above" }],
      ["Stop loss", "3%", null],
      ["Take profit", null, "10%"],
      ["Longest holding", null, "2d"],
      ["Position size", "100% of the cash", "50% of the cash"],
    ],
  ],
  [
    "orders and sizes",
    BEFORE,
    {
      conditions: [DROP],
      risk_management: {
        stop_loss_atr: { times: 2 },
        take_profits: [
          { gain_percent: 10, sell_percent: 50 },
          { gain_percent: 20, sell_percent: 50 },
        ],
        break_even_after_percent: 5,
      },
      position_amount: 100,
      ladder: [{ drop_percent: 3, size_percent: 20 }],
      portfolio: { max_open: 2, prefer: "rise" },
      max_entries: 4,
      entry_gap: "1d",
    },
    [
      ["Stop loss", "3%", "2 × ATR(14)"],
      ["Take profit", null, "50% at +10%, 50% at +20%"],
      ["Break even", null, "after a gain of 5%"],
      ["Ladder", null, "20% at −3%"],
      ["Buys of one position", null, "at most 4, 1d apart"],
      ["Position size", "100% of the cash", "$100 a buy"],
      ["With many tokens", null, "at most 2 at a time, first: largest rise of 24 hours"],
    ],
  ],
  [
    "a condition of a group",
    { conditions: [{ kind: "group", match: "any", conditions: [DROP, SPIKE] }] },
    { conditions: [{ kind: "group", match: "any", conditions: [DROP] }] },
    [
      [
        "Buy when",
        { kind: "group", match: "any", conditions: [DROP, SPIKE] },
        { kind: "group", match: "any", conditions: [DROP] },
      ],
    ],
  ],
  [
    "the first strategy",
    null,
    { conditions: [SPIKE] },
    [
      ["Buy when", null, SPIKE],
      ["Position size", null, "100% of the cash"],
    ],
  ],
])("the differences of %s", (_, before, after, expected) => {
  expect(diff(before, after).map((difference) => Object.values(difference))).toEqual(expected);
});

const BOT: Bot = {
  id: "b1",
  name: "Dip buyer",
  description: "",
  token: null,
  chain: null,
  strategy: { conditions: [SPIKE] },
  strategy_summary: "",
  recommended_kline_interval: null,
  tags: [],
  warnings: [],
  holdout: null,
  conversation_id: null,
  created_at: "2026-01-02T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
  revision: 4,
};

test.each([3, 0])("undo brings revision %i back, if nothing newer is there", async (revision) => {
  const before = { revision, strategy: revision ? BEFORE : null };
  const after = { revision: revision + 1, strategy: BOT.strategy };
  const seen = serve({ "POST /api/bots/b1/undo": { body: { ...BOT, ...before, revision: revision + 2 } } });
  keepBot({ ...BOT, ...after });
  render(<ChangeNotice after={after} before={before} botId="b1" />);
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Undone: the earlier strategy is back")).toBeTruthy();
  expect(seen[0]?.headers.get("if-match")).toBe(`"${revision + 1}"`);
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("a refused undo shows the current strategy and removes the button", async () => {
  const current = { ...BOT, revision: 5, strategy: BEFORE };
  const detail = "The strategy of this bot has changed since you read it: it is at revision 5 now.";
  serve({ "POST /api/bots/b1/undo": { status: 412, body: { detail, current } } });
  keepBot(BOT);
  render(<ChangeNotice after={BOT} before={{ revision: 3, strategy: null }} botId="b1" />);
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect((await screen.findByRole("alert")).textContent).toBe(detail);
  expect(screen.getByText(/has changed again since/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test.each<[string, Strategy | null, Strategy | null]>([
  ["Undo takes the whole strategy away.", null, BEFORE],
  ["Undo brings “stop loss: 3%” back.", BEFORE, { ...BEFORE, risk_management: { stop_loss_percent: 2 } }],
  [
    "Undo removes “take profit: 9%”.",
    { conditions: [DROP] },
    { conditions: [DROP], risk_management: { take_profit_percent: 9 } },
  ],
  ["Undo brings “buy when: price drop” back.", BEFORE, { ...BEFORE, conditions: [{ ...DROP, percent: 8 }] }],
  ["Undo takes these 2 changes back.", BEFORE, { conditions: [SPIKE], risk_management: { stop_loss_percent: 3 } }],
])("%s", (words, before, after) => {
  expect(undoing({ revision: 1, strategy: before }, { revision: 2, strategy: after })).toBe(words);
});
