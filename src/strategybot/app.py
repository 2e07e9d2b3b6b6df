"""The composition root: settings in, the whole application out. Everything below is handed values and objects."""

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path

import anyio
import pydantic_ai
from fastapi import FastAPI
from fastapi.middleware import Middleware
from fastapi.responses import RedirectResponse
from fastapi.routing import iter_route_contexts
from pydantic_ai.models import Model

import strategybot.accounts.api
import strategybot.backtests.api
import strategybot.bots.api
import strategybot.conversations.api
import strategybot.events.api
import strategybot.market.api
import strategybot.mcp.api
import strategybot.notifications.api
from strategybot import data_folder
from strategybot.accounts.connections import Connections
from strategybot.accounts.credentials import AccessTokens, Passwords
from strategybot.accounts.operator import Operator
from strategybot.accounts.personal_tokens import PersonalTokens
from strategybot.accounts.service import Accounts, Transfer
from strategybot.accounts.tiers import TIERS
from strategybot.backends import jobs_at, nudges_at, provider_of
from strategybot.backtests.charts import Charts
from strategybot.backtests.explanations import Explanations
from strategybot.backtests.previews import Previews
from strategybot.backtests.service import Backtests
from strategybot.backtests.sharing import Shares, ShareViews
from strategybot.backtests.storage import Backtest
from strategybot.bots.service import Bots, count_bots, transfer_bots
from strategybot.conversations.agent.language_models import language_model
from strategybot.conversations.agent.limits import TurnLimits
from strategybot.conversations.agent.loop import AgentLoop
from strategybot.conversations.agent.tools import ToolServices, Toolset
from strategybot.conversations.assistant import Respondent
from strategybot.conversations.commands import Commands
from strategybot.conversations.links import Links
from strategybot.conversations.offline.model import OfflineModel
from strategybot.conversations.service import (
    Conversations,
    conversation_of_bot,
    count_conversations,
    transfer_conversations,
)
from strategybot.document import DESCRIPTION, TAGS
from strategybot.events.api import EVENT_STREAM
from strategybot.events.service import Streams
from strategybot.figures import cost_counter, count_nothing, of_all_processes, of_this_process
from strategybot.kit.clock import Clock, steady_clock
from strategybot.kit.database import Database
from strategybot.kit.http.docs import DocumentedApp, docs_router, operation_id
from strategybot.kit.http.info import info_router
from strategybot.kit.http.middleware import BodyCap, CatchAll, RequestContext, cross_origin
from strategybot.kit.http.probes import Readiness, probes_router
from strategybot.kit.http.prometheus import Prometheus
from strategybot.kit.http.provided import state_name
from strategybot.kit.http.rendering import install_error_rendering
from strategybot.kit.http.site import SITE, Site, index_page, is_built
from strategybot.kit.jobs import JobsFactory
from strategybot.kit.json_object import Json
from strategybot.kit.limits import write_probe
from strategybot.kit.threads import repeat, run_blocking
from strategybot.market.provider import Provider
from strategybot.market.provider_gate import Charged
from strategybot.market.service import Market
from strategybot.mcp.api import CallsUnderWay
from strategybot.mcp.asker import ALL_TOOLSETS
from strategybot.mcp.server import mcp_server, serving
from strategybot.migrations import migrate
from strategybot.notifications.addresses import Resolver
from strategybot.notifications.api import tell_target
from strategybot.notifications.courier import Courier
from strategybot.notifications.sealing import Sealer
from strategybot.notifications.senders import Senders
from strategybot.notifications.service import Notifications, transfer_notifications
from strategybot.rates import SHARE_VIEWS, TOO_MANY_SHARE_VIEWS, RateLimits
from strategybot.retention import Retention
from strategybot.run_kinds import RUN_KINDS, Parts, RunKind
from strategybot.runs.leases import Leases
from strategybot.runs.presence import Presence
from strategybot.runs.service import AllRuns
from strategybot.runs.storage import count_unfinished, latest_runs, tested_span, transfer
from strategybot.runs.universes import keep_lists
from strategybot.searches.service import Optimisations
from strategybot.secret import secret_in
from strategybot.settings import Settings, environment
from strategybot.simulations.service import Simulations, simulations_at_a_glance
from strategybot.simulations.storage import Simulation
from strategybot.surveys.service import Surveys
from strategybot.verdicts.service import Verdicts
from strategybot.verdicts.storage import transfer_tries
from strategybot.watches.service import Watches

