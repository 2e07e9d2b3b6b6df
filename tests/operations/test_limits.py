"""The tables of limits in the operations guide say what the code does."""

import dataclasses
import re

import pytest

from strategybot import rates
from strategybot.accounts.login_attempts import MOST_ADDRESSES
from strategybot.accounts.personal_tokens import MOST_TOKENS
from strategybot.accounts.tiers import RUNS_KEPT_PER_BOT, TIERS
from strategybot.conversations.agent.language_models import MOST_TOKENS as MOST_TOKENS_OF_A_MODEL
from strategybot.conversations.agent.model_client import MOST_ANSWER_BYTES
from strategybot.conversations.service import CHATS_OF_A_VISITOR
from strategybot.events.service import MOST_STREAMS
from strategybot.kit.http.connections import MIB, ConnectionLimits
from strategybot.kit.limits import Rate
from strategybot.kit.threads import COMPUTING_THREADS
from strategybot.notifications.addresses import MOST_LOOKUPS, MOST_LOOKUPS_OF_AN_OWNER, SECONDS_TO_LOOK_UP
from strategybot.notifications.senders import MOST_SENT_AT_ONCE, SECONDS_TO_SEND
from strategybot.notifications.service import MOST_TARGETS
from strategybot.searches.runner import MOST_SECONDS
from strategybot.searches.service import MOST_WORK
from strategybot.settings import Settings
from tests.operations.guide import GUIDE

SPANS = {60: "a minute", 900: "in 15 minutes", 3600: "an hour", 18_000: "in 5 hours"}
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


listed_fields: set[str] = {"chain_swap"}  # which is no number


def of_tiers(field: str, *standings: str) -> str:
    listed_fields.add(field)
    return ", ".join(f"{getattr(TIERS[each], field):,}" for each in standings)  # type: ignore[index]


