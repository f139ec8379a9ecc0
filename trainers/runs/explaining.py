"""Explanations of many nodes as a table; a killed command continues."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

import mixhop_tf
from datasets import atomic
from datasets.atomic import replacing
from datasets.store.progress import Progress
from mixhop_tf import SettingError
from mixhop_tf.explaining.names import RUNNER_UP
from trainers.runs.prediction import inert
from trainers.runs.trained import Trained
from trainers.sweeps.config import graph_digest

SUFFIXES = (".csv", ".parquet")
_PART = 200  # nodes of a part; a killed command loses one part at most
_TOP = 5
_FINGERPRINT = "fingerprint.txt"


def node_index(graph: Any, given: str) -> int:
    """Finds a node by its id, or by its index in a graph without ids."""
    return node_indices(graph, [given], "node")[0]


def node_indices(graph: Any, given: Sequence[str], flag: str) -> list[int]:
    """Finds nodes by their ids, or by their indices in a graph without ids."""
    if graph.node_ids is None:
        index = {str(i): i for i in range(graph.num_nodes)}
        rule = f"must be a node from 0 to {graph.num_nodes - 1}"
    else:
        index = {str(each): i for i, each in enumerate(graph.node_ids)}
        rule = f"must be an id of {graph.name}, such as {next(iter(index), '')}"
    for each in given:
        if each not in index:
            raise SettingError(flag, rule, each)
    return [index[each] for each in given]


def read_ids(path: Path) -> list[str]:
    """Reads the ids of a file, one in each line; empty lines are skipped."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        rule = f"must be a text file with an id in each line ({error})"
        raise SettingError("ids", rule) from None
    ids = [line.strip() for line in lines if line.strip()]
    if not ids:
        raise SettingError("ids", "must be a file with an id in each line", str(path))
    return ids


def classes(
    explainer: mixhop_tf.Explainer, why: str | None, why_not: str | None
) -> tuple[int | None, int | str | None]:
    """Finds the class to explain and the class to subtract, by their names."""
    target = None if why is None else explainer.names.class_index("why", why)
    if why_not is None or why_not == RUNNER_UP:
        return target, why_not
    contrast = explainer.names.class_index("why_not", why_not)
    if contrast == target:
        raise SettingError("why_not", "must be another class than --why", why_not)
    return target, contrast


def check_table(path: Path) -> None:
    """Raises a `SettingError` unless the file's name ends in a known way."""
    if path.suffix not in SUFFIXES or path.is_dir():
        raise SettingError("out", f"must be a file that ends in {' or '.join(SUFFIXES)}", str(path))


