"""The metrics of a run's test nodes: metrics.json and pictures."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import mixhop_tf
from datasets import atomic
from mixhop_tf import Decision, Evaluation
from mixhop_tf.metrics import calibration_error
from trainers.plots import style
from trainers.plots.confusion import confusion_matrix
from trainers.plots.ranking import ranking_curves
from trainers.plots.reliability import reliability_diagram
from trainers.runs import files
from trainers.text.verdict import Verdict

METRICS = "metrics.json"
PICTURES = CONFUSION, RANKING, RELIABILITY = "confusion", "ranking", "reliability"


@dataclasses.dataclass(frozen=True)
class Scored:
    """Labels and probabilities of one set of nodes, and their metrics.

    Attributes:
        labels: True classes `[n]`.
        probabilities: `[n, c]`.
        uncalibrated: The same without the temperature; None if there is none.
        verdict: The metrics.
    """

    labels: np.ndarray
    probabilities: np.ndarray
    uncalibrated: np.ndarray | None
    verdict: Verdict

    def pictures(self, graph_name: str) -> dict[str, Figure]:
        """Draws the confusion matrix, ROC and precision-recall curves, and the reliability."""
        found = self.verdict.evaluation
        names = [each.name for each in found.classes]
        title = f"{graph_name}, {found.num_nodes:,} {self.verdict.nodes} nodes"
        positive = names.index(found.positive_class) if found.positive_class else None
        return {
            CONFUSION: confusion_matrix(
                np.array(found.confusion), names, f"{title}: accuracy {found.accuracy:.1%}"
            ),
            RANKING: ranking_curves(self.labels, self.probabilities, names, positive, title),
            RELIABILITY: reliability_diagram(
                self.labels, self.probabilities, self.uncalibrated, title
            ),
        }


def scored(
    labels: np.ndarray,
    logits: np.ndarray,
    probabilities: np.ndarray,
    decision: Decision,
    evaluation: Evaluation,
    nodes: str = "test",
) -> Scored:
    """Collects what is known of one set of nodes.

    Args:
        labels: True classes `[n]`.
        logits: `[n, c]`.
        probabilities: `[n, c]`.
        decision: Temperature and threshold of the model.
        evaluation: The metrics.
        nodes: What the nodes are called.
    """
    before = error = None
    if decision.is_calibrated:
        before = Decision().probabilities(logits)
        error = calibration_error(labels, before)
    verdict = Verdict(evaluation=evaluation, decision=decision, uncalibrated=error, nodes=nodes)
    return Scored(labels, probabilities, before, verdict)


def of_run(run: mixhop_tf.Run) -> Scored | None:
    """The test nodes of a run; None if there are none, or the run was not tested."""
    evaluation = None if run.test_accuracy is None else run.evaluation()
    if evaluation is None:
        return None
    labels, logits = run.graph.labels[run.graph.test], run.logits[run.graph.test]
    shares = run.decision.probabilities(logits)
    return scored(labels, logits, shares, run.decision, evaluation)


def write(folder: Path, run: mixhop_tf.Run) -> None:
    """Writes metrics.json and the pictures, or removes those of another run."""
    found = of_run(run)
    if found is None:
        names = [f"{stem}.{kind}" for stem in PICTURES for kind in style.KINDS]
        for name in (METRICS, *names):
            atomic.remove(folder / name)
        return
    files.write_json(folder / METRICS, found.verdict.to_dict())
    for name, figure in found.pictures(run.graph.name).items():
        style.save(figure, folder / name)


def read(folder: Path) -> Verdict | None:
    """The verdict in a run's folder; None if there is none."""
    content = files.read_json(folder / METRICS)
    return None if content is None else Verdict.from_dict(content)
