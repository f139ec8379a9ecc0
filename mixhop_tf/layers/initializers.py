"""Initializers for several kernels of one layer."""

from __future__ import annotations

from typing import Any

from keras import initializers


def seeded_copy(initializer: Any, i: int) -> Any:
    """Copies an initializer so that each kernel `i` gets different random numbers.

    An initializer that is called twice draws the same numbers again. Initializers without an
    integer seed are returned unchanged.
    """
    if not isinstance(initializer, initializers.Initializer):
        return initializer
    config = initializer.get_config()
    seed = config.get("seed", initializer)
    if not (seed is None or isinstance(seed, int)):
        return initializer  # it is not random, or it has its own generator
    return type(initializer).from_config(config if seed is None else config | {"seed": seed + i})
