"""Counts and times, for Prometheus."""

from collections.abc import Callable

from fastapi import Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    generate_latest,
)


class Metrics:
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
        """A count of something else, by one label."""
        counts = Counter(name, meaning, [label], registry=self.registry)
        return lambda value, amount: counts.labels(value).inc(amount)

    def page(self) -> Response:
        return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)
