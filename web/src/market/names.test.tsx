import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { TokenName } from "@/backtests/instrument";
import { learnNames } from "@/market/names";
import { enter } from "@/session/store";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

const ADDRESS = "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N";
const PIPO = { token_id: `${ADDRESS}-solana`, chain: "solana", symbol: "PIPO", name: "Pipo the Cat" };

test("a visitor sees a symbol that is known from the chat, without a request", () => {
  const asked = serve({});
  render(<TokenName chain="solana" token={ADDRESS} />);
  expect(screen.getByText("EE39wX…vs8N")).toBeTruthy();
  act(() => learnNames([PIPO]));
  expect(screen.getByText("PIPO")).toBeTruthy();
  expect(asked).toEqual([]);
});

test("a user with an account fetches unknown symbols from the market", async () => {
  enter("token");
  serve({ "GET /api/market/tokens/0xabc-base": { body: { token: { symbol: "ECHO" } } } });
  render(<TokenName chain="base" token="0xabc" />);
  expect(await screen.findByText("ECHO")).toBeTruthy();
});

test("names survive a reload, and invalid names are not stored", async () => {
  vi.resetModules();
  const before = await import("@/market/names");
  before.learnNames([
    PIPO,
    { token_id: "x-base" },
    { symbol: "NOWHERE" },
    null,
    "words",
    { token_id: "y", symbol: "" },
  ]);
  before.learnNames({ error: "no such token" });
  expect(JSON.parse(localStorage.getItem("strategybot.token-names") ?? "")).toEqual({ [PIPO.token_id]: "PIPO" });
  vi.resetModules();
  const { TokenName: Again } = await import("@/backtests/instrument");
  render(<Again chain="solana" token={ADDRESS} />);
  expect(screen.getByText("PIPO")).toBeTruthy();
});
