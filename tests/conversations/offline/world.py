"""A tiny world for the offline model: bots and tokens in memory behind tools of the agent's signatures."""

import asyncio
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from pydantic_ai import FunctionToolset, ToolFailed
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters

from strategybot.conversations.agent.facts import NO_STRATEGY
from strategybot.conversations.offline.model import OfflineModel
from strategybot.market.demo_tokens import LISTINGS
from strategybot.trading.language.paths import with_values
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import duration_seconds
from strategybot.trading.words.searches import not_recommended

Json = dict[str, Any]

TOKEN = "0x6982508145454ce325ddbe47a25d4ec3d2311933-eth"
DIP: Json = {
    "conditions": [{"kind": "price_drop", "percent": 5, "window": "1h"}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 10},
}
FULL: Json = {
    "conditions": [
        {"kind": "price_drop", "percent": 8, "window": "4h", "reference": "high"},
        {"kind": "volume_spike", "multiplier": 3, "window": "1h"},
    ],
    "match": "all",
    "exit_conditions": [{"kind": "price_level", "level": 0.012, "direction": "above", "trigger": "cross"}],
    "risk_management": {
        "stop_loss_percent": 5,
        "take_profit_percent": 20,
        "trailing_stop_percent": 4,
        "max_holding": "2d",
        "cooldown": "1h",
    },
    "position_percent": 50,
}
ACTING = frozenset(
    {
        "update_trading_strategy", "undo", "create_bot", "set_bot", "run_backtest", "start_simulation", "stop_simulation",
        "optimise", "survey", "start_watch", "stop_run",
    }
)  # fmt: skip
METRICS = {
    "total_return": 4.2,
    "win_rate": 60.0,
    "max_drawdown": 3.1,
    "total_trades": 5,
    "buy_and_hold_return": -1.5,
}


@dataclass
class FakeBot:
    name: str
    token: str | None = None
    chain: str | None = None
    revisions: list[Json | None] = field(default_factory=list)

    @property
    def strategy(self) -> Json | None:
        return self.revisions[-1] if self.revisions else None

    def facts(self, language: type[Strategy] = Strategy) -> Json:
        strategy = self.strategy
        return {
            "bot": {"id": self.name.lower(), "name": self.name, "token": self.token, "chain": self.chain},
            "revision": len(self.revisions),
            "strategy": strategy,
            "summary": language.model_validate(strategy).summary if strategy else None,
        }


