"""What `strategybot doctor` reports about the market: the provider, its cost and the candles, and never the key."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from strategybot.app import Services
from strategybot.doctor import Diagnosis, diagnose
from strategybot.kit.database import Database
from strategybot.market import rate_tables
from strategybot.market.candle_store import CandleStore, SeriesKey
from strategybot.migrations import migrate
from strategybot.settings import Settings
from strategybot.terminal.setup import open_settings
from strategybot.terminal.stop import Stop
from strategybot.trading.engine.candles import DataReport
from tests.commands import Terminal
from tests.conversations.wire.server import TOO_LONG, Act, Refuses, WireServer, answers
from tests.market.proxy import ave_settings
from tests.market.scripted import candles_at
from tests.market.upstream.ave import KEY, AveUpstream
from tests.market.upstream.server import CannedUpstream, http
from tests.servers import SECRET, free_port


@pytest.fixture
def upstream() -> Iterator[AveUpstream]:
    with AveUpstream() as upstream:
        yield upstream


def findings(settings: Settings) -> dict[str, Diagnosis]:
    found = {finding.name: finding for finding in diagnose(settings)}
    assert KEY not in str(found)
    return found


def plain(folder: Path, **more: str) -> Settings:
    return Settings(_env_file=None, data_dir=folder, secret_key=SECRET, **more)  # type: ignore[arg-type]  # all texts


def test_the_demo_market_is_built_in(tmp_path: Path, database_url: str) -> None:
    found = findings(plain(tmp_path, database_url=database_url))
    assert all(finding.ok for finding in found.values()), found
    assert found["Market data"].message == "demo, built in"
    assert found["Language model"].message == "offline, built in"
    assert found["Cost units"].message == "0 used with demo"
    assert found["Candle store"].message == "0 series in 0 blocks, 0 bytes"


def test_a_secret_of_a_few_letters_is_a_fault(tmp_path: Path) -> None:
    found = findings(Settings(_env_file=None, data_dir=tmp_path, secret_key="x" * 40))
    wanted = "STRATEGYBOT_SECRET_KEY could be guessed; `openssl rand -hex 32` makes a better one"
    assert found["Secret"] == Diagnosis("Secret", False, wanted)


def test_the_provider_is_called_once_and_the_cost_is_counted(
    tmp_path: Path, database_url: str, upstream: AveUpstream
) -> None:
    settings = ave_settings(tmp_path, upstream.url, database_url=database_url, ave_api_plan="normal")
    database = Database(database_url)
    with database.write() as session:
        rate_tables.add_to_meter(session, "ave", "prices", 12, 1200)
        rate_tables.add_to_meter(session, "demo", "prices", 7, 700)
    candles = candles_at(range(0, 60_000, 60))
    CandleStore(database).save(SeriesKey("ave", "x-bsc", "1m"), (0, 60_000), candles, DataReport())
    size = CandleStore(database).size()
    database.close()
    found = findings(settings)
    assert all(finding.ok for finding in found.values()), found
    assert found["Market data"].message == "ave answers; its plan is normal, 5 a second"
    assert found["Cost units"].message == "1,205 used with ave"
    assert found["Candle store"].message == f"1 series in 1 blocks, {size.bytes:,} bytes"
    assert len(upstream.requests) == 1


def test_a_database_without_tables_is_no_fault(tmp_path: Path, upstream: AveUpstream) -> None:
    found = findings(ave_settings(tmp_path, upstream.url))
    assert all(finding.ok for finding in found.values()), found
    assert found["Market data"].message == "ave answers; its plan is pro, 20 a second"
    assert found["Cost units"].message == found["Candle store"].message == "known after the next start"
    assert len(upstream.requests) == 1


def test_an_unreachable_database_does_not_hide_the_provider(tmp_path: Path, upstream: AveUpstream) -> None:
    away = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    found = findings(ave_settings(tmp_path, upstream.url, database_url=away))
    assert {what for what, finding in found.items() if not finding.ok} == {"Database", "Cost units", "Candle store"}


def test_an_unreachable_provider_is_a_fault(tmp_path: Path, database_url: str) -> None:
    settings = ave_settings(tmp_path, "http://127.0.0.1:1", database_url=database_url)
    found = findings(settings)
    assert found["Market data"] == Diagnosis(
        "Market data",
        False,
        "ave cannot be used: Failed to fetch trending tokens: the provider cannot be reached",
    )
    assert [finding.name for finding in found.values() if not finding.ok] == ["Market data"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (http(b"bad key " + KEY.encode(), 401), "upstream API error: bad key [redacted] (HTTP 401)"),
        (http(b"[/red] [bold]", 403), "upstream API error: [/red] [bold] (HTTP 403)"),
        (http(b"", 429), "Rate limit exceeded. Please try again later."),
        (http(b"<html>"), "Failed to fetch trending tokens: the provider's answer is not JSON"),
    ],
)
def test_a_refusal_of_the_provider_is_a_fault_with_its_message(tmp_path: Path, answer: bytes, words: str) -> None:
    with CannedUpstream() as upstream:
        upstream.answer = answer
        found = findings(ave_settings(tmp_path, upstream.url))
    assert (found["Market data"].ok, found["Market data"].message) == (False, f"ave cannot be used: {words}")


def test_geckoterminal_has_no_plan(tmp_path: Path, database_url: str) -> None:
    with CannedUpstream({"data": []}) as upstream:
        found = findings(
            plain(tmp_path, database_url=database_url, provider="geckoterminal", geckoterminal_url=upstream.url)
        )
        assert len(upstream.requests) == 1
    assert found["Market data"] == Diagnosis("Market data", True, "geckoterminal answers")


def test_the_command_prints_the_findings_and_sets_the_exit_code(terminal: Terminal, upstream: AveUpstream) -> None:
    services = Services(plain(terminal.data))
    migrate(services.database)
    services.database.close()
    terminal.set("AVE_API_KEY", KEY)
    terminal.set("STRATEGYBOT_SECRET_KEY", SECRET)
    terminal.set("STRATEGYBOT_AVE_DATA_URL", upstream.url)
    well = terminal.run("doctor")
    assert well.code == 0, well.out
    assert "ave answers; its plan is free, 1 a second" in well.out
    assert "5 used with ave" in well.out
    terminal.set("STRATEGYBOT_AVE_DATA_URL", "http://127.0.0.1:1")
    ill = terminal.run("doctor")
    assert ill.code == 1
    assert "ave cannot be used" in ill.out
    assert KEY not in well.out + well.err + ill.out + ill.err


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"STRATEGYBOT_PROVIDER": "ave"}, "STRATEGYBOT_PROVIDER is ave, but AVE_API_KEY is empty."),
        ({"STRATEGYBOT_PROVIDER": "ave", "AVE_API_KEY": ""}, "STRATEGYBOT_PROVIDER is ave, but AVE_API_KEY is empty."),
        ({"AVE_API_PLAN": "gold"}, "AVE_API_PLAN must be 'free', 'normal' or 'pro'."),
        ({"STRATEGYBOT_PROVIDER": "binance"}, "STRATEGYBOT_PROVIDER must be 'demo', 'ave' or 'geckoterminal'."),
        ({"STRATEGYBOT_AVE_DATA_URL": "ftp://x"}, "STRATEGYBOT_AVE_DATA_URL must begin with http:// or https://."),
        ({"AVE_API_KEY": "café"}, "AVE_API_KEY must be plain characters without blanks."),
        ({"AVE_API_KEY": "a\nb"}, "AVE_API_KEY must be plain characters without blanks."),
    ],
)
def test_a_wrong_setting_stops_every_command_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)  # away from a developer's own .env
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(Stop) as stopped:
        open_settings()
    assert str(stopped.value) == sentence


def test_without_its_key_ave_does_not_start(terminal: Terminal) -> None:
    terminal.set("STRATEGYBOT_PROVIDER", "ave")
    sentence = "STRATEGYBOT_PROVIDER is ave, but AVE_API_KEY is empty."
    assert terminal.run("serve") == (2, "", f"{sentence}\n")


@pytest.mark.parametrize(
    ("given", "provider"),
    [
        ({}, "demo"),
        ({"ave_api_key": KEY}, "ave"),
        ({"ave_api_key": KEY, "provider": "demo"}, "demo"),
        ({"ave_api_key": KEY, "provider": "ave"}, "ave"),
        ({"provider": "geckoterminal"}, "geckoterminal"),
    ],
)
def test_a_key_makes_its_provider_the_default(tmp_path: Path, given: dict[str, str], provider: str) -> None:
    settings = plain(tmp_path, **given)
    assert settings.market_provider == provider
    assert KEY not in repr(settings)


def test_a_language_model_that_cannot_be_used_is_a_fault(tmp_path: Path) -> None:
    found = findings(plain(tmp_path, model="gpt-5"))
    assert not found["Language model"].ok
    assert found["Language model"].message.startswith("STRATEGYBOT_MODEL must be offline")


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (answers("marigold", tokens=15_000), "openai:wire answers, and its context holds 16,000 tokens"),
        (answers("Marigold.", events=2), "openai:wire answers, and its context holds 16,000 tokens"),
        (
            answers("What word?", tokens=4_096),
            "its context is shorter than STRATEGYBOT_CONTEXT_TOKENS, 16,000: it read 4,091",
        ),
        (answers("What word?", events=2), "its context is shorter than STRATEGYBOT_CONTEXT_TOKENS, 16,000: it forgot"),
        (
            Refuses(400, TOO_LONG),
            "its context is shorter than STRATEGYBOT_CONTEXT_TOKENS, 16,000: it refused about 14,400",
        ),
        (Refuses(401), "The language model refused the key of this service."),
        (Refuses(404), "The provider does not know the language model of this service."),
    ],
    ids=["reported", "remembered", "cut", "forgotten", "refused", "key", "name"],
)
def test_the_context_of_a_language_model_is_checked_with_one_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Act, message: str
) -> None:
    with WireServer() as wire:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{wire.url}/v1")
        wire.plays(act)
        found = findings(plain(tmp_path, model="openai:wire"))["Language model"]
    assert found.message.startswith(message)
    assert found.ok == message.startswith("openai:wire answers")
    assert len(wire.requests) == 1
    assert 14_000 < wire.requests[0].tokens < 16_000
