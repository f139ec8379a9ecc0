"""The lines that `trainers.learn_arch` prints after each stage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import mixhop_tf
from mixhop_tf import Architecture, ArgumentError, LearnSettings, Observer, Pruning, RunResult
from mixhop_tf.architecture_text import power_names
from mixhop_tf.models.weights import Weights
from mixhop_tf.pruning.stages import unit_name
from trainers.cli.app import flag_of
from trainers.runs.training import accuracies, metric_name, run_with_bar, validation_text
from trainers.text.markdown import markdown_table


class Printer(Observer):
    """Prints the result of each stage, and shows a progress bar while a network trains.

    Args:
        settings: The settings of the stages.
        num_classes: Number of classes of the graph.
    """

    def __init__(self, settings: LearnSettings, num_classes: int) -> None:
        self._settings, self._num_classes = settings, num_classes

    def widened(self, wide: Architecture, num_parameters: int) -> None:
        """Stage 1."""
        _say(f"1/5 wide: {num_parameters:,} parameters\n{wide}")

    def trained(self, lasso: float, result: RunResult) -> None:
        """Stage 2."""
        metric = self._settings.wide.settings.select_by
        validation = validation_text(metric, result.val_accuracy, result.score)
        _say(
            f"2/5 lasso {lasso:g}: {validation} at step "
            f"{result.best_step} of {result.num_steps} ({result.seconds:.0f} s)"
        )

    def pruned(self, pruning: Pruning, num_parameters: int) -> None:
        """Stages 3 and 4."""
        sizes = pruning.wide.unit_sizes(self._num_classes)
        parts = []
        layers = zip(pruning.alive, pruning.norms, sizes, strict=True)
        for i, (alive, layer, size) in enumerate(layers, start=1):
            counts = ", ".join(f"{n} of {len(layer[power])}" for power, n in alive.items())
            parts.append(f"layer {i}: {counts} {unit_name(size)} survive")
        powers = ", ".join(map(str, self._settings.powers))
        if self._settings.adjacency.direction == "both":
            powers = ", ".join(power_names(self._settings.all_powers)).replace("power ", "")
        _say(f"3/5 measure, powers {powers}; " + "; ".join(parts))
        if not pruning.separates:
            gradient = self._settings.wide.settings.lasso_kind == "gradient"
            remedy = "use --wide_lasso_kind scaled" if gradient else "raise --lasso"
            _say(
                f"The lasso {pruning.lasso:g} made no column vanish, so the highest-ranked columns "
                f"stay. To make columns vanish, {remedy}, or train the wide network longer."
            )
        _say(f"4/5 shrink: {num_parameters:,} parameters\n{pruning.architecture}")

    def retrained(self, results: Sequence[RunResult]) -> None:
        """Stage 5."""
        accuracy, score = np.mean([(each.val_accuracy, each.score) for each in results], axis=0)
        validation = validation_text(self._settings.retrain.settings.select_by, accuracy, score)
        seconds = sum(result.seconds for result in results)
        many = f", the mean of {len(results)} runs" if len(results) > 1 else ""
        _say(f"5/5 retrain: {validation}{many} ({seconds:.0f} s)")

    def failed(self, error: ArgumentError) -> None:
        """One of several lasso coefficients failed."""
        _say(error.describe(flag_of))

    def kept(self, run: mixhop_tf.Run) -> None:
        """The run that is saved at the end."""
        _say(f"kept: {accuracies(run)}")

    def run(
        self,
        trainer: mixhop_tf.Trainer,
        seed: int,
        description: str,
        weights: Weights | None = None,
    ) -> mixhop_tf.Run:
        """Makes a run with a progress bar."""
        return run_with_bar(trainer, seed, description, weights)


def coefficients_table(learned: mixhop_tf.LearnedArchitecture) -> str:
    """A table of the coefficients and their validation scores; a star marks the chosen one."""
    metric, rows = learned.run.select_by, []
    for pruning, results in learned.candidates:
        mean = sum(result.score for result in results) / len(results)
        widths = " then ".join(str(list(layer.dims)) for layer in pruning.architecture.layers)
        mark = " *" * (pruning.lasso == learned.pruning.lasso)
        scores = [
            f"{100 * score:.2f}" if metric == "accuracy" else f"{abs(score):.3f}"
            for score in (pruning.peak.score, mean)
        ]
        rows.append([f"{pruning.lasso:g}{mark}", scores[0], widths, scores[1]])
    named = "" if metric == "accuracy" else f" ({metric_name(metric)})"
    return markdown_table(["lasso", f"wide{named}", "architecture", f"retrained{named}"], rows)


def _say(line: str) -> None:
    print(line, flush=True)
