"""What a search for settings tries: a few candidates for graphs of any kind.

Counts decide how large the search is, never the clock, so the same seed gives the same choice.
`choose` makes the search.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mixhop_tf.architecture import HIDDEN_WIDTH, Architecture
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.neighbors import count_entries, feature_matrix
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.settings import Recipe, Settings

# What a step costs beside its products, in multiply-adds.
_STEP_OVERHEAD = 1_000_000
# Multiply-adds of all steps of all candidates at most: about a minute on two cores.
WORK = 40_000_000_000
# How many times as much a search takes if the network reads both directions: their products cost
# more, and more decides what they are good for.
_BOTH_WORK = 3
# Rounds at most, and predictions on validation nodes that are enough to compare by.
_MAX_ROUNDS, _ENOUGH = 5, 1000
# A penalty and a dropout for small graphs, whose many weights see few labels.
_STRONG_L2, _STRONG_DROPOUT = 5e-3, 0.8
# How many times as fast a network learns that adds up neighbours: sums differ far more than means.
_SUMS_RATE = 3


class Shape(NamedTuple):
    """What makes the architecture of a candidate.

    Attributes:
        notation: Notation of its widths.
        dropout: Dropout rate of all layers; None for the usual ones.
        direction: Direction of its adjacency; None for the one that was asked for.
        num_hidden: Number of hidden layers.
        jumping: Whether it has jumping connections.
        sums: Whether neighbours are added up, without `normalization`; unless another one than
            the usual was asked for.
    """

    notation: str
    dropout: float | None = None
    direction: str | None = None
    num_hidden: int = 1
    jumping: bool = False
    sums: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class Candidate:
    """Settings and an architecture that the search tries.

    Args:
        name: Name of the candidate.
        shape: What makes the architecture.
        architecture: The architecture to train.
        settings: The hyper-parameters.
    """

    name: str
    shape: Shape
    architecture: Architecture
    settings: Settings


class Score(NamedTuple):
    """How good a candidate is on validation nodes; greater is better.

    Attributes:
        metric: The metric that selects.
        negative_loss: The negative validation loss, which decides between equals.
        error: Standard error of the metric.
    """

    metric: float
    negative_loss: float
    error: float


class Trial(NamedTuple):
    """One run of one candidate: the candidate's name, the round, and its score."""

    name: str
    round: int
    score: Score


@dataclasses.dataclass(frozen=True, kw_only=True)
class Choice:
    """What the search chose.

    Attributes:
        candidate: The winner.
        scores: Mean score of each candidate, by its name.
        num_rounds: Number of runs of each candidate.
    """

    candidate: Candidate
    scores: Mapping[str, Score]
    num_rounds: int


