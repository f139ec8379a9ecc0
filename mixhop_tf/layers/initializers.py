"""Initializers for several kernels of one layer."""

from __future__ import annotations

from typing import Any

from keras import initializers


def seeded_copy(initializer: Any, i: int) -> Any:
    """A copy of an initializer that draws other numbers for each kernel `i`.

    Called twice, an initializer draws the same numbers again. What is no random Keras initializer
    with a seed is returned as it is.
    """
    if not isinstance(initializer, initializers.Initializer):
        return initializer
    config = initializer.get_config()
    seed = config.get("seed", initializer)
    if not (seed is None or isinstance(seed, int)):
        return initializer  # not random, or with a generator of its own
    return type(initializer).from_config(config if seed is None else config | {"seed": seed + i})
