"""Stages 1 to 4 of learning an architecture: a wide network, the lasso, what matters, what stays.

What stage 2 leaves behind is kept in a folder, so that it is not made twice.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import datasets
import mixhop_tf
from mixhop_tf import Architecture, importance
from mixhop_tf.budget import num_alive, thresholds
from mixhop_tf.shrink import Scores, load_weights, shrink, unit_norms, weights_of
from trainers import architectures, records
from trainers.data_config import DataConfig
from trainers.errors import DivergedError, RunError
from trainers.inputs import Inputs
from trainers.learn_config import LearnConfig
from trainers.learn_folder import LassoFolder
from trainers.loop import Run, Trainer

# A unit whose norm is less than this share of its layer's largest has vanished. Proximal steps make
# exact zeros, the gradient of the lasso only small numbers.
VANISHED = 1e-3

Say = Callable[[str], object]
RunFunction = Callable[..., Run]


class LassoError(RunError):
    """Too little survives the lasso."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Search:
    """Stages 1 to 4 with one lasso coefficient.

    Attributes:
        lasso: The coefficient.
        wide: The wide architecture.
        record: Of the wide network's training; its accuracies are those at the peak.
        norms: L2 norm of every unit at the peak.
        scores: What decided: the norms, or another measure of importance.
        thresholds: Of each layer the score that parts what stays from what goes.
        architecture: What is left.
        weights: Its weights, those of the wide network at the peak.
    """

    lasso: float
    wide: Architecture
    record: records.Record
    norms: Scores
    scores: Scores
    thresholds: tuple[float, ...]
    architecture: Architecture
    weights: dict[str, np.ndarray]

    @property
    def alive(self) -> list[dict[int, int]]:
        """Of each layer, for each power, the units that did not vanish."""
        return [
            {power: int(np.sum(values > -np.inf)) for power, values in layer.items()}
            for layer in self.scores
        ]

    @property
    def separates(self) -> bool:
        """Whether the lasso made anything vanish."""
        return any(num_alive(layer) < sum(map(len, layer.values())) for layer in self.scores)


def run_quietly(trainer: Trainer, seed: int, _description: str, **options: Any) -> Run:
    """`trainer.run` without a bar: for a worker process."""
    return trainer.run(seed, **options)


