"""Learns an architecture by stability selection and compares it with the default one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mixhop_tf.architecture import HIDDEN_WIDTH, Architecture
from mixhop_tf.pruning.comparison import DealScore, compare, smallest_within_error
from mixhop_tf.pruning.settings import LearnSettings, StabilitySettings
from mixhop_tf.pruning.stability import (
    PathPoint,
    PowerShare,
    power_shares,
    search_paths,
    stable_widths,
)
from mixhop_tf.training.graph import Graph

EVEN, HIDDEN, LEARNED = "even", "learned hidden", "learned"


@dataclasses.dataclass(frozen=True, kw_only=True)
class StableArchitecture:
    """The result of `learn_stable_architecture`.

    Attributes:
        chosen: The chosen candidate.
        candidates: The architectures that were compared.
        points: The networks of the searches.
        shares: What the searches say of each power in each layer, for each number of columns.
        scores: Validation scores of the candidates on deals of the labelled nodes, by `Named.text`.
    """

    chosen: Named
    candidates: Mapping[Named, Architecture]
    points: Sequence[PathPoint]
    shares: Mapping[int, Sequence[PowerShare]]
    scores: Sequence[DealScore]

    @property
    def architecture(self) -> Architecture:
        """The chosen architecture."""
        return self.candidates[self.chosen]

    def learned(self, columns: int) -> Architecture:
        """The architecture that the searches suggest, even if another was chosen."""
        name = Named(columns, LEARNED)
        return self.candidates.get(name, self.candidates[Named(columns, HIDDEN)])


class Named(NamedTuple):
    """A candidate.

    Attributes:
        columns: Number of columns of each hidden layer.
        kind: `even`, `learned hidden` or `learned`.
    """

    columns: int
    kind: str

    @property
    def text(self) -> str:
        """The name in tables and files, such as `60 even`."""
        return f"{self.columns} {self.kind}"


def learn_stable_architecture(
    graph: Graph,
    settings: LearnSettings | None = None,
    stability: StabilitySettings | None = None,
    *,
    sizes: Sequence[int] = (HIDDEN_WIDTH,),
    seed: int = 0,
    scaling: str = "auto",
    points: Sequence[PathPoint] = (),
    scores: Sequence[DealScore] = (),
    on_search: Callable[[list[PathPoint]], object] | None = None,
    on_score: Callable[[DealScore], object] | None = None,
) -> StableArchitecture:
    """Learns an architecture that other seeds and other validation nodes would give, too.

    Stability selection divides the columns of the hidden layers among the powers and decides which
    powers the output needs. Then the learned architectures and the default ones of the same widths
    are trained on deals of the labelled nodes. Of all that are within one standard error of the
    best, the smallest is chosen; of equally small ones, the default. Test nodes take no part.

    Args:
        graph: The graph, with training and validation nodes.
        settings: Settings of the wide networks and of the trainings that are compared.
        stability: Settings of the searches and of the comparison.
        sizes: Numbers of columns of the hidden layers that are compared.
        seed: Seed of deals and weights.
        scaling: Scaling of the features.
        points, scores: Results of searches and trainings that were made before.
        on_search, on_score: Called with each new result.

    Example:
    >>> from mixhop_tf import GraphData, LearnSettings, Recipe, Settings
    >>> graph = GraphData(
    ...     edges=[[0, 1], [1, 2], [2, 3]], labels=[0, 0, 1, 1], train=[0, 3], val=[1, 2]
    ... )
    >>> short = Recipe(settings=Settings(max_steps=3))
    >>> quick = StabilitySettings(searches=2, deals=2, width=9)
    >>> learned = learn_stable_architecture(graph, LearnSettings(retrain=short), quick, sizes=[6])
    >>> learned.architecture.layers[0].width
    6
    """
    settings, stability = settings or LearnSettings(), stability or StabilitySettings()
    found = search_paths(
        graph, settings, stability, seed=seed, scaling=scaling, done=points, on_search=on_search
    )
    shares, candidates = {}, dict[Named, Architecture]()
    for columns in sizes:
        shares[columns] = power_shares(found, units_of(settings, columns))
        made = candidates_of(shares[columns], settings, stability, columns, graph.num_classes)
        candidates.update({Named(columns, kind): each for kind, each in made.items()})
    by_text = {name.text: each for name, each in candidates.items()}
    compared = compare(
        graph,
        by_text,
        settings.retrain.settings,
        deals=stability.deals,
        seed=seed,
        scaling=scaling,
        done=[each for each in scores if each.name in by_text],
        on_score=on_score,
    )
    shape = graph.num_features, graph.num_classes
    num_weights = {name: each.num_parameters(*shape) for name, each in by_text.items()}
    chosen = smallest_within_error(compared, num_weights)
    return StableArchitecture(
        chosen=next(name for name in candidates if name.text == chosen),
        candidates=candidates,
        points=found,
        shares=shares,
        scores=compared,
    )


def units_of(settings: LearnSettings, columns: int) -> list[int]:
    """Lists the number of units of each layer to which the searches are followed."""
    return [columns] * settings.num_hidden + [len(settings.all_powers)]


def candidates_of(
    shares: Sequence[PowerShare],
    settings: LearnSettings,
    stability: StabilitySettings,
    columns: int,
    num_classes: int,
) -> dict[str, Architecture]:
    """Makes the candidates: the default architecture, and learned ones of the same width.

    `learned` divides the hidden columns as the searches say, and its output has the powers that
    survive there. `learned hidden` has all powers at the output.

    Args:
        shares: Result of `power_shares`.
        settings: Settings with the powers, the number of layers and the dropout of retraining.
        stability: Settings with the threshold of the output.
        columns: Number of columns of each hidden layer.
        num_classes: Number of classes `c`.
    """
    powers = settings.all_powers
    widths = [stable_widths(shares, columns, i) for i in range(settings.num_hidden)]
    last = {each.power: each.share for each in shares if each.layer == settings.num_hidden}

    def learned(output: Sequence[int]) -> Architecture:
        groups = {power: num_classes * (power in output) for power in powers}
        dims = [[power, *(layer[power] for layer in widths), groups[power]] for power in powers]
        notation = ",".join(":".join(map(str, each)) for each in dims)
        return _made(settings, columns, num_classes, notation)

    made = {EVEN: _made(settings, columns, num_classes, ",".join(map(str, settings.powers)))}
    made[HIDDEN] = learned(powers)
    output = output_powers(last, stability.threshold)
    if len(output) < len(powers):
        made[LEARNED] = learned(output)
    return made


def output_powers(shares: Mapping[int, float], threshold: float) -> list[int]:
    """Lists the powers with at least `threshold` times an equal share, in order.

    Example:
    >>> output_powers({0: 0.1, 1: 0.5, 2: 0.4}, threshold=0.5)
    [1, 2]
    """
    least = min(threshold / len(shares), max(shares.values()))
    return sorted(power for power, share in shares.items() if share >= least)


def _made(settings: LearnSettings, columns: int, num_classes: int, notation: str) -> Architecture:
    made = Architecture.from_notation(
        notation,
        num_classes=num_classes,
        hidden_dims=[columns] * settings.num_hidden,
        adjacency=settings.adjacency,
        jumping=settings.jumping,
    )
    return made.with_dropout(settings.retrain.input_dropout, settings.retrain.hidden_dropout)
