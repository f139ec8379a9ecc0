"""Learning the architecture: train wide under the lasso, measure, shrink, retrain.

The five stages of Section 4.2 of the paper. What a stage leaves behind is kept in a folder, so that
a search which was killed goes on at the stage it was in.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import datasets
import mixhop_tf
from mixhop_tf import Architecture, importance
from mixhop_tf.budget import num_alive, thresholds
from mixhop_tf.shrink import Scores, load_weights, shrink, unit_norms, weights_of
from trainers import architectures, protocol, records
from trainers.config import DataConfig, RunConfig
from trainers.errors import DivergedError, RunError
from trainers.inputs import Inputs
from trainers.learn_config import LearnConfig
from trainers.learn_folder import LassoFolder
from trainers.loop import Run, Trainer
from trainers.runs import accuracies, run_with_bar

# A unit whose norm is less than this share of its layer's largest has vanished. Proximal steps make
# exact zeros, the gradient of the lasso only small numbers.
VANISHED = 1e-3


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


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearnedArchitecture:
    """What `learn_architecture` gives.

    Attributes:
        architecture: The learned architecture.
        search: How it was found.
        retrainings: Records of its retrainings, by seed.
        run: The best retraining by validation accuracy, with its model.
        trainer: Of the retrainings.
        searches: All that were made, with the records of their retrainings, one a coefficient.
    """

    architecture: Architecture
    search: Search
    retrainings: list[records.Record]
    run: Run
    trainer: Trainer
    searches: list[tuple[Search, list[records.Record]]]

    @property
    def model(self) -> Any:
        """The trained `MixHopModel`."""
        return self.run.model


def learn_architecture(
    graph: datasets.Graph,
    config: LearnConfig,
    *,
    seed: int = 0,
    data: DataConfig | None = None,
    folder: Path | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> LearnedArchitecture:
    """Learns an architecture for a graph, and trains it.

    Args:
        graph: The graph, with training and validation nodes.
        config: What to do in the five stages, for example `experiments.LEARNING`.
        seed: Of all weights and dropout.
        data: Where the graph is from, for the records.
        folder: Where to keep what the stages leave behind; nowhere unless given.
        say: Called with a line, or some, when a stage is done.

    Raises:
        LassoError: If the lasso leaves fewer units than the budget asks for.
        RunError: If training diverges, or the budget does not fit the wide network.
    """
    data = data or DataConfig(dataset=graph.name)
    with contextlib.ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return _Learner(graph, config, seed, data, folder, say).learn()


def search_architecture(
    graph: datasets.Graph, config: LearnConfig, seed: int, data: DataConfig, folder: Path
) -> Search:
    """Stages 1 to 4 with the first lasso coefficient; the wide network stays in `folder`."""
    learner = _Learner(graph, config, seed, data, folder, lambda _: None)
    lasso = config.lassos[0]
    return learner.search(lasso, LassoFolder(folder, lasso))


class _Learner:
    """The stages on one graph from one seed."""

    def __init__(
        self,
        graph: datasets.Graph,
        config: LearnConfig,
        seed: int,
        data: DataConfig,
        folder: Path,
        say: Callable[[str], object],
    ) -> None:
        self._graph, self._config, self._seed = graph, config, seed
        self._data, self._folder, self._say = data, folder, say
        self._inputs = Inputs.of(graph)
        # Stage 1.
        self._wide = config.wide_architecture(graph.num_classes)
        self._budget = config.parsed_budget()
        try:
            self._budget.num_units(self._wide, *self._shape)
        except ValueError as error:
            raise RunError(f"--budget {config.budget}: {error}") from None

    @property
    def _shape(self) -> tuple[int, int]:
        return self._graph.num_features, self._graph.num_classes

    def learn(self) -> LearnedArchitecture:
        """All stages, with every coefficient; the best outcome by validation accuracy."""
        self._say(f"1/5 wide: {self._wide.num_parameters(*self._shape):,} parameters\n{self._wide}")
        found: list[LearnedArchitecture] = []
        errors = []
        for lasso in self._config.lassos:
            folder = LassoFolder(self._folder, lasso)
            try:
                search = self.search(lasso, folder)
            except LassoError as error:
                errors.append(error)
                if len(self._config.lassos) > 1:
                    self._say(str(error))
                continue
            found.append(self._retrain(search, folder))
        if not found:
            raise errors[-1]
        outcomes = [(each.search, each.retrainings) for each in found]
        return dataclasses.replace(max(found, key=_score), searches=outcomes)

    def search(self, lasso: float, folder: LassoFolder) -> Search:
        """Stages 2 to 4."""
        weights, record = self._train_wide(lasso, folder)
        norms = unit_norms(self._wide, weights, self._graph.num_classes)
        scores = self._scores(weights, norms)
        self._see_enough_left(scores, lasso)
        kept = self._budget.kept(self._wide, scores, *self._shape)
        small, left = shrink(self._wide, weights, kept, self._graph.num_classes)
        retrain = self._config.retrain
        search = Search(
            lasso=lasso,
            wide=self._wide,
            record=record,
            norms=norms,
            scores=scores,
            thresholds=thresholds(scores, kept),
            architecture=architectures.with_dropout(
                small, retrain.input_dropout, retrain.hidden_dropout
            ),
            weights=left,
        )
        folder.keep_search(search, self._graph)
        self._say_found(search)
        return search

    def _train_wide(
        self, lasso: float, folder: LassoFolder
    ) -> tuple[dict[str, np.ndarray], records.Record]:
        """Stage 2: the weights at the peak of validation accuracy, and the record of the run."""
        weights, record = folder.peak()
        if weights is None:
            settings = dataclasses.replace(self._config.wide.settings, lasso=lasso)
            config = RunConfig.of(self._data, self._graph, self._wide, settings)
            with _flags_of("wide"):
                run = run_with_bar(Trainer(self._graph, config), self._seed, f"2/5 lasso {lasso:g}")
            weights, record = weights_of(run.model), records.of_run(config, run)
            folder.keep_peak(weights, record, run, self._graph.name)
        self._say(
            f"2/5 lasso {lasso:g}: validation {record['val_accuracy']:.1%} at step "
            f"{record['best_step']} of {record['num_steps']} ({record['seconds']:.0f} s)"
        )
        return weights, record

    def _scores(self, weights: dict[str, np.ndarray], norms: Scores) -> Scores:
        """Stage 3: how much each unit matters. One that vanished matters less than any other."""
        model = mixhop_tf.build_model(self._wide, *self._shape, seed=0)
        load_weights(model, weights)
        inputs = self._inputs
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
        counts = self._budget.num_units(self._wide, *self._shape, scores)
        for i, (layer, count) in enumerate(zip(scores, counts, strict=True), start=1):
            alive = num_alive(layer)
            if alive < count:
                raise LassoError(
                    f"The lasso {lasso:g} is too strong: {alive} {self._units(i)} of layer {i} "
                    f"survive it and the budget asks for {count}; lower --lasso, or ask for less "
                    "with --budget."
                )

    def _units(self, layer: int) -> str:
        last = layer == len(self._wide.layers) and self._wide.output == "psum"
        return f"groups of {self._graph.num_classes} columns" if last else "columns"

    def _say_found(self, search: Search) -> None:
        parts = []
        for i, (alive, layer) in enumerate(zip(search.alive, search.norms, strict=True), start=1):
            counts = ", ".join(f"{n} of {len(layer[power])}" for power, n in alive.items())
            parts.append(f"layer {i}: {counts} {self._units(i)} survive")
        powers = ", ".join(map(str, self._config.powers))
        self._say(f"3/5 measure, powers {powers}; " + "; ".join(parts))
        if not search.separates:
            self._say(
                f"The lasso {search.lasso:g} is too weak: no column vanished, and what is kept "
                "hardly differs from what is not; raise --lasso, or train the wide network longer."
            )
        size = search.architecture.num_parameters(*self._shape)
        self._say(f"4/5 shrink: {size:,} parameters\n{search.architecture}")

    def _retrain(self, search: Search, folder: LassoFolder) -> LearnedArchitecture:
        """Stage 5: restart with plain L2, from several seeds."""
        runs, weights = self._config.runs, None
        if self._config.restart == "surviving":
            weights = search.weights
        config = RunConfig.of(
            self._data, self._graph, search.architecture, self._config.retrain.settings
        )
        trainer = Trainer(self._graph, config)

        def run_from(seed: int, description: str) -> Run:
            with _flags_of("retrain"):
                return run_with_bar(trainer, seed, f"5/5 retrain, {description}", weights=weights)

        seeds = range(self._seed, self._seed + runs)
        done = {record["seed"]: record for record in folder.retrainings(config, seeds)}
        best: Run | None = None
        for i, seed in enumerate(seeds, start=1):
            if seed in done:
                continue
            run = run_from(seed, f"run {i} of {runs}")
            done[seed] = records.of_run(config, run)
            folder.keep_retraining(done[seed])
            if protocol.ranked(list(done.values()))[0]["seed"] == seed:
                best = run
        ordered = [done[seed] for seed in seeds]
        best_seed = protocol.ranked(ordered)[0]["seed"]
        if best is None or best.seed != best_seed:  # made before an interruption: again, to the bit
            best = run_from(best_seed, "the best run again")
        self._say(_outcome(ordered, best))
        return LearnedArchitecture(
            architecture=search.architecture,
            search=search,
            retrainings=ordered,
            run=best,
            trainer=trainer,
            searches=[],
        )


@contextlib.contextmanager
def _flags_of(training: str) -> Iterator[None]:
    """An error within names the flags of this training, not those of `trainers.train`."""
    try:
        yield
    except DivergedError as error:
        message = re.sub(r"--(learning_rate|l2)", rf"--{training}_\1", str(error))
        raise DivergedError(message) from None


def _outcome(found: list[records.Record], best: Run) -> str:
    mean = np.mean([record["val_accuracy"] for record in found])
    seconds = sum(record["seconds"] for record in found)
    several = f"mean validation {mean:.1%} of {len(found)} runs; " if len(found) > 1 else ""
    return f"5/5 retrain: {several}kept: {accuracies(best)} ({seconds:.0f} s)"


def _score(learned: LearnedArchitecture) -> tuple[float, float]:
    """Mean validation accuracy of the retrainings; the mean loss breaks ties."""
    return (
        float(np.mean([record["val_accuracy"] for record in learned.retrainings])),
        -float(np.mean([record["val_loss"] for record in learned.retrainings])),
    )


def _floor(layer: Mapping[int, np.ndarray]) -> float:
    return VANISHED * max(float(values.max()) for values in layer.values())
