"""What the service counts about itself, for Prometheus."""

from collections.abc import Iterable

from strategybot.kit.http.prometheus import Figure, Prometheus
from strategybot.market.provider_gate import Charged
from strategybot.runs.runner import QueuedRunner
from strategybot.runs.service import AllRuns
from strategybot.simulations.service import Simulations


def count_nothing(_operation: str, _cost_units: int) -> None:
    """Ignore the cost of a call, which is also saved in the database."""


def cost_counter(prometheus: Prometheus | None) -> Charged:
    if prometheus is None:
        return count_nothing
    return prometheus.counter("provider_cost_units", "Cost units spent with the market-data provider", "operation")


def of_this_process(workers: Iterable[object]) -> list[Figure]:
    meaning = "Pushes that did not reach the queue, and connections to it that broke"
    failures = sum(worker.jobs.failures for worker in workers if isinstance(worker, QueuedRunner))
    return [Figure("queue_failures", meaning, {"": failures}, only_grows=True)]


def of_all_processes(runs: AllRuns, simulations: Simulations) -> list[Figure]:
    """Return figures of the database, because workers have no port of their own."""
    pulse = simulations.pulse()
    return [
        Figure("live_runs", "Runs that are pending or running", runs.count_live(), "kind"),
        Figure("simulation_workers", "Living processes that work on simulations", {"": pulse.workers}),
        Figure(
            "simulation_lateness_seconds",
            "By how many seconds the replay that is furthest behind is late",
            {"": pulse.seconds_late},
        ),
    ]
