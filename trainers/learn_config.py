"""What decides a learned architecture, but for the graph and the seed."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from trainers.config import Preset, RunConfig, told
from trainers.data_config import DataConfig
from trainers.errors import RunError

if TYPE_CHECKING:
    import datasets
    from mixhop_tf import Architecture, Budget

IMPORTANCES = ("norm", "effect", "loss")
RESTARTS = ("fresh", "surviving")
# Hyper-parameters that are no flags of the search.
NOT_ASKED = ("optimizer", "patience_for")


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearnConfig:
    """The five stages of Section 4.2 of the paper, in numbers.

    Args:
        powers: Of the adjacency, the same in every layer.
        num_hidden: Hidden layers.
        width: Columns for each power at each layer of the wide network.
        wide: How the wide network is trained; its lasso is one of `lassos`.
        lassos: Lasso coefficients to try. Of several the one wins whose architecture, retrained,
            has the best mean validation accuracy.
        importance: What decides which units stay: `norm`, `effect` or `loss`; see
            `mixhop_tf.importance`.
        budget: What may stay, in the notation of `mixhop_tf.Budget`.
        restart: Retrain from `fresh` or from the `surviving` weights.
        retrain: How the learned architecture is trained.
        runs: Retrainings from different seeds; the best by validation accuracy is kept.
    """

    powers: tuple[int, ...]
    num_hidden: int
    width: int
    wide: Preset
    lassos: tuple[float, ...]
    importance: str
    budget: str
    restart: str
    retrain: Preset
    runs: int

    def __post_init__(self) -> None:
        if not self.powers or len(set(self.powers)) != len(self.powers) or min(self.powers) < 0:
            raise RunError(
                "--powers takes distinct whole numbers from 0 on, such as 0,1,2, not "
                f"{','.join(map(str, self.powers))}."
            )
        for name in ("num_hidden", "width", "runs"):
            if getattr(self, name) < 1:
                raise RunError(f"--{name} must be at least 1, not {getattr(self, name)}.")
        positive = all(np.isfinite(lasso) and lasso > 0 for lasso in self.lassos)
        if not self.lassos or not positive or len(set(self.lassos)) != len(self.lassos):
            raise RunError(
                "--lasso takes distinct positive numbers, or auto, not "
                f"{','.join(map(str, self.lassos))}."
            )
        for name, choices in (("importance", IMPORTANCES), ("restart", RESTARTS)):
            if getattr(self, name) not in choices:
                raise RunError(
                    f"--{name} must be one of {', '.join(choices)}, not {getattr(self, name)!r}."
                )

    def parsed_budget(self) -> Budget:
        """The budget as an object."""
        from mixhop_tf import Budget

        try:
            return Budget.parse(self.budget, self.num_hidden)
        except ValueError as error:
            raise RunError(f"--budget {self.budget}: {error}") from None

    def wide_architecture(self, num_classes: int) -> Architecture:
        """The wide network (stage 1). Its output is as wide as whole groups of `c` columns fit."""
        from mixhop_tf import Architecture

        groups = max(1, self.width // num_classes)
        output = groups * num_classes
        notation = ",".join(
            f"{power}{f':{self.width}' * self.num_hidden}:{output}" for power in self.powers
        )
        return Architecture.from_notation(
            notation,
            num_classes=num_classes,
            hidden_dims=[self.width * len(self.powers)] * self.num_hidden,
            input_dropout=self.wide.input_dropout,
            hidden_dropout=self.wide.hidden_dropout,
        )

    def wide_run(self, data: DataConfig, graph: datasets.Graph, lasso: float) -> RunConfig:
        """How the wide network is trained under a coefficient (stage 2)."""
        settings = dataclasses.replace(self.wide.settings, lasso=lasso)
        return RunConfig.of(data, graph, self.wide_architecture(graph.num_classes), settings)

    def to_dict(self) -> dict[str, Any]:
        """Plain containers for JSON: all that decides the numbers."""
        content = dataclasses.asdict(self)
        for preset in ("wide", "retrain"):
            del content[preset]["source"], content[preset]["architecture"]
            for name in set(NOT_ASKED) - set(told(getattr(self, preset).settings)):
                del content[preset]["settings"][name]
        del content["wide"]["settings"]["lasso"]  # one of `lassos`
        return content
