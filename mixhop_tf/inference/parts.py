"""Arrays in parts: several processes compute the rows of each, and share them through files."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mixhop_tf.folders import replacing_file
from mixhop_tf.inference.mixing import Workshop, row_blocks
from mixhop_tf.inference.rows import Rows
from mixhop_tf.ops.block_operator import BlockOperator

Block = tuple[int, int]


class PartDone(Exception):  # noqa: N818 - not an error: the other parts are needed first
    """Says that this process has written its part of an array, whose name is the argument."""


class PartedArray:
    """Rows `[n, k]` in several files, which are mapped."""

    def __init__(self, parts: Sequence[np.ndarray]) -> None:
        self._parts = parts
        self._ends = np.cumsum([0, *map(len, parts)]).tolist()
        self.shape = (self._ends[-1], *parts[0].shape[1:])

    def __getitem__(self, rows: slice) -> np.ndarray:
        start, stop, _ = rows.indices(self.shape[0])
        return np.concatenate(
            [
                part[max(0, start - first) : max(0, stop - first)]
                for part, first in zip(self._parts, self._ends, strict=False)
            ]
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self[:].astype(dtype or self._parts[0].dtype, copy=False)


@dataclasses.dataclass(frozen=True)
class Parts:
    """The files of arrays, part by part. It takes the place of a `Scratch`.

    Args:
        folder: Folder for the files, which all processes see.
        index: Number of this process's part, from 0 on.
        count: Number of parts.
        done: Names of the arrays that have all parts.
    """

    folder: Path
    index: int
    count: int
    done: frozenset[str]

    def path(self, name: str, index: int) -> Path:
        """The file of a part."""
        return self.folder / f"{name}{self._suffix(index)}"

    def _suffix(self, index: int) -> str:
        return f".{index}-of-{self.count}.npy"

    def complete(self) -> frozenset[str]:
        """Names of the arrays of which all parts are in the folder."""
        first = self._suffix(0)
        names = [path.name.removesuffix(first) for path in self.folder.glob(f"*{first}")]
        return frozenset(
            name for name in names if all(self.path(name, i).is_file() for i in range(self.count))
        )

    def share(self, blocks: Sequence[Block]) -> Sequence[Block]:
        """The blocks that belong to this process's part."""
        ends = [len(blocks) * (self.index + i) // self.count for i in (0, 1)]
        return blocks[slice(*ends)]

    def find(self, name: str, shape: tuple[int, ...] = (), dtype: type = np.float32) -> Any:  # noqa: ARG002
        """Returns an array that has all parts, or None."""
        if name not in self.done:
            return None
        parts = [np.load(self.path(name, i), mmap_mode="r") for i in range(self.count)]
        return PartedArray(parts)

    def keep(self, name: str, array: Any) -> Any:
        """Keeps this process's rows of an array that it has computed as a whole."""
        found = self.find(name)
        if found is not None:
            return found
        blocks = self.share(row_blocks(len(array)))
        rows = [np.asarray(array[start:stop]) for start, stop in blocks]
        raise self.written(name, rows, array.shape[1])

    def written(self, name: str, rows: Sequence[np.ndarray], width: int = 0) -> PartDone:
        """Writes this process's part, and returns what to raise."""
        part = np.concatenate(rows) if rows else np.zeros((0, width), np.float32)
        path = self.path(name, self.index)
        with replacing_file(path) as temporary, open(temporary, "wb") as file:
            np.save(file, part)
        return PartDone(name)


class PartShop(Workshop):
    """Computes one part of each array, and reads the parts of the others; see `Workshop`."""

    scratch: Parts

    def gathered(self, key: str, rows: Rows, n: int, columns: slice = slice(None)) -> Any:
        """The columns of all rows, if every process has computed its own."""
        found = self.scratch.find(key)
        if found is not None:
            return found
        start, stop, _ = columns.indices(rows.width)

        def of(ends: Block) -> np.ndarray:
            block = rows.block(*ends)[:, start:stop]
            return np.asarray(block.toarray() if hasattr(block, "toarray") else block, np.float32)

        made = list(self.pool.map(of, self.scratch.share(row_blocks(n))))
        raise self.scratch.written(key, made, stop - start)

    def product(self, key: str, operator: BlockOperator, z: Any, *, overwrite: bool = False) -> Any:  # noqa: ARG002
        """`Â Z`, if every process has computed its rows."""
        found = self.scratch.find(key)
        if found is not None:
            return found
        z = np.asarray(z)
        made = list(operator.product_blocks(z, self.scratch.share(operator.blocks)))
        raise self.scratch.written(key, made, z.shape[1])

    def of_blocks(
        self, key: str, function: Callable[[Block], np.ndarray], n: int
    ) -> Sequence[np.ndarray]:
        """The answers for all blocks, if every process has those of its own."""
        found = self.scratch.find(key)
        if found is None:
            made = list(self.pool.map(function, self.scratch.share(row_blocks(n))))
            # An empty part has the shape of an answer.
            shape = function((0, 1)).shape
            stacked = np.stack(made) if made else np.zeros((0, *shape))
            raise self.scratch.written(key, [stacked])
        return list(found[:])
