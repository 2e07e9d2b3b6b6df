import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { TargetForm } from "@/screens/account/TargetForm";
import { enter } from "@/session/store";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

const field = (name: string, label: string, extra = {}) => ({
  name,
  label,
  hint: "",
  example: "",
  required: true,
  secret: false,
  choices: [],
  ...extra,
});
const kinds = [
  { kind: "webhook", label: "Webhook", fields: [field("url", "Address", { secret: true })] },
  {
    kind: "ntfy",
    label: "ntfy",
    fields: [
      field("topic", "Topic", { secret: true }),
      field("server", "Server", { required: false, example: "https://ntfy.sh" }),
    ],
  },
];

test("the form asks for the fields of the chosen kind and says which one is wrong", async () => {
  const seen = serve({
    "GET /api/notifications/kinds": { body: { kinds } },
    "POST /api/notifications/targets": {
      status: 422,
      body: { detail: "…", errors: [{ field: "fields.server", message: "names a private address" }] },
    },
  });
  enter("a token");
  render(<TargetForm onAdded={vi.fn()} />);
  const user = userEvent.setup();
  expect((await screen.findByLabelText("Address")).getAttribute("type")).toBe("password");
  await user.selectOptions(screen.getByLabelText("Send by"), "ntfy");
  expect(screen.queryByLabelText("Address")).toBeNull();
  await user.type(screen.getByLabelText("Name of the target"), "Phone");
  await user.type(screen.getByLabelText("Topic"), "my-topic");
  await user.type(screen.getByLabelText("Server (optional)"), "http://127.0.0.1");
  await user.click(screen.getByRole("button", { name: "Add a target" }));
  expect(await screen.findByText("Names a private address.")).toBeTruthy();
  const sent = await seen.find((request) => request.method === "POST")?.json();
  expect(sent).toMatchObject({
    name: "Phone",
    kind: "ntfy",
    fields: { topic: "my-topic", server: "http://127.0.0.1" },
    enabled: true,
  });
  expect(sent.events).toHaveLength(9);
});
