"""The flags that name the columns and files of the user's own tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from absl import flags

from datasets.structural import SPECTRAL, STAND_INS
from trainers.cli import flag_help

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()

_FILES = ("nodes", "edges")
_NAMES = ("label", "id", "source", "target", *_FILES, "ignore", "features", "stand_ins", "weight")


def define() -> None:
    """Defines the flags."""
    with flag_help.group("Your own tables"):
        flags.DEFINE_string(
            "label", "", "Column, or attribute of a node, with the class; by default label."
        )
        flags.DEFINE_string(
            "id", "", "Column, or attribute of a node, with the node's id; by default node or id."
        )
        flags.DEFINE_string(
            "source", "", "Column with one end of an edge; by default source, from or src."
        )
        flags.DEFINE_string(
            "target", "", "Column with the other end of an edge; by default target, to or dst."
        )
        flags.DEFINE_string(
            "nodes",
            "",
            "File with a row for each node, in the folder of the graph or in the current one; by "
            "default the table with the columns of --id and --label.",
        )
        flags.DEFINE_string(
            "edges",
            "",
            "Files of edges, separated by commas; their edges are united. By default the tables "
            "with the columns of --source and --target.",
        )
        flags.DEFINE_string(
            "weight",
            "",
            "Column, or attribute of an edge, with the edge's weight; by default weight, if there "
            "is one. none: ignore weights.",
        )
        flags.DEFINE_string(
            "ignore", "", "Columns that are not features, separated by commas, such as dates."
        )
        flags.DEFINE_string(
            "features", "", "The only columns that are features, separated by commas."
        )
        flags.DEFINE_enum(
            "stand_ins",
            SPECTRAL,
            STAND_INS,
            "Features of a graph that has none. spectral: degrees and eigenvectors, which fit only "
            "the graph of the training; local: degrees and random walks near each node, for a "
            "graph that grows.",
        )


def given(dataset: str | None) -> dict[str, Any]:
    """The flags that were given, as fields of a `DataConfig`."""
    values = flags.FLAGS
    found = {name: values[name].value for name in _NAMES if values[name].present}
    for name in _FILES:
        if found.get(name):
            names = str(found[name]).split(",")
            files = [_in_folder(each.strip(), dataset) for each in names]
            found[name] = ",".join(files)
    return found


def _in_folder(name: str, dataset: str | None) -> str:
    """A file's path within the folder of the graph, if it is there, so that the folder can move."""
    folder = Path(dataset or ".").expanduser()
    folder = folder if folder.is_dir() else folder.parent
    path = Path(name).expanduser()
    if (folder / path).is_file() and not path.is_absolute():
        return name
    try:
        return str(path.resolve(strict=True).relative_to(folder.resolve()))
    except (OSError, ValueError):  # it is elsewhere
        return name