class TableOfExplanations:
    """Explains nodes one after the other, and keeps finished parts beside the output.

    Args:
        explainer: Explains the nodes.
        found: The model and the graph.
        nodes: Indices of the nodes.
        out: The file to write, `.csv` or `.parquet`.
        target: The class to explain; None for the answer of each node.
        contrast: The class to subtract, or `runner_up`, or None.
    """

    def __init__(
        self,
        explainer: mixhop_tf.Explainer,
        found: Trained,
        nodes: Sequence[int] | np.ndarray,
        out: Path,
        target: int | None = None,
        contrast: int | str | None = None,
    ) -> None:
        self._explainer, self._found, self._nodes = explainer, found, np.asarray(nodes, np.int64)
        self._out, self._target, self._contrast = out, target, contrast
        self._folder = out.with_name(f".{out.name}.partial")

    def write(self) -> None:
        """Computes the missing parts and writes the table."""
        self._open()
        starts = range(0, len(self._nodes), _PART)
        done = sum(self._part(start).is_file() for start in starts)
        with Progress(
            "explaining", len(self._nodes), min(done * _PART, len(self._nodes)), unit="node"
        ) as progress:
            finished = min(done * _PART, len(self._nodes))
            for start in starts:
                if self._part(start).is_file():
                    continue
                rows = []
                for node in self._nodes[start : start + _PART].tolist():
                    rows.append(self._row(node))
                    finished += 1
                    progress.at(min(finished, len(self._nodes)))
                with replacing(self._part(start)) as temporary:
                    pq.write_table(self._table(rows), temporary)
        self._join([self._part(start) for start in starts])
        atomic.remove(self._folder)

    def _part(self, start: int) -> Path:
        return self._folder / f"part-{start:012}.parquet"

    def _open(self) -> None:
        """Makes the folder of the parts; parts of something else are removed."""
        note, fingerprint = self._folder / _FINGERPRINT, self._fingerprint()
        if note.is_file() and note.read_text(encoding="utf-8") == fingerprint:
            atomic.remove_leftovers(self._folder)
            return
        atomic.remove(self._folder)
        atomic.make_folder(self._folder)
        with replacing(note) as temporary:
            temporary.write_text(fingerprint, encoding="utf-8")

    def _fingerprint(self) -> str:
        """Names the graph, the model, the nodes and what is explained."""
        digest = hashlib.sha256(graph_digest(self._found.graph).encode())
        digest.update(repr((self._target, self._contrast, mixhop_tf.__version__)).encode())
        digest.update(self._nodes.tobytes())
        for variable in self._explainer.model.variables:
            digest.update(np.ascontiguousarray(variable).tobytes())
        return digest.hexdigest()

    def _row(self, node: int) -> dict[str, Any]:
        found = self._explainer.explain(node, self._target, self._contrast)
        content, names = found.to_dict(top=_TOP), found.class_names
        row: dict[str, Any] = {
            "node": found.node_id,
            "answer": names[found.answer],
            "target": names[found.target],
            "contrast": "" if found.contrast is None else names[found.contrast],
            "probability": content["probability"],
            "logit": found.logit,
            "constant": found.constant,
            "rest": found.rest,
        }
        by_distance = dict(enumerate(found.by_distance.tolist()))
        for distance in range(self._explainer.program.hops + 1):
            row[f"hops_{distance}"] = by_distance.get(distance, 0.0)
        for kind, listed, name in (
            ("node", content["by_node"], "id"),
            ("feature", content["by_feature"], "name"),
        ):
            for i, each in enumerate([*listed, *[None] * _TOP][:_TOP], start=1):
                row[f"{kind}_{i}"] = None if each is None else each[name]
                row[f"{kind}_{i}_contribution"] = None if each is None else each["contribution"]
        return row

    def _table(self, rows: list[dict[str, Any]]) -> pa.Table:
        texts = ("node", "answer", "target", "contrast")
        fields = []
        for name in rows[0]:
            is_text = name in texts or name.startswith(("node_", "feature_"))
            is_text = is_text and not name.endswith("_contribution")
            fields.append(pa.field(name, pa.string() if is_text else pa.float64()))
        return pa.Table.from_pylist(rows, schema=pa.schema(fields))

    def _join(self, parts: list[Path]) -> None:
        with replacing(self._out) as temporary:
            tables = (pq.read_table(part) for part in parts)
            if self._out.suffix == ".parquet":
                _write_parquet(temporary, tables)
            else:
                _write_csv(temporary, tables)


def _write_parquet(path: Path, tables: Iterator[pa.Table]) -> None:
    first = next(tables)
    with pq.ParquetWriter(path, first.schema) as writer:
        for table in itertools.chain([first], tables):
            writer.write_table(table)


def _write_csv(path: Path, tables: Iterator[pa.Table]) -> None:
    with open(path, "wb") as file:
        for i, table in enumerate(tables):
            options = csv.WriteOptions(include_header=i == 0, quoting_style="needed")
            csv.write_csv(_inert(table), file, options)


def _inert(table: pa.Table) -> pa.Table:
    """Makes texts harmless to spreadsheets, which take some of them for formulas."""
    for i, field in enumerate(table.schema):
        if field.type == pa.string():
            cells = [None if each is None else inert(each) for each in table[i].to_pylist()]
            table = table.set_column(i, field, pa.array(cells, pa.string()))
    return table