def candidates(
    num_classes: int,
    settings: Settings | None = None,
    architecture_of: Callable[[Shape], Architecture] | None = None,
    adjacency: AdjacencySpec | None = None,
) -> list[Candidate]:
    """Lists what the search tries, in the order of preference.

    - `general`: powers 0, 1 and 2 evenly, a weak penalty.
    - `own`: the hidden layer reads the node's own features alone, the output mixes all powers; a
      strong penalty. It suits graphs whose neighbours differ.
    - `alone`: a network that never sees the graph, with the same penalty.
    - `dropout`: as `general`, with more dropout.
    - `penalty`: the architecture of `general` with the strong penalty.

    With the direction `both`, these come second. They have more dropout, since there are more
    weights to learn:

    - `deep`: two hidden layers and powers 0 and 1, with jumping connections. Two layers reach the
      products of the two adjacencies, which relate nodes that point to the same nodes.
    - `sums`: as `deep`, but neighbours are added up without normalization, so that it sees how
      many they are in each direction. It learns three times as fast.
    - `dropout`: that of the undirected graph. It suits graphs whose directions tell nothing.

    Args:
        num_classes: Number of classes `c`.
        settings: Hyper-parameters that all candidates share; they keep their own penalties.
        architecture_of: Makes the architecture of a shape.
        adjacency: How the adjacency is made from the edges, without `architecture_of`.
    """
    base = dataclasses.replace(settings or Settings(), patience_for="either")
    strong = dataclasses.replace(base, l2=_STRONG_L2)
    even = "0,1,2"
    own = f"0:{HIDDEN_WIDTH}:{num_classes},1:0:{num_classes},2:0:{num_classes}"
    made = architecture_of or functools.partial(
        _usual, num_classes=num_classes, adjacency=adjacency
    )
    simple = {
        "own": (Shape(own), strong),
        "alone": (Shape(f"0:{HIDDEN_WIDTH}:{num_classes}"), strong),
    }
    if made(Shape(even)).adjacency.direction == "both":
        deep = Shape("0,1", _STRONG_DROPOUT, num_hidden=2, jumping=True)
        fast = dataclasses.replace(base, learning_rate=_SUMS_RATE * base.learning_rate)
        others = {
            "deep": (deep, base),
            "sums": (deep._replace(sums=True), fast),
            "dropout": (Shape(even, _STRONG_DROPOUT, "undirected"), base),
            **simple,
        }
    else:
        others = {
            **simple,
            "dropout": (Shape(even, _STRONG_DROPOUT), base),
            "penalty": (Shape(even), strong),
        }
    shapes = {"general": (Shape(even), base), **others}
    return [
        Candidate(name=name, shape=shape, architecture=made(shape), settings=penalized)
        for name, (shape, penalized) in shapes.items()
    ]


def _usual(shape: Shape, num_classes: int, adjacency: AdjacencySpec | None) -> Architecture:
    recipe, adjacency = Recipe(), adjacency or AdjacencySpec()
    adjacency = adjacency.turned(shape.direction or adjacency.direction)
    rate = shape.dropout
    return Architecture.from_notation(
        shape.notation,
        num_classes=num_classes,
        hidden_dims=[HIDDEN_WIDTH] * shape.num_hidden,
        input_dropout=recipe.input_dropout if rate is None else rate,
        hidden_dropout=recipe.hidden_dropout if rate is None else rate,
        adjacency=adjacency.summing() if shape.sums else adjacency,
        jumping=shape.jumping,
    )


def plan(graph: Graph, tried: Sequence[Candidate], work: int = WORK) -> tuple[list[Candidate], int]:
    """Decides which candidates a search can afford, and how many rounds.

    The first candidate always takes part. Few validation nodes tell candidates apart by chance
    alone, so a small graph gets several rounds, each with a split of its own. If the first
    candidate reads both directions, the search may be three times as large.

    Args:
        graph: The graph.
        tried: The candidates, in the order of preference.
        work: Multiply-adds at most.
    """
    first, *others = _distinct(tried)
    if first.architecture.adjacency.direction == "both":
        work *= _BOTH_WORK
    chosen, total = [first], _work(first, graph)
    for candidate in others:
        more = _work(candidate, graph)
        if total + more <= work:
            chosen.append(candidate)
            total += more
    if len(chosen) == 1:
        return chosen, 1
    affordable = max(1, work // total)
    return chosen, min(_MAX_ROUNDS, math.ceil(_ENOUGH / len(graph.val)), affordable)


def _distinct(tried: Sequence[Candidate]) -> list[Candidate]:
    """Leaves out candidates that equal an earlier one except for their name."""
    distinct: dict[tuple[str, Settings], Candidate] = {}
    for each in tried:
        distinct.setdefault((each.architecture.to_json(), each.settings), each)
    return list(distinct.values())


def _work(candidate: Candidate, graph: Graph) -> int:
    """Bounds the multiply-adds of all steps of a run from above."""
    features = feature_matrix(graph)
    forward = candidate.architecture.num_multiply_adds(
        graph.num_features,
        graph.num_classes,
        num_nodes=graph.num_nodes,
        adjacency_non_zeros=count_entries(graph),
        feature_non_zeros=features.size if isinstance(features, np.ndarray) else features.nnz,
    )
    return candidate.settings.max_steps * (_STEP_OVERHEAD + forward)
