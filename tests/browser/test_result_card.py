"""The result card of the MCP App, in a frame without an origin, as a host shows it."""

import json
from typing import Any

from playwright.sync_api import Page, Request, expect

from tests.browser.support import Person
from tests.browser.trading import backtest, trading_bot

# What a host does: it keeps the page from everything, answers its first request, hands over the result of the tool and
# reads resources for it.
HOST = """
([html, result, card]) => {
  window.asked = []; window.height = 0;
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.style = "width: 100%; height: 900px; border: 0";
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">`;
  frame.srcdoc = html.replace("<head>", `<head>${policy}`);
  const post = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  addEventListener("message", ({ data: { id, method, params } }) => {
    window.asked.push(method);
    if (method === "ui/initialize") post({ id, result: { protocolVersion: params.protocolVersion, hostContext: { theme: "dark" } } });
    if (method === "ui/notifications/initialized") post({ method: "ui/notifications/tool-result", params: { structuredContent: result } });
    if (method === "resources/read") post({ id, result: { contents: [{ uri: params.uri, text: card }] } });
    if (method === "ui/notifications/size-changed") window.height = params.height;
  });
  document.body.replaceChildren(frame);
}
"""


def read(person: Person, uri: str) -> str:
    call = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}}
    accept = {"Accept": "application/json, text/event-stream"}
    answer = person.client.post("/mcp", json=call, headers=accept)
    text: str = answer.json()["result"]["contents"][0]["text"]
    return text


def shown(page: Page, person: Person, result: dict[str, Any]) -> Any:
    card = read(person, f"strategybot://backtests/{result['run_id']}/card")
    page.evaluate(HOST, [read(person, "ui://strategybot/result.html"), result, card])
    return page.frame_locator("iframe")


def test_a_host_draws_the_result_and_the_page_asks_no_address(signed_in: Page, person: Person) -> None:
    run = backtest(person, trading_bot(person))
    result = {"run_id": run["run_id"], "status": "completed"}
    signed_in.goto("about:blank")
    addresses: list[str] = []

    def note(request: Request) -> None:
        addresses.append(request.url)

    signed_in.on("request", note)
    frame = shown(signed_in, person, result)
    expect(frame.get_by_text("Made with demo prices")).to_be_visible()
    expect(frame.get_by_text("Buy when the price falls")).to_be_visible()
    expect(frame.get_by_role("table", name="Closed trades of the backtest")).to_be_visible()
    expect(frame.locator("canvas").first).to_be_visible()
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    signed_in.wait_for_function("window.height > 900")
    assert [address for address in addresses if address.startswith("http")] == []
    assert set(signed_in.evaluate("window.asked")) == {
        "ui/initialize", "ui/notifications/initialized", "ui/notifications/size-changed", "resources/read"
    }  # fmt: skip

    signed_in.goto("about:blank")
    unfinished = shown(signed_in, person, {**result, "status": "running"})
    expect(unfinished.get_by_text("No finished backtest to draw")).to_be_visible()
    assert json.loads(read(person, f"strategybot://backtests/{run['run_id']}/card"))["run"]["metrics"]
