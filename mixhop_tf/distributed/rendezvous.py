"""Waits until all workers have started, and names those that have not.

TensorFlow itself would wait without a word. So the workers meet before it starts: each reports to
the chief's address, and the chief answers when all have come. Then TensorFlow takes over the port.
"""

from __future__ import annotations

import contextlib
import json
import socket
import time

from mixhop_tf.distributed.place import Place
from mixhop_tf.errors import WorkerError

_GREETING = b"mixhop "
_PAUSE = 0.1
_MOST_BYTES = 65_536
# What every gRPC server answers: the begin of a connection by HTTP/2, and empty settings.
_HTTP2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def meet(place: Place, note: str, seconds: float) -> None:
    """Returns when all workers have called this function.

    Args:
        place: The workers.
        note: What must be the same for all of them, such as versions.
        seconds: Longest time to wait.

    Raises:
        WorkerError: Workers are missing, or their notes differ.
    """
    if place.size == 1:
        return
    deadline = time.monotonic() + seconds
    fault = _host(place, note, deadline) if place.rank == 0 else _visit(place, note, deadline)
    if fault:
        raise WorkerError(fault)


def silent_workers(place: Place, seconds: float = 5.0) -> list[int]:
    """Lists the other workers whose TensorFlow does not answer: they are dead or frozen."""
    return [
        rank
        for rank, address in enumerate(place.addresses)
        if rank != place.rank and not _answers(address, seconds)
    ]


def _host(place: Place, note: str, deadline: float) -> str:
    """Waits for all others; tells them the outcome and returns it: a fault, or nothing."""
    host, _, port = place.addresses[0].rpartition(":")
    visitors: dict[int, socket.socket] = {}
    fault = ""
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(socket.create_server(("", int(port))))
        except OSError as error:
            return f"The chief cannot listen at {host}:{port}: {error.strerror}."
        while len(visitors) < place.size - 1 and not fault:
            server.settimeout(max(deadline - time.monotonic(), 0.01))
            try:
                visitor, _ = server.accept()
            except TimeoutError:
                fault = _missing(place, set(range(1, place.size)) - set(visitors))
                break
            stack.enter_context(visitor)
            rank, theirs = _heard(visitor)
            if rank is None or not 0 < rank < place.size:
                continue  # something else knocked
            visitors[rank] = visitor
            if theirs != note:
                fault = f"{place.name(rank)} differs from the chief: {theirs} instead of {note}."
        for visitor in visitors.values():
            with contextlib.suppress(OSError):
                visitor.sendall(json.dumps({"fault": fault}).encode() + b"\n")
    return fault


def _visit(place: Place, note: str, deadline: float) -> str:
    """Reports to the chief; returns its answer: a fault, or nothing."""
    host, _, port = place.addresses[0].rpartition(":")
    message = _GREETING + json.dumps({"rank": place.rank, "note": note}).encode() + b"\n"
    while time.monotonic() < deadline:
        try:
            with socket.create_connection((host, int(port)), timeout=5.0) as chief:
                chief.sendall(message)
                chief.settimeout(max(deadline + 5.0 - time.monotonic(), 1.0))
                answer = _line(chief)
            if answer:
                return str(json.loads(answer)["fault"])
        except (OSError, ValueError, LookupError):
            pass
        time.sleep(_PAUSE)
    return (
        f"{_capital(place.name(0))}, the chief, did not answer in time; is it running, and can "
        "this machine reach it?"
    )


def _heard(visitor: socket.socket) -> tuple[int | None, str]:
    """Reads who reports; None if it is not a worker."""
    visitor.settimeout(5.0)
    try:
        line = _line(visitor)
        if not line.startswith(_GREETING):
            return None, ""
        content = json.loads(line[len(_GREETING) :])
        return int(content["rank"]), str(content["note"])
    except (OSError, ValueError, TypeError, LookupError):
        return None, ""


def _line(connection: socket.socket) -> bytes:
    content = b""
    while not content.endswith(b"\n") and len(content) < _MOST_BYTES:
        piece = connection.recv(4096)
        if not piece:
            break
        content += piece
    return content


def _answers(address: str, seconds: float) -> bool:
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=seconds) as connection:
            connection.sendall(_HTTP2)
            return bool(connection.recv(1))
    except OSError:
        return False


def _missing(place: Place, ranks: set[int]) -> str:
    names = " and ".join(place.name(rank) for rank in sorted(ranks))
    return f"{_capital(names)} did not start in time; start all {place.size} workers."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
