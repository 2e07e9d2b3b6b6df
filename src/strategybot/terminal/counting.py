"""Counts what is tried in the terminal for an account of this installation, beside what it tries elsewhere."""

from collections.abc import Sequence

from strategybot.kit.clock import system_clock
from strategybot.terminal.request import Instrument, Request
from strategybot.terminal.setup import open_services, open_settings
from strategybot.terminal.tested import Material
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval
from strategybot.trading.language.strategy import Strategy, content_digest
from strategybot.verdicts.tries import Attempt, Counted

INTERVAL_OF: dict[int, Interval] = {seconds: name for name, seconds in INTERVAL_SECONDS.items()}


def count_tries(request: Request, material: Material, rules: str, strategies: int = 1) -> Counted | None:
    """Return the tries with this one; None without an account, or on the user's own candles, which are no token."""
    if material.instrument is None:
        return None
    interval, span = INTERVAL_OF[material.prepared.candles.interval_seconds], (material.start, material.end)
    return _count(request, [material.instrument], interval, span, rules, strategies)


def count_survey(
    request: Request, strategy: Strategy, tokens: Sequence[Instrument], interval: Interval, span: tuple[int, int]
) -> None:
    _count(request, tokens, interval, span, content_digest(strategy))


def _count(
    request: Request,
    tokens: Sequence[Instrument],
    interval: Interval,
    span: tuple[int, int],
    rules: str,
    strategies: int = 1,
) -> Counted | None:
    """Count the same rules on each token, and return the tries on the last one."""
    if request.email is None:
        return None
    now, costs, found = system_clock().timestamp(), request.costs(), None
    with open_services(open_settings()) as services:
        owner, _ = services.accounts.account(request.email)
        for each in tokens:
            asked = (owner.owner_id, each.token_id, interval, *span, now, rules, costs, strategies, len(tokens))
            found = services.verdicts.tries.count(Attempt(*asked))
    return found
