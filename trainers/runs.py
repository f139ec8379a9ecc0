"""One run with its progress on the terminal, and its folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from datasets.checks import SPLITS
from trainers import records, run_folder

if TYPE_CHECKING:
    import datasets
    from trainers.config import RunConfig
    from trainers.loop import CurvePoint, Run, Trainer


def graph_line(graph: datasets.Graph) -> str:
    """The graph in a line."""
    parts = ", ".join(f"{len(getattr(graph, split)):,} {split}" for split in SPLITS)
    return (
        f"{graph.name}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges, "
        f"{graph.num_features:,} features, {graph.num_classes} classes; {parts}"
    )


def run_with_bar(trainer: Trainer, seed: int, description: str = "", **options: Any) -> Run:
    """`trainer.run` with a bar that shows on a terminal only."""
    settings = trainer.config.settings
    with tqdm(
        total=settings.max_steps, desc=description or None, unit="step", leave=False, disable=None
    ) as bar:

        def on_step(point: CurvePoint, best: CurvePoint) -> None:
            if settings.patience_for == "best":  # without a better step it ends this early
                bar.total = min(settings.max_steps, best.step + settings.patience + 1)
            bar.set_postfix_str(
                f"val {point.val_accuracy:.1%}, best {best.val_accuracy:.1%} at {best.step}",
                refresh=False,
            )
            bar.update()

        return trainer.run(seed, on_step, **options)


def one_run(
    graph: datasets.Graph, config: RunConfig, folder: Path, seed: int, save_model: bool
) -> Run:
    """Trains once, with a bar, and writes the run's folder."""
    from trainers.loop import Trainer

    trainer = Trainer(graph, config)
    with records.exclusive(folder):
        run = run_with_bar(trainer, seed)
        title = f"{graph.name}, {accuracies(run)}"
        run_folder.write(folder, trainer, run, graph, title, save_model)
    return run


def accuracies(run: Run) -> str:
    """What came of a run, in one line."""
    test = "no test nodes" if run.test_accuracy is None else f"test {run.test_accuracy:.1%}"
    return (
        f"seed {run.seed}: validation {run.best.val_accuracy:.1%}, {test}, at step {run.best.step}"
    )
