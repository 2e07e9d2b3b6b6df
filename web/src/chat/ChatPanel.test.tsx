import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeAll, expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import ChatPanel from "@/chat/ChatPanel";
import { becomeVisitor, enter, session } from "@/session/store";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

type Message = Schemas["MessageView"];

const AT = "2026-01-01T00:00:00Z";
const CHAT = "POST /api/conversations/c1/chat";
const DIP = {
  conditions: [{ kind: "price_drop", percent: 5, window: "1h" }],
  risk_management: { stop_loss_percent: 5 },
};
const TIGHT = { ...DIP, risk_management: { stop_loss_percent: 3 } };
const BOT = { id: "b1", name: "Dip", token: "A", chain: "solana", strategy: TIGHT, revision: 2, conversation_id: "c1" };
const CHANGED = { bot: { id: "b1", name: "Dip" }, revision: 2, strategy: TIGHT, before: DIP, summary: "Buy." };

// It is fetched when the first answer comes, which takes as long as the machine is busy.
beforeAll(() => import("@/chat/Markdown"));

function message(role: "user" | "assistant", content: string, more: Partial<Message> = {}): Message {
  return { id: `${role} ${content}`, role, content, tool_calls: [], receipts: null, created_at: AT, ...more };
}

function conversation(...messages: Message[]) {
  return { id: "c1", title: "Dips", bot_id: null, created_at: AT, updated_at: AT, messages };
}

function turn(asked: string, answer: Message, remaining: number | null = 49, warning: string | null = null) {
  const data = { message: answer, conversation: conversation(message("user", asked), answer), warning };
  return { type: "data-turn", data: { ...data, remaining_chats: remaining } };
}

/** A stream that a test writes, part by part. */
function stream() {
  const pipe = new TransformStream<Uint8Array, Uint8Array>();
  const writer = pipe.writable.getWriter();
  const write = (text: string) => writer.write(new TextEncoder().encode(text));
  return {
    response: () => new Response(pipe.readable, { headers: { "Content-Type": "text/event-stream" } }),
    tell: (part: object) => write(`data: ${JSON.stringify(part)}\n\n`),
    end: () => writer.close(),
    breakOff: () => writer.abort(new TypeError("network error")),
  };
}

/** What happens when the test says so. */
function later() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** An answer that is there at once. */
function told(...parts: object[]): Response {
  const text = [...parts.map((part) => JSON.stringify(part)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
  return new Response(text);
}

async function say(text: string) {
  const user = userEvent.setup();
  await user.type(await screen.findByRole("textbox", { name: "Message" }), `${text}{Enter}`);
  return user;
}

test("the first message without a token creates a visitor, and the answer is streamed", async () => {
  const written = stream();
  const seen = serve({
    "POST /api/conversations": { status: 201, body: { ...conversation(), anonymous_token: "secret" } },
    [CHAT]: written.response,
  });
  render(<ChatPanel />);
  await say("hello");
  expect(await screen.findByText("hello")).toBeDefined();
  await written.tell({
    type: "tool-input-available",
    toolCallId: "1",
    toolName: "search_tokens",
    input: { query: "x" },
  });
  await written.tell({ type: "text-delta", delta: "Good " });
  expect(await screen.findByText("Searching the market…")).toBeDefined();
  expect(await screen.findByText("Good")).toBeDefined();
  expect(screen.getByRole("button", { name: "Stop" })).toBeDefined();
  expect(await screen.findByText("49 messages left")).toBeDefined(); // taken, though not answered yet
  await written.tell(turn("hello", message("assistant", "Good **day**."), 48));
  await written.end();
  expect(await screen.findByText("day")).toBeDefined();
  expect(screen.getAllByText("hello")).toHaveLength(1);
  expect(await screen.findByText("48 messages left")).toBeDefined(); // the server's word stands
  expect(session.get().anonymousToken).toBe("secret");
  expect(seen.find((request) => request.url.endsWith("/chat"))?.headers.get("X-Anonymous-Token")).toBe("secret");
});

test("a change of the strategy shows what changed, and can be undone", async () => {
  enter("user");
  let bot = BOT;
  const seen = serve({
    "GET /api/bots/b1": () => ({ body: bot }),
    "GET /api/conversations/c1": {
      body: conversation(
        message("user", "tighter"),
        message("assistant", "Done.", {
          tool_calls: [{ name: "update_trading_strategy", arguments: {}, result: CHANGED }],
        }),
      ),
    },
    "POST /api/bots/b1/undo": () => {
      bot = { ...BOT, strategy: DIP, revision: 3 };
      return { body: bot };
    },
  });
  render(<ChatPanel botId="b1" />);
  const changes = await screen.findByRole("list", { name: "Changes" });
  expect(changes.textContent).toContain("5%");
  expect(changes.textContent).toContain("3%");
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Undone: the earlier strategy is back")).toBeDefined();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Undo" })).toBeNull());
  expect(seen.filter((request) => request.method === "POST")).toHaveLength(1);
});

