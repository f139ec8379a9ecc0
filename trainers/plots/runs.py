"""Pictures of runs: the course of one, and a comparison of many."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mixhop_tf import Run
from trainers.plots.style import COLOURS, new_figure
from trainers.sweeps import protocol
from trainers.sweeps.records import Record


def training_curve(run: Run, title: str) -> Figure:
    """Draws accuracy and loss over the steps, and marks the best step."""
    figure, axes = new_figure(1, 2, width=9.0, height=3.6)
    accuracies, losses = axes[0]
    steps = [point.step for point in run.curve]

    def draw(panel: Axes, field: str, colour: str, label: str) -> None:
        values = [getattr(point, field) for point in run.curve]
        panel.plot(steps, values, color=COLOURS[colour], label=label, linewidth=1.2)

    draw(accuracies, "train_accuracy", "grey", "training")
    draw(accuracies, "val_accuracy", "blue", "validation")
    draw(losses, "loss", "grey", "training, with dropout and penalties")
    draw(losses, "val_loss", "blue", "validation")
    for panel in (accuracies, losses):
        panel.axvline(
            run.best.step,
            color=COLOURS["orange"],
            linestyle="--",
            linewidth=1,
            zorder=1,
            label="best step",
        )
        panel.set(xlabel="step")
    if run.test_accuracy is not None:
        accuracies.plot(
            [run.best.step],
            [run.test_accuracy],
            marker="o",
            linestyle="",
            color=COLOURS["orange"],
            label="test, at the best step",
        )
    accuracies.set(title="Accuracy", ylim=(None, 1.02))
    losses.set(title="Loss", ylim=(0, None))
    # Opaque, because the dashed line may pass behind it.
    for panel, corner in ((accuracies, "lower right"), (losses, "upper right")):
        panel.legend(loc=corner, fontsize=8, framealpha=1, edgecolor="white")
    figure.suptitle(title)
    return figure


def many_runs(recorded: Sequence[Record], title: str) -> Figure:
    """Draws test against validation accuracy of each run, the best half in another colour."""
    figure, axes = new_figure(1, 1, width=5.2, height=4.2)
    panel, summary = axes[0, 0], protocol.summarize(recorded)
    runs = protocol.ranked(recorded)
    groups = {
        f"best {summary.num_best} by validation": (runs[: summary.num_best], "blue"),
        "the others": (runs[summary.num_best :], "grey"),
    }
    for label, (group, colour) in groups.items():
        panel.scatter(
            [100 * record["val_accuracy"] for record in group],
            [100 * record["test_accuracy"] for record in group],
            s=18,
            alpha=0.6,
            color=COLOURS[colour],
            label=label,
        )
    panel.axhline(100 * summary.best_mean, color=COLOURS["orange"], linestyle="--", linewidth=1)
    panel.set(
        title=f"{title}: mean test of the best {summary.num_best} (dashed) "
        f"{100 * summary.best_mean:.1f} %",
        xlabel="validation accuracy, %",
        ylabel="test accuracy, %",
    )
    panel.legend(frameon=False, fontsize=8)
    return figure
