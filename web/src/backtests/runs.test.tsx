import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queryClient } from "@/api/client";
import { useAllBacktests } from "@/backtests/runs";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

const IDS = Array.from({ length: 250 }, (_, number) => `run ${number}`);

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

function Listed() {
  const { runs, total } = useAllBacktests("b");
  return (
    <p>
      {runs?.length ?? 0} of {total}, the last is {runs?.at(-1)?.run_id}
    </p>
  );
}

test("all runs of a bot are listed once, however many pages they fill and though one moved to the next", async () => {
  serve({
    "GET /api/bots/b/backtests": ({ url }) => {
      const page = Number(new URL(url).searchParams.get("page") ?? 1);
      const start = page === 1 ? 0 : (page - 1) * 100 - 1;
      const backtests = IDS.slice(start, page * 100).map((run_id) => ({ run_id, status: "completed" }));
      return { body: { backtests, page, total_pages: 3, total_backtests: 250 } };
    },
  });
  render(<Listed />);
  expect(await screen.findByText("250 of 250, the last is run 249")).toBeTruthy();
});
