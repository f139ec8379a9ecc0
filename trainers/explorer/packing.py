"""Packs what a page holds into text that no browser reads as HTML."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import numpy as np

# Little-endian kinds of numbers that a browser has arrays for; assets/data.js names the same.
KINDS = ("u1", "i2", "u2", "i4", "u4", "f4")


def array(values: Any, kind: str) -> dict[str, str]:
    """Encodes numbers, row after row, as the bytes of a typed array.

    >>> array([1, 2], "u2")
    {'kind': 'u2', 'data': 'AQACAA=='}

    Args:
        values: Numbers that fit the kind.
        kind: One of `KINDS`.
    """
    if kind not in KINDS:
        raise ValueError(f"`kind` must be one of {KINDS}. Received: kind={kind!r}")
    content = np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()
    return {"kind": kind, "data": base64.b64encode(content).decode()}


def packed(content: Any) -> str:
    """Compresses plain containers to Base64: the same content gives the same text."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=6, mtime=0)).decode()


def unpacked(text: str) -> Any:
    """Restores what `packed` compressed; the arrays stay encoded."""
    return json.loads(gzip.decompress(base64.b64decode(text)))
