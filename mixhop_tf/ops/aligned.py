"""Makes arrays that begin at a line of the cache."""

from __future__ import annotations

import math

import numpy as np

_LINE = 64  # bytes


def aligned(shape: tuple[int, ...]) -> np.ndarray:
    """Makes a float32 array that TensorFlow takes without a copy.

    Its content is not set. A row of 64 bytes or a half of it is never in two lines of the cache.
    """
    size = 4 * math.prod(shape)
    memory = np.empty(size + _LINE, np.uint8)
    first = -memory.ctypes.data % _LINE
    return memory[first : first + size].view(np.float32).reshape(shape)
