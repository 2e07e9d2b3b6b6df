import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import Palette from "@/palette/Palette";
import { enter } from "@/session/store";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

beforeEach(() => enter("a token"));

function type(...values: string[]) {
  render(<Palette onClose={vi.fn()} onShortcuts={vi.fn()} />);
  for (const value of values) fireEvent.change(screen.getByRole("combobox"), { target: { value } });
}

test("a word is searched for once, not letter by letter", async () => {
  const asked: (string | null)[] = [];
  serve({
    "GET /api/market/tokens": (request) => {
      asked.push(new URL(request.url).searchParams.get("query"));
      return { body: { tokens: [] } };
    },
  });
  type("z", "zz", "zzpipo");
  await screen.findByText("Nothing is called “zzpipo”.");
  expect(asked).toEqual(["zzpipo"]);
});

test("a search that failed does not say that nothing has the name", async () => {
  serve({ "GET /api/market/tokens": { status: 400, body: { detail: "The provider is away." } } });
  type("zzpipo");
  await screen.findByText("The provider is away.");
});
