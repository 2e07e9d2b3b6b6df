import { expect, test } from "vitest";
import { events } from "@/chat/stream";

const BYTES = new TextEncoder();

/** A body that arrives in these pieces; `broken` fails after the last. */
function body(pieces: Uint8Array[], options: { broken?: boolean; onCancel?: () => void } = {}) {
  const rest = [...pieces];
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = rest.shift();
      if (piece) controller.enqueue(piece);
      else if (options.broken) controller.error(new TypeError("network error"));
      else controller.close();
    },
    cancel: options.onCancel,
  });
}

async function read(stream: ReadableStream<Uint8Array>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const event of events(stream)) seen.push(event);
  return seen;
}

const SENT =
  'data: {"type":"text-delta","delta":"5 % – naïve 🚀"}\n\n: a comment\n\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n';
const MEANT = [{ type: "text-delta", delta: "5 % – naïve 🚀" }, { type: "finish" }];

test("wherever the bytes are cut, also inside of a character, the events are the same", async () => {
  const bytes = BYTES.encode(SENT);
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(await read(body([bytes.slice(0, cut), bytes.slice(cut)]))).toEqual(MEANT);
  }
  expect(await read(body([...bytes].map((byte) => Uint8Array.of(byte))))).toEqual(MEANT);
});

test("lines may end in a carriage return, and one event may have several lines of data", async () => {
  const sent = 'data: {"type":\r\ndata:"finish"}\r\n\r\nid: 7\r\nevent: message\r\ndata:1\r\n\r\n';
  expect(await read(body([BYTES.encode(sent)]))).toEqual([{ type: "finish" }, 1]);
});

test("nothing after the end is read, and the connection is closed", async () => {
  let isCancelled = false;
  const pieces = [BYTES.encode("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n"), BYTES.encode("data: 3\n\n")];
  expect(await read(body(pieces, { onCancel: () => (isCancelled = true) }))).toEqual([1]);
  expect(isCancelled).toBe(true);
});

test("an incomplete event at the end of the stream is ignored", async () => {
  expect(await read(body([BYTES.encode('data: 1\n\ndata: {"type":')]))).toEqual([1]);
});

test("a reader that stops closes the connection", async () => {
  let isCancelled = false;
  const stream = body([BYTES.encode("data: 1\n\n"), BYTES.encode("data: 2\n\n")], {
    onCancel: () => {
      isCancelled = true;
    },
  });
  for await (const event of events(stream)) {
    expect(event).toBe(1);
    break;
  }
  expect(isCancelled).toBe(true);
});

test("a connection that breaks, and an event that is no JSON, are failures", async () => {
  await expect(read(body([BYTES.encode("data: 1\n\n")], { broken: true }))).rejects.toThrow("network error");
  await expect(read(body([BYTES.encode("data: {nonsense\n\n")]))).rejects.toThrow(SyntaxError);
});