PAGES = ("", "bots", "market", "account", "login", "register", "connect")
SECRETS_IN_PATHS = {"/s/": "share_id", "/api/shares/": "share_id"}
SECONDS_BETWEEN_CLEANINGS = 60
SECONDS_BETWEEN_LISTS = 300  # each hour's is kept once
SECONDS_BETWEEN_METERINGS = 5
SECONDS_BETWEEN_CHECKS = 86_400


class Services:
    """Every service once, shared by the routes and the commands."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock = steady_clock,
        charged: Charged = count_nothing,
        passwords: Passwords | None = None,
        provider: Provider | None = None,
        kinds: Sequence[RunKind] = RUN_KINDS,
    ) -> None:
        data_folder.prepare(settings.data_dir)
        self.clock, self.demo = clock, settings.market_provider == "demo"
        self.database = Database(settings.database)
        self.rates = RateLimits(settings, self.database, clock)
        secret = settings.secret_key.get_secret_value() if settings.secret_key else secret_in(settings.data_dir)
        new_jobs = partial(jobs_at, settings.queue_url)
        self.kinds = kinds
        self._add_accounts(passwords or Passwords(), AccessTokens(secret, settings.token_lifetime_span, clock))
        of_accounts = self.database, self.accounts, clock
        self.connections = Connections(*of_accounts, secret, self.rates.accounts.clients)
        provider = provider or provider_of(settings, self.database, clock)
        self.market = Market(provider, self.database, clock, charged)
        rows = [kind.row for kind in kinds]
        of_runs = conversation_of_bot, simulations_at_a_glance, partial(tested_span, rows), partial(latest_runs, rows)
        self.bots = Bots(self.database, self.accounts, clock, *of_runs)
        self.leases = Leases(self.database, clock, Presence(settings.data_dir / "workers"))
        self._add_runs(new_jobs)
        senders = Senders(Resolver(private_allowed=settings.private_webhooks))
        self._add_notifications(Sealer(secret), senders, new_jobs)
        self._add_conversations(settings)
        self.streams = Streams(self.database, nudges_at(settings.queue_url))
        self.retention = Retention(self.database, self.accounts, clock, kinds=kinds)

    def _add_accounts(self, passwords: Passwords, tokens: AccessTokens) -> None:
        self.accounts = _accounts(self, passwords, tokens)
        self.operator = Operator(self.database, passwords, self.clock)
        self.personal_tokens = PersonalTokens(self.database, self.accounts, self.clock)

    def _add_runs(self, new_jobs: JobsFactory) -> None:
        self.verdicts = Verdicts(self.database, self.market, self.clock)
        of_service = self.database, self.accounts, self.bots, self.market, self.clock
        parts = Parts(*of_service, self.leases, new_jobs, self.verdicts, self.rates)
        built = {kind.name: kind.build(parts) for kind in self.kinds}
        self.workers = {name: each.worker for name, each in built.items()}
        self.runs = AllRuns({name: each.service for name, each in built.items()})
        self.backtests, self.simulations = self.runs.of(Backtests), self.runs.of(Simulations)
        self.optimisations, self.surveys = self.runs.of(Optimisations), self.runs.of(Surveys)
        self.shares = Shares(self.database, self.backtests, self.market, self.clock)

    def _add_conversations(self, settings: Settings) -> None:
        self.tools = ToolServices(
            self.bots,
            self.backtests,
            self.optimisations,
            self.surveys,
            self.simulations,
            self.runs.of(Watches),
            self.runs,
            self.market,
            self.notifications,
            self.shares,
            Explanations(self.database, self.backtests, self.market),
            Links(self.database, self.bots, self.clock),
            self.clock,
        )
        self.model = language_model(settings.model, environment(), settings.context_tokens)
        self.conversations = conversations_of(self, settings, self.model)

    def _add_notifications(self, sealer: Sealer, senders: Senders, new_jobs: JobsFactory) -> None:
        to_targets = sealer, senders, self.rates.deliveries, self.clock
        self.notifications = Notifications(self.database, self.accounts, *to_targets)
        self.courier = Courier(self.database, *to_targets, new_jobs)


def _accounts(services: Services, passwords: Passwords, tokens: AccessTokens) -> Accounts:
    usage = {
        "bots": count_bots,
        "running_backtests": lambda session, owner_id: count_unfinished(session, Backtest, owner_id),
        "running_simulations": lambda session, owner_id: count_unfinished(session, Simulation, owner_id),
        "conversations": count_conversations,
    }
    transfers: list[Transfer] = [
        transfer_bots,
        *(partial(transfer, kind.row) for kind in services.kinds),
        transfer_tries,
        transfer_conversations,
        transfer_notifications,
    ]
    rates, clock = services.rates, services.clock
    return Accounts(services.database, passwords, tokens, rates.accounts, clock, usage, rates.of_one_owner(), transfers)


def conversations_of(
    services: Services,
    settings: Settings,
    model: Model,
    limits: TurnLimits | None = None,
) -> Conversations:
    """Return the conversations of these services, with this language model, and by default the limits of the
    settings.
    """
    limits = limits or TurnLimits(settings.turn_seconds, settings.turn_tokens)
    pydantic_ai.BANNER_ENABLED = False  # it would be printed between our answers and log lines
    database, clock = services.database, services.clock
    links = Links(database, services.bots, clock)
    respondent = Respondent(
        AgentLoop(model, services.tools, limits, invented_prices=settings.market_provider == "demo"),
        Commands(services.tools),
        has_language_model=settings.model != "offline",
    )
    rates = RateLimits(settings, database, clock)  # by these settings, which may differ from those of the services
    return Conversations(
        database,
        services.accounts,
        services.bots,
        links,
        rates.chats,
        respondent,
        clock,
        services.leases,
        limits.heartbeat_seconds,
    )


def create_app(settings: Settings, clock: Clock = steady_clock, kinds: Sequence[RunKind] = RUN_KINDS) -> FastAPI:
    prometheus = Prometheus() if settings.metrics else None
    toolsets = settings.mcp_tools or ALL_TOOLSETS
    app = assemble(settings.cors_origins, settings.market_provider, prometheus, kinds=kinds, toolsets=toolsets)
    services = Services(settings, clock, cost_counter(prometheus), kinds=kinds)
    attach_services(app, services)
    if prometheus is not None:
        prometheus.watch(lambda: of_this_process(services.workers.values()))
        prometheus.watch(lambda: of_all_processes(services.runs, services.simulations))
    return app


def development_app() -> FastAPI:
    """Return the app with the settings of the environment, for `make dev`."""
    return create_app(Settings())


def assemble(
    origins: list[str],
    provider: str,
    prometheus: Prometheus | None,
    site: Path = SITE,
    kinds: Sequence[RunKind] = RUN_KINDS,
    toolsets: Collection[Toolset] = ALL_TOOLSETS,
) -> FastAPI:
    """Return the app with all routes and middleware, before `attach_services`."""
    app = DocumentedApp(
        title="Strategy Bot",
        version=version("strategybot"),
        description=DESCRIPTION,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # it looks for a provider at every request
        lifespan=_lifespan,
        generate_unique_id_function=operation_id,
        openapi_tags=[*TAGS, {"name": "Events", "description": EVENT_STREAM}],
        middleware=[
            Middleware(RequestContext, observe=prometheus.observe if prometheus else None, secrets=SECRETS_IN_PATHS),
            Middleware(CatchAll),
            *cross_origin(origins),
            Middleware(BodyCap),
        ],
    )
    refused: dict[int | str, Json] = {422: {"description": "Any other status than 2xx: the message is sent again"}}
    app.webhooks.post("notification", tags=["Notifications"], responses=refused)(tell_target)
    install_error_rendering(app)
    # The framework tries one route after the other, so the most frequent ones come first.
    app.include_router(probes_router(prometheus))
    app.include_router(strategybot.bots.api.router)
    app.include_router(docs_router("Strategy Bot API"))
    app.include_router(strategybot.accounts.api.router)
    app.include_router(strategybot.bots.api.strategies_router)
    app.include_router(strategybot.bots.api.language_router)
    for kind in kinds:
        app.include_router(kind.router)
    app.include_router(strategybot.backtests.api.share_router)
    app.include_router(strategybot.backtests.api.share_pages_router(index_page(site)))
    app.include_router(strategybot.market.api.router)
    app.include_router(strategybot.conversations.api.router)
    app.include_router(strategybot.mcp.api.mcp_router(origins, toolsets))
    app.include_router(strategybot.mcp.api.oauth_router)
    app.include_router(strategybot.events.api.router)
    app.include_router(strategybot.notifications.api.router)
    app.include_router(info_router(app.version, provider, TIERS["anonymous"].candles_per_backtest))
    _add_site(app, site)
    list(iter_route_contexts(app.routes))  # builds all routes: the framework would at the first request, in any thread
    return app


def attach_services(app: FastAPI, services: Services) -> None:
    """Store the services in the application's state, where the routes find them."""
    app.state.services = services
    app.state.database = services.database
    app.state.accounts = services.accounts
    app.state.personal_tokens = services.personal_tokens
    app.state.connections = services.connections
    app.state.bots = services.bots
    app.state.market = services.market
    for service in services.runs:
        setattr(app.state, state_name(type(service).__name__), service)
    app.state.charts = Charts(services.database, services.backtests, services.market)
    of_runs = services.bots, services.backtests, services.market
    app.state.previews = Previews(*of_runs, services.rates.previews, services.clock)
    app.state.shares = services.shares
    app.state.share_views = ShareViews(SHARE_VIEWS, TOO_MANY_SHARE_VIEWS)
    app.state.conversations = services.conversations
    app.state.mcp_calls = CallsUnderWay()
    app.state.streams = services.streams
    app.state.notifications = services.notifications
    app.state.readiness = Readiness(partial(write_probe, services.database, services.clock))


