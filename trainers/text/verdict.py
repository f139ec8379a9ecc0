"""How good a model is, in words: every metric of the test nodes, and what to make of them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from mixhop_tf import ClassScores, Decision, Evaluation
from trainers.text.markdown import markdown_table
from trainers.text.numbers import NONE

# The numbers of an evaluation that a record keeps, with the names that people read.
METRIC_NAMES = {
    "majority_accuracy": "accuracy of the most frequent class",
    "balanced_accuracy": "balanced accuracy",
    "macro_f1": "macro-F1",
    "roc_auc": "ROC-AUC",
    "pr_auc": "PR-AUC",
    "log_loss": "log loss",
    "calibration_error": "calibration error",
}
IN_PERCENT = ("majority_accuracy", "balanced_accuracy", "macro_f1", "calibration_error")
_MOST_ROWS = 12
# Classes are uneven if the most frequent one has so many times its even share.
_UNEVEN = 1.5
# From this share on, the most frequent class makes any accuracy look good.
_DOMINANT = 0.8
_FEW = 5


@dataclasses.dataclass(frozen=True, kw_only=True)
class Verdict:
    """The metrics of one set of nodes, and how the answers came about.

    Args:
        evaluation: The metrics.
        decision: Temperature and threshold of the model.
        uncalibrated: Calibration error without the temperature; None if the model has none.
        nodes: What the nodes are called.
    """

    evaluation: Evaluation
    decision: Decision
    uncalibrated: float | None = None
    nodes: str = "test"

    def to_dict(self) -> dict[str, Any]:
        """Returns plain containers, for JSON."""
        return {
            "nodes": self.nodes,
            **self.evaluation.to_dict(),
            "decision": self.decision.to_dict(),
            "uncalibrated_error": self.uncalibrated,
        }

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """Makes the verdict that `to_dict` described."""
        fields = {field.name for field in dataclasses.fields(Evaluation)}
        values = {name: value for name, value in content.items() if name in fields}
        values["classes"] = tuple(ClassScores(**each) for each in values["classes"])
        values["confusion"] = tuple(map(tuple, values["confusion"]))
        return cls(
            evaluation=Evaluation(**values),
            decision=Decision.from_dict(content["decision"]),
            uncalibrated=content["uncalibrated_error"],
            nodes=content["nodes"],
        )

    def lines(self, *, per_class: bool) -> list[str]:
        """Writes the metrics, a table of the classes if asked for, and warnings."""
        table = [_class_table(self.evaluation.classes)] if per_class else []
        return [*self._numbers(), *table, *self.warnings()]

    def _numbers(self) -> list[str]:
        found = self.evaluation
        pr_auc = f"PR-AUC {_area(found.pr_auc)}"
        for each in found.classes:
            if each.name == found.positive_class:
                chance = each.support / found.num_nodes
                pr_auc = f"PR-AUC of {each.name} {_area(found.pr_auc)} (by chance {chance:.3f})"
        error = f"calibration error {found.calibration_error:.1%}"
        if self.uncalibrated is not None:
            temperature = self.decision.temperature
            error += f" ({self.uncalibrated:.1%} before calibration, temperature {temperature:.3g})"
        lines = [
            f"{self.nodes} ({found.num_nodes:,} nodes): accuracy {found.accuracy:.1%} (always "
            f"answering {found.majority_class}: {found.majority_accuracy:.1%}), balanced accuracy "
            f"{found.balanced_accuracy:.1%}, macro-F1 {found.macro_f1:.1%}",
            f"ROC-AUC {_area(found.roc_auc)}, {pr_auc}, log loss {found.log_loss:.3f}, {error}",
        ]
        if self.decision.threshold is not None and self.decision.positive is not None:
            name = found.classes[self.decision.positive].name
            lines.append(
                f"threshold: the answer is {name} if its probability is at least "
                f"{self.decision.threshold:.3g}"
            )
        return lines

    def warnings(self) -> list[str]:
        """Writes what the numbers alone would hide."""
        found = self.evaluation
        lines = []
        if found.never_predicted:
            many = len(found.never_predicted)
            names = ", ".join(found.never_predicted[:_FEW]) + (" …" if many > _FEW else "")
            lines.append(f"Warning: {names} {'is' if many == 1 else 'are'} never predicted.")
        if not found.is_above_majority or found.majority_accuracy >= _DOMINANT:
            lines.append(self._advice())
        return lines

    def _advice(self) -> str:
        found = self.evaluation
        if found.majority_accuracy < _UNEVEN / len(found.classes):
            return (
                "Warning: the model is not clearly better than always answering "
                f"{found.majority_class}."
            )
        two = len(found.classes) == 2
        guides = "PR-AUC and the table of classes" if two else "macro-F1 and the table of classes"
        sentence = (
            f"Accuracy is no guide here: always answering {found.majority_class} is right for "
            f"{found.majority_accuracy:.1%} of the nodes. Look at {guides}."
        )
        if self.decision.threshold is not None:
            return sentence
        remedy = "--select_by pr_auc --class_weight balanced --threshold auto"
        if not two:
            remedy = "--select_by macro_f1 --class_weight balanced"
        return f"{sentence} To find rare classes, train with {remedy}."


def _area(value: float | None) -> str:
    return NONE if value is None or math.isnan(value) else f"{value:.3f}"


def _class_table(classes: Sequence[ClassScores]) -> str:
    """A row for each class; of many classes, the largest and the mean of the others."""
    shown = list(classes)
    others: list[ClassScores] = []
    if len(classes) > _MOST_ROWS:
        order = sorted(range(len(classes)), key=lambda each: -classes[each].support)
        kept = set(order[: _MOST_ROWS - 1])
        shown = [classes[each] for each in sorted(kept)]
        others = [each for i, each in enumerate(classes) if i not in kept]
    rows = [_row(each.name, each.precision, each.recall, each.f1, each.support) for each in shown]
    if others:
        precision, recall, f1 = (
            float(np.mean([getattr(each, name) for each in others]))
            for name in ("precision", "recall", "f1")
        )
        nodes = sum(each.support for each in others)
        rows.append(_row(f"{len(others)} others, mean", precision, recall, f1, nodes))
    return markdown_table(["class", "precision", "recall", "F1", "nodes"], rows)


def _row(name: str, precision: float, recall: float, f1: float, nodes: int) -> list[str]:
    return [name, f"{precision:.1%}", f"{recall:.1%}", f"{f1:.1%}", f"{nodes:,}"]
