"""Validation of the command line. Every mistake raises one sentence that names the option."""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, NonNegativeInt, ValidationError
from pydantic_core import PydanticCustomError

from strategybot.kit.validation import field_errors
from strategybot.terminal.moments import unix_seconds
from strategybot.terminal.stop import Stop
from strategybot.trading.engine.candles import END_OF_TIME, MOST_CANDLES
from strategybot.trading.engine.fills import Intrabar
from strategybot.trading.engine.instruments import TOKEN_ID_PATTERN, Address, Chain, Interval, address_and_chain
from strategybot.trading.engine.run_costs import PoolCosts, RunCosts, requested_costs
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import Cash, CostPercent

DAY_SECONDS = 86_400
DEFAULT_DAYS = 30.0
LONGEST_SYMBOL = 25  # every chain's addresses are longer
STANDARD_INPUT = "-"


def _moment(value: str | None) -> int | None:
    if value is None:
        return None
    seconds = unix_seconds(value)
    if seconds is None or not 0 <= seconds < END_OF_TIME:
        raise PydanticCustomError("moment", "must be ISO 8601 such as 2026-01-31 or 2026-01-31T12:00Z, or unix seconds")
    return int(seconds)


Moment = Annotated[int | None, BeforeValidator(_moment)]


class Request(BaseModel):
    """The options by name, parsed from text."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    token: Address | None
    chain: Chain | None
    interval: Interval | None
    start: Moment
    end: Moment
    days: Annotated[float | None, Field(gt=0, le=3650)]
    cash: Cash
    fee: CostPercent
    slippage: CostPercent
    pool_costs: PoolCosts
    liquidity: Annotated[float | None, Field(gt=0, le=1e15)]
    buy_tax: Annotated[float | None, Field(ge=0, le=100)]
    sell_tax: Annotated[float | None, Field(ge=0, le=100)]
    email: str | None
    intrabar: Intrabar
    trades: Annotated[NonNegativeInt, Field(le=MOST_CANDLES)]

    @property
    def has_overrides(self) -> bool:
        return any(each is not None for each in (self.liquidity, self.buy_tax, self.sell_tax))

    def costs(self) -> RunCosts:
        """Return the costs before the market is asked about the token's pool."""
        return requested_costs(self.pool_costs, self.fee, self.slippage, self.liquidity, self.buy_tax, self.sell_tax)


class Instrument(NamedTuple):
    address: str
    chain: str

    @property
    def token_id(self) -> str:
        return f"{self.address}-{self.chain}"


class OwnFile(NamedTuple):
    """A file of the user's own candles, and whether candles are added where it has none."""

    path: Path
    fill: bool


def own_file(csv: Path | None, no_fill: bool) -> OwnFile | None:
    if csv is None and no_fill:
        raise Stop("--no-fill is about your own candles: give them with --csv.")
    return None if csv is None else OwnFile(csv, not no_fill)


class Written(NamedTuple):
    """The content of a strategy file. A bot's token and chain are the defaults of the run."""

    strategy: Strategy
    token: str | None = None
    chain: str | None = None


def checked_request(file: str, options: Mapping[str, str | None]) -> tuple[Strategy, Request]:
    """Return the strategy of this file, and the options of a backtest of it. Raise `Stop` if either is wrong."""
    written = read_strategy(file)
    return written.strategy, request_of({**options, **_token_and_chain(written, options["token"], options["chain"])})


def _token_and_chain(written: Written, token: str | None, chain: str | None) -> dict[str, str | None]:
    """Return token and chain: the options, otherwise the bot's. A token id includes its chain."""
    if token is not None and "-" in token:
        return {"token": token, "chain": chain}
    return {"token": token or written.token, "chain": chain or written.chain}


def request_of(options: Mapping[str, str | None]) -> Request:
    try:
        request = Request.model_validate(options)
    except ValidationError as error:
        raise Stop(_options_sentence(error, options)) from None
    if request.start is not None and request.end is not None and request.start >= request.end:
        raise Stop("--start must be before --end.")
    if request.pool_costs == "off" and request.has_overrides:
        raise Stop("--liquidity, --buy-tax and --sell-tax cannot be given with --pool-costs off.")
    if request.start is not None and request.days is not None:
        raise Stop("--start and --days both say where it begins; give one of them.")
    return request


def read_strategy(file: str) -> Written:
    """Read a strategy, or a bot with a strategy, from a JSON file or standard input."""
    return strategy_of(read_json(file))


def strategy_of(document: Any) -> Written:
    """Return the strategy of a JSON document: a strategy, an export or a bot."""
    if not isinstance(document, dict) or "strategy" not in document:
        return Written(_strategy(document, ""))
    if document["strategy"] is None:
        raise Stop("The bot has no strategy yet.")
    strategy = _strategy(document["strategy"], "strategy.")
    return Written(strategy, _text(document, "token"), _text(document, "chain"))


def instrument_of(token: str | None, chain: str | None) -> Instrument:
    """Return the instrument. A token that ends in its chain, or has no chain option, is read as a token id."""
    if token is None:
        raise Stop("Say what to test on: --token with an address or a token id, or --csv with your own candles.")
    address, ending = address_and_chain(token)
    if chain in (None, ending) and re.fullmatch(TOKEN_ID_PATTERN, token):
        return Instrument(address, ending)
    if chain is None:
        raise Stop(f"Say which chain {token} is on: --chain, or a token id such as ADDRESS-solana.")
    return Instrument(token, chain)


def is_symbol(token: str) -> bool:
    """Return whether the text can only be a symbol: addresses are longer, and a token id has a dash before
    its chain.
    """
    return len(token) <= LONGEST_SYMBOL and not re.search(r"[-:]|^0x", token)


def span_of(request: Request, closed_until: int) -> tuple[int, int]:
    """Return start and end. The defaults are the last closed candle and 30 days before it."""
    end = closed_until if request.end is None else min(request.end, closed_until)
    span = round((request.days or DEFAULT_DAYS) * DAY_SECONDS)
    start = max(0, end - span) if request.start is None else request.start
    if start >= end:
        raise Stop("--start must be in the past.")
    return start, end


def read_json(file: str) -> Any:
    name = "Standard input" if file == STANDARD_INPUT else file
    try:
        text = sys.stdin.buffer.read() if file == STANDARD_INPUT else Path(file).read_bytes()
        return json.loads(text.decode("utf-8-sig"))
    except OSError as error:
        raise Stop(f"{name} cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError):
        raise Stop(f"{name} is not valid JSON.") from None


def _strategy(document: Any, where: str) -> Strategy:
    try:
        return Strategy.model_validate(document)
    except ValidationError as error:
        if not isinstance(document, dict):
            raise Stop("The strategy must be a JSON object.") from None
        raise Stop(_sentence(where, error, document)) from None


def _sentence(prefix: str, error: ValidationError, value: object) -> str:
    problems = field_errors(error.errors(), value)
    return "; ".join(f"{prefix}{problem.field} {problem.message}" for problem in problems) + "."


def _options_sentence(error: ValidationError, options: Mapping[str, str | None]) -> str:
    problems = field_errors(error.errors(), options)
    return "; ".join(f"--{problem.field.replace('_', '-')} {problem.message}" for problem in problems) + "."


def _text(document: Mapping[str, Any], name: str) -> str | None:
    value = document.get(name)
    return value if isinstance(value, str) and value else None
