"""Addresses for those who run the server: health, readiness, metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Response

from trainers.serving.errors import BUSY, RequestError
from trainers.serving.metrics import CONTENT_TYPE

if TYPE_CHECKING:
    from trainers.serving.app import Service


def router(service: Service) -> APIRouter:
    """Makes the addresses `/healthz`, `/readyz` and `/metrics`."""
    routes = APIRouter(tags=["operation"])

    @routes.get("/healthz")
    async def health() -> dict[str, str]:
        """Says that the process is alive."""
        return {"status": "ok"}

    @routes.get("/readyz")
    async def ready() -> dict[str, Any]:
        """Says that the graph and the model are loaded."""
        if not service.ready:
            raise RequestError(BUSY, "The server is stopping.")
        return {"status": "ready", "model": service.name, "nodes": service.served.num_nodes}

    @routes.get(
        "/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}}
    )
    async def figures() -> Response:
        """Gives figures in the text form of Prometheus."""
        return Response(service.metrics.text(), media_type=CONTENT_TYPE)

    return routes