EXPECTED = {
    "login attempts from one client address": rate("login_limit"),
    "failed logins to one account, from client addresses that never opened it": rate_words(rates.FAILED_LOGINS),
    "client addresses remembered of an account, as hashes": f"the newest {MOST_ADDRESSES}",
    "password checks of one account (change of password, deletion)": rate("login_limit"),
    "registrations from one client address": rate("register_limit"),
    "new visitors from one client address": rate_words(rates.VISITORS_AN_HOUR),
    "chat messages of everyone together": rate("chat_limit"),
    "share of these that one account or visitor may use": f"{DEFAULTS['chat_share'].default} %",
    "share of these that all visitors together may use": (
        f"{Settings(_env_file=None).visitor_percent} % on loopback, "
        f"else {Settings(_env_file=None, host='0.0.0.0').visitor_percent} %"
    ),
    "share of these that the visitors of one client address may use, unless it is loopback": (
        f"{rates.SHARE_OF_AN_ADDRESS} %"
    ),
    "chat messages of a visitor": f"{CHATS_OF_A_VISITOR} in all",
    "tokens of one answer of a language model": f"{MOST_TOKENS_OF_A_MODEL:,}",
    "size of one answer of a language model": f"{MOST_ANSWER_BYTES // MIB} MiB",
    "runs of all kinds in a day: free, normal, pro": of_tiers("runs_per_day", *USERS),
    "simulation starts of one account": rate("simulation_limit"),
    "previews of one account, or of the visitors of one client address": rate_words(rates.PREVIEWS),
    "shares opened from one client address, in one process": rate_words(rates.SHARE_VIEWS),
    "bots: visitor, free, normal, pro": of_tiers("bots", "anonymous", *USERS),
    "backtests at once: free, normal, pro (a visitor has 1 in all)": of_tiers("backtests", *USERS),
    "candles of a backtest: visitor, free, normal, pro": of_tiers("candles_per_backtest", "anonymous", *USERS),
    "running simulations, and running watches: free, normal, pro": f"{of_tiers('running_simulations', *USERS)} of each",
    "searches at once, and surveys at once: free, normal, pro": f"{of_tiers('backtests', *USERS)} of each",
    "variants of a search: free, normal, pro": of_tiers("optimiser_variants", *USERS),
    "variants of a search times its candles": f"{MOST_WORK:,}",
    "time of a search": f"{MOST_SECONDS:.0f} s",
    "tokens of a survey: free, normal, pro": of_tiers("survey_tokens", *USERS),
    "tokens of a watch: free, normal, pro": of_tiers("watch_tokens", *USERS),
    "tokens of a portfolio: free, normal, pro": of_tiers("portfolio_tokens", *USERS),
    "conversations of one owner": of_tiers("conversations", "free"),
    "personal tokens of one account": str(MOST_TOKENS),
    "revisions kept of a bot": of_tiers("revisions_per_bot", "free"),
    "runs kept of each kind of a bot": f"the newest {RUNS_KEPT_PER_BOT:,}",
    "backtests of a bot that keep trades, signals and equity curve": (
        f"the newest {of_tiers('detailed_backtests_per_bot', 'free')}"
    ),
    "simulations of a bot that keep candles, signals and log": (
        f"the newest {of_tiers('detailed_simulations_per_bot', 'free')}"
    ),
    "searches, surveys and watches of a bot that keep their variants, rows or signals": (
        f"the newest {of_tiers('detailed_searches_per_bot', 'free')} of each"
    ),
    "open streams of `/api/events` of one owner in one process": str(MOST_STREAMS),
    "notification targets of one account": str(MOST_TARGETS),
    "messages to one target": rate_words(rates.DELIVERIES_TO_A_TARGET),
    "messages of one owner that are sent at once, in one process": str(MOST_SENT_AT_ONCE),
    "time to send a message, in all": f"{SECONDS_TO_SEND} s",
    "time to look up the host of a target": f"{SECONDS_TO_LOOK_UP} s",
    "hosts looked up at once in one process: of one owner, of all": f"{MOST_LOOKUPS_OF_AN_OWNER}, {MOST_LOOKUPS}",
    "charts, previews and pictures computed at once in one process": str(COMPUTING_THREADS),
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


def test_every_number_of_a_tier_is_in_the_table() -> None:
    assert listed_fields == {field.name for field in dataclasses.fields(TIERS["free"])}


NOT_FOR_THE_TABLE = {"RUNS_OF_A_TIER", "ONCE_AND_FOR_ALL"}  # the counts of the tiers, and the one backtest of a visitor


def test_every_rate_is_in_the_table() -> None:
    found = {name: value for name, value in vars(rates).items() if isinstance(value, Rate)}
    defaults = rows("Limits").values()
    for name, limit in found.items():
        assert name in NOT_FOR_THE_TABLE or rate_words(limit) in defaults, name


def test_the_limits_of_the_network_are_listed() -> None:
    limits, listed = ConnectionLimits(), rows("Limits of the network")
    kib = 1024
    assert listed["open connections, `STRATEGYBOT_MAX_CONNECTIONS`"] == f"{limits.connections:,}"
    assert listed["request line and headers together"] == f"{limits.head_bytes // kib} KiB"
    assert listed["time for the headers"] == f"{limits.head_seconds:g} s"
    assert listed["idle between two requests"] == f"{limits.idle_seconds:g} s"
    assert listed["an answer that is not read"].startswith(f"{limits.write_seconds:g} s, and a second more for each")
    assert f"each {limits.slowest_bytes_a_second // kib} KiB" in listed["an answer that is not read"]
    assert listed["unread answers of all clients together"] == f"{limits.unsent_bytes // MIB} MiB"
    assert listed["requests on one connection before the first is answered"] == f"{limits.pipelined_requests}"
    refused = f"{limits.linger_bytes // MIB} MiB, for {limits.linger_seconds:g} s"
    assert listed["what a client still sends after a refusal"] == refused
