"""Converts a graph to a store: in parts if it is in large tables, else through memory."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import Any

from datasets import catalog, splits
from datasets.atomic import make_folder, sync, sync_folder
from datasets.errors import DataError
from datasets.formats import table_folder
from datasets.memory import check_fits
from datasets.paths import user_path
from datasets.store.job import Job, check_disk
from datasets.store.manifest import ENDING
from datasets.store.parts import Unstreamable
from datasets.store.stream import Stream
from datasets.store.writer import fill
from datasets.tables import files

log = logging.getLogger(__name__)

PARTIAL = ".partial"
_ROOM = 2  # bytes on the disk for a byte of text, while a store is made
_PACKED_ROOM = 8  # the same for Parquet and other compressed files
_WHOLE = 4  # bytes of memory for a byte of a file that is read as a whole
_SPLITTING = ("split", "per_class", "num_val", "num_test", "seed")


def convert(
    name: str | Path,
    out: str | Path,
    data_dir: str | Path | None = None,
    **options: Any,
) -> Path:
    """Writes a graph to a store, from which it is loaded without reading all of it.

    Tables (CSV, Parquet, lists of edges) are read in parts and sorted on the disk, if a table lists
    all nodes with their features. Then memory grows with the number of nodes, not of edges. Other
    graphs are loaded first. If the process is killed, the same call continues: what is done is in
    the folder `<out>.partial`. If the input has changed, it starts anew.

    Args:
        name: The graph, as for `datasets.load`.
        out: The folder to write, which ends in `.store`.
        data_dir: A folder with the files of a named graph.
        **options: Options of `datasets.load`. A split is stored only if the graph has one, or if
            `split` asks for one.

    Returns:
        The path of the store.

    Raises:
        DataError: The input is invalid, the output exists, or memory or disk space do not suffice.
    """
    target = user_path(out)
    if target.suffix != ENDING:
        raise DataError(f"A store ends in {ENDING}, but the output is {target}; rename it.")
    if target.exists():
        raise DataError(f"{target} exists; remove it, or choose another output.")
    partial = target.with_name(f"{target.name}{PARTIAL}")
    try:
        make_folder(target.parent)
        inputs = _inputs(name, options)
        packed = [path for path in inputs if path.suffix.lower() not in files.TEXT_ENDINGS]
        sizes = {path: path.stat().st_size for path in inputs}
        room = sum(
            (_PACKED_ROOM if path in packed else _ROOM) * size for path, size in sizes.items()
        )
        check_disk(target, room)
        store = _streamed(name, partial, inputs, options)
        if store is None:
            check_fits(f"{name}, read as a whole,", _WHOLE * sum(sizes.values()))
            store = _whole(name, partial, inputs, data_dir, options)
        sync(store)
        store.replace(target)
        sync_folder(target.parent)
        shutil.rmtree(partial)
    except OSError as error:
        raise DataError(
            f"{error.filename or target} cannot be read or written ({error.strerror}); check the "
            "path and the free space."
        ) from None
    return target


def _inputs(name: str | Path, options: dict[str, Any]) -> list[Path]:
    """The files of the user's own graph."""
    path = user_path(name)
    if catalog.num_classes_of(str(name)) is not None or not path.exists():
        return []
    if path.is_dir():
        extra = [options.get("nodes"), *catalog.texts(options.get("edges", ()))]
        named = [path / str(each) for each in extra if each]
        found = sorted({*path.iterdir(), *named})
        return [each for each in found if each.is_file()]
    return [path]


def _streamed(
    name: str | Path, partial: Path, inputs: list[Path], options: dict[str, Any]
) -> Path | None:
    """Converts tables in parts; None if the graph must be loaded first."""
    path = user_path(name)
    is_tables = path.is_dir() and any(map(files.is_table, inputs))
    is_tables = is_tables or (path.is_file() and files.is_table(path))
    if not inputs or not is_tables or any(path.glob("ind.*.graph")):
        return None
    wanted = {key: value for key, value in options.items() if key not in _SPLITTING}
    wanted.pop("raw_features", None)
    table_options, wishes = catalog.table_wishes(**wanted)
    folder = path if path.is_dir() else path.parent
    found = table_folder.found_files(path, folder, table_options)
    job = Job(partial, [*found.all()], sorted(options.items(), key=str))
    try:
        stream = Stream(path, found, table_options, wishes, job)
        return stream.run(_splitter(options))
    except Unstreamable as reason:
        log.info("%s is read as a whole, since %s", path, reason)
        return None


def _splitter(options: dict[str, Any]) -> Any:
    """Returns a function that splits a graph as the options ask for."""
    given = {key: options[key] for key in _SPLITTING if key in options}
    split = given.pop("split", "given")
    if split not in catalog.SPLITTERS:
        raise DataError(f"Unknown split {split!r}; choose one of {', '.join(catalog.SPLITTERS)}.")
    if split == "given":
        return lambda graph: graph
    sizes = {"per_class": splits.PER_CLASS, "num_val": splits.NUM_VAL, "num_test": splits.NUM_TEST}
    return lambda graph: catalog.split_as(graph, split, **(sizes | given))


def _whole(
    name: str | Path,
    partial: Path,
    inputs: list[Path],
    data_dir: str | Path | None,
    options: dict[str, Any],
) -> Path:
    graph = catalog.load(name, data_dir, make_split=False, **options)
    job = Job(partial, inputs, None)
    job.restart()
    store = partial / "store"
    store.mkdir()
    fill(store, graph)
    return store
