"""Learns the architecture in the five stages of Section 4.2 of the paper."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator

import numpy as np

from mixhop_tf.architecture import Architecture
from mixhop_tf.distributed.group import Group
from mixhop_tf.errors import ArgumentError, DivergedError, LassoError, SettingError
from mixhop_tf.models.build import build_model
from mixhop_tf.models.weights import load_weights, weights_of
from mixhop_tf.ops.neighbors import feature_matrix
from mixhop_tf.pruning.budget import num_alive, thresholds
from mixhop_tf.pruning.measure import measured, without_vanished
from mixhop_tf.pruning.settings import LearnSettings
from mixhop_tf.pruning.shared_store import SharedStore
from mixhop_tf.pruning.shrink import Scores, shrink, unit_norms
from mixhop_tf.pruning.stages import (
    LearnedArchitecture,
    Observer,
    Peak,
    Pruning,
    Store,
    unit_name,
)
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.make_trainer import make_trainer
from mixhop_tf.training.run import Run, RunResult
from mixhop_tf.training.scaling import resolve_scaling
from mixhop_tf.training.settings import Settings
from mixhop_tf.training.trainer import Trainer
from mixhop_tf.training.validation import check_settings


def learn_architecture(
    graph: Graph,
    settings: LearnSettings | None = None,
    *,
    seed: int = 0,
    scaling: str = "auto",
    store: Store | None = None,
    observer: Observer | None = None,
    group: Group | None = None,
) -> LearnedArchitecture:
    """Learns an architecture for a graph and trains it.

    Args:
        graph: The graph, with training and validation nodes.
        settings: Settings of the five stages; see `LearnSettings` for the defaults.
        seed: Seed of all weights and of dropout.
        scaling: Scaling of the features: `rows`, `standardize`, `none` or `auto`.
        store: Keeps the results of the stages, so that a killed process can continue.
        observer: Receives the result of each stage, for example to print it.
        group: The workers that train every network together; each of them calls this function.

    Returns:
        The architecture, how it was found, and its best run.

    Raises:
        LassoError: The lasso leaves fewer units than the budget asks for.
        DivergedError: The loss has become infinite or NaN.
        SettingError: The budget does not fit the wide network.

    Example:
    >>> from mixhop_tf import GraphData, LearnSettings, Recipe, Settings, learn_architecture
    >>> graph = GraphData(
    ...     edges=[[0, 1], [1, 2], [2, 3]], labels=[0, 0, 1, 1], train=[0, 3], val=[1, 2]
    ... )
    >>> short = Recipe(settings=Settings(max_steps=3))
    >>> settings = LearnSettings(
    ...     width=4, budget="columns=3", lassos=(1e-3,), wide=short, retrain=short, runs=1
    ... )
    >>> learn_architecture(graph, settings).architecture.layers[0].width
    3
    """
    settings = settings or LearnSettings()
    return Learner(graph, settings, seed, scaling, store, observer, group).learn()


class Learner:
    """Runs the stages on one graph from one seed; see `learn_architecture` for the arguments."""

    def __init__(
        self,
        graph: Graph,
        settings: LearnSettings,
        seed: int = 0,
        scaling: str = "auto",
        store: Store | None = None,
        observer: Observer | None = None,
        group: Group | None = None,
    ) -> None:
        for stage in ("wide", "retrain"):
            with _arguments_of(stage):
                check_settings(graph, getattr(settings, stage).settings)
        self._graph, self._settings, self._seed = graph, settings, seed
        self._scaling = resolve_scaling(scaling, feature_matrix(graph))
        self._observer, self._group, store = observer or Observer(), group, store or Store()
        self._store = store if group is None else SharedStore(store, group)
        self._shape = graph.num_features, graph.num_classes
        self._budget = settings.parsed_budget()

    def learn(self) -> LearnedArchitecture:
        """Runs all stages with every coefficient; the best validation score wins."""
        candidates: list[_Retraining] = []
        errors: list[ArgumentError] = []
        wide = self.widen()  # 1
        for lasso in self._settings.lassos:
            try:
                peak = self.train_wide(wide, lasso)  # 2
                scores = self.measure(wide, peak)  # 3
                pruning = self.shrink(wide, peak, scores, lasso)  # 4
                candidates.append(self.retrain(pruning))  # 5
            except (LassoError, DivergedError) as error:
                errors.append(error)
                if len(self._settings.lassos) > 1:
                    self._observer.failed(error)
        if not candidates:
            raise errors[-1]
        best = max(candidates, key=_Retraining.score)
        run = best.best_run()
        self._observer.kept(run)
        return LearnedArchitecture(
            architecture=best.pruning.architecture,
            pruning=best.pruning,
            retrainings=best.results,
            run=run,
            candidates=[(each.pruning, each.results) for each in candidates],
        )

    def prune(self, lasso: float) -> Pruning:
        """Runs stages 1 to 4 with one coefficient."""
        peak = self.train_wide(wide := self.widen(), lasso)
        return self.shrink(wide, peak, self.measure(wide, peak), lasso)

    def widen(self) -> Architecture:
        """Stage 1: makes the wide network and checks that the budget fits it."""
        wide = self._settings.wide_architecture(self._graph.num_classes)
        try:
            self._budget.num_units(wide, *self._shape)
        except ValueError as error:
            rule = f"must fit the wide network ({error})"
            raise SettingError("budget", rule, self._settings.budget) from None
        self._observer.widened(wide, wide.num_parameters(*self._shape))
        return wide

    def train_wide(self, wide: Architecture, lasso: float) -> Peak:
        """Stage 2: trains the wide network with the lasso up to its best validation accuracy."""
        settings = self._settings.wide_settings(lasso)
        peak = self._store.load_peak(lasso, wide, settings)
        if peak is None:
            trainer = self._trainer(wide, settings, lasso)
            with _arguments_of("wide"):
                run = self._observer.run(trainer, self._seed, f"2/5 lasso {lasso:g}")
            # Only the retrained network is reported, so this test accuracy is left out.
            result = dataclasses.replace(run.result, test_accuracy=None)
            peak = Peak(weights_of(run.model), result, run)
            self._store.keep_peak(peak, lasso, wide, settings)
        self._observer.trained(lasso, peak.result)
        return peak

    def measure(self, wide: Architecture, peak: Peak) -> Scores:
        """Stage 3: measures how much each unit matters. Vanished units get `-inf`."""
        model = build_model(wide, *self._shape, scaling=self._scaling, seed=0)
        model.adapt(feature_matrix(self._graph))
        load_weights(model, peak.weights)
        settings, batches = self._settings, self._settings.wide.settings.batches
        scores = measured(model, self._graph, settings.importance, batches, self._group)
        return without_vanished(scores, unit_norms(wide, peak.weights, self._graph.num_classes))

    def shrink(self, wide: Architecture, peak: Peak, scores: Scores, lasso: float) -> Pruning:
        """Stage 4: removes the units that matter least until the budget is met."""
        self._check_survivors(wide, scores, lasso)
        kept = self._budget.kept(wide, scores, *self._shape)
        small, weights = shrink(wide, peak.weights, kept, self._graph.num_classes)
        retrain = self._settings.retrain
        pruning = Pruning(
            lasso=lasso,
            wide=wide,
            peak=peak.result,
            norms=unit_norms(wide, peak.weights, self._graph.num_classes),
            scores=scores,
            thresholds=thresholds(scores, kept),
            architecture=small.with_dropout(retrain.input_dropout, retrain.hidden_dropout),
            weights=weights,
        )
        self._store.keep_pruning(pruning)
        self._observer.pruned(pruning, pruning.architecture.num_parameters(*self._shape))
        return pruning

    def retrain(self, pruning: Pruning) -> _Retraining:
        """Stage 5: trains the small network from several seeds, without the proximal lasso."""
        settings, architecture = self._settings.retrain.settings, pruning.architecture
        trainer = self._trainer(architecture, settings, pruning.lasso)
        weights = pruning.weights if self._settings.restart == "surviving" else None
        retraining = _Retraining(pruning, trainer, self._observer, weights)
        seeds = range(self._seed, self._seed + self._settings.runs)
        stored = self._store.load_retrainings(pruning.lasso, architecture, settings, seeds)
        done = {result.seed: result for result in stored}
        for i, seed in enumerate(seeds, start=1):
            if seed in done:
                retraining.results.append(done[seed])
            else:
                run = retraining.run_from(seed, f"run {i} of {len(seeds)}")
                self._store.keep_retraining(run, pruning.lasso, architecture, settings)
        self._observer.retrained(retraining.results)
        return retraining

    def _trainer(self, architecture: Architecture, settings: Settings, lasso: float) -> Trainer:
        return make_trainer(
            self._graph,
            architecture,
            settings,
            scaling=self._scaling,
            checkpoint=self._store.checkpoint(lasso),
            group=self._group,
        )

    def _check_survivors(self, wide: Architecture, scores: Scores, lasso: float) -> None:
        counts = self._budget.num_units(wide, *self._shape, scores)
        for i, (layer, count) in enumerate(zip(scores, counts, strict=True), start=1):
            alive = num_alive(layer)
            if alive < count:
                size = wide.unit_sizes(self._graph.num_classes)[i - 1]
                raise LassoError(lasso, i, alive, count, unit_name(size))


class _Retraining:
    """Makes the runs of one learned architecture and keeps the best one with its model."""

    def __init__(
        self,
        pruning: Pruning,
        trainer: Trainer,
        observer: Observer,
        weights: dict[str, np.ndarray] | None,
    ) -> None:
        self.pruning, self.results = pruning, list[RunResult]()
        self._trainer, self._observer, self._weights = trainer, observer, weights
        self._best: Run | None = None

    def run_from(self, seed: int, description: str) -> Run:
        """Makes a run and keeps its result."""
        run = self._run(seed, description)
        self.results.append(run.result)
        if self._best_seed() == seed:
            self._best = run
        return run

    def best_run(self) -> Run:
        """Returns the best run. A run from the store is repeated, and gives the same bits."""
        seed = self._best_seed()
        if self._best is None or self._best.seed != seed:
            self._best = self._run(seed, "the best run again")
        return self._best

    def score(self) -> tuple[float, float]:
        """Returns the mean validation score of the runs, and the mean loss to break ties."""
        return (
            float(np.mean([result.score for result in self.results])),
            -float(np.mean([result.val_loss for result in self.results])),
        )

    def _best_seed(self) -> int:
        return min(self.results, key=lambda each: each.rank).seed

    def _run(self, seed: int, description: str) -> Run:
        with _arguments_of("retrain"):
            return self._observer.run(
                self._trainer, seed, f"5/5 retrain, {description}", self._weights
            )


@contextlib.contextmanager
def _arguments_of(stage: str) -> Iterator[None]:
    """Makes an error name the arguments of this stage."""
    try:
        yield
    except (DivergedError, SettingError) as error:
        raise error.within(stage) from None
