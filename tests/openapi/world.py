"""The application under test, in this process, with a user of the highest tier."""

import copy
import itertools
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.python import asgi

from strategybot.kit.limits import Rate
from strategybot.settings import Settings
from tests.application import application
from tests.backtests.driving import FINISHED, Headers, Json, awaited
from tests.servers import SECRET
from tests.support import PASSWORD, STRATEGY, bearer

TOKEN = "So11111111111111111111111111111111111111112"
RUNNABLE: Json = {"strategy": STRATEGY, "token": TOKEN, "chain": "solana"}
NO_LIMIT = Rate(1_000_000, timedelta(minutes=1))
GENERATED_SERIES = tuple(f"#/components/schemas/{name}" for name in ("PriceSeries", "Rsi", "Bollinger"))
"""One without parameters, one with a period, one with three."""
WHOLE_STRATEGY = '"#/components/schemas/Strategy"'
ALSO_TAKES_A_STRATEGY = (
    ("patch", "/api/bots/{bot_id}"),
    ("put", "/api/bots/{bot_id}"),
    ("post", "/api/bots/{bot_id}/preview"),
    ("post", "/api/strategies/import"),
    ("post", "/api/strategies/describe"),
)
ONE_CONDITION = {"$ref": "#/components/schemas/PriceDrop"}
PARAMETERS = [{"path": "risk_management.stop_loss_percent", "values": [1, 2]}]
TOKENS = [{"token": TOKEN, "chain": "solana"}]
SPAN = {"start_time": 1_754_265_600, "end_time": 1_754_265_600 + 86_400}


