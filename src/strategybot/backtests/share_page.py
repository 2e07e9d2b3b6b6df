"""The HTML page of a share: the web app's page with a title and link preview, excluded from search engines."""

from html import escape

from strategybot.backtests.schemas import SharedBacktest
from strategybot.trading.words.costs import WITHOUT_POOL_COSTS, lacks_pool_costs
from strategybot.trading.words.numbers import gain_words
from strategybot.trading.words.runs import source_note
from strategybot.trading.words.verdicts import METHOD, impersonal

TITLE = "<title>Strategy Bot</title>"
NOT_INDEXED = '<meta name="robots" content="noindex" />'
BARE = f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    {TITLE}
  </head>
  <body>
    <noscript></noscript>
  </body>
</html>
"""
NOT_SHARED = "This backtest is not shared, or not any more."


def share_page(index: str | None, found: SharedBacktest | None, url: str) -> str:
    """Return the HTML for people and link previews. Without `found` it says only that nothing is shared."""
    page = index or BARE
    if found is None:
        head, words = TITLE + NOT_INDEXED, NOT_SHARED
    else:
        head, words = _head(found, url), f"{title_of(found)}. {description_of(found)}{_method(found)}"
    page = page.replace(TITLE, head, 1)
    if index is None:  # the web app is not built: this text is the whole page
        return page.replace("<noscript></noscript>", f"<p>{escape(words)}</p>", 1)
    return page.replace("</noscript>", f"<p>{escape(words)}</p></noscript>", 1)


def title_of(found: SharedBacktest) -> str:
    """Return one line with the strategy and its result."""
    gained = None if found.metrics is None else found.metrics.total_return
    result = "" if gained is None else f": {gain_words(gained)} in {_days(found)} days"
    return f"A strategy for {token_of(found)} on {found.chain}{result}"


def description_of(found: SharedBacktest) -> str:
    verdict = f" Verdict: {found.verdict.headline.rstrip('.')}." if found.verdict else ""
    plain = f" {WITHOUT_POOL_COSTS}" if lacks_pool_costs(found.costs) else ""
    return f"{found.strategy_summary}{verdict}{plain}{demo_note(found)}"


def _method(found: SharedBacktest) -> str:
    """Return how the verdict is found, for readers of the page without scripts."""
    return f" {impersonal(METHOD)}" if found.verdict and found.verdict.timing else ""


def demo_note(found: SharedBacktest) -> str:
    note = source_note(found.data_source)
    return f" {note}" if note else ""


def token_of(found: SharedBacktest) -> str:
    """Return the token's symbol, or its shortened address."""
    short = found.token if len(found.token) <= 16 else f"{found.token[:6]}…{found.token[-4:]}"
    return found.token_symbol or short


def _days(found: SharedBacktest) -> int:
    return max(1, round((found.end_time - found.start_time).total_seconds() / 86_400))


def _head(found: SharedBacktest, url: str) -> str:
    properties = {
        "og:type": "article",
        "og:site_name": "Strategy Bot",
        "og:title": title_of(found),
        "og:description": description_of(found),
        "og:url": url,
        "og:image": f"{url}/preview.png",
        "og:image:width": "1200",
        "og:image:height": "630",
    }
    metas = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in properties.items()]
    card = '<meta name="twitter:card" content="summary_large_image" />'
    return "".join([f"<title>{escape(title_of(found))}</title>", NOT_INDEXED, *metas, card])