test("a change that is not the newest cannot be undone", async () => {
  enter("user");
  serve({
    "GET /api/bots/b1": { body: { ...BOT, revision: 5 } },
    "GET /api/conversations/c1": {
      body: conversation(
        message("assistant", "Done.", {
          tool_calls: [{ name: "update_trading_strategy", arguments: {}, result: CHANGED }],
        }),
      ),
    },
  });
  render(<ChatPanel botId="b1" />);
  expect(await screen.findByText("Strategy changed")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("stopping keeps what was written, and the message can be edited and sent again", async () => {
  becomeVisitor("v");
  const written = stream();
  serve({ "GET /api/conversations/c1": { body: conversation() }, [CHAT]: written.response });
  render(<ChatPanel conversationId="c1" />);
  const user = await say("tell me everything");
  await written.tell({ type: "text-delta", delta: "It began" });
  await screen.findByText("It began");
  await user.click(screen.getByRole("button", { name: "Stop" }));
  expect(screen.getByText(/You stopped listening here/)).toBeDefined();
  expect(screen.getByText("It began")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Edit and resend" }));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" }).value).toBe("tell me everything");
});

test.each([
  [409, {}, "I am still answering.", /still answering/, "Try again"],
  [429, { "Retry-After": "125" }, "Too many chats.", /Too many chats\. It can go on in about 3 min\./, "Try again"],
  [401, { "WWW-Authenticate": "Bearer" }, "Unknown token.", /This visit has ended/, "Send it again"],
  [404, {}, "No such conversation.", /This conversation is gone/, "Send it again"],
  [500, {}, "Internal server error", /Internal server error/, "Try again"],
])(
  "a refusal with %i says what is wrong, and the same message can be sent again",
  async (status, headers, detail, words, again) => {
    becomeVisitor("v");
    let refusals = 1;
    const seen = serve({
      "POST /api/conversations": { status: 201, body: conversation() },
      "GET /api/conversations/c1": { body: conversation() },
      [CHAT]: () =>
        refusals-- > 0
          ? Response.json({ detail }, { status, headers: headers as HeadersInit })
          : told(turn("hello", message("assistant", "Here I am."))),
    });
    render(<ChatPanel conversationId="c1" />);
    const user = await say("hello");
    expect((await screen.findByRole("alert")).textContent).toMatch(words);
    await user.click(screen.getByRole("button", { name: again }));
    expect(await screen.findByText("Here I am.")).toBeDefined();
    expect(screen.getAllByText("hello")).toHaveLength(1);
    expect(seen.filter((request) => request.url.endsWith("/chat"))).toHaveLength(2);
  },
);

test("a message that is repeated while the conversation opens is answered in that conversation", async () => {
  const opened = later();
  const answer = message("assistant", "The second answer.");
  const seen = serve({
    "POST /api/conversations": async () => {
      await opened.promise;
      return { status: 201, body: { ...conversation(), anonymous_token: "secret" } };
    },
    [CHAT]: () => told(turn("second", answer)),
  });
  render(<ChatPanel />);
  const user = await say("first");
  await user.click(screen.getByRole("button", { name: "Stop" }));
  await say("second");
  opened.resolve();
  expect(await screen.findByText("The second answer.")).toBeDefined();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(seen.filter(({ url }) => url.endsWith("/api/conversations") || url.endsWith("/chat"))).toHaveLength(2);
});

test("a conversation that loads slowly does not hide a newer answer", async () => {
  becomeVisitor("v");
  const late = later();
  const answer = message("assistant", "Good day.");
  let reads = 0;
  serve({
    "GET /api/conversations/c1": async () => {
      if (reads++ > 0) return { body: conversation(message("user", "hello"), answer) };
      await late.promise;
      return { body: conversation() };
    },
    [CHAT]: () => told(turn("hello", answer)),
  });
  render(<ChatPanel conversationId="c1" />);
  await say("hello");
  expect(await screen.findByText("Good day.")).toBeDefined();
  late.resolve();
  await waitFor(() => expect(reads).toBe(2));
  await new Promise((done) => setTimeout(done)); // both answers are read
  expect(screen.getByText("Good day.")).toBeDefined();
});

test("a message that is sent while an answer is fetched is answered", async () => {
  const broken = stream();
  const next = stream();
  const looked = later();
  const first = message("assistant", "It was kept.");
  const chats = [broken.response, next.response];
  serve({
    "POST /api/conversations": { status: 201, body: { ...conversation(), anonymous_token: "secret" } },
    [CHAT]: () => chats.shift()?.() ?? new Response(null, { status: 500 }),
    "GET /api/conversations/c1": async () => {
      await looked.promise;
      return { body: conversation(message("user", "first"), first) };
    },
  });
  render(<ChatPanel />);
  const user = await say("first");
  await broken.breakOff();
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  await say("second");
  looked.resolve();
  expect(await screen.findByText("It was kept.")).toBeDefined();
  expect(screen.getByText("second")).toBeDefined();
  expect(screen.getByRole("button", { name: "Stop" })).toBeDefined();
});

test("a visitor without messages left gets a link to sign up that returns here", async () => {
  becomeVisitor("v");
  serve({
    "GET /api/conversations/c1": { body: conversation() },
    [CHAT]: {
      status: 403,
      body: { detail: "Without an account you can send 50 messages.", upsell_message: "Sign up." },
    },
  });
  render(<ChatPanel conversationId="c1" />);
  await say("one more");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Sign up.");
  expect(within(alert).getByRole("link").getAttribute("href")).toBe("/register?next=%2F");
  expect(screen.getByRole("meter", { name: "Messages left" }).getAttribute("aria-valuenow")).toBe("0");
});

test("a low number of messages is shown with the server's message", async () => {
  becomeVisitor("v");
  const answer = turn("hello", message("assistant", "Yes."), 7, "7 messages are left without an account.");
  serve({ "GET /api/conversations/c1": { body: conversation() }, [CHAT]: () => told(answer) });
  render(<ChatPanel conversationId="c1" />);
  await say("hello");
  expect((await screen.findByText("7 messages are left without an account.")).getAttribute("role")).toBe("status");
});

test("after a broken connection the answer is fetched, and the message is not sent twice", async () => {
  becomeVisitor("v");
  const written = stream();
  let kept = conversation();
  const seen = serve({ "GET /api/conversations/c1": () => ({ body: kept }), [CHAT]: written.response });
  render(<ChatPanel conversationId="c1" />);
  const user = await say("hello");
  await written.tell({ type: "text-delta", delta: "Go" });
  await screen.findByText("Go");
  void written.breakOff();
  await screen.findByRole("alert");
  kept = conversation(message("user", "hello"), message("assistant", "Good day."));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Good day.")).toBeDefined();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(seen.filter((request) => request.url.endsWith("/chat"))).toHaveLength(1);
});

test("commands are chosen by keyboard", async () => {
  becomeVisitor("v");
  const seen = serve({
    "GET /api/conversations/c1": { body: conversation() },
    [CHAT]: () => told(turn("/backtest", message("assistant", "Tested."))),
  });
  render(<ChatPanel conversationId="c1" />);
  const user = userEvent.setup();
  const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
  await user.type(box, "/b");
  const options = within(screen.getByRole("listbox", { name: "Commands" })).getAllByRole("option");
  expect(options.map((option) => option.getAttribute("aria-selected"))).toEqual(["true", "false", "false"]);
  await user.keyboard("{ArrowDown}");
  expect(box.getAttribute("aria-activedescendant")).toBe(options[1]?.id);
  await user.keyboard("{Tab}");
  expect(box.value).toBe("/bot ");
  expect(screen.queryByRole("listbox")).toBeNull();
  await user.clear(box);
  await user.type(box, "/{Escape}");
  expect(screen.queryByRole("listbox")).toBeNull();
  await user.clear(box);
  await user.type(box, "/ba{Enter}");
  expect(await screen.findByText("Tested.")).toBeDefined();
  expect(await seen.at(-1)?.json()).toEqual({ message: "/backtest" });
});

test("an answer is shown without foreign pictures or markup, and doubtful numbers are marked", async () => {
  becomeVisitor("v");
  const content = "It made 99.9 % ![a cat](https://elsewhere.example/cat.png) <b>bold</b>\n\n*In no result: 99.9 %.*";
  serve({
    "GET /api/conversations/c1": {
      body: conversation(message("assistant", content, { receipts: { checked: 2, unverified: ["99.9 %"] } })),
    },
  });
  const { container } = render(<ChatPanel conversationId="c1" />);
  const mark = await screen.findByText("99.9 %", { selector: "mark" });
  expect(mark.title).toMatch(/no result/);
  expect(screen.getByText("In no result: 99.9 %.")).toBeDefined();
  expect(container.querySelector("img, .prose b")).toBeNull();
  expect(screen.getByText("a cat")).toBeDefined();
});

test("an address is shortened in text, and complete in code", async () => {
  becomeVisitor("v");
  const address = "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N";
  serve({
    "GET /api/conversations/c1": { body: conversation(message("assistant", `On ${address}: \`${address}-solana\``)) },
  });
  render(<ChatPanel conversationId="c1" />);
  expect((await screen.findByText("EE39wX…vs8N")).title).toBe(address);
  expect(screen.getByText(`${address}-solana`).tagName).toBe("CODE");
});

test("a token from the chat is shown by its symbol, unless the sentence has it already", async () => {
  becomeVisitor("v");
  const [one, other] = ["0xc0c22785ac1640625f2db52e74032f78a082a4d9", "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270"];
  const found = [
    { token_id: `${one}-base`, symbol: "ECHO" },
    { token_id: `${other}-polygon`, symbol: "WPOL" },
  ];
  const search = { name: "search_tokens", arguments: { query: "o" }, result: found };
  const first = { ...message("assistant", "Two were found."), tool_calls: [search] };
  const told = message("assistant", `On ${one} it lost 3 %. WPOL is ${other}.`);
  serve({ "GET /api/conversations/c1": { body: conversation(first, told) } });
  render(<ChatPanel conversationId="c1" />);
  expect((await screen.findByText("ECHO", { selector: ".prose span" })).title).toBe(one);
  expect(screen.getByText("0x0d50…1270").title).toBe(other);
});

test("an old message without an answer can be sent again", async () => {
  becomeVisitor("v");
  serve({
    "GET /api/conversations/c1": { body: conversation(message("user", "hello")) },
    [CHAT]: () => told(turn("hello", message("assistant", "At last."))),
  });
  render(<ChatPanel conversationId="c1" />);
  expect((await screen.findByRole("alert")).textContent).toContain("This message was not answered.");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("At last.")).toBeDefined();
});

test("conversations can be opened and deleted", async () => {
  enter("user");
  const summary = { id: "c1", title: "Dips", bot_id: null, created_at: AT, updated_at: AT };
  let summaries = [summary, { ...summary, id: "c2", title: "Pumps" }];
  serve({
    "GET /api/conversations": () => ({ body: { conversations: summaries } }),
    "GET /api/conversations/c1": { body: conversation(message("user", "about dips")) },
    "GET /api/conversations/c2": { body: { ...conversation(message("user", "about pumps")), id: "c2" } },
    "DELETE /api/conversations/c1": () => {
      summaries = summaries.slice(1);
      return { status: 204 };
    },
  });
  render(<ChatPanel conversationId="c1" />);
  const user = userEvent.setup();
  await screen.findByText("about dips");
  await user.click(screen.getByRole("button", { name: "History" }));
  await user.click(await screen.findByRole("button", { name: "Delete “Dips”" }));
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByText("about dips")).toBeNull());
  await user.click(screen.getByRole("button", { name: /^Pumps/ }));
  expect(await screen.findByText("about pumps")).toBeDefined();
});
