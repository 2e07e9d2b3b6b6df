/** Talks with the host of an MCP App: JSON-RPC messages to and from the window that contains this page. */
type Message = { id?: number; method?: string; params?: unknown; result?: unknown; error?: { message?: string } };
type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void };

const PROTOCOL = "2026-01-26";

export type HostContext = { theme?: "light" | "dark" };
export type ToolResult = { structuredContent?: Record<string, unknown>; isError?: boolean };
type Told = {
  onContext: (context: HostContext) => void;
  onResult: (result: ToolResult) => void;
  onCancelled: () => void;
};

export class Host {
  readonly #frame: Window;
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;

  constructor(frame: Window) {
    this.#frame = frame;
  }

  /** Starts the conversation; what the host says afterwards is told to the listeners. */
  async connect({ onContext, onResult, onCancelled }: Told): Promise<void> {
    addEventListener("message", ({ source, data }: MessageEvent<Message | null>) => {
      if (source !== this.#frame || typeof data !== "object" || data === null) return;
      const { id, method, params } = data;
      if (method === "ui/notifications/tool-result") onResult(params as ToolResult);
      else if (method === "ui/notifications/host-context-changed") onContext(params as HostContext);
      else if (method === "ui/notifications/tool-cancelled") onCancelled();
      else if (method !== undefined && id !== undefined) this.#post({ id, result: {} });
      else if (id !== undefined) this.#settle(id, data);
    });
    const appInfo = { name: "Strategy Bot", version: "1" };
    const found = await this.request("ui/initialize", { protocolVersion: PROTOCOL, appInfo, appCapabilities: {} });
    onContext((found as { hostContext?: HostContext }).hostContext ?? {});
    this.notify("ui/notifications/initialized", {});
    const observer = new ResizeObserver(() => {
      const { scrollWidth: width, offsetHeight: height } = document.body;
      this.notify("ui/notifications/size-changed", { width, height });
    });
    observer.observe(document.body);
  }

  /** Reads a resource of the server, as JSON. */
  async read<Content>(uri: string): Promise<Content> {
    const found = (await this.request("resources/read", { uri })) as { contents: { text: string }[] };
    return JSON.parse(found.contents[0]?.text ?? "null");
  }

  request(method: string, params: unknown): Promise<unknown> {
    this.#requests += 1;
    const id = this.#requests;
    this.#post({ id, method, params });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  notify(method: string, params: unknown): void {
    this.#post({ method, params });
  }

  #settle(id: number, { result, error }: Message): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message ?? "The host refused it."));
    else waiting?.resolve(result);
  }

  #post(message: Message): void {
    // The page does not know the origin of its host, and says nothing that the host has not given to it.
    this.#frame.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }
}
