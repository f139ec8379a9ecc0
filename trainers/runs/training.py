"""Runs of one config and their folder: one run with a progress bar, or many on all cores."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

import datasets
import mixhop_tf
from mixhop_tf.models.weights import Weights
from trainers.plots import runs, style
from trainers.runs import files, run_folder
from trainers.runs.files import Export
from trainers.sweeps import protocol, records
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import RunConfig
from trainers.sweeps.engine import POOL, Engine
from trainers.sweeps.sweep import sweep
from trainers.text.verdict import METRIC_NAMES

if TYPE_CHECKING:
    from mixhop_tf.distributed.group import Group

log = logging.getLogger(__name__)

_SECONDS_BETWEEN_LINES = 30  # of progress, where there is no terminal


def run_with_bar(
    trainer: mixhop_tf.Trainer | mixhop_tf.MethodTrainer,
    seed: int,
    description: str = "",
    weights: Weights | None = None,
    checkpoint: mixhop_tf.Checkpoint | None = None,
) -> mixhop_tf.Run:
    """`trainer.run` with a progress bar, or with a line now and then if there is no terminal."""
    settings, said = trainer.settings, [time.monotonic()]
    with tqdm(
        total=settings.max_steps, desc=description or None, unit="step", leave=False, disable=None
    ) as bar:

        def on_step(point: mixhop_tf.CurvePoint, best: mixhop_tf.CurvePoint) -> None:
            if settings.patience_for == "best":  # training ends here unless a better step comes
                bar.total = min(settings.max_steps, best.step + settings.patience + 1)
            bar_text = f"val {point.val_accuracy:.1%}, best {best.val_accuracy:.1%} at {best.step}"
            bar.set_postfix_str(bar_text, refresh=False)
            bar.update(point.step - bar.n)  # a resumed run does not begin at step 1
            if bar.disable and time.monotonic() - said[0] > _SECONDS_BETWEEN_LINES:
                said[0] = time.monotonic()
                log.info("step %d of at most %d: %s", point.step, settings.max_steps, bar_text)

        return trainer.run(seed, on_step, weights, checkpoint)


def train_once(
    graph: datasets.Graph,
    config: RunConfig,
    folder: Path,
    seed: int,
    export: Export | None,
    group: Group | None = None,
) -> mixhop_tf.Run:
    """Trains once, with a progress bar, and writes the folder. Continues an interrupted run.

    Of several workers, only the chief writes; the others wait for it at the end.
    """
    trainer = config.trainer(graph, group=group)
    checkpoint = files.checkpoint(folder)
    if group is not None and not group.is_chief:
        run = trainer.run(seed, checkpoint=checkpoint)
        group.barrier()
        return run
    with records.exclusive(folder):
        run = run_with_bar(trainer, seed, checkpoint=checkpoint)
        run_folder.write(folder, config, run, f"{graph.name}, {accuracies(run)}", export)
        checkpoint.remove()
    if group is not None:
        group.barrier()
    return run


def train_many(
    graph: datasets.Graph,
    cell: Cell,
    folder: Path,
    seeds: range,
    export: Export | None,
    num_workers: int | None = None,
    engine: Engine = POOL,
) -> tuple[protocol.Summary, int]:
    """Trains from each seed on all cores, and writes the best run by validation to `best/`.

    Returns:
        The summary of the runs, and the seed of the best run.

    Raises:
        RunError: If all runs failed.
    """
    sweep([cell], seeds, num_workers, engine)
    recorded = cell.records(seeds)
    ranked = protocol.ranked(recorded)
    if not ranked:
        protocol.check_all_done(recorded)
    summary = protocol.summarize(recorded)
    files.write_json(folder / run_folder.SUMMARY, summary.to_dict())
    if summary.has_test:
        style.save(runs.many_runs(recorded, graph.name), folder / "runs")
    best = ranked[0]["seed"]
    if not run_folder.is_complete(folder / "best", best, export is not None):
        # The records have no model. The repeated run has the same bits.
        train_once(graph, cell.config, folder / "best", best, export)
    files.checkpoint(folder / "best").remove()  # left by a command that was killed at its very end
    return summary, best


def accuracies(run: mixhop_tf.Run) -> str:
    """The accuracies of a run in one line."""
    test = "no test nodes" if run.test_accuracy is None else f"test {run.test_accuracy:.1%}"
    validation = validation_text(run.select_by, run.best.val_accuracy, run.best.score)
    sampled = "" if run.batches is None else "sampled training, "
    exact = run.evaluation("val") if run.batches is not None else None
    if exact is not None and exact.accuracy != run.best.val_accuracy:
        # During the training, only a sample of the validation nodes was evaluated.
        validation = f"{validation} in a sample and {exact.accuracy:.1%} in the whole graph"
    return f"seed {run.seed}: {sampled}{validation}, {test}, at step {run.best.step}"


def validation_text(metric: str, accuracy: float, score: float) -> str:
    """The validation accuracy, and beside it the metric that selects, if that is another.

    Args:
        metric: The metric that selects.
        accuracy: The validation accuracy.
        score: The metric such that greater is better.

    >>> validation_text("accuracy", 0.9, 0.9), validation_text("loss", 0.9, -0.25)
    ('validation 90.0%', 'validation 90.0% (loss 0.250)')
    """
    text = f"validation {accuracy:.1%}"
    return text if metric == "accuracy" else f"{text} ({metric_name(metric)} {abs(score):.3f})"


def metric_name(metric: str) -> str:
    """The name of a metric as people read it."""
    return METRIC_NAMES.get(metric, metric)