class Searcher:
    """Stages 1 to 4 on one graph from one seed.

    Args:
        graph: The graph, with training and validation nodes.
        config: What to do in the stages.
        seed: Of the weights and of dropout.
        data: Where the graph is from, for the records.
        say: Called with a line, or some, when a stage is done.
        run: Makes a run of a trainer, from a seed and a description for the bar.

    Raises:
        RunError: If the budget does not fit the wide network.
    """

    def __init__(
        self,
        graph: datasets.Graph,
        config: LearnConfig,
        seed: int,
        data: DataConfig,
        say: Say = lambda _: None,
        run: RunFunction = run_quietly,
    ) -> None:
        self._graph, self._config, self._seed, self._data = graph, config, seed, data
        self._say, self._run = say, run
        self._shape = graph.num_features, graph.num_classes
        self.wide = config.wide_architecture(graph.num_classes)  # stage 1
        self._budget = config.parsed_budget()
        try:
            self._budget.num_units(self.wide, *self._shape)
        except ValueError as error:
            raise RunError(f"--budget {config.budget}: {error}") from None
        say(f"1/5 wide: {self.wide.num_parameters(*self._shape):,} parameters\n{self.wide}")

    def search(self, lasso: float, folder: LassoFolder) -> Search:
        """Stages 2 to 4 with one coefficient.

        Raises:
            LassoError: If fewer units survive than the budget asks for.
            DivergedError: If training diverges.
        """
        weights, record = self._train_wide(lasso, folder)
        norms = unit_norms(self.wide, weights, self._graph.num_classes)
        scores = self._scores(weights, norms)
        self._see_enough_left(scores, lasso)
        kept = self._budget.kept(self.wide, scores, *self._shape)
        small, left = shrink(self.wide, weights, kept, self._graph.num_classes)
        retrain = self._config.retrain
        search = Search(
            lasso=lasso,
            wide=self.wide,
            record=record,
            norms=norms,
            scores=scores,
            thresholds=thresholds(scores, kept),
            architecture=architectures.with_dropout(
                small, retrain.input_dropout, retrain.hidden_dropout
            ),
            weights=left,
        )
        self._say_found(search)
        return search

    def _train_wide(
        self, lasso: float, folder: LassoFolder
    ) -> tuple[dict[str, np.ndarray], records.Record]:
        """Stage 2: the weights at the peak of validation accuracy, and the record of the run."""
        config = self._config.wide_run(self._data, self._graph, lasso)
        weights, record = folder.peak(config, self._seed)
        if weights is None:
            with flags_of("wide"):
                run = self._run(Trainer(self._graph, config), self._seed, f"2/5 lasso {lasso:g}")
            # The wide network is not what is reported: its test accuracy is left out.
            run = dataclasses.replace(run, test_accuracy=None)
            weights, record = weights_of(run.model), records.of_run(config, run)
            folder.keep_peak(weights, record, run, self._graph.name)
        self._say(
            f"2/5 lasso {lasso:g}: validation {record['val_accuracy']:.1%} at step "
            f"{record['best_step']} of {record['num_steps']} ({record['seconds']:.0f} s)"
        )
        return weights, record

    def _scores(self, weights: dict[str, np.ndarray], norms: Scores) -> Scores:
        """Stage 3: how much each unit matters. One that vanished matters less than any other."""
        scaling = self._data.scaling_of(self._graph)
        model = mixhop_tf.build_model(self.wide, *self._shape, scaling=scaling, seed=0)
        model.adapt(self._graph.features)
        try:
            load_weights(model, weights)
        except ValueError as error:
            raise RunError(f"wide.npz is damaged; remove its folder. {error}") from None
        inputs = Inputs.of(self._graph, model)
        scores = importance.MEASURES[self._config.importance](
            model, inputs.pair, inputs.val, inputs.val_labels
        )
        return [
            {
                power: np.where(norm[power] > _floor(norm), values, -np.inf)
                for power, values in layer.items()
            }
            for layer, norm in zip(scores, norms, strict=True)
        ]

    def _see_enough_left(self, scores: Scores, lasso: float) -> None:
        counts = self._budget.num_units(self.wide, *self._shape, scores)
        for i, (layer, count) in enumerate(zip(scores, counts, strict=True), start=1):
            alive = num_alive(layer)
            if alive < count:
                raise LassoError(
                    f"The lasso {lasso:g} is too strong: {alive} {self._units(i)} of layer {i} "
                    f"survive it and the budget asks for {count}; lower --lasso, or ask for less "
                    "with --budget."
                )

    def _units(self, layer: int) -> str:
        last = layer == len(self.wide.layers) and self.wide.output == "psum"
        return f"groups of {self._graph.num_classes} columns" if last else "columns"

    def _say_found(self, search: Search) -> None:
        parts = []
        for i, (alive, layer) in enumerate(zip(search.alive, search.norms, strict=True), start=1):
            counts = ", ".join(f"{n} of {len(layer[power])}" for power, n in alive.items())
            parts.append(f"layer {i}: {counts} {self._units(i)} survive")
        powers = ", ".join(map(str, self._config.powers))
        self._say(f"3/5 measure, powers {powers}; " + "; ".join(parts))
        if not search.separates:
            gradient = self._config.wide.settings.lasso_kind == "gradient"
            remedy = "use --wide_lasso_kind scaled" if gradient else "raise --lasso"
            self._say(
                f"The lasso {search.lasso:g} made no column vanish: what stays is what ranks "
                f"highest. To see columns vanish, {remedy}, or train the wide network longer."
            )
        size = search.architecture.num_parameters(*self._shape)
        self._say(f"4/5 shrink: {size:,} parameters\n{search.architecture}")


@contextlib.contextmanager
def flags_of(training: str) -> Iterator[None]:
    """An error within names the flags of this training, not those of `trainers.train`."""
    try:
        yield
    except DivergedError as error:
        message = re.sub(r"--(learning_rate|l2)", rf"--{training}_\1", str(error))
        raise DivergedError(message) from None


def _floor(layer: Mapping[int, np.ndarray]) -> float:
    return VANISHED * max(float(values.max()) for values in layer.values())
