"""Runs the server until the process is asked to stop."""

from __future__ import annotations

import contextlib
import ipaddress
import signal
import socket
from collections.abc import Callable, Iterator

import uvicorn

from mixhop_tf.cores import num_cores
from trainers.runs import prediction
from trainers.runs.trained import Trained
from trainers.serving.app import Service, make_app
from trainers.serving.errors import RequestError
from trainers.serving.journal import Journal
from trainers.serving.limits import Application, Limits
from trainers.serving.request import ServeRequest
from trainers.serving.served_graph import ServedGraph
from trainers.serving.tf_serving import signatures_of
from trainers.sweeps.config import graph_digest
from trainers.sweeps.errors import RunError

_STOP_SECONDS = 30  # for requests under way, when the server is asked to stop


def run(load: Callable[[], Trained], request: ServeRequest) -> None:
    """Loads a model and a graph, and serves them.

    Raises:
        RunError: The address is not free, or the journal does not fit.
    """
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(_listening(request.host, request.port))
        trained = load()
        served = _served(trained, request)
        if request.journal is not None:
            journal = Journal(request.journal, graph_digest(trained.graph))
            stack.callback(journal.close)
            print(f"{served.use_journal(journal):,} changes from {request.journal}")
        application = make_application(served, request)
        listening.listen()  # so that nobody who has read the announcement is refused
        _announce(listening, request, served)
        serve(application, listening)
    print("stopped")


def make_application(served: ServedGraph, request: ServeRequest) -> Application:
    """Makes the application for a graph."""
    limits = Limits(
        max_bytes=request.max_bytes,
        max_concurrent=request.max_concurrent,
        max_seconds=request.max_seconds,
        num_threads=2 * num_cores(),
    )
    signatures = signatures_of(prediction.saved_model_folder(request.model))
    return make_app(Service(served, request.name, signatures, limits), limits)


def serve(application: Application, listening: socket.socket) -> None:
    """Answers requests until SIGINT or SIGTERM, and finishes those under way."""
    config = uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=_STOP_SECONDS,
    )
    _Server(config).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that ends after a signal with exit code 0; uvicorn would raise the signal again."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {each: signal.signal(each, self.handle_exit) for each in _SIGNALS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _served(trained: Trained, request: ServeRequest) -> ServedGraph:
    served = ServedGraph(
        trained.graph,
        trained.features,
        trained.model,
        max_field=request.max_field,
        max_changes=request.max_changes,
    )
    with contextlib.suppress(RequestError):  # the first node may depend on too many
        served.nodes([served.first])  # compiles the function
    return served


def _listening(host: str, port: int) -> socket.socket:
    """Opens the port, so that an address that is not free is known before anything is loaded."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        # asyncio sends small packets at once only if a socket names its protocol. Otherwise the
        # body of an answer waits 40 ms for the client to confirm the header.
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except OSError:
            listening.close()
            raise
    except (OSError, UnicodeError) as error:
        raise RunError(
            f"The server cannot listen on {host}:{port} ({error}); choose another --port or --host."
        ) from None
    return listening


def _announce(listening: socket.socket, request: ServeRequest, served: ServedGraph) -> None:
    host, port = listening.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    print(f"{served.num_nodes:,} nodes; an answer depends on {served.hops} hops")
    if not ipaddress.ip_address(host).is_loopback:
        print(
            f"anybody who reaches {address} can read and change the graph: there is no "
            "authentication"
        )
    if request.journal is None:
        print("changes are kept in memory and are lost when the server ends; --journal keeps them")
    print(f"serving {request.name} at {address}; Ctrl-C stops it", flush=True)
