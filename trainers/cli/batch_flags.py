"""The flag that trains on batches of a graph, and the choice of batches if memory is short."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from absl import flags

import datasets
from datasets.memory import free_memory
from mixhop_tf import Batches, SettingError, Settings
from mixhop_tf.ops.neighbors import count_entries
from mixhop_tf.training.batches.memory import whole_graph_bytes
from mixhop_tf.training.batches.partition import METIS_LIMIT, has_metis, resolved
from trainers.sweeps.config import AnyArchitecture

if TYPE_CHECKING:
    from mixhop_tf.distributed.group import Group

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()

AUTO, NONE = "auto", "none"
NAME = "batches"
_CHOSEN = Batches(kind="clusters")


def define(default: str | None = None) -> None:
    """Defines the flag. Without a default, a graph that does not fit into memory is an error."""
    flags.DEFINE_string(
        NAME,
        default,
        "Train on parts of the graph, where the whole graph does not fit into memory. Training is "
        "then sampled, which can cost accuracy. clusters: parts of a partition; walks: nodes that "
        "random walks visit; fields: a small neighbourhood of each training node. Options follow, "
        "as in clusters:size=20000,precompute=yes. auto: clusters if the whole graph does not fit; "
        "none: always the whole graph.",
    )


def given(
    settings: Settings,
    graph: datasets.Graph,
    architecture: AnyArchitecture,
    what: str = "training",
    group: Group | None = None,
) -> tuple[Settings, str | None]:
    """The settings with the batches of the flag, and a line that says what was chosen.

    Args:
        settings: The settings.
        graph: The graph.
        architecture: The architecture to train.
        what: What is trained, as the line names it.
        group: The workers that train together. They share the graph, so its size does not matter.

    Raises:
        SettingError: The training does not fit into memory, and the flag does not say what to do.
    """
    value = flags.FLAGS[NAME].value
    if value == NONE or (group and value in (None, AUTO)):
        return settings, None
    line = None
    if value in (None, AUTO):
        needed, free = whole_graph_bytes(graph, architecture), free_memory()
        if needed <= free:
            return settings, None
        sizes = f"takes about {needed / 1e9:,.0f} GB, and {free / 1e9:,.1f} GB are free"
        if value is None:
            rule = (
                f"must be given: {what} on the whole graph {sizes}; use --{NAME} {AUTO} to train "
                f"on parts of the graph, which is sampled, or --{NAME} {NONE} to try it as it is"
            )
            raise SettingError(NAME, rule)
        line = f"{what} on the whole graph {sizes}, so it is sampled: --{NAME} {_CHOSEN}"
    described = resolved(Batches.parse(_CHOSEN if value == AUTO else value), count_entries(graph))
    return dataclasses.replace(settings, batches=str(described)), line


def runs_at_once(
    settings: Settings, graph: datasets.Graph, architecture: AnyArchitecture, most: int
) -> tuple[int, str | None]:
    """Number of runs on the whole graph that fit into memory at once, and a line if it is less.

    Args:
        settings: The settings of a run.
        graph: The graph.
        architecture: The architecture to train.
        most: The number of runs at once that there would be.
    """
    if settings.batches is not None or most == 1:
        return most, None
    needed, free = whole_graph_bytes(graph, architecture), free_memory()
    count = max(1, min(most, int(free // needed)))
    if count == most:
        return most, None
    line = (
        f"a run takes about {needed / 1e9:,.1f} GB, and {free / 1e9:,.1f} GB are free, so there "
        f"are {count} at once, not {most}: --workers {count}"
    )
    return count, line


def note(settings: Settings, graph: datasets.Graph) -> str | None:
    """A line for the user about a training that is sampled; None if it is not."""
    if settings.batches is None:
        return None
    text = f"sampled: every update sees a part of the graph (--{NAME} {settings.batches})"
    is_small = count_entries(graph) <= METIS_LIMIT
    if "partition=grown" in settings.batches and is_small and not has_metis():
        text += "; the package pymetis would cut fewer edges"
    return text
