"""What the server counts, in the text form of Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from trainers.serving.served_graph import ServedGraph

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """Counts requests, and describes the graph.

    Args:
        served: The graph.
    """

    def __init__(self, served: ServedGraph) -> None:
        self._registry = CollectorRegistry()
        labels = ["method", "route", "status"]
        self._requests = Counter(
            "mixhop_requests",
            "Requests by status; 0 if the client went away.",
            labels,
            registry=self._registry,
        )
        self._seconds = Histogram(
            "mixhop_request_seconds",
            "Time until the answer.",
            ["route"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        nodes = Gauge("mixhop_nodes", "Nodes of the graph.", registry=self._registry)
        nodes.set_function(lambda: served.num_nodes)
        changes = Gauge(
            "mixhop_changes", "Nodes and edges that were set or removed.", registry=self._registry
        )
        changes.set_function(lambda: served.num_changes)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts an answer."""
        known = method if method in ("GET", "POST", "DELETE") else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """All figures."""
        return generate_latest(self._registry)
