import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { Problem } from "@/api/problem";
import { Button } from "@/design/Button";
import { Choice, Field, Input } from "@/design/Field";
import { Pager } from "@/design/Pager";
import { curve } from "@/design/Sparkline";
import { ErrorState } from "@/design/States";
import { Table } from "@/design/Table";
import { Tabs } from "@/design/Tabs";
import { Toasts, toast } from "@/design/Toast";
import { Change } from "@/format/Figures";
import { enter } from "@/session/store";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

test("a field's error is tied to its control and reads as a sentence", () => {
  render(
    <Field error="must be at least 8 characters" hint="Choose well." label="Password">
      {(control) => <Input {...control} />}
    </Field>,
  );
  const input = screen.getByLabelText("Password");
  expect(input.getAttribute("aria-invalid")).toBe("true");
  const note = document.getElementById(input.getAttribute("aria-describedby") ?? "");
  expect(note?.textContent).toBe("Must be at least 8 characters.");
});

test("a busy button cannot be pressed twice", async () => {
  const press = vi.fn();
  render(
    <Button busy onClick={press}>
      Save
    </Button>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(press).not.toHaveBeenCalled();
});

test("a form is not submitted again while its button is busy, which keeps the focus", async () => {
  const submit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  function Form() {
    const [busy, setBusy] = useState(false);
    return (
      <form
        onSubmit={(event) => {
          submit(event);
          setBusy(true);
        }}
      >
        <Input aria-label="Name" />
        <Button busy={busy} type="submit">
          Create
        </Button>
      </form>
    );
  }
  render(<Form />);
  const user = userEvent.setup();
  const button = screen.getByRole("button");
  button.focus();
  await user.keyboard("{Enter}{Enter}");
  await user.type(screen.getByLabelText("Name"), "x{Enter}");
  await user.click(button);
  expect(submit).toHaveBeenCalledTimes(1);
  expect(document.activeElement).toBe(button);
});

test("a choice is a group of radio buttons", async () => {
  const choose = vi.fn();
  const options = [
    { value: 10, label: "10 s" },
    { value: 30, label: "30 s" },
  ];
  render(<Choice label="Seconds" onChange={choose} options={options} value={10} />);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "10 s" }).checked).toBe(true);
  await userEvent.click(screen.getByRole("radio", { name: "30 s" }));
  expect(choose).toHaveBeenCalledWith(30);
});

type Row = { name: string; profit: number | null };
const ROWS: Row[] = [
  { name: "small", profit: 1 },
  { name: "none", profit: null },
  { name: "loss", profit: -2 },
  { name: "large", profit: 9 },
];

function names(): (string | null)[] {
  return screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.firstElementChild?.textContent ?? null);
}

test("a table sorts by a column in either direction, and rows without a value come last", async () => {
  const columns = [
    { name: "Name", cell: (row: Row) => row.name },
    { name: "Profit", numeric: true, cell: (row: Row) => row.profit, sortBy: (row: Row) => row.profit },
  ];
  render(<Table caption="Trades" columns={columns} rowKey={(row) => row.name} rows={ROWS} />);
  expect(names()).toEqual(["small", "none", "loss", "large"]);
  await userEvent.click(screen.getByRole("button", { name: "Profit" }));
  expect(names()).toEqual(["large", "small", "loss", "none"]);
  expect(screen.getByRole("columnheader", { name: "Profit" }).getAttribute("aria-sort")).toBe("descending");
  await userEvent.click(screen.getByRole("button", { name: "Profit" }));
  expect(names()).toEqual(["loss", "small", "large", "none"]);
});

test("arrow keys walk round the tabs", async () => {
  function Example() {
    const [value, setValue] = useState("one");
    const tabs = ["one", "two", "three"].map((id) => ({ id, label: id, panel: `panel ${id}` }));
    return <Tabs label="Parts" onChange={setValue} tabs={tabs} value={value} />;
  }
  render(<Example />);
  await userEvent.click(screen.getByRole("tab", { name: "one" }));
  await userEvent.keyboard("{ArrowLeft}");
  expect(screen.getByRole("tabpanel").textContent).toBe("panel three");
  expect(document.activeElement).toBe(screen.getByRole("tab", { name: "three" }));
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  expect(screen.getByRole("tabpanel").textContent).toBe("panel two");
});

test("a failure can be retried; a refusal of the tier names the tier that permits it", async () => {
  serve({});
  const retry = vi.fn();
  const { rerender } = render(<ErrorState error={new Problem(500, "Failed to fetch tokens")} onRetry={retry} />);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(retry).toHaveBeenCalledOnce();
  const refusal = new Problem(403, "10 bots are the most.", "The normal tier has more bots.");
  rerender(<ErrorState error={refusal} onRetry={retry} />);
  expect(screen.getByRole("alert").textContent).toContain("The normal tier has more bots.");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  expect(screen.getByRole("link", { name: "Sign up for free" })).toBeTruthy();
  enter("token");
  rerender(<ErrorState error={refusal} />);
  expect(screen.getByRole("link", { name: "See your tier" })).toBeTruthy();
});

test.each([
  [3.2, "▲+3.20%", "text-up"],
  [-3.2, "▼−3.20%", "text-down"],
  [0, "■0.00%", "text-ink-soft"],
  [null, "–", "text-ink-faint"],
])("a change of %s differs by more than its colour", (value, text, tone) => {
  const { container } = render(<Change value={value} />);
  expect(container.textContent).toBe(text);
  expect(container.firstElementChild?.className).toContain(tone);
});

test("the pager stops at both ends and is not there for one page", async () => {
  const go = vi.fn();
  const { container, rerender } = render(<Pager onPage={go} page={1} pages={2} />);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Newer" }).disabled).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Older" }));
  expect(go).toHaveBeenCalledWith(2);
  rerender(<Pager onPage={go} page={1} pages={1} />);
  expect(container.textContent).toBe("");
});

test("a toast has one action, and closes when it is used", async () => {
  const undo = vi.fn();
  render(<Toasts />);
  toast("The bot is deleted.", { action: { label: "Undo", run: undo } });
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  expect(undo).toHaveBeenCalledOnce();
  expect(screen.queryByText("The bot is deleted.")).toBeNull();
});

test("a curve fills its box from the left to the right, high values at the top", () => {
  expect(curve([1, 3, 2], 44)).toBe("0.00,42.00 50.00,2.00 100.00,22.00");
  expect(curve([5, 5], 44)).toBe("0.00,22.00 100.00,22.00");
});
