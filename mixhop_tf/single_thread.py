"""Computes small matrix products in one thread, because several would wait for each other."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from threadpoolctl import ThreadpoolController


@functools.cache
def _controller() -> Any:
    return ThreadpoolController()  # finds the loaded libraries, which takes milliseconds


@contextlib.contextmanager
def single_thread() -> Iterator[None]:
    """Lets BLAS use one thread inside of a `with` block, or while a decorated function runs.

    Threads of BLAS wait for each other actively. On a busy machine a product of a millisecond then
    takes hundreds of them.
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield
