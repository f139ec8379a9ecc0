"""Text that is whole numbers as people and programs write them: `0`, `17`, never `017` or `+17`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

IntArray = NDArray[np.int64]


def whole_numbers(texts: Any) -> IntArray | None:
    """The numbers in an array of text; None unless all are plain digits without leading zeros.

    So two texts are equal if and only if their numbers are, and a number gives back its text.

    >>> whole_numbers(pa.array(["0", "17"])), whole_numbers(pa.array(["0", "017"]))
    (array([ 0, 17]), None)
    """
    if not only_digits(texts):
        return None
    try:
        numbers = pc.cast(texts, pa.int64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:  # an empty text, or more digits than an int64 has
        return None
    return None if _has_leading_zeros(texts) else numbers


def only_digits(texts: Any) -> bool:
    """Whether no text holds anything else than digits; gaps count as something else."""
    if texts.null_count:
        return False
    return _within(texts, "0", "9")


def only_marks(texts: Any) -> bool:
    """Whether all texts hold printable ASCII characters without spaces, at least one each."""
    if texts.null_count or not _within(texts, "!", "~"):
        return False
    return not len(texts) or pc.min(pc.binary_length(texts)).as_py() > 0


def _within(texts: Any, lowest: str, highest: str) -> bool:
    """Whether all characters are in a range of ASCII."""
    for part in texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts]:
        first, last = _span(part)
        if first == last:
            continue
        content = np.frombuffer(part.buffers()[2], np.uint8)[first:last]
        if content.min() < ord(lowest) or content.max() > ord(highest):
            return False
    return True


def as_text(numbers: np.ndarray) -> Any:
    """The texts of numbers."""
    return pc.cast(pa.array(numbers), pa.large_string())


def _has_leading_zeros(texts: Any) -> bool:
    """Whether a text of several digits starts with 0; no text is empty."""
    for part in texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts]:
        if len(part):
            offsets = _offsets(part)
            content = np.frombuffer(part.buffers()[2], np.uint8)
            zeros = np.flatnonzero(content[offsets[:-1]] == ord("0"))
            if (offsets[zeros + 1] - offsets[zeros] > 1).any():
                return True
    return False


def _offsets(part: Any) -> np.ndarray:
    kind = np.int64 if pa.types.is_large_string(part.type) else np.int32
    return np.frombuffer(part.buffers()[1], kind)[part.offset :][: len(part) + 1]


def _span(part: Any) -> tuple[int, int]:
    """Where the bytes of an array of text start and end in its buffer."""
    if not len(part):
        return 0, 0
    offsets = _offsets(part)
    return int(offsets[0]), int(offsets[-1])
