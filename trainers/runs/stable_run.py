"""Learns a stable architecture with progress bars, and writes its folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import datasets
import mixhop_tf
from mixhop_tf.pruning.candidates import StableArchitecture
from mixhop_tf.pruning.comparison import DealScore
from mixhop_tf.pruning.settings import LearnSettings, StabilitySettings
from mixhop_tf.pruning.stability import PathPoint
from trainers.plots import stability as pictures
from trainers.plots.learning import architecture as picture_of
from trainers.plots.style import save
from trainers.runs.stable_folder import StableFolder
from trainers.text.bar import Bar


def learn(
    folder: StableFolder,
    graph: datasets.Graph,
    settings: LearnSettings,
    stability: StabilitySettings,
    sizes: Sequence[int],
    **options: Any,
) -> StableArchitecture:
    """Learns an architecture, continues from the folder, and writes the outcome there.

    Args:
        folder: The folder.
        graph: The graph.
        settings, stability: Settings of the searches and the comparison.
        sizes: Numbers of columns to compare.
        **options: `seed` and `scaling`, as for `learn_stable_architecture`.
    """
    searched = len({point.search for point in folder.points})
    with (
        Bar(desc="searches", total=stability.searches, initial=searched) as bar,
        Bar(desc="trainings", initial=len(folder.scores)) as other,
    ):

        def on_search(points: list[PathPoint]) -> None:
            folder.keep_search(points)
            bar.update()

        def on_score(score: DealScore) -> None:
            folder.keep_score(score)
            other.update()

        learned = mixhop_tf.learn_stable_architecture(
            graph,
            settings,
            stability,
            sizes=sizes,
            points=folder.points,
            scores=folder.scores,
            on_search=on_search,
            on_score=on_score,
            **options,
        )
    folder.write(learned)
    _draw(folder, learned, graph, settings)
    return learned


def _draw(
    folder: StableFolder,
    learned: StableArchitecture,
    graph: datasets.Graph,
    settings: LearnSettings,
) -> None:
    is_both = settings.adjacency.direction == "both"
    title = f"{graph.name}: columns that survive a growing lasso"
    save(pictures.path(learned.points, title, is_both=is_both), folder.path / "path")
    subtitle = f"{learned.chosen.columns} columns, {learned.chosen.kind}"
    save(picture_of(learned.architecture, graph, subtitle), folder.path / "architecture")
    if len({name.columns for name in learned.candidates}) > 1:
        save(pictures.front(learned, f"{graph.name}: accuracy and size"), folder.path / "front")
