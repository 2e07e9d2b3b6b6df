"""The tables of limits in the operations guide say what the code does."""

import re

import pytest

from strategybot.accounts.personal_tokens import MOST_TOKENS
from strategybot.accounts.tiers import TIERS
from strategybot.conversations.service import CHATS_OF_A_VISITOR
from strategybot.events.service import MOST_STREAMS
from strategybot.kit.http.connections import MIB
from strategybot.kit.limits import Rate
from strategybot.notifications.service import MOST_TARGETS
from strategybot.rates import DELIVERIES_TO_A_TARGET, VISITORS_AN_HOUR
from strategybot.research.optimiser import MOST_SECONDS
from strategybot.research.service import MOST_WORK
from strategybot.settings import Settings
from tests.operations.guide import GUIDE

SPANS = {60: "a minute", 3600: "an hour", 18_000: "in 5 hours"}
USERS = ("free", "normal", "pro")
DEFAULTS = Settings.model_fields


def rows(heading: str) -> dict[str, str]:
    """Return the second column of the table under this heading, by the first."""
    section = GUIDE.read_text().split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return {row[0]: row[1] for row in cells[2:]}


def rate(setting: str) -> str:
    return rate_words(DEFAULTS[setting].default)


def rate_words(limit: Rate) -> str:
    return f"{limit.count} {SPANS[int(limit.window.total_seconds())]}"


def of_tiers(field: str, *standings: str) -> str:
    return ", ".join(f"{getattr(TIERS[each], field):,}" for each in standings)  # type: ignore[index]


EXPECTED = {
    "login attempts from one client address": rate("login_limit"),
    "password checks of one account (change of password, deletion)": rate("login_limit"),
    "registrations from one client address": rate("register_limit"),
    "new visitors from one client address": rate_words(VISITORS_AN_HOUR),
    "chat messages of everyone together": rate("chat_limit"),
    "share of these that one account or visitor may use": f"{DEFAULTS['chat_share'].default} %",
    "chat messages of a visitor": f"{CHATS_OF_A_VISITOR} in all",
    "simulation starts of one account": rate("simulation_limit"),
    "bots: visitor, free, normal, pro": of_tiers("bots", "anonymous", *USERS),
    "backtests at once: free, normal, pro (a visitor has 1 in all)": of_tiers("backtests", *USERS),
    "candles of a backtest: visitor, free, normal, pro": of_tiers("candles_per_backtest", "anonymous", *USERS),
    "running simulations: free, normal, pro": of_tiers("running_simulations", *USERS),
    "searches at once, and surveys at once: free, normal, pro": f"{of_tiers('backtests', *USERS)} of each",
    "variants of a search: free, normal, pro": of_tiers("optimiser_variants", *USERS),
    "variants of a search times its candles": f"{MOST_WORK:,}",
    "time of a search": f"{MOST_SECONDS:.0f} s",
    "tokens of a survey: free, normal, pro": of_tiers("survey_tokens", *USERS),
    "conversations of one owner": of_tiers("conversations", "free"),
    "personal tokens of one account": str(MOST_TOKENS),
    "revisions kept of a bot": of_tiers("revisions_per_bot", "free"),
    "backtests of a bot that keep trades, signals and equity curve": (
        f"the newest {of_tiers('detailed_backtests_per_bot', 'free')}"
    ),
    "simulations of a bot that keep candles, signals and log": (
        f"the newest {of_tiers('detailed_simulations_per_bot', 'free')}"
    ),
    "optimisations and surveys of a bot that keep their variants or rows": (
        f"the newest {of_tiers('detailed_searches_per_bot', 'free')} of each"
    ),
    "open streams of `/api/events` of one owner in one process": str(MOST_STREAMS),
    "notification targets of one account": str(MOST_TARGETS),
    "messages to one target": rate_words(DELIVERIES_TO_A_TARGET),
    "size of a request body": f"{MIB // 1024**2} MiB",
}


def test_every_limit_is_listed_with_its_default() -> None:
    assert rows("Limits") == EXPECTED


@pytest.mark.parametrize(
    "field", ["conversations", "revisions_per_bot", "detailed_backtests_per_bot", "detailed_searches_per_bot"]
)
def test_the_limits_without_a_tier_are_the_same_in_all_of_them(field: str) -> None:
    assert len({getattr(limits, field) for limits in TIERS.values()}) == 1


def test_every_rate_of_the_settings_is_in_the_table() -> None:
    named = set(re.findall(r"`STRATEGYBOT_(\w+_(?:LIMIT|SHARE))` \|", GUIDE.read_text()))
    assert named == {name.upper() for name in DEFAULTS if name.endswith(("_limit", "_share"))}
