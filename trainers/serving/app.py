"""The application: addresses, and one sentence for every error."""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match

import mixhop_tf
from datasets.errors import short
from trainers.serving import node_routes, operation_routes, tf_routes
from trainers.serving.errors import BUSY, INVALID, RequestError
from trainers.serving.explanations import Explanations
from trainers.serving.limits import Application, Limited, Limits
from trainers.serving.metrics import Metrics
from trainers.serving.schemas import Error
from trainers.serving.served_graph import ServedGraph

log = logging.getLogger(__name__)
T = TypeVar("T")


class Ascii(JSONResponse):
    """JSON in ASCII, which can hold every text that a request can."""

    def render(self, content: Any) -> bytes:
        """Writes the content."""
        return json.dumps(content, allow_nan=False).encode("ascii")


class Service:
    """What the addresses share: the graph, the threads, and whether the server is ready.

    Args:
        served: The graph and its model.
        name: Name of the model in addresses.
        signatures: Description of the signatures.
        limits: Limits of requests.
    """

    def __init__(
        self, served: ServedGraph, name: str, signatures: dict[str, Any], limits: Limits
    ) -> None:
        self.served, self.name, self.signatures = served, name, signatures
        self.metrics = Metrics(served)
        self.explanations = Explanations(served)
        self.ready = False
        self._limits = limits
        self._threads: anyio.CapacityLimiter | None = None

    async def compute(self, function: Callable[..., T], *arguments: Any) -> T:
        """Calls a function in a thread, of which there are few; the others wait."""
        if self._threads is None:  # needs the running event loop
            self._threads = anyio.CapacityLimiter(self._limits.num_threads)
        call = functools.partial(function, *arguments)
        return await anyio.to_thread.run_sync(call, limiter=self._threads, abandon_on_cancel=True)


def make_app(service: Service, limits: Limits) -> Application:
    """Makes the application, with its limits around it."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.ready = True
        yield
        service.ready = False

    errors: dict[int | str, dict[str, Any]] = {
        status: {"model": Error} for status in (400, 404, 408, 409, 413, INVALID, BUSY)
    }
    app = FastAPI(
        title="MixHop",
        version=mixhop_tf.__version__,
        description="Predictions for the nodes of a graph that may change.",
        responses=errors,
        lifespan=lifespan,
        docs_url=None,  # their pages load scripts from the net
        redoc_url=None,
        default_response_class=Ascii,
    )
    routers = [room.router(service) for room in (node_routes, tf_routes, operation_routes)]
    for router in routers:
        app.include_router(router)
    _handle_errors(app, [route for router in routers for route in router.routes])
    return Limited(app, limits, service.metrics)


def _handle_errors(app: FastAPI, routes: list[BaseRoute]) -> None:
    """Turns every exception into one sentence."""

    @app.exception_handler(RequestError)
    async def refused(_: Request, error: RequestError) -> Response:
        headers = {"retry-after": "1"} if error.status == BUSY else None
        return Ascii({"error": str(error)}, error.status, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        return Ascii({"error": _complaint(error)}, INVALID)

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> Response:
        detail = str(error.detail)
        if error.status_code == 404:
            path = short(request.url.path, 100)
            detail = f"There is nothing at {path}; GET /openapi.json lists the addresses"
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        if error.status_code == 405:  # Starlette names the methods of one of the routes
            headers["allow"] = ", ".join(_methods(routes, request))
            detail = f"This address takes {headers['allow']}"
        return Ascii({"error": f"{detail}."}, error.status_code, headers)

    @app.exception_handler(MemoryError)
    async def full(_: Request, __: MemoryError) -> Response:
        return Ascii({"error": "The server is out of memory; try again later."}, BUSY)

    @app.exception_handler(Exception)
    async def bug(_: Request, error: Exception) -> Response:
        log.error("a bug in the server", exc_info=error)
        return Ascii({"error": "The server has a bug; its log has the details."}, 500)


def _methods(routes: list[BaseRoute], request: Request) -> list[str]:
    """The methods that an address takes."""
    found: set[str] = set()
    for route in routes:
        if route.matches(request.scope)[0] != Match.NONE:
            found |= getattr(route, "methods", None) or set()
    return sorted(found)


def _complaint(error: RequestValidationError) -> str:
    """What is wrong with a request, in one sentence: the first fault, and the number of others."""
    faults = error.errors()
    first = faults[0]
    place = " ".join(short(part, 40) for part in first["loc"] if part != "body")
    rest = f" (and {len(faults) - 1:,} more faults)" if len(faults) > 1 else ""
    fault = short(first["msg"].removeprefix("Value error, "), 200)
    return f"The request does not fit: {place or 'the body'}: {fault}{rest}."