def _add_site(app: FastAPI, site: Path) -> None:
    """Add the web app as the last route, because it answers every path that no other route has."""
    if is_built(site):
        app.router.routes.append(Site(site, PAGES))
    else:
        app.add_api_route("/", _home, include_in_schema=False)


async def _home() -> RedirectResponse:
    """Redirect to the documentation, if the web app was not built because Node is missing."""
    return RedirectResponse("/docs")


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    # Created at each start, because a session manager of MCP runs only once.
    server = mcp_server(services.tools, strategybot.mcp.api.asker_of, app.version)
    async with working(services), serving(server) as transports, anyio.create_task_group() as background:
        app.state.mcp_transports = transports
        if isinstance(services.model, OfflineModel):
            background.start_soon(services.model.prepare)
        yield
        services.streams.close()
        await services.conversations.running_turns.close()


@asynccontextmanager
async def working(services: Services) -> AsyncIterator[None]:
    """Run all background work of `serve` and `worker`, and close the services at the end."""
    await run_blocking(migrate, services.database)
    await run_blocking(services.notifications.convert_old_targets)
    async with services.leases.heartbeating(), anyio.create_task_group() as background:
        for worker in services.workers.values():
            background.start_soon(worker.work)
        background.start_soon(services.streams.work)
        background.start_soon(services.courier.work)
        background.start_soon(
            repeat, "checking", partial(run_blocking, services.database.check), SECONDS_BETWEEN_CHECKS
        )
        # Not at the start, when there are requests to answer and runs to take up.
        for what, work, seconds in (
            ("listing", partial(keep_lists, services.bots, services.market), SECONDS_BETWEEN_LISTS),
            ("cleaning", partial(run_blocking, services.retention.run), SECONDS_BETWEEN_CLEANINGS),
            ("metering", partial(run_blocking, services.market.save_charges), SECONDS_BETWEEN_METERINGS),
        ):
            background.start_soon(partial(repeat, first_after=seconds), what, work, seconds)
        if services.demo:
            background.start_soon(_warm_up, services.market)
        yield
        background.cancel_scope.cancel()
    await services.market.close()
    services.database.close()


async def _warm_up(market: Market) -> None:
    """Compile the demo market before the first request needs it."""
    await market.trending(None, 1)
