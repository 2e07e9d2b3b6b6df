"""The demo market: one consistent history for every request, no future data, and realistic behaviour."""

import asyncio
import base64
import hashlib
import re
import time
import tracemalloc
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.market.addresses import BURN_ADDRESS, NATIVE_COIN
from strategybot.market.demo import DemoProvider
from strategybot.market.demo_candles import DAY_MINUTES, TICKS, make_candles
from strategybot.market.demo_tokens import CHAINS, LISTINGS, RISKS, Listing
from strategybot.market.demo_trade import amount_out
from strategybot.market.fields import risk_level
from strategybot.market.schemas import QuoteRequest, SwapRequest, Token
from strategybot.trading.engine.candles import Candles, DataReport, Floats, densify
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, INTERVALS, Interval

T = TypeVar("T")

NOW = datetime(2026, 11, 15, 12, 34, 37, tzinfo=UTC)
FIRST_DAY = datetime(2022, 1, 1, tzinfo=UTC)
UNKNOWN = "0x00000000000000000000000000000000000000aa-eth"


def run(question: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(question)


def market(now: datetime = NOW, seed: int = 42) -> DemoProvider:
    return DemoProvider(lambda: now, seed)


def listing_of(symbol: str, chain: str | None = None) -> Listing:
    return next(each for each in LISTINGS if each.symbol == symbol and chain in (None, each.chain))


def id_of(symbol: str, chain: str | None = None) -> str:
    return listing_of(symbol, chain).token_id


def klines(
    provider: DemoProvider,
    token_id: str,
    interval: Interval = "1m",
    start: int | None = None,
    end: int | None = None,
    limit: int = 1000,
) -> Candles:
    return run(provider.klines(token_id, interval, start, end, limit))[0]


def seconds(moment: datetime) -> int:
    return int(moment.timestamp())


moments = st.datetimes(datetime(2022, 3, 1), datetime(2030, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC))  # noqa: DTZ001
symbols = st.sampled_from(["WBTC", "SOL", "PIPO", "VELL", "RIVR", "MOOG"])


class TestOneHistory:
    def test_the_bits_are_the_same_on_every_machine(self) -> None:
        day = klines(market(), id_of("RIVR"), "1m", seconds(NOW) - 86_400, None, 2000)
        years = klines(market(), id_of("PIPO"), "1d", None, None, 2000)
        digest = hashlib.sha256(b"".join(column.tobytes() for each in (day, years) for column in each.columns()))
        assert digest.hexdigest()[:16] == "9b4b0a6e49cf4ea6"

    def test_another_seed_is_another_market(self) -> None:
        one, other = (klines(market(seed=seed), id_of("SOL"), limit=10).close for seed in (1, 2))
        assert not np.any(one == other)

    def test_tokens_of_one_symbol_have_one_price_and_others_do_not(self) -> None:
        prices = run(market().prices([each.token_id for each in LISTINGS]))
        by_symbol = {(each.symbol, prices[each.token_id].price_usd) for each in LISTINGS}
        assert len(by_symbol) == len({each.symbol for each in LISTINGS}) == len({price for _, price in by_symbol})

    @settings(max_examples=25)
    @given(symbols, st.sampled_from(INTERVALS), moments, st.integers(0, 400), st.integers(0, 400), st.integers(1, 200))
    def test_any_part_of_a_span_is_that_part_asked_for_alone(
        self, symbol: str, interval: Interval, now: datetime, before: int, after: int, length: int
    ) -> None:
        step, token_id = INTERVAL_SECONDS[interval], id_of(symbol)
        end = seconds(now) - after * step
        start = end - length * step
        large = klines(market(now), token_id, interval, start - before * step, None, 10**6)
        small = klines(market(now), token_id, interval, start, end, 10**6)
        assert small.records() == large.between(start, end + 1).records()
        assert klines(market(now), token_id, interval, None, end, 7).records() == small[-7:].records() or len(small) < 7

    @settings(max_examples=25)
    @given(symbols, moments, st.integers(1, 10**7))
    def test_past_candles_do_not_change_with_the_clock(self, symbol: str, now: datetime, later: int) -> None:
        closed = klines(market(now), id_of(symbol), limit=300).closed_before(seconds(now))
        start, end = int(closed.time[0]), int(closed.time[-1])
        after = klines(market(now + timedelta(seconds=later)), id_of(symbol), "1m", start, end)
        assert after.records() == closed.records()

    @settings(max_examples=25)
    @given(symbols, st.sampled_from(INTERVALS[1:]), moments, st.integers(0, 50))
    def test_long_candles_are_made_of_minutes(self, symbol: str, interval: Interval, now: datetime, count: int) -> None:
        step, provider = INTERVAL_SECONDS[interval], market(now)
        start = (seconds(now) // step - min(count, 20 * 86_400 // step)) * step
        minutes = klines(provider, id_of(symbol), "1m", start, None, 10**6)
        expected: dict[int, list[float]] = {}
        for at, *prices, volume in zip(*(column.tolist() for column in minutes.columns()), strict=True):
            bar = expected.setdefault(at // step * step, [prices[0], 0.0, np.inf, 0.0, 0.0])
            bar[1:] = [max(bar[1], prices[1]), min(bar[2], prices[2]), prices[3], bar[4] + volume]
        long = klines(provider, id_of(symbol), interval, start, None, 10**6)
        assert [[*row.values()] for row in long.records()] == [[at, *bar] for at, bar in expected.items()]

    @pytest.mark.parametrize("symbol", ["WETH", "GRUMP", "RIVR", "DUST"])
    def test_a_candle_opens_where_the_one_before_it_closed(self, symbol: str) -> None:
        candles = klines(market(), id_of(symbol), "1m", seconds(NOW) - 20 * 86_400, None, 10**6)
        assert np.array_equal(candles.open[1:], candles.close[:-1])

    def test_a_day_without_any_chance_of_a_trade_still_ends_with_one(self) -> None:
        quiet = listing_of("SOL").series(1)._replace(pace=1e-12, shocks=0.0)
        candles = make_candles(quiet, 20_000 * DAY_MINUTES, 20_010 * DAY_MINUTES - 1, TICKS, 1)
        assert (candles.time % 86_400).tolist() == [86_340] * 10
        assert np.array_equal(candles.open[1:], candles.close[:-1])


class TestNoFuture:
    @pytest.mark.parametrize("symbol", ["SOL", "PIPO", "MOOG"])
    @pytest.mark.parametrize("interval", ["1m", "15m", "1d"])
    def test_the_open_candle_holds_what_was_traded_so_far(self, symbol: str, interval: Interval) -> None:
        start = NOW.replace(hour=0, minute=0, second=0) if interval == "1d" else NOW.replace(minute=30, second=0)
        token_id, seen = id_of(symbol), list[float]()
        for second in range(0, 180, 3):
            provider = market(start + timedelta(seconds=second))
            bar = klines(provider, token_id, interval, limit=1).records()[0]
            if INTERVAL_SECONDS[interval] == 60 and second % 60 == 0:
                seen.clear()
            seen.append(run(provider.prices([token_id]))[token_id].price_usd)
            opened = bar["open"] or 0.0
            assert (bar["close"], bar["high"], bar["low"]) == (seen[-1], max(opened, *seen), min(opened, *seen))

    def test_the_open_minute_becomes_exactly_the_closed_one(self) -> None:
        minute, token_id = NOW.replace(second=0), id_of("PIPO")
        views = [klines(market(minute + timedelta(seconds=s)), token_id, limit=1).records()[0] for s in range(61)]
        closed = klines(market(minute + timedelta(hours=1)), token_id, "1m", seconds(minute), seconds(minute)).records()
        assert views[59] == closed[0]
        assert views[60]["time"] == seconds(minute) + 60
        volumes = [view["volume"] or 0.0 for view in views[:60]]
        assert volumes == sorted(volumes)
        assert len(set(volumes)) == len({view["close"] for view in views[:60]}) == TICKS

    @settings(max_examples=30)
    @given(symbols, st.sampled_from(INTERVALS), moments)
    def test_no_candle_begins_after_now(self, symbol: str, interval: Interval, now: datetime) -> None:
        candles = klines(market(now), id_of(symbol), interval, None, seconds(now) + 10**9, 5)
        assert seconds(now) - 86_400 * 2 < candles.time[-1] <= seconds(now)

    def test_a_token_is_unknown_until_its_first_day_is_over(self) -> None:
        token = listing_of("ECHO")
        listed = token.created_at + timedelta(days=1)
        assert run(market(listed - timedelta(seconds=1)).token(token.token_id)) is None
        assert run(market(listed).token(token.token_id)) is not None
        assert klines(market(listed), token.token_id, "1d", limit=100).time[0] == seconds(token.created_at)


class TestPriceAndChart:
    @settings(max_examples=30)
    @given(symbols, moments)
    def test_price_change_and_volume_are_those_of_the_chart(self, symbol: str, now: datetime) -> None:
        provider, token_id = market(now), id_of(symbol)
        price = run(provider.prices([token_id]))[token_id]
        day_ago = seconds(now) // 60 * 60 - 86_400
        chart = klines(provider, token_id, "1m", day_ago + 1, None, 2000)
        before = klines(provider, token_id, "1m", None, day_ago, 1)
        assert price.price_usd == chart.close[-1]
        assert price.volume_24h_usd == chart.volume.sum()
        assert price.price_change_24h_percent == (chart.close[-1] / before.close[-1] - 1) * 100
        assert price.updated_at is not None
        assert chart.time[-1] <= price.updated_at.timestamp() <= now.timestamp()

    @pytest.mark.parametrize("symbol", ["WBNB", "KOI", "QUIL"])
    def test_every_answer_tells_the_same_price(self, symbol: str) -> None:
        provider, token_id = market(), id_of(symbol)
        detail = run(provider.token(token_id))
        assert detail is not None
        pairs = {pair.price_usd for pair in detail.pairs}
        found = run(provider.search(symbol, None, 1))[0]
        trending = {token.token_id: token for token in run(provider.trending(None, 100))}
        prices = {run(provider.prices([token_id]))[token_id].price_usd, detail.price_usd, found.price_usd}
        assert prices | pairs == {trending[token_id].price_usd}
        assert detail.model_dump(exclude={"pairs"}) == found.model_dump() == trending[token_id].model_dump()


def months(symbol: str, days: int = 60) -> tuple[Candles, Candles]:
    """Return the minutes of the last days, as they are and without gaps."""
    sparse = klines(market(), id_of(symbol), "1m", seconds(NOW) - days * 86_400, None, 10**6)
    return sparse, densify(sparse, DataReport())[0]


def a_month(fired: np.ndarray[Any, np.dtype[np.bool_]], minutes: int) -> float:
    """Return how often a condition becomes true in 30 days, counting at most once an hour."""
    places = np.flatnonzero(fired)
    return float(np.count_nonzero(np.diff(places, prepend=-1000) > 60)) / (minutes / (30 * DAY_MINUTES))


def hour_mean(volume: Floats) -> Floats:
    return np.convolve(volume, np.ones(60), "valid")[:-1] / 60


class TestTemper:
    # symbol, standard deviation of a day in percent, "price drops 5% in 15m" per month, "3% in 1h and volume 2×" per
    # month
    FIGURES = (
        ("WBTC", (1.5, 3.5), (0, 0.5), (0, 2)),
        ("WETH", (1.5, 4.5), (0, 0.5), (0, 4)),
        ("USDC", (0.001, 0.1), (0, 0), (0, 0)),
        ("LOOM9", (5, 10), (0.5, 8), (5, 60)),
        ("PIPO", (6, 14), (1, 15), (20, 100)),
        ("BRRR", (7, 18), (4, 30), (40, 130)),
        ("MOOG", (10, 24), (10, 60), (60, 180)),
    )

    @pytest.mark.parametrize(("symbol", "daily", "drops", "drops_with_volume"), FIGURES)
    def test_strategies_fire_often_on_wild_tokens_and_rarely_on_calm_ones(
        self,
        symbol: str,
        daily: tuple[float, float],
        drops: tuple[float, float],
        drops_with_volume: tuple[float, float],
    ) -> None:
        _, dense = months(symbol)
        close, volume = dense.close, dense.volume
        hourly = np.diff(np.log(close[::60]))
        spike = volume[60:] >= 2 * hour_mean(volume)
        assert daily[0] <= hourly.std() * np.sqrt(24) * 100 <= daily[1]
        assert drops[0] <= a_month(close[15:] <= 0.95 * close[:-15], len(close)) <= drops[1]
        low, high = drops_with_volume
        assert low <= a_month(spike & (close[60:] <= 0.97 * close[:-60]), len(close)) <= high

    @pytest.mark.parametrize("symbol", ["WBTC", "GLDE", "PIPO", "MOOG", "VELL", "RIVR"])
    def test_prices_and_volumes_of_several_years_stay_in_bounds(self, symbol: str) -> None:
        days, usual = klines(market(), id_of(symbol), "1d", None, None, 5000), listing_of(symbol).price
        moves = np.diff(np.log(days.close))
        assert (days.time[0], len(days)) == (seconds(FIRST_DAY), (NOW - FIRST_DAY).days + 1)
        assert usual / 25 < days.low.min() < usual < days.high.max() < usual * 25
        assert abs(np.corrcoef(moves[1:], moves[:-1])[0, 1]) < 0.1  # no autocorrelation of days
        assert -0.75 < np.expm1(moves.min()) < -3 * moves.std()  # crashes, within a limit

    @pytest.mark.parametrize(
        ("symbol", "filled", "gap_minutes"),
        [
            ("WBTC", (1, 1), (0, 0)),
            ("TOLL", (0.8, 0.99), (5, 240)),
            ("VELL", (0.2, 0.7), (60, 720)),
            ("RIVR", (0.1, 0.4), (60, 720)),
        ],
    )
    def test_a_token_with_few_trades_has_missing_minutes(
        self, symbol: str, filled: tuple[float, float], gap_minutes: tuple[float, float]
    ) -> None:
        sparse, dense = months(symbol)
        assert filled[0] <= len(sparse) / len(dense) <= filled[1]
        assert gap_minutes[0] <= np.diff(sparse.time).max() / 60 - 1 <= gap_minutes[1]

    @pytest.mark.parametrize("symbol", ["WBTC", "PIPO", "MOOG"])
    def test_busy_hours_cluster_and_volumes_spike(self, symbol: str) -> None:
        _, dense = months(symbol)
        hourly = np.abs(np.diff(np.log(dense.close[::60])))
        assert np.corrcoef(hourly[1:], hourly[:-1])[0, 1] > 0.08
        assert 2 <= a_month(dense.volume[60:] >= 10 * hour_mean(dense.volume), len(dense)) <= 60
        by_hour = [dense.volume[(dense.time // 3600) % 24 == hour].mean() for hour in range(24)]
        assert np.mean(by_hour[13:18]) > 1.5 * np.mean(by_hour[3:7])

    @pytest.mark.parametrize("each", LISTINGS, ids=lambda each: f"{each.symbol}-{each.chain}")
    def test_every_token_has_good_candles(self, each: Listing) -> None:
        candles = klines(market(), each.token_id, "1m", None, None, 5000)
        assert len(candles) == 5000 or each.symbol == "DUST"
        assert np.isfinite([*candles.columns()[1:]]).all()
        assert (candles.low > 0).all()
        assert (candles.low <= np.minimum(candles.open, candles.close)).all()
        assert (candles.high >= np.maximum(candles.open, candles.close)).all()
        assert (candles.high < 1.25 * candles.low).all()  # within one minute
        assert (candles.volume > 0).all()
        assert each.price / 25 < candles.close[-1] < each.price * 25
        assert (candles.volume * 4 == np.round(candles.volume * 4)).all()


class TestCatalogue:
    def test_the_catalogue_has_tokens_of_every_kind(self) -> None:
        assert len({each.token_id for each in LISTINGS}) == len(LISTINGS) >= 40
        assert {each.chain for each in LISTINGS} == set(CHAINS) > {"solana", "bsc", "eth", "base", "arbitrum"}
        assert (min(each.price for each in LISTINGS), max(each.price for each in LISTINGS)) == (1.2e-8, 60_000)
        assert {each.risk for each in LISTINGS} == set(RISKS)
        assert sum(each.created_at > NOW - timedelta(days=30) for each in LISTINGS) >= 2

    @pytest.mark.parametrize("each", LISTINGS, ids=lambda each: f"{each.symbol}-{each.chain}")
    def test_addresses_have_the_form_of_their_chain(self, each: Listing) -> None:
        if each.chain != "solana":
            assert re.fullmatch(r"0x[0-9a-f]{40}", each.address)
            return
        alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
        number = sum(alphabet.index(letter) * 58**place for place, letter in enumerate(reversed(each.address)))
        zeros = len(each.address) - len(each.address.lstrip("1"))
        assert zeros + (number.bit_length() + 7) // 8 == 32

    @pytest.mark.parametrize("chain", CHAINS)
    def test_every_chain_lists_its_own_coin(self, chain: str) -> None:
        assert listing_of(CHAINS[chain].native, chain).facts.score == 2


def names(tokens: list[Token]) -> list[str]:
    return [f"{token.symbol}-{token.chain}" for token in tokens]


class TestSearch:
    CASES: tuple[tuple[str, str | None, list[str]], ...] = (
        ("wbtc", None, ["WBTC-eth"]),
        ("  Weth ", None, ["WETH-eth", "WETH-base", "WETH-arbitrum", "WETH-optimism"]),
        ("weth", "base", ["WETH-base"]),
        ("pipo the", None, ["PIPO-solana"]),
        ("So11111111111111111111111111111111111111112", None, ["SOL-solana"]),
        ("0xBB4CDB9CBD36B01BD1CBAEBF2DE08D9173BC095C", None, ["WBNB-bsc"]),
        ("0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c-bsc", None, ["WBNB-bsc"]),
        ("weth", "solana", []),
        ("no such token", None, []),
    )

    @pytest.mark.parametrize(("query", "chain", "expected"), CASES)
    def test_search_finds_tokens_by_symbol_name_and_address(
        self, query: str, chain: str | None, expected: list[str]
    ) -> None:
        assert names(run(market().search(query, chain, 20))) == expected

    def test_an_exact_symbol_comes_before_a_prefix_and_a_prefix_before_the_rest(self) -> None:
        assert names(run(market().search("sol", None, 20)))[0] == "SOL-solana"
        matches = run(market().search("or", None, 50))
        ranks = [token.symbol.startswith("OR") or token.name.startswith("Or") for token in matches]
        assert ranks == sorted(ranks, reverse=True)
        assert set(ranks) == {True, False}

    def test_equal_matches_come_by_liquidity(self) -> None:
        liquidity = [token.liquidity_usd or 0 for token in run(market().search("usd", None, 20))]
        assert len(liquidity) == 7
        assert liquidity == sorted(liquidity, reverse=True)

    @pytest.mark.parametrize("query", [None, "", " "])
    def test_without_a_query_the_most_liquid_come_first(self, query: str | None) -> None:
        every = run(market().search(query, None, 100))
        liquidity = [token.liquidity_usd or 0 for token in every]
        assert len(every) == len(LISTINGS)
        assert liquidity == sorted(liquidity, reverse=True)
        assert run(market().search(query, None, 3)) == every[:3]
        assert {token.chain for token in run(market().search(query, "bsc", 100))} == {"bsc"}

    def test_trending_orders_by_change_and_volume(self) -> None:
        every = run(market().trending(None, 100))
        assert len(every) == len(LISTINGS)
        assert run(market().trending(None, 5)) == every[:5] == run(market().trending(None, 5))
        stirs = [(token.volume_24h_usd or 0) * (token.price_change_24h_percent or 0) ** 2 for token in every]
        assert stirs == sorted(stirs, reverse=True)
        assert not {"USDC", "USDT"} & {token.symbol for token in every[:20]}
        assert {token.chain for token in run(market().trending("base", 100))} == {"base"}
        assert names(run(market(NOW + timedelta(days=3)).trending(None, 8))) != names(every[:8])

    def test_addresses_are_case_sensitive_only_on_solana(self) -> None:
        upper, sol = f"0x{id_of('KOI')[2:-4].upper()}-bsc", id_of("SOL")
        prices = run(market().prices([upper, sol, sol.lower(), UNKNOWN, "nonsense", "-", ""]))
        assert list(prices) == [upper, sol]


class TestRisk:
    @pytest.mark.parametrize(
        ("score", "level"),
        [(None, "unknown"), (0, "low"), (19.9, "low"), (20, "medium"), (55, "medium"), (55.1, "high"), (100, "high")],
    )
    def test_the_risk_level_follows_the_score(self, score: float | None, level: str) -> None:
        assert risk_level(score) == level

    MINTABLE = "The owner can create more of it."
    CASES: tuple[tuple[str, str, bool | None, list[str]], ...] = (
        ("WBTC", "low", False, []),
        ("HARB", "low", False, []),
        ("USDC", "low", False, [MINTABLE]),
        ("GRUMP", "medium", False, ["Buying it costs a tax of 4 %.", "Selling it costs a tax of 6 %."]),
        ("KOI", "medium", False, []),
        (
            *("FROGO", "medium", None),
            ["Nobody has checked whether it can be sold again.", MINTABLE, "Only 22 % of its liquidity is locked."],
        ),
        (
            *("ROKT", "high", None),
            [
                MINTABLE,
                "Only 12 % of its liquidity is locked.",
                "Its largest holders own 63 % of it.",
                "It was listed less than 30 days ago.",
            ],
        ),
        (
            *("GATE1", "high", True),
            [
                "Holders cannot sell it again: it is a honeypot.",
                "Buying it costs a tax of 3 %.",
                "Selling it costs a tax of 100 %.",
                MINTABLE,
                "Its source code is not public.",
                "Only 0 % of its liquidity is locked.",
                "Its largest holders own 91 % of it.",
            ],
        ),
        ("RIVR", "unknown", None, ["Nobody has checked its contract."]),
    )

    @pytest.mark.parametrize(("symbol", "level", "honeypot", "warnings"), CASES)
    def test_a_risk_report_has_its_level_flags_and_warnings(
        self, symbol: str, level: str, honeypot: bool | None, warnings: list[str]
    ) -> None:
        risk, token = run(market().risk(id_of(symbol))), run(market().token(id_of(symbol)))
        assert risk is not None
        assert token is not None
        assert (risk.risk_level, risk.is_honeypot, risk.warnings) == (level, honeypot, warnings)
        assert (risk.risk_score, risk.holders) == (token.risk_score, token.holders)

    def test_taxes_are_unknown_on_solana(self) -> None:
        risk = run(market().risk(id_of("MOOG")))
        assert risk is not None
        assert (risk.buy_tax_percent, risk.sell_tax_percent, risk.is_mintable) == (None, None, True)

    def test_an_unknown_token_has_no_data(self) -> None:
        provider = market()
        assert run(provider.risk(UNKNOWN)) is None
        assert run(provider.token(UNKNOWN)) is None
        candles, report = run(provider.klines(UNKNOWN, "1h", None, None, 10))
        assert (len(candles), candles.interval_seconds, report.received) == (0, 3600, 0)


class TestTrade:
    @pytest.mark.parametrize(
        ("amount", "spent", "wanted", "out"),
        [
            (10**18, (3000.0, 18), (1.0, 6), 3000 * 10**6),
            (1, (3000.0, 18), (1.0, 6), 0),
            (5 * 10**6, (1.0, 6), (0.5, 9), 10 * 10**9),
            (10**77, (0.25, 18), (0.5, 18), 5 * 10**76),
            (7, (1.0, 0), (2.0, 0), 3),
        ],
    )
    def test_amounts_are_exact_and_rounded_down(
        self, amount: int, spent: tuple[float, int], wanted: tuple[float, int], out: int
    ) -> None:
        assert amount_out(amount, spent, wanted) == out

    PAIRS = (
        ("eth", NATIVE_COIN, id_of("USDT", "eth"), "WETH", "USDT"),
        ("eth", "0x" + "E" * 40, id_of("HARB"), "WETH", "HARB"),
        ("bsc", id_of("KOI"), NATIVE_COIN, "KOI", "WBNB"),
        ("polygon", NATIVE_COIN, id_of("RIVR"), "WPOL", "RIVR"),
        ("solana", "sol", id_of("PIPO"), "SOL", "PIPO"),
        ("solana", "usdc", "usdt", "USDC", "USDT"),
        ("solana", id_of("PIPO"), id_of("SOL"), "PIPO", "SOL"),
    )

    @pytest.mark.parametrize(("chain", "spent", "wanted", "spent_symbol", "wanted_symbol"), PAIRS)
    def test_a_quote_follows_the_prices(
        self, chain: str, spent: str, wanted: str, spent_symbol: str, wanted_symbol: str
    ) -> None:
        spent, wanted = spent.removesuffix(f"-{chain}"), wanted.removesuffix(f"-{chain}")
        sides = listing_of(spent_symbol, chain), listing_of(wanted_symbol, chain)
        prices = run(market().prices([side.token_id for side in sides]))
        amount = 123 * 10 ** sides[0].decimals
        quote = run(market().quote(QuoteRequest(chain=chain, from_token=spent, to_token=wanted, amount=str(amount))))
        assert quote is not None
        expected = 123 * prices[sides[0].token_id].price_usd / prices[sides[1].token_id].price_usd
        assert int(quote.estimated_out) / 10 ** sides[1].decimals == pytest.approx(expected, rel=1e-4)
        assert (quote.from_token, quote.to_token, quote.amount) == (spent, wanted, str(amount))
        assert (quote.decimals, quote.slippage) == (sides[1].decimals, 0.5)

    @pytest.mark.parametrize(
        ("chain", "spent", "wanted"),
        [
            ("eth", NATIVE_COIN, listing_of("KOI").address),
            ("eth", UNKNOWN.removesuffix("-eth"), NATIVE_COIN),
            ("solana", NATIVE_COIN, listing_of("PIPO").address),
            ("eth", "sol", listing_of("HARB").address),
            ("solana", "SOL", listing_of("PIPO").address),
            ("nowhere", NATIVE_COIN, NATIVE_COIN),
            ("eth", NATIVE_COIN, listing_of("WETH", "eth").address),
        ],
    )
    def test_what_cannot_be_traded_has_no_quote(self, chain: str, spent: str, wanted: str) -> None:
        request = SwapRequest(
            chain=chain, from_token=spent, to_token=wanted, amount="1000", wallet_address=BURN_ADDRESS
        )
        assert run(market().quote(request)) is None
        assert run(market().swap(request)) is None

    @pytest.mark.parametrize(
        ("slippage", "kept"), [(0.0, (1, 1)), (0.5, (995, 1000)), (0.07, (9993, 10_000)), (50, (1, 2))]
    )
    @pytest.mark.parametrize(("chain", "wanted"), [("bsc", "KOI"), ("solana", "PIPO")])
    def test_a_swap_is_bounded_by_its_slippage_and_moves_nothing(
        self, chain: str, wanted: str, slippage: float, kept: tuple[int, int]
    ) -> None:
        spent = "sol" if chain == "solana" else NATIVE_COIN
        request = SwapRequest(
            chain=chain,
            from_token=spent,
            to_token=listing_of(wanted).address,
            amount="123456789012345678901234567890",
            slippage=slippage,
            wallet_address=BURN_ADDRESS,
        )
        swap, quote = run(market().swap(request)), run(market().quote(request))
        assert swap is not None
        assert quote is not None
        assert swap.estimated_out == quote.estimated_out
        assert int(swap.minimum_out or "") == int(quote.estimated_out) * kept[0] // kept[1]
        sent = swap.transaction
        if chain == "solana":
            assert b"demo" in base64.b64decode(sent.serialized or "", validate=True)
            assert (sent.to, sent.data, sent.value) == (None, None, None)
        else:
            assert b"demo" in bytes.fromhex((sent.data or "").removeprefix("0x"))
            assert (sent.to, sent.value, sent.serialized) == (BURN_ADDRESS, "0", None)


class TestSpeed:
    @staticmethod
    def cost(work: Callable[[], object]) -> float:
        spent = []
        for _ in range(5):
            begun = time.thread_time()  # CPU time of this thread only: other threads may run too
            work()
            spent.append(time.thread_time() - begun)
        return min(spent)

    def test_cost_grows_with_the_span_and_not_with_its_distance(self) -> None:
        series, first = listing_of("PIPO").series(42), 20_000 * DAY_MINUTES

        def cost(at: int, days: int) -> float:
            return self.cost(lambda: make_candles(series, at, at + days * DAY_MINUTES - 1, TICKS, 1))

        tenth, whole, far = cost(first, 20), cost(first, 200), cost(first + 1500 * DAY_MINUTES, 20)
        assert whole < 25 * tenth
        assert far < 3 * tenth

    def test_finished_days_are_made_once(self) -> None:
        provider = market()
        made = provider.history.chunk.cache_info
        first = klines(provider, id_of("LANT"), "1d", None, None, 1000)
        once = made()
        assert once.misses > 10
        assert klines(provider, id_of("LANT"), "1d", None, None, 1000).records() == first.records()
        assert (made().misses, made().hits) == (once.misses, once.hits + once.misses)

    def test_years_of_minutes_need_little_memory(self) -> None:
        klines(market(), id_of("SLOP"), limit=1)
        tracemalloc.start()
        try:
            assert len(klines(market(), id_of("SLOP"), "4h", None, None, 4000)) == 4000
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 4_000_000  # as minutes they would be 46 MB

    def test_the_event_loop_runs_while_years_are_computed(self) -> None:
        async def beats() -> int:
            provider = market()
            await provider.klines(id_of("WBTC"), "1m", None, None, 1)
            work = asyncio.create_task(provider.klines(id_of("WBTC"), "1m", None, None, 10**6))
            count = 0
            while not work.done():
                await asyncio.sleep(0.001)
                count += 1
            assert len((await work)[0]) == 10**6
            return count

        assert run(beats()) > 10

    @settings(max_examples=60)
    @given(
        symbols,
        st.sampled_from(INTERVALS),
        st.none() | st.integers(-(10**12), 10**12),
        st.none() | st.integers(-(10**12), 10**12),
        st.integers(1, 300),
    )
    def test_any_span_returns_ascending_candles_inside_it(
        self, symbol: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> None:
        times = klines(market(), id_of(symbol), interval, start, end, limit).time.tolist()
        assert len(times) <= limit
        assert times == sorted(set(times))
        low, high = (seconds(FIRST_DAY) if start is None else start), (seconds(NOW) if end is None else end)
        assert all(low <= at <= high and at % INTERVAL_SECONDS[interval] == 0 for at in times)