class World:
    """What one visitor has, the tools that work on it, and the calls that were made.

    A turn is played without the framework's loop, which is most of the work of one: thousands are played here, and the
    loop itself has tests of its own.
    """

    def __init__(self, model: OfflineModel | None = None, language: type[Strategy] = Strategy) -> None:
        self.model, self.language = model or OfflineModel(), language
        self.toolset = FunctionToolset(self._tools(), sequential=True)
        self.parameters = ModelRequestParameters(function_tools=[tool.tool_def for tool in self.toolset.tools.values()])

    def set_up(self, given: str) -> Self:
        self.bots: list[FakeBot] = []
        self.linked: FakeBot | None = None
        self.calls: list[Json] = []
        self.tested: Json | None = None
        self.simulated: Json | None = None
        self.watched: str | None = None
        self.history: list[ModelMessage] = []
        if given != "nothing":
            strategy = {"empty": None, "dip": DIP, "full": FULL}[given]
            self.linked = FakeBot("Beta" if given == "full" else "Alpha")
            if strategy is not None:
                self.linked.revisions, self.linked.token, self.linked.chain = [normal(strategy)], TOKEN, "eth"
            self.bots = [self.linked, FakeBot("Moonshot")]
        return self

    async def say(self, text: str) -> str:
        """One turn; the calls are those of this turn."""
        self.calls = []
        self.history.append(ModelRequest([UserPromptPart(text)]))
        while True:
            response = await self.model.request(self.history, None, self.parameters)
            self.history.append(response)
            wanted = [part for part in response.parts if isinstance(part, ToolCallPart)]
            if not wanted:
                return response.text or ""
            self.history.append(ModelRequest([await self._returned(part) for part in wanted]))

    async def _returned(self, wanted: ToolCallPart) -> ToolReturnPart:
        tool = self.toolset.tools[wanted.tool_name]
        arguments = wanted.args_as_dict()
        if self.language is Strategy:
            arguments = tool.function_schema.validator.validate_python(arguments)
        elif arguments.get("strategy"):
            arguments = {**arguments, "strategy": self.language.model_validate(arguments["strategy"])}
        try:
            content = await getattr(self, wanted.tool_name)(**arguments)
        except ToolFailed as failure:
            return ToolReturnPart(wanted.tool_name, str(failure), wanted.tool_call_id, outcome="failed")
        return ToolReturnPart(wanted.tool_name, content, wanted.tool_call_id)

    @property
    def acted(self) -> list[Json]:
        return [call for call in self.calls if call["name"] in ACTING]

    def _tools(self) -> list[Any]:
        return [
            self.get_current_strategy, self.update_trading_strategy, self.undo, self.create_bot, self.list_bots, self.set_bot,
            self.get_bot_info, self.run_backtest, self.get_backtest, self.start_simulation, self.stop_simulation,
            self.start_watch, self.stop_run,
            self.search_tokens, self.get_token_risk, self.get_token, self.compare_backtests,
            self.get_simulation, self.optimise, self.survey,
        ]  # fmt: skip

    def _note(self, tool: str, /, **arguments: Any) -> None:
        self.calls.append(
            {"name": tool, "arguments": {key: value for key, value in arguments.items() if value is not None}}
        )

    def _bot(self) -> FakeBot:
        if self.linked is None:
            raise ToolFailed("No bot is linked to this conversation yet.")
        return self.linked

    async def get_current_strategy(self) -> Json:
        self._note("get_current_strategy")
        if self.linked is None:
            return NO_STRATEGY.model_dump(mode="json")
        bot = self.linked
        previous = bot.revisions[-2] if len(bot.revisions) > 1 else None
        return {**bot.facts(self.language), "previous_strategy": previous, "has_previous": len(bot.revisions) > 1}

    async def update_trading_strategy(self, strategy: Strategy | None) -> Json:
        bot = self._bot()
        before = bot.strategy
        bot.revisions.append(strategy.model_dump(mode="json") if strategy else None)
        self._note("update_trading_strategy", strategy=bot.strategy)
        return {**bot.facts(self.language), "before": before, "before_summary": None}

    async def undo(self) -> Json:
        bot = self._bot()
        bot.revisions.pop()
        self._note("undo")
        return {**bot.facts(self.language), "before_summary": None}

    async def create_bot(
        self,
        name: str,
        description: str = "",
        token: str | None = None,
        chain: str | None = None,
        strategy: Strategy | None = None,
    ) -> Json:
        if any(bot.name == name for bot in self.bots):
            raise ToolFailed("You have a bot of that name already.")
        self._note("create_bot", name=name, description=description or None, token=token, chain=chain)
        revisions: list[Json | None] = [strategy.model_dump(mode="json")] if strategy else []
        self.linked = FakeBot(name, token, chain, revisions)
        self.bots.append(self.linked)
        return self.linked.facts()

    async def list_bots(self) -> Json:
        self._note("list_bots")
        bots = [
            {**bot.facts()["bot"], "summary": bot.facts()["summary"], "linked": bot is self.linked} for bot in self.bots
        ]
        return {"bots": bots, "total_bots": len(bots)}

    async def set_bot(self, bot: str) -> Json:
        named = [each for each in self.bots if each.name.casefold() == bot.casefold()]
        if not named:
            raise ToolFailed(
                f"No bot of yours is called that. Yours are: {', '.join(each.name for each in self.bots)}."
            )
        self._note("set_bot", bot=named[0].name)
        self.linked = named[0]
        return self.linked.facts()

    async def get_bot_info(self, bot: str | None = None) -> Json:
        self._note("get_bot_info", bot=bot)
        named = next((each for each in self.bots if bot and each.name.casefold() == bot.casefold()), None)
        return {
            **(named or self._bot()).facts(),
            "is_simulating": self.simulated is not None,
            "watch_run_id": self.watched,
        }

    async def run_backtest(
        self,
        token: str | None = None,
        chain: str | None = None,
        kline_interval: str | None = None,
        days: float | None = None,
        initial_cash: float | None = None,
        fee_percent: float | None = None,
        trending: str | None = None,
        limit: int | None = None,
    ) -> Json:
        self._note(
            "run_backtest",
            token=token, chain=chain, kline_interval=kline_interval, days=days,
            initial_cash=initial_cash, fee_percent=fee_percent, trending=trending, limit=limit,
        )  # fmt: skip
        self.tested = {
            "run_id": "r1",
            "status": "completed",
            "progress": 100,
            "token": _address(token or self._bot().token),
            "symbol": _SYMBOLS.get(_address(token or self._bot().token)),
            "chain": chain or self._bot().chain or "eth",
            "kline_interval": kline_interval or "1h",
            "start_time": "2026-10-16T00:00:00Z",
            "end_time": "2026-11-15T00:00:00Z",
            "metrics": METRICS,
            "metric_notes": {},
            "error": None,
        }
        return self.tested

    async def optimise(
        self,
        parameters: list[Json],
        token: str | None = None,
        chain: str | None = None,
        kline_interval: str | None = None,
        days: float | None = None,
    ) -> Json:
        self._note(
            "optimise", parameters=parameters, token=token, chain=chain, kline_interval=kline_interval, days=days
        )
        strategy = Strategy.model_validate(self._bot().strategy)
        chosen = {each["path"]: each.get("from", (each.get("values") or [0])[0]) for each in parameters}
        metrics = {"total_return": 6.5, "total_trades": 31}
        point = {
            "parameters": chosen,
            "strategy": with_values(strategy, chosen).model_dump(mode="json"),
            "metrics": metrics,
        }
        return {
            "status": "completed",
            "token": _address(token or self._bot().token),
            "symbol": _SYMBOLS.get(_address(token or self._bot().token)),
            "chain": chain or self._bot().chain,
            "variants_total": 9,
            "variants_done": 9,
            "walk_forward": {"total_return": -1.25, "trades": 22, "blocks": []},
            "recommended": point,
            "not_recommended": not_recommended(-1.25, None, None),
            "best_in_sample": {**point, "parameters": dict.fromkeys(chosen, 8.0)},
            "verdict": {"headline": "Looks like luck", "sentence": "You tried 9 versions."},
            "error": None,
        }

    async def survey(
        self,
        tokens: list[Json] | None = None,
        trending: str | None = None,
        limit: int | None = None,
        kline_interval: str | None = None,
        days: float | None = None,
    ) -> Json:
        self._note("survey", tokens=tokens, trending=trending, limit=limit, kline_interval=kline_interval, days=days)
        metrics = {"total_return": 4.5, "total_trades": 12}
        rows = [
            {"token_id": "pipo-solana", "symbol": "PIPO", "error": None, "metrics": metrics},
            {"token_id": "koi-solana", "symbol": "KOI", "error": "No candles.", "metrics": None},
        ]
        combined = {"tokens": 2, "profitable_percent": 50.0, "trades": 12, "mean_return": 2.25}
        return {"status": "completed", "tokens_total": 2, "tokens_done": 2, "combined": combined, "rows": rows}

    async def get_backtest(self, run_id: str | None = None, trades_page: int | None = None) -> Json:
        self._note("get_backtest", run_id=run_id, trades_page=trades_page)
        if self.tested is None:
            raise ToolFailed("There is no backtest yet.")
        if trades_page is None:
            return self.tested
        trade = {"number": 1, "entry_time": "2026-11-01T00:00:00Z", "exit_time": "2026-11-01T04:00:00Z"}
        trades = [{**trade, "pnl_percent": 2.5, "exit_reason": "take_profit"}]
        return {**self.tested, "trades_page": {"trades": trades, "total_trades": 1, "total_pages": 1}}

    async def start_simulation(
        self,
        token: str | None = None,
        chain: str | None = None,
        check_interval: int | None = None,
        kline_interval: str | None = None,
        mode: str | None = None,
        initial_cash: float | None = None,
        trending: str | None = None,
        limit: int | None = None,
    ) -> Json:
        self._note(
            "start_simulation",
            token=token, chain=chain, check_interval=check_interval, kline_interval=kline_interval, mode=mode,
            initial_cash=initial_cash, trending=trending, limit=limit,
        )  # fmt: skip
        self.simulated = {
            "run_id": "s1",
            "status": "running",
            "token": _address(token or self._bot().token),
            "symbol": _SYMBOLS.get(_address(token or self._bot().token)),
            "chain": chain or self._bot().chain or "eth",
            "check_interval": check_interval or 60,
            "kline_interval": kline_interval or "1m",
            "mode": mode or "replay",
            "portfolio": {"total_value": 10_000.0},
        }
        return self.simulated

    async def start_watch(self, tokens: list[Json] | None = None, kline_interval: str | None = None) -> Json:
        self._note("start_watch", tokens=tokens, kline_interval=kline_interval)
        self.watched = "w1"
        own = {"token": self._bot().token, "chain": self._bot().chain}
        watched = [
            {"token": (address := _address(each["token"])), "symbol": _SYMBOLS.get(address), "chain": each["chain"]}
            for each in tokens or [own]
        ]
        summary = Strategy.model_validate(self._bot().strategy).summary
        return {
            "run_id": "w1",
            "tokens": watched,
            "kline_interval": kline_interval or "1h",
            "strategy_summary": summary,
        }

    async def stop_run(self, run_id: str) -> Json:
        self._note("stop_run", run_id=run_id)
        self.watched = None
        return {"run_id": run_id, "status": "stopped"}

    async def stop_simulation(self, run_id: str | None = None) -> Json:
        self._note("stop_simulation", run_id=run_id)
        if self.simulated is None:
            raise ToolFailed("No simulation is running.")
        stopped, self.simulated = {**self.simulated, "status": "stopped"}, None
        return stopped

    async def search_tokens(self, query: str, chain: str | None = None) -> list[Json]:
        self._note("search_tokens", query=query, chain=chain)
        text = query.lower()
        return [
            {
                "token_id": listing.token_id,
                "address": listing.address,
                "symbol": listing.symbol,
                "name": listing.name,
                "chain": listing.chain,
                "price_usd": listing.price,
                "price_change_24h_percent": 1.0,
                "liquidity_usd": listing.liquidity,
            }
            for listing in LISTINGS
            if chain in (None, listing.chain)
            and any(text in part.lower() for part in (listing.symbol, listing.name, listing.token_id))
        ]

    async def get_token(self, token_id: str) -> Json:
        self._note("get_token", token_id=token_id)
        return {"price_usd": 0.5, "price_change_24h_percent": 1.0}

    async def compare_backtests(self) -> Json:
        self._note("compare_backtests")
        if self.tested is None:
            raise ToolFailed("This bot has no backtest yet.")
        older = {**self.tested, "metrics": {**METRICS, "total_return": 1.0}}
        return {"backtests": [older, self.tested]}

    async def get_simulation(self) -> Json:
        self._note("get_simulation")
        if self.simulated is None:
            raise ToolFailed("No simulation of this bot is running.")
        entry = {"action": "HOLD", "reason": "The price fell 1 %, less than 5 %."}
        portfolio = {"total_value": 10_050.0, "pnl_percent": 0.5, "entry_price": None}
        done = {"candles_processed": 3, "candles_total": 60}
        return {**self.simulated, **done, "portfolio": portfolio, "trade_log": [entry]}

    async def get_token_risk(self, token_id: str) -> Json:
        self._note("get_token_risk", token_id=token_id)
        return {"token_id": token_id, "risk_score": 20.0, "risk_level": "medium", "warnings": ["Look twice."]}


_SYMBOLS: dict[str | None, str] = {listing.address: listing.symbol for listing in LISTINGS}


def _address(token: str | None) -> str | None:
    """A run keeps the address and the chain apart."""
    return token.rpartition("-")[0] if token else None


@cache
def _world() -> World:
    return World()  # the schemas of the tools are worked out once


def world(given: str) -> World:
    return _world().set_up(given)


def normal(strategy: Json | None) -> Json | None:
    """With every default, so that two ways to write a strategy are equal; durations in seconds likewise."""
    return None if strategy is None else Strategy.model_validate(strategy).model_dump(mode="json")


def comparable(strategy: Json | None) -> Json | None:
    """24h is 1d."""
    return None if strategy is None else _in_seconds(normal(strategy))


def _in_seconds(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _in_seconds(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_in_seconds(inner) for inner in value]
    return duration_seconds(value) if key in ("window", "max_holding", "cooldown") and value else value


def talk(given: str, *messages: str) -> tuple[World, str]:
    """Say the messages one after the other; return what there is then, and the last reply."""

    async def say_all() -> tuple[World, str]:
        stage, reply = world(given), ""
        for message in messages:
            reply = await stage.say(message)
        return stage, reply

    return asyncio.run(say_all())
