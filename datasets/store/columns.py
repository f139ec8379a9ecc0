"""Keeps the columns of a table of nodes in files, so that a `Table` can be mapped from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from datasets.recipes.cells import is_numeric, stored_numbers
from datasets.store.parts import Unstreamable, codes
from datasets.store.spool import Spool
from datasets.tables.table import TEXT, Table
from datasets.tables.whole_numbers import as_text, whole_numbers

NUMBER, TRUTH, WORD, ID, IGNORED = "number", "truth", "word", "id", "ignored"
_WORDS = 2**17  # distinct words of a column; more are hardly a category
_EXACT = 2**53  # whole numbers that a float64 holds exactly
_IDS, _LENGTHS, _BYTES = "ids", "id-lengths", "id-bytes"


class Columns:
    """Appends parts of a table to files, a file for each column.

    Args:
        spool: The files.
        names: Names of the columns.
        id: Name of the column with the ids.
        ignored: Columns that need not be kept.
        state: What `state` returned before; None to start anew.
    """

    def __init__(
        self,
        spool: Spool,
        names: list[str],
        id: str,  # noqa: A002 - the name of the option
        ignored: set[str],
        state: dict[str, Any] | None = None,
    ):
        self._spool, self._names, self._id = spool, names, id
        self._kinds = dict(state["kinds"]) if state else dict.fromkeys(ignored, IGNORED)
        words = state["words"] if state else {}
        self._words = {name: {word: i for i, word in enumerate(w)} for name, w in words.items()}
        self._texts = bool(state and state["texts"])
        self.num_rows = int(state["num_rows"]) if state else 0

    def state(self) -> dict[str, Any]:
        """What a later process needs to go on, besides the files."""
        words = {name: list(each) for name, each in self._words.items()}
        return {
            "kinds": self._kinds,
            "words": words,
            "texts": self._texts,
            "num_rows": self.num_rows,
        }

    def append(self, part: Table) -> None:
        """Appends the rows of a part.

        Raises:
            Unstreamable: A column cannot be kept in files.
        """
        for place, name in enumerate(self._names):
            column = part.columns[name]
            kind = self._kinds.setdefault(name, ID if name == self._id else _kind(name, column))
            if kind == ID:
                self._append_ids(part)
            elif kind == NUMBER:
                self._spool.append(f"column-{place}", _floats(name, column))
            elif kind == TRUTH:
                self._spool.append(f"column-{place}", _truths(column))
            elif kind == WORD:
                words = self._words.setdefault(name, {})
                texts = pc.fill_null(pc.cast(column, TEXT), "")
                self._spool.append(f"column-{place}", codes(texts, words))
                if len(words) > _WORDS:
                    raise Unstreamable(f"the column {name!r} has more than {_WORDS:,} words")
        self.num_rows += part.num_rows

    def _append_ids(self, part: Table) -> None:
        if pa.types.is_floating(part.columns[self._id].type):
            raise Unstreamable("the ids of nodes are floating-point numbers")
        texts = part.texts(self._id)
        numbers = None if self._texts else whole_numbers(texts)
        if numbers is not None:
            self._spool.append(_IDS, numbers)
            return
        if not self._texts:
            self._texts = True
            self._spool.mark()
            if self._spool.size(_IDS):
                earlier = np.fromfile(self._spool.folder / _IDS, np.int64)
                self._append_texts(as_text(earlier))
        self._append_texts(texts)

    def _append_texts(self, texts: Any) -> None:
        offsets = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset :][: len(texts) + 1]
        data = texts.buffers()[2]
        content = b"" if data is None else data[int(offsets[0]) : int(offsets[-1])].to_pybytes()
        self._spool.append(_LENGTHS, np.diff(offsets))
        self._spool.append(_BYTES, content)

    def table(self, like: Table) -> Table:
        """The whole table, mapped from the files.

        Args:
            like: A part, from which it has its name and its lines.
        """
        folder = self._spool.folder
        columns = {}
        for place, name in enumerate(self._names):
            path, kind = folder / f"column-{place}", self._kinds[name]
            if kind == ID:
                columns[name] = self._ids()
            elif kind == NUMBER:
                columns[name] = _mapped(path, pa.float64(), self.num_rows)
            elif kind == TRUTH:
                values = np.fromfile(path, np.uint8)
                columns[name] = pa.array(values == 1, mask=values == 2)
            elif kind == WORD:
                places = _mapped(path, pa.int32(), self.num_rows)
                words = pa.array(list(self._words[name]), TEXT)
                columns[name] = pa.DictionaryArray.from_arrays(places, words)
            else:
                columns[name] = pa.nulls(self.num_rows)
        return Table(like.name, columns, self.num_rows, like.lines, like.header, like.decimal_comma)

    def _ids(self) -> Any:
        folder = self._spool.folder
        if not self._texts:
            return _mapped(folder / _IDS, pa.int64(), self.num_rows)
        lengths = np.fromfile(folder / _LENGTHS, np.int64)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        buffers = [None, pa.py_buffer(offsets), _buffer(folder / _BYTES)]
        return pa.Array.from_buffers(TEXT, self.num_rows, buffers)


def _kind(name: str, column: Any) -> str:
    kind = column.type
    if pa.types.is_boolean(kind):
        return TRUTH
    if is_numeric(column):
        return NUMBER
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return WORD
    raise Unstreamable(f"the column {name!r} holds {kind}")


def _floats(name: str, column: Any) -> np.ndarray:
    if pa.types.is_integer(column.type) and len(column) > column.null_count:
        ends = pc.min_max(column).as_py()
        if max(abs(ends["min"]), abs(ends["max"])) > _EXACT:
            raise Unstreamable(f"the column {name!r} has very large whole numbers")
    return stored_numbers(column).astype(np.float64, copy=False)


def _truths(column: Any) -> np.ndarray:
    return pc.fill_null(pc.cast(column, pa.uint8()), 2).to_numpy(zero_copy_only=False)


def _buffer(path: Path) -> Any:
    if not path.is_file() or not path.stat().st_size:
        return pa.py_buffer(b"")
    return pa.py_buffer(np.memmap(path, np.uint8, "r"))


def _mapped(path: Path, kind: Any, size: int) -> Any:
    return pa.Array.from_buffers(kind, size, [None, _buffer(path)])
