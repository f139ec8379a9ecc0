"""Node ids in files: none at all if they count from 0, else numbers, else UTF-8 text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from datasets.checks import MAX_NAME
from datasets.errors import DataError, few
from datasets.store.arrays import blocks, damaged, write_array
from datasets.store.manifest import COUNT, NO_IDS, NUMBERS, TEXTS, Manifest
from datasets.tables.whole_numbers import as_text, whole_numbers

_NUMBERS, _OFFSETS, _BYTES = "ids.npy", "ids_offsets.npy", "ids_utf8.npy"
_AT_ONCE = 2**20


def write_ids(folder: Path, ids: Any) -> tuple[str, list[str]]:
    """Writes the ids into a store.

    Args:
        folder: The folder of the store.
        ids: None, an int64 array of numbers, or an Arrow array of text.

    Returns:
        The kind of the ids, and the files that were written.
    """
    if ids is None:
        return NO_IDS, []
    if not isinstance(ids, np.ndarray):
        numbers = whole_numbers(ids)
        if numbers is None:
            return TEXTS, _write_texts(folder, ids)
        ids = numbers
    if all((ids[start:stop] == np.arange(start, stop)).all() for start, stop in blocks(len(ids))):
        return COUNT, []
    write_array(folder / _NUMBERS, ids.astype("<i8", copy=False))
    return NUMBERS, [_NUMBERS]


def _write_texts(folder: Path, ids: Any) -> list[str]:
    texts = pc.cast(ids, pa.large_string())
    offsets = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset :][: len(texts) + 1]
    content = texts.buffers()[2]
    data = np.frombuffer(content, np.uint8) if content is not None else np.empty(0, np.uint8)
    write_array(folder / _OFFSETS, (offsets - offsets[0]).astype("<i8"))
    write_array(folder / _BYTES, data[offsets[0] : offsets[-1]])
    return [_OFFSETS, _BYTES]


def read_ids(folder: Path, manifest: Manifest) -> NDArray[np.str_] | None:
    """Makes the array of ids, `<U`, `[n]`.

    Raises:
        DataError: The files are damaged.
    """
    if manifest.node_ids == NO_IDS:
        return None
    parts = list(_parts(folder, manifest))
    texts = pa.chunked_array(parts, pa.large_string())
    width = pc.max(pc.utf8_length(texts)).as_py()
    found = np.empty(manifest.num_nodes, f"<U{max(1, width)}")
    start = 0
    for part in parts:
        found[start : start + len(part)] = part.to_numpy(zero_copy_only=False)
        start += len(part)
    found.flags.writeable = False
    return found


def check_ids(folder: Path, manifest: Manifest) -> None:
    """Refuses ids that are not distinct names."""
    ids = read_ids(folder, manifest)
    if ids is None or manifest.node_ids == COUNT:
        return
    texts = ids.tolist()
    odd = [each for each in texts if not each or each != each.strip() or not each.isprintable()]
    if odd or len(set(texts)) != len(texts) or max(map(len, texts)) > MAX_NAME:
        raise DataError(
            f"{folder}: the node ids are not distinct names {few(odd)}; convert the graph again."
        )


def _parts(folder: Path, manifest: Manifest) -> Iterator[Any]:
    """Arrow arrays of text."""
    num_nodes = manifest.num_nodes
    if manifest.node_ids == COUNT:
        for start, stop in blocks(num_nodes, _AT_ONCE):
            yield as_text(np.arange(start, stop))
        return
    if manifest.node_ids == NUMBERS:
        numbers = manifest.array(folder, _NUMBERS)
        if numbers.shape != (num_nodes,) or numbers.dtype != np.int64:
            raise damaged(folder / _NUMBERS, "does not fit the manifest")
        for start, stop in blocks(num_nodes, _AT_ONCE):
            yield as_text(numbers[start:stop])
        return
    offsets, data = manifest.array(folder, _OFFSETS), manifest.array(folder, _BYTES)
    rising = offsets.shape == (num_nodes + 1,) and offsets.dtype == np.int64
    rising = rising and offsets[0] == 0 and offsets[-1] == data.size
    rising = rising and bool((np.diff(offsets) >= 0).all()) and data.dtype == np.uint8
    if not rising:
        raise damaged(folder / _OFFSETS, "does not divide the text into ids")
    for start, stop in blocks(num_nodes, _AT_ONCE):
        first, last = int(offsets[start]), int(offsets[stop])
        own = np.ascontiguousarray(offsets[start : stop + 1] - first)
        buffers = [None, pa.py_buffer(own), pa.py_buffer(np.ascontiguousarray(data[first:last]))]
        part = pa.Array.from_buffers(pa.large_string(), stop - start, buffers)
        try:
            part.validate(full=True)
        except pa.ArrowInvalid:
            raise damaged(folder / _BYTES, "is not UTF-8 text") from None
        yield part
