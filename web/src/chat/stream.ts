/** Reads server-sent events as they arrive: each event's data, however the bytes are split. */

const END = "[DONE]";

/** The JSON of each event, until the stream says that it is done. Throws when an event is no JSON. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  let data: string[] = [];
  for await (const line of lines(body)) {
    if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    if (line !== "" || data.length === 0) continue;
    const text = data.join("\n");
    data = [];
    if (text === END) return;
    yield JSON.parse(text);
  }
}

export async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const whole = rest.split("\n");
      rest = whole.pop() ?? "";
      for (const line of whole) yield line.endsWith("\r") ? line.slice(0, -1) : line;
      if (done) return;
    }
  } finally {
    // Cancels the reader, so that the connection does not stay open; it may have broken already.
    await reader.cancel().catch(() => undefined);
  }
}