class World:
    """The app without a socket: requests of schemathesis and of the tests share one event loop."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(
            _env_file=None,
            data_dir=folder,
            secret_key=SECRET,
            login_limit=NO_LIMIT,
            register_limit=NO_LIMIT,
            simulation_limit=NO_LIMIT,
        )
        self.app, self._numbers = application(settings), itertools.count()
        self.client = asgi.get_client(self.app)  # type: ignore[arg-type]  # it is one, by less general types
        self.client.trust_env = False  # a fifth of the time went into looking for proxies in the environment
        with self.client:  # runs the background work until it is closed
            self.who = self.new_user()
        self.bot, self.clay, self.conversation = self.new_bot(), self.new_bot(), self.new_conversation()
        self.backtest, self.simulation = self._finished_backtest(), self._made(f"/api/bots/{self.bot}/simulate")
        self.optimisation = self._made(f"/api/bots/{self.bot}/optimise", {**SPAN, "parameters": PARAMETERS})
        self.survey = self._made(f"/api/bots/{self.bot}/survey", {**SPAN, "tokens": TOKENS})

    def document(self) -> dict[str, Any]:
        """Return the API's document with only `GENERATED_SERIES` in comparisons, two time zones, one scope, and whole
        strategies in one body only.

        The tool calls an operation once for each value of each field: forty series cost minutes and try the same code.
        """
        document: dict[str, Any] = self.client.get("/openapi.json").json()
        _shorten_strategies(document)
        zones = document["components"]["schemas"]["UserSettings"]["properties"]["timezone"]
        zones["enum"] = ["UTC", "Europe/Vienna"]
        document["components"]["schemas"]["PersonalTokenDraft"]["properties"]["scopes"]["enum"] = [["read"]]
        sides = document["components"]["schemas"]["Compare"]["properties"]
        for series in (sides["left"], sides["right"]["oneOf"][1]):
            mapping = series["discriminator"]["mapping"]
            series["discriminator"]["mapping"] = {kind: ref for kind, ref in mapping.items() if ref in GENERATED_SERIES}
            series["oneOf"] = [each for each in series["oneOf"] if each["$ref"] in GENERATED_SERIES]
            assert len(series["oneOf"]) == len(GENERATED_SERIES)
        return document

    def close(self) -> None:
        asgi.shutdown_lifespans()

    def new_user(self) -> Headers:
        email = f"user{next(self._numbers)}@example.com"
        registered = self.client.post("/api/auth/register", json={"email": email, "password": PASSWORD})
        self.app.state.services.operator.set_tier(email, "pro")
        return bearer(registered.json()["access_token"])

    def new_bot(self, who: Headers | None = None) -> str:
        return str(self._made("/api/bots", {"name": f"Bot {next(self._numbers)}", **RUNNABLE}, who)["id"])

    def new_conversation(self) -> str:
        return str(self._made("/api/conversations")["id"])

    def delete_bot(self, bot: str) -> None:
        self.client.delete(f"/api/bots/{bot}", headers=self.who)

    def find_run(self, path: str) -> Json:
        """Return an existing run of the kind that the path names."""
        kinds = {"/simulate/": self.simulation, "/optimise/": self.optimisation, "/survey/": self.survey}
        return next((run for part, run in kinds.items() if part in path), self.backtest)

    def _finished_backtest(self) -> Json:
        run = self._made(f"/api/bots/{self.bot}/backtest", SPAN)
        path = f"/api/bots/{self.bot}/backtest/{run['run_id']}"
        return awaited(lambda: self._read(path), lambda now: now["status"] in FINISHED, 60)

    def _read(self, path: str) -> Json:
        found: Json = self.client.get(path, headers=self.who).json()
        return found

    def _made(self, path: str, body: Json | None = None, who: Headers | None = None) -> Json:
        answer = self.client.post(path, json=body or {}, headers=who or self.who)
        assert answer.status_code in {201, 202}, answer.text
        made: Json = answer.json()
        return made


def _shorten_strategies(document: dict[str, Any]) -> None:
    """Leave only `PriceDrop`, one stop and one target in the bodies that take a strategy too. The body of a new bot
    takes every field of one, and every condition where it buys.
    """
    schemas = document["components"]["schemas"]
    short = copy.deepcopy(schemas["Strategy"])
    exits = copy.deepcopy(schemas["RiskManagement"])
    exits["properties"] = {name: exits["properties"][name] for name in ("stop_loss_percent", "take_profit_percent")}
    short["properties"] = {name: short["properties"][name] for name in ("conditions", "match")}
    short["properties"]["risk_management"] = exits
    for conditions in (
        short["properties"]["conditions"],
        schemas["Strategy"]["properties"]["exit_conditions"],
        schemas["Group"]["properties"]["conditions"],
    ):
        conditions["items"] = ONE_CONDITION
    schemas["ShortStrategy"] = short
    for method, path in ALSO_TAKES_A_STRATEGY:
        body = document["paths"][path][method]["requestBody"]["content"]["application/json"]
        named = body["schema"]["$ref"].rsplit("/", 1)[1]
        taken = json.dumps(body["schema"] if named == "Strategy" else schemas[named])
        assert WHOLE_STRATEGY in taken
        body["schema"] = json.loads(taken.replace(WHOLE_STRATEGY, '"#/components/schemas/ShortStrategy"'))


FIGURES_OF_THE_POOL = {"liquidity_usd", "buy_tax_percent", "sell_tax_percent"}


def is_meant_well(case: schemathesis.Case[Any], where: ParameterLocation) -> bool:
    component = case.meta.components.get(where) if case.meta else None
    return component is None or component.mode.is_positive


def within_reason(body: Json) -> Json:
    """Return the request with a token that has candles and a past day, and without figures of a pool that is off.

    The schema can require none of these.
    """
    given = {**RUNNABLE, **SPAN, "parameters": PARAMETERS}
    left_out = FIGURES_OF_THE_POOL if body.get("pool_costs") == "off" else set()
    return {
        name: _in_kind(given[name], value) if name in given else value
        for name, value in body.items()
        if name not in left_out
    }


def _in_kind(ours: Any, theirs: Any) -> Any:
    """Return a moment in the form of the given one; None stays None."""
    if theirs is None:
        return None
    is_moment_in_words = isinstance(theirs, str) and isinstance(ours, int)
    return datetime.fromtimestamp(ours, UTC).isoformat() if is_moment_in_words else ours
