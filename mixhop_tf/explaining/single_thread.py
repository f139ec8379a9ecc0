"""Computes small matrix products in one thread, because several would wait for each other."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

T = TypeVar("T")


@functools.cache
def _controller() -> Any:
    return ThreadpoolController()  # finds the loaded libraries, which takes milliseconds


def single_thread(function: Callable[..., T]) -> Callable[..., T]:
    """Lets BLAS use one thread while a function runs.

    Threads of BLAS wait for each other actively. On a busy machine a product of a millisecond then
    takes hundreds of them.
    """

    @functools.wraps(function)
    def limited(*args: Any, **kwargs: Any) -> T:
        with _controller().limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return limited
