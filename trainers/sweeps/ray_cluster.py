"""Connects to a Ray cluster, or starts Ray on this machine."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import re
import secrets
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trainers.sweeps.errors import RunError

# How often Ray repeats a task whose worker or node died.
NUM_RETRIES = 3

# Environment variables with these beginnings reach the workers.
_PASSED_ON = ("MIXHOP_", "TF_")
_TOKENS = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
_LOCAL = "local"
_STARTS = 3  # of a Ray on this machine

# How long the head node may be silent.
_SECONDS_WITHOUT_HEAD = 15.0
# How long a cluster may be without any processor.
_SECONDS_WITHOUT_NODES = 60.0


def installed() -> None:
    """Raises a `RunError` if Ray is not installed."""
    if importlib.util.find_spec("ray") is None:
        raise RunError(
            "--engine ray needs the package ray; install it with "
            f"`{Path(sys.executable).name} -m pip install -r requirements-cluster.lock`."
        )


def connect(address: str | None = None) -> Any:
    """Connects this process to Ray and returns the module `ray`; the connection ends with it.

    Args:
        address: `HOST:PORT` of a running cluster, or `auto`. By default that of the environment
            variable `RAY_ADDRESS`; without it, Ray starts on this machine alone, listens on the
            loopback interface, and ends with this process.

    Raises:
        RunError: There is no such cluster, or it refuses the token.
    """
    installed()
    return _connected(address or os.environ.get("RAY_ADDRESS") or _LOCAL)


def disconnect() -> None:
    """Ends the connection, and the Ray that serves this process alone."""
    if _connected.cache_info().currsize:
        import ray

        ray.shutdown()
        _connected.cache_clear()


@functools.cache
def _connected(address: str) -> Any:
    # Read when Ray is imported. By default Ray repeats a task for ever if memory is short.
    os.environ.setdefault("RAY_task_oom_retries", str(NUM_RETRIES))
    if address == _LOCAL:
        _keep_to_this_machine()
    import ray

    options: dict[str, Any] = {
        "address": address,
        "include_dashboard": False if address == _LOCAL else None,
        "log_to_driver": False,
        "logging_level": "ERROR",
        "runtime_env": {"env_vars": _environment()},
    }
    # Ray gives other parts half a minute, which a busy machine may exceed.
    attempts = _STARTS if address == _LOCAL else 1
    for attempt in range(1, attempts + 1):
        try:
            with _watched(address):
                ray.init(**options)
            break
        except Exception as error:  # Ray raises errors of many kinds here
            if attempt < attempts:
                ray.shutdown()
                continue
            raise RunError(_refusal(address, error)) from None
    return ray


def _refusal(address: str, error: Exception) -> str:
    if address == _LOCAL:
        return f"Ray does not start on this machine ({_reason(error)}); is it too busy?"
    return (
        f"Ray cannot connect to {address} ({_reason(error)}); start it there with `ray start`, "
        "and use the same token on every machine."
    )


class Head:
    """Watches the head node, without which Ray waits for minutes, and says little.

    Args:
        address: `HOST:PORT`.
    """

    def __init__(self, address: str) -> None:
        self._address, self._seen = address, time.monotonic()

    def check(self) -> None:
        """Raises a `RunError` if the head node has not answered for a while."""
        host, _, port = self._address.rpartition(":")
        with contextlib.suppress(OSError), socket.create_connection((host, int(port)), 1.0):
            self._seen = time.monotonic()
        if time.monotonic() - self._seen > _SECONDS_WITHOUT_HEAD:
            raise RunError(
                f"The head of the Ray cluster, {self._address}, no longer answers; start it again, "
                "and then the same command: finished work is kept."
            )


class Capacity:
    """Counts the processors of a cluster, which may change while a command runs.

    Args:
        ray: The module `ray`, connected.
    """

    def __init__(self, ray: Any) -> None:
        self._ray, self._since = ray, time.monotonic()

    def now(self) -> int:
        """Number of processors, at least 1.

        Raises:
            RunError: There has been none for a while.
        """
        count = int(self._ray.cluster_resources().get("CPU", 0))
        if count:
            self._since = time.monotonic()
        elif time.monotonic() - self._since > _SECONDS_WITHOUT_NODES:
            raise RunError(
                "The Ray cluster has no processors; add a node with `ray start --address`, then "
                "start again: finished work is kept."
            )
        return max(1, count)


@contextlib.contextmanager
def _watched(address: str) -> Iterator[None]:
    """Ends this process if the head node is silent while Ray connects to it."""
    if not re.fullmatch(r".+:\d+", address):
        yield
        return
    connected, head = threading.Event(), Head(address)

    def watch() -> None:
        while not connected.wait(1.0):
            try:
                head.check()
            except RunError as error:
                # The other thread waits within Ray and cannot be interrupted.
                print(f"error: {error}", file=sys.stderr, flush=True)
                os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        connected.set()


def _keep_to_this_machine() -> None:
    """Prepares the environment of a Ray that serves this process alone."""
    # On Linux Ray listens on all interfaces; with this variable it does what it does elsewhere.
    os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # By default Ray waits for half a minute until its head has started.
    os.environ.setdefault("RAY_gcs_server_port_wait_time_s", "120")
    if not any(name in os.environ for name in _TOKENS):
        # Otherwise Ray writes a token, readable to all, into the home folder.
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_PASSED_ON)}


def _reason(error: Exception) -> str:
    with contextlib.suppress(StopIteration):
        return next(line.strip() for line in str(error).splitlines() if line.strip())[:200]
    return type(error).__name__
