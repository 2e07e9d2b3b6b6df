import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { TokenField } from "@/backtests/TokenField";
import { enter } from "@/session/store";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

const token = (symbol: string) => ({
  token_id: `${symbol}-solana`,
  address: symbol,
  chain: "solana",
  symbol,
  name: symbol,
  liquidity_usd: 1,
});

/** The answer for all three letters comes when the test says so. */
function searched() {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  serve({
    "GET /api/info": { body: { provider: "ave" } },
    "GET /api/market/tokens/trending": { body: { tokens: [token("SOL")] } },
    "GET /api/market/tokens": async (request) => {
      const query = new URL(request.url).searchParams.get("query");
      if (query !== "WIF") return { body: { tokens: [token("WETH"), token("WIF")] } };
      await asked;
      return { body: { tokens: [token("WIF")] } };
    },
  });
  enter("a token");
  const onChange = vi.fn();
  render(<TokenField onChange={onChange} value={null} />);
  return { answer, onChange };
}

test("Enter takes the token that was typed, not the first of an older search", async () => {
  const { answer, onChange } = searched();
  await userEvent.type(await screen.findByRole("combobox", { name: "Token" }), "WI");
  await screen.findByRole("option", { name: /^WETH/ });
  await userEvent.keyboard("F{Enter}");
  expect(onChange).not.toHaveBeenCalled();
  answer();
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce());
  expect(onChange.mock.calls[0]?.[0]).toMatchObject({ symbol: "WIF" });
});

test("what was chosen with the arrows is taken at once", async () => {
  const { onChange } = searched();
  await userEvent.type(await screen.findByRole("combobox", { name: "Token" }), "WI");
  await screen.findByRole("option", { name: /^WETH/ });
  await userEvent.keyboard("F{ArrowDown}{Enter}");
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce());
  expect(onChange.mock.calls[0]?.[0]).toMatchObject({ symbol: "WIF" });
});

test("another letter after Enter takes nothing", async () => {
  const { answer, onChange } = searched();
  await userEvent.type(await screen.findByRole("combobox", { name: "Token" }), "WIF{Enter}H");
  answer();
  await screen.findByRole("option", { name: /^WETH/ });
  expect(onChange).not.toHaveBeenCalled();
});
