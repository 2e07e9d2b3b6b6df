"""The whole application for a test. Its routes are put together once a process, and a password costs next to nothing;
everything behind the routes is the test's own."""

from copy import copy

from fastapi import FastAPI
from starlette.datastructures import State

from strategybot.accounts.credentials import Passwords
from strategybot.app import Services, assemble, attach_services
from strategybot.kit.clock import Clock, system_clock
from strategybot.settings import Settings

_assembled: dict[tuple[str, ...], FastAPI] = {}


def application(settings: Settings, clock: Clock = system_clock) -> FastAPI:
    """Return the same as `create_app` for settings without metrics, which all applications would share."""
    assert not settings.metrics, "create_app makes this one"
    key = settings.market_provider, *settings.cors_origins
    if key not in _assembled:
        _assembled[key] = assemble(settings.cors_origins, settings.market_provider, None)
    app = copy(_assembled[key])
    app.openapi = _assembled[key].openapi  # type: ignore[method-assign]  # which builds it once for all its copies
    app.state = State()
    services = Services(settings, clock, passwords=Passwords(time_cost=1, memory_kib=8))
    services.demo = False  # nothing is prepared: the first request to the demo market compiles it
    attach_services(app, services)
    return app
