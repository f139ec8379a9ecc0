"""Limits the size, the number and the time of requests, before the application sees them."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from trainers.serving.errors import BUSY, TOO_LARGE
from trainers.serving.metrics import Metrics

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

_TIMEOUT = 408
_ALWAYS = ("/healthz", "/readyz", "/metrics")  # answered however busy the server is


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limits:
    """What one request may take, and how many there may be at once.

    Args:
        max_bytes: Largest body of a request.
        max_concurrent: Largest number of requests under way; further ones get an error.
        max_seconds: Longest time until an answer.
        num_threads: Number of requests that are computed at the same time.
    """

    max_bytes: int
    max_concurrent: int
    max_seconds: float
    num_threads: int


class Limited:
    """Wraps an application; counts and times its answers.

    Args:
        application: The application.
        limits: The limits.
        metrics: Gets a count and the time of each answer.
    """

    def __init__(self, application: Application, limits: Limits, metrics: Metrics) -> None:
        self._application, self._limits, self._metrics = application, limits, metrics
        self._under_way = 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        answer = _Answer(send)
        start = time.perf_counter()
        free = scope["path"] in _ALWAYS
        self._under_way += not free
        try:
            if not free and self._under_way > self._limits.max_concurrent:
                message = (
                    f"The server is busy with {self._limits.max_concurrent:,} requests; try again."
                )
                await answer.refuse(BUSY, message)
                return
            await self._within_time(scope, receive, answer)
        finally:
            self._under_way -= not free
            route = getattr(scope.get("route"), "path", "unknown")
            seconds = time.perf_counter() - start
            self._metrics.answered(scope["method"], route, answer.status, seconds)

    async def _within_time(self, scope: Message, receive: Receive, answer: _Answer) -> None:
        seconds = self._limits.max_seconds
        status, message = _TIMEOUT, f"The request did not arrive within {seconds:g} seconds."
        try:
            async with asyncio.timeout(seconds):
                body = await self._body(scope, receive)
                if body is None:
                    message = f"The body is larger than {self._limits.max_bytes:,} bytes."
                    await answer.refuse(TOO_LARGE, message)
                    return
                status = BUSY
                message = f"The answer took longer than {seconds:g} seconds; try again later."
                await self._application(scope, _replayed(body, receive), answer.send)
        except TimeoutError:
            await answer.refuse(status, message)

    async def _body(self, scope: Message, receive: Receive) -> bytes | None:
        """Reads the body; None if it is too large."""
        most = self._limits.max_bytes
        for name, value in scope["headers"]:
            if name == b"content-length" and value.isdigit() and int(value[:20]) > most:
                return None
        parts, size = [], 0
        while True:
            message = await receive()
            part = message.get("body", b"")
            parts.append(part)
            size += len(part)
            if size > most:
                return None
            if not message.get("more_body", False):  # the end, or the client has gone
                return b"".join(parts)


class _Answer:
    """Sends an answer, and remembers its status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0  # nothing was sent

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)

    async def refuse(self, status: int, message: str) -> None:
        """Sends an error, unless an answer has begun."""
        if self.status:
            return
        body = json.dumps({"error": message}).encode()
        headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
        headers += [(b"retry-after", b"1")] * (status == BUSY)
        headers.append((b"content-length", str(len(body)).encode()))
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Hands out a body that was read, and then whatever follows."""
    waiting = [body]

    async def replay() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return replay
