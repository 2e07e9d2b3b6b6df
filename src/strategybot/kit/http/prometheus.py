"""Prometheus metrics: counters, durations and values that are read on request."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fastapi import Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    Metric,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from strategybot.kit.database import DatabaseUnavailable


@dataclass(frozen=True, slots=True)
class Figure:
    """A value that is read when the metrics are requested: one number per label value, or one number with an empty
    label.
    """

    name: str
    meaning: str
    values: Mapping[str, float]
    label: str = ""
    only_grows: bool = False

    def family(self) -> Metric:
        kind = CounterMetricFamily if self.only_grows else GaugeMetricFamily
        family = kind(self.name, self.meaning, labels=[self.label] if self.label else [])
        for value, amount in self.values.items():
            family.add_metric([value] if self.label else [], amount)
        return family


FigureSource = Callable[[], Sequence[Figure]]


class Prometheus:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._requests = Counter(
            "http_requests", "Requests answered", ["method", "route", "status"], registry=self.registry
        )
        self._seconds = Histogram("http_request_seconds", "Time to answer", ["method", "route"], registry=self.registry)

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def counter(self, name: str, meaning: str, label: str) -> Callable[[str, int], None]:
        """Register a counter with one label and return the function that increments it."""
        counts = Counter(name, meaning, [label], registry=self.registry)
        return lambda value, amount: counts.labels(value).inc(amount)

    def watch(self, look: FigureSource) -> None:
        self.registry.register(_Watched(look))

    def page(self) -> Response:
        return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)


class _Watched(Collector):
    def __init__(self, look: FigureSource) -> None:
        self._look = look

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics. If the database cannot be reached, its figures are left out and all others are yielded."""
        try:
            figures = self._look()
        except DatabaseUnavailable:
            return
        yield from (figure.family() for figure in figures)
