"""Every operation of the API, each defined once for both clients.

Positional arguments fill the ids in the path. Keywords are the query of a GET and the body of anything else; one that
is a word of Python is written with an underscore behind it (`from_`).
"""

import re
from collections.abc import Awaitable, Callable
from functools import cached_property, partial
from typing import Annotated, Any, Generic, TypeVar, overload
from urllib.parse import quote

import httpx2
from pydantic import Field, TypeAdapter
from pydantic_core import to_jsonable_python

from strategybot.accounts import schemas as accounts_api
from strategybot.backtests import schemas as backtests_api
from strategybot.bots import schemas as bots_api
from strategybot.client.rows import AsyncRows, Rows
from strategybot.conversations import schemas as conversations_api
from strategybot.market import schemas as market_api
from strategybot.notifications import schemas as notifications_api
from strategybot.searches import schemas as searches_api
from strategybot.simulations import schemas as simulations_api
from strategybot.surveys import schemas as surveys_api
from strategybot.trading.language.document import LanguageView
from strategybot.watches import schemas as watches_api

Answer = TypeVar("Answer")
Item = TypeVar("Item")
ROWS_A_PAGE = 100


class Endpoint(Generic[Answer]):
    """An operation as an attribute of a client: a function that sends it, or one that returns an awaitable."""

    def __init__(self, method: str, path: str, answer: type[Answer], *, in_query: bool = False) -> None:
        self.method, self.path, self._answer = method, path, answer
        self._place = "params" if in_query or method == "GET" else "json"
        self._ids = re.findall(r"\{\w+\}", path)

    @overload
    def __get__(self, client: "Called", owner: Any) -> Callable[..., Answer]: ...
    @overload
    def __get__(self, client: "Awaited", owner: Any) -> Callable[..., Awaitable[Answer]]: ...
    def __get__(self, client: Any, owner: Any) -> Callable[..., Any]:
        return lambda *ids, **given: client.send(self.request(ids, given), self.parsed)

    def request(self, ids: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of the HTTP client's `request`."""
        if len(ids) != len(self._ids):
            raise TypeError(f"{self.method} {self.path} takes {len(self._ids)} ids, and {len(ids)} were given.")
        path = self.path
        for name, value in zip(self._ids, ids, strict=True):
            path = path.replace(name, quote(str(value), safe=""))
        values = {name.rstrip("_"): to_jsonable_python(value) for name, value in given.items()}
        return {"method": self.method, "url": path, self._place: values or None}

    def parsed(self, response: httpx2.Response) -> Answer:
        """Return the answer as the server's own schema."""
        if self._answer is str:
            return response.text  # type: ignore[return-value]
        return self._adapter.validate_json(response.content or b"null")

    @cached_property
    def _adapter(self) -> TypeAdapter[Answer]:
        return TypeAdapter(self._answer)


class PagedEndpoint(Generic[Item]):
    """An operation that answers in pages: a function that returns their items, which are fetched when needed."""

    def __init__(self, path: str, name: str, item: type[Item]) -> None:
        self._pages, self._name, self._item = Endpoint("GET", path, dict[str, Any]), name, item
        self.method, self.path = "GET", path

    @overload
    def __get__(self, client: "Called", owner: Any) -> Callable[..., Rows[Item]]: ...
    @overload
    def __get__(self, client: "Awaited", owner: Any) -> Callable[..., AsyncRows[Item]]: ...
    def __get__(self, client: Any, owner: Any) -> Callable[..., Any]:
        def page(ids: tuple[Any, ...], number: int) -> Any:
            asked = self._pages.request(ids, {"page": number, "per_page": ROWS_A_PAGE})
            return client.send(asked, self._parsed)

        return lambda *ids: client.rows(partial(page, ids))

    def _parsed(self, response: httpx2.Response) -> tuple[list[Item], bool]:
        page = self._pages.parsed(response)
        return self._adapter.validate_python(page[self._name]), bool(page["has_next"])

    @cached_property
    def _adapter(self) -> TypeAdapter[list[Item]]:
        return TypeAdapter(list[self._item])  # type: ignore[name-defined]


BOT = "/api/bots/{bot_id}"
BACKTEST = f"{BOT}/backtest/{{run_id}}"
SIMULATION = f"{BOT}/simulate/{{run_id}}"
TARGETS = "/api/notifications/targets"
OPTIMISATION = f"{BOT}/optimise/{{run_id}}"
SURVEY = f"{BOT}/survey/{{run_id}}"
CONVERSATION = "/api/conversations/{conversation_id}"
NOTHING: Any = None.__class__
BEGUN: Any = conversations_api.WelcomeView | conversations_api.ConversationView
TOKEN: Any = market_api.TokenFound | market_api.NoToken
RISK: Any = market_api.RiskFound | market_api.NoRisk
QUOTE: Any = market_api.QuoteFound | market_api.NoQuote
SWAP: Any = market_api.SwapFound | market_api.NoSwap


class Language(LanguageView):
    """The document as it is sent, where the schema of a strategy is called `schema`."""

    json_schema: Annotated[dict[str, Any], Field(validation_alias="schema")]


class Endpoints:
    """One line an operation. A test compares them with the server's document."""

    register = Endpoint("POST", "/api/auth/register", accounts_api.TokenView)
    login = Endpoint("POST", "/api/auth/login", accounts_api.TokenView)
    logout = Endpoint("POST", "/api/auth/logout", NOTHING)
    me = Endpoint("GET", "/api/auth/me", accounts_api.MeView)
    delete_account = Endpoint("DELETE", "/api/auth/me", NOTHING)
    settings = Endpoint("GET", "/api/auth/settings", accounts_api.UserSettings)
    change_settings = Endpoint("PATCH", "/api/auth/settings", accounts_api.UserSettings)
    change_password = Endpoint("POST", "/api/auth/password", NOTHING)
    tokens = Endpoint("GET", "/api/auth/tokens", accounts_api.PersonalTokenList)
    make_token = Endpoint("POST", "/api/auth/tokens", accounts_api.NewPersonalToken)
    answer_connection_request = Endpoint(
        "POST", "/api/auth/connections", accounts_api.ConnectionRequestView, in_query=True
    )
    revoke_token = Endpoint("DELETE", "/api/auth/tokens/{personal_token_id}", NOTHING)

    bots = PagedEndpoint("/api/bots", "bots", bots_api.ListedBot)
    create_bot = Endpoint("POST", "/api/bots", bots_api.BotView)
    bot = Endpoint("GET", BOT, bots_api.BotView)
    change_bot = Endpoint("PATCH", BOT, bots_api.BotView)
    replace_bot = Endpoint("PUT", BOT, bots_api.BotView)
    delete_bot = Endpoint("DELETE", BOT, NOTHING)
    export_strategy = Endpoint("GET", f"{BOT}/export", bots_api.StrategyExport)
    import_strategy = Endpoint("POST", "/api/strategies/import", bots_api.BotView)
    describe_strategy = Endpoint("POST", "/api/strategies/describe", bots_api.StrategyDescription)
    revisions = PagedEndpoint(f"{BOT}/revisions", "revisions", bots_api.RevisionView)
    restore = Endpoint("POST", f"{BOT}/revisions/{{revision}}/restore", bots_api.BotView)
    undo = Endpoint("POST", f"{BOT}/undo", bots_api.BotView, in_query=True)
    seal_history = Endpoint("POST", f"{BOT}/holdout", bots_api.BotView)
    open_history = Endpoint("POST", f"{BOT}/holdout/open", bots_api.BotView)
    language = Endpoint("GET", "/api/language", Language)

    start_backtest = Endpoint("POST", f"{BOT}/backtest", backtests_api.BacktestView)
    backtests = PagedEndpoint(f"{BOT}/backtests", "backtests", backtests_api.BacktestSummary)
    read_backtest = Endpoint("GET", BACKTEST, backtests_api.BacktestView)
    annotate_backtest = Endpoint("PATCH", BACKTEST, backtests_api.BacktestView)
    delete_backtest = Endpoint("DELETE", BACKTEST, NOTHING)
    stop_backtest = Endpoint("POST", f"{BACKTEST}/stop", backtests_api.BacktestView)
    trades = PagedEndpoint(f"{BACKTEST}/trades", "trades", backtests_api.TradeView)
    trades_csv = Endpoint("GET", f"{BACKTEST}/trades.csv", str)
    signals = PagedEndpoint(f"{BACKTEST}/signals", "signals", backtests_api.SignalView)
    backtest_klines = Endpoint("GET", f"{BACKTEST}/klines", backtests_api.ChartView)
    backtest_series = Endpoint("GET", f"{BACKTEST}/series", backtests_api.LinesView)
    backtest_rules = Endpoint("GET", f"{BACKTEST}/rules", backtests_api.TradeRulesPage)
    backtest_courses = Endpoint("GET", f"{BACKTEST}/courses", backtests_api.TradeCourses)
    preview = Endpoint("POST", f"{BOT}/preview", backtests_api.PreviewView)
    share_backtest = Endpoint("POST", f"{BACKTEST}/share", backtests_api.ShareView)
    share_address = Endpoint("GET", f"{BACKTEST}/share", backtests_api.ShareView)
    end_share = Endpoint("DELETE", f"{BACKTEST}/share", NOTHING)
    shared = Endpoint("GET", "/api/shares/{share_id}", backtests_api.SharedBacktest)
    shared_klines = Endpoint("GET", "/api/shares/{share_id}/klines", backtests_api.ChartView)

    optimise = Endpoint("POST", f"{BOT}/optimise", searches_api.OptimisationView)
    optimisations = PagedEndpoint(f"{BOT}/optimisations", "optimisations", searches_api.OptimisationSummary)
    read_optimisation = Endpoint("GET", OPTIMISATION, searches_api.OptimisationView)
    variants = PagedEndpoint(f"{OPTIMISATION}/variants", "variants", searches_api.VariantView)
    stop_optimisation = Endpoint("POST", f"{OPTIMISATION}/stop", searches_api.OptimisationView)
    survey = Endpoint("POST", f"{BOT}/survey", surveys_api.SurveyView)
    surveys = PagedEndpoint(f"{BOT}/surveys", "surveys", surveys_api.SurveySummary)
    read_survey = Endpoint("GET", SURVEY, surveys_api.SurveyView)
    survey_csv = Endpoint("GET", f"{SURVEY}/rows.csv", str)
    stop_survey = Endpoint("POST", f"{SURVEY}/stop", surveys_api.SurveyView)

    start_simulation = Endpoint("POST", f"{BOT}/simulate", simulations_api.SimulationView)
    simulations = PagedEndpoint(f"{BOT}/simulations", "simulations", simulations_api.SimulationSummary)
    read_simulation = Endpoint("GET", SIMULATION, simulations_api.SimulationView)
    stop_simulation = Endpoint("POST", f"{SIMULATION}/stop", simulations_api.SimulationView)
    pause_simulation = Endpoint("POST", f"{SIMULATION}/pause", simulations_api.SimulationView)
    resume_simulation = Endpoint("POST", f"{SIMULATION}/resume", simulations_api.SimulationView)
    simulation_series = Endpoint("GET", f"{SIMULATION}/series", backtests_api.LinesView)
    simulation_parity = Endpoint("GET", f"{SIMULATION}/parity", simulations_api.ParityView)

    start_watch = Endpoint("POST", f"{BOT}/watch", watches_api.WatchView)
    watches = PagedEndpoint(f"{BOT}/watches", "watches", watches_api.WatchSummary)
    read_watch = Endpoint("GET", f"{BOT}/watch/{{run_id}}", watches_api.WatchView)
    stop_watch = Endpoint("POST", f"{BOT}/watch/{{run_id}}/stop", watches_api.WatchView)

    search_tokens = Endpoint("GET", "/api/market/tokens", market_api.TokensAnswer)
    trending_tokens = Endpoint("GET", "/api/market/tokens/trending", market_api.TokensAnswer)
    demo_tokens = Endpoint("GET", "/api/market/demo-tokens", market_api.TokensAnswer)
    prices = Endpoint("POST", "/api/market/tokens/price", market_api.PricesAnswer)
    token_detail = Endpoint("GET", "/api/market/tokens/{token_id}", TOKEN)
    klines = Endpoint("GET", "/api/market/klines/{token_id}", market_api.KlinesAnswer)
    token_risk = Endpoint("GET", "/api/market/contracts/{contract_id}", RISK)
    quote = Endpoint("POST", "/api/market/chain/quote", QUOTE)
    swap = Endpoint("POST", "/api/market/chain/swap", SWAP)

    begin_conversation = Endpoint("POST", "/api/conversations", BEGUN)
    conversations = PagedEndpoint("/api/conversations", "conversations", conversations_api.ConversationSummary)
    conversation = Endpoint("GET", CONVERSATION, conversations_api.ConversationView)
    delete_conversation = Endpoint("DELETE", CONVERSATION, NOTHING)
    set_bot = Endpoint("POST", f"{CONVERSATION}/set-bot", conversations_api.ConversationView)
    chat = Endpoint("POST", f"{CONVERSATION}/chat", conversations_api.TurnView)
    info = Endpoint("GET", "/api/info", dict[str, Any])

    notifications = Endpoint("GET", "/api/notifications", notifications_api.NotificationList)
    mark_notifications_read = Endpoint("POST", "/api/notifications/read", NOTHING)
    target_kinds = Endpoint("GET", "/api/notifications/kinds", notifications_api.KindList)
    targets = Endpoint("GET", TARGETS, notifications_api.TargetList)
    add_target = Endpoint("POST", TARGETS, notifications_api.NewTarget)
    change_target = Endpoint("PATCH", f"{TARGETS}/{{target_id}}", notifications_api.TargetView)
    delete_target = Endpoint("DELETE", f"{TARGETS}/{{target_id}}", NOTHING)
    test_target = Endpoint("POST", f"{TARGETS}/{{target_id}}/test", notifications_api.TestView)


class Called(Endpoints):
    """The operations of a client that waits for each answer."""


class Awaited(Endpoints):
    """The operations of a client for asyncio."""
