import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Simulation } from "@/simulations/following";
import { TradeLog } from "@/simulations/TradeLog";
import { render } from "@/testing/render";

const ENTRY = { entry_price: null, quantity: null, pnl: null, exit_reason: null, late: false };
const LOG = [
  { ...ENTRY, number: 1, time: 60, action: "HOLD", price: 1, reason: "cooling down for another 1h", fees: null },
  {
    ...ENTRY,
    number: 2,
    time: 120,
    action: "BUY",
    price: 1,
    reason: "fell",
    fees: 1,
    slippage: 0.5,
    tax: 40,
    impact: 2,
  },
];

test.each([
  ["live", "Paper, GRUMP in $"],
  ["replay", "Replay, GRUMP in $"],
])("the log of a %s run names its mode, token, currency and zone, and what each fill paid", (mode, heading) => {
  const run = {
    mode,
    token: "abc",
    chain: "eth",
    token_symbol: "GRUMP",
    costs: null,
    strategy: { conditions: [] },
    trade_log: LOG,
  };
  render(<TradeLog run={run as unknown as Simulation} />);
  expect(screen.getByRole("heading").textContent).toContain(`${heading}, times in `);
  expect(screen.getAllByText(/^Paid:/).map(({ textContent }) => textContent)).toEqual([
    "Paid: fees $1.00, slippage $0.50, tax $40.00, impact $2.00",
  ]);
});
