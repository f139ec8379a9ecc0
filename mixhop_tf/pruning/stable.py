"""Learns an architecture by stability selection and compares it with the default one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mixhop_tf.architecture import HIDDEN_WIDTH, Architecture
from mixhop_tf.pruning.candidates import (
    EVEN,
    Named,
    StableArchitecture,
    candidates_of,
    units_of,
)
from mixhop_tf.pruning.comparison import DealScore, clearly_better, smallest_within_error
from mixhop_tf.pruning.deals import compare
from mixhop_tf.pruning.paths import search_paths
from mixhop_tf.pruning.settings import LearnSettings, StabilitySettings
from mixhop_tf.pruning.stability import PathPoint, power_shares
from mixhop_tf.training.graph import Graph


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
    are trained on deals of the labelled nodes. Of each width, the default one stays unless others
    are ahead beyond the 95 % interval. Among those within one standard error of the best, the
    smallest is chosen. Test nodes take no part.

    Args:
        graph: The graph, with training and validation nodes.
        settings: Layers, adjacency, the powers of the default architecture, and the recipe of the
            trainings that are compared.
        stability: Settings of the searches and of the comparison.
        sizes: Numbers of columns of the hidden layers that are compared.
        seed: Seed of deals and weights.
        scaling: Scaling of the features.
        points: Results of searches that were made before.
        scores: Results of trainings that were made before.
        on_search: Called with the points of each search that is made.
        on_score: Called with each score that is made.

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
    searched = stability.searched(settings)
    found = search_paths(
        graph, searched, stability, seed=seed, scaling=scaling, done=points, on_search=on_search
    )
    shares, candidates = {}, dict[Named, Architecture]()
    for columns in sizes:
        shares[columns] = power_shares(found, units_of(searched, columns))
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
    good: list[str] = []
    for columns in sizes:
        others = [each.text for each in candidates if each.columns == columns and each.kind != EVEN]
        good += clearly_better(compared, others, Named(columns, EVEN).text)
    chosen = smallest_within_error(compared, {name: num_weights[name] for name in good})
    return StableArchitecture(
        chosen=next(name for name in candidates if name.text == chosen),
        candidates=candidates,
        points=found,
        shares=shares,
        scores=compared,
    )
