"""The result of a backtest as an MCP App: a page with chart, trades and verdict that a host draws beside the answer.

The page is one file of the browser app's build without any address in it. It asks the host for the resource of the run.
"""

from pathlib import Path

from mcp.server.apps import Apps

from strategybot.accounts.service import Principal
from strategybot.conversations.agent.tools import ToolServices
from strategybot.kit.http.site import SITE
from strategybot.kit.threads import run_read

PAGE_URI = "ui://strategybot/result.html"
DATA_URI = "strategybot://backtests/{run_id}/card"
TOKEN_DATA_URI = f"{DATA_URI}/{{token_id}}"
TOOLS_WITH_CARD = frozenset({"run_backtest", "get_run"})
META = {"ui": {"resourceUri": PAGE_URI}}


def result_card(site: Path = SITE) -> Apps | None:
    """Return the app, or None if the browser app is not built."""
    page = site / "result-card.html"
    if not page.is_file():
        return None
    apps = Apps()
    apps.add_html_resource(
        PAGE_URI,
        page.read_text(encoding="utf-8"),
        title="Result of a backtest",
        description="Its chart, trades and verdict.",
        prefers_border=True,
    )
    return apps


async def card_data(services: ToolServices, principal: Principal, run_id: str, token_id: str | None = None) -> str:
    """Return what the page shows of a backtest, as JSON; of a portfolio with the chart of one token."""
    bot_id = await run_read(services.backtests.bot_of, principal, run_id)
    return (await services.shares.card(principal, bot_id, run_id, token_id)).model_dump_json(by_alias=True)
