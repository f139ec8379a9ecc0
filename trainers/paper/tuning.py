"""Tuning: random hyper-parameters are compared only by validation accuracy."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from trainers.paper import classical_presets, synthetic_presets
from trainers.paper.preset import TUNED, Preset
from trainers.paper.presets import CITATION, MODELS, preset
from trainers.sweeps import protocol, records
from trainers.sweeps.cell import Cell
from trainers.sweeps.data_config import DataConfig, is_synthetic

# The values that `trainers.tune` draws from, all with the same probability. Both optimisers have
# the same number of values, except for the lasso: it is either the L2 coefficient, as in the
# original, or zero, as in the paper.
_DROPOUTS = {
    "input_dropout": (0.0, 0.3, 0.5, 0.7, 0.8),
    "hidden_dropout": (0.3, 0.5, 0.7, 0.8, 0.9),
}
SPACES: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    **classical_presets.SPACES,
    "gradient_descent": {
        "learning_rate": (0.1, 0.25, 0.5, 1.0, 2.0),
        "l2": (5e-4, 1e-3, 5e-3, 1e-2, 5e-2),
        "lasso": (0.0, 1.0),  # times l2
        **_DROPOUTS,
    },
    "adam": {
        "learning_rate": (0.002, 0.005, 0.01, 0.02, 0.05),
        "l2": (5e-5, 2.5e-4, 5e-4, 1e-3, 2.5e-3),
        "lasso": (0.0,),
        **_DROPOUTS,
    },
    # With two features and 5,000 nodes, input dropout makes no sense, and models hardly overfit.
    "synthetic": {
        "learning_rate": (0.005, 0.01, 0.02, 0.05),
        "l2": (0.0, 5e-5, 2.5e-4, 1e-3),
        "lasso": (0.0,),
        "input_dropout": (0.0,),
        "hidden_dropout": (0.0, 0.3, 0.5, 0.7),
    },
}

# The presets from which tuning starts. It tries them too, and draws changes of the first.
_STARTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(MODELS, ("equal",)),
    "mixhop": ("original",),
    "mixhop_attention": ("own",),
    "ngcn": ("own",),  # no table of equal capacity contains it
}


def tuning_starts(model: str, data: DataConfig) -> tuple[dict[str, Preset], str]:
    """The presets from which tuning starts, by name, and the name of the space that it draws from.

    The best settings differ from one of them only in the tuned values. On the other splits of the
    citation graphs, tuning also tries MixHop's preset for Planetoid's splits.
    """
    if is_synthetic(data.dataset) and model in synthetic_presets.START:
        return {"synthetic": synthetic_presets.START[model]}, "synthetic"
    if model in classical_presets.START:
        return {"start": classical_presets.START[model]}, model
    names = _STARTS[model]
    if model == "mixhop" and data.dataset not in CITATION:
        names = ("general",)
    elif model == "mixhop" and data.split != "given":
        names = (*names, "l2")
    starts = {name: preset(name, data.dataset, model) for name in names}
    return starts, starts[names[0]].settings.optimizer


def tuned_names(model: str) -> tuple[str, ...]:
    """The names of the values that tuning chooses for a model."""
    return tuple(classical_presets.SPACES.get(model, dict.fromkeys(TUNED)))


# For each round: how many of the best presets take part, and how many runs each then has.
ROUNDS = ((16, 2), (4, 6))


@dataclasses.dataclass(frozen=True)
class Trial:
    """A preset that was tried, with its validation accuracy and loss."""

    preset: Preset
    num_runs: int
    val_score: float
    val_loss: float

    @property
    def score(self) -> tuple[float, float]:
        """Sorts trials: greater is better."""
        return self.val_score, -self.val_loss


def draw(starts: Sequence[Preset], space: str, num_trials: int, seed: int) -> list[Preset]:
    """`starts`, and distinct changes of the first with values drawn from one of `SPACES`."""
    rng = np.random.default_rng(seed)
    presets = list(starts)
    values = SPACES[space]
    if math.prod(map(len, values.values())) <= num_trials:  # few enough to try them all
        every = itertools.product(*values.values())
        presets += [starts[0].with_values(**dict(zip(values, each, strict=True))) for each in every]
        return [each for i, each in enumerate(presets) if each not in presets[:i]]
    while len(presets) < num_trials:
        drawn = {name: each[int(rng.integers(len(each)))] for name, each in values.items()}
        if "lasso" in drawn:
            drawn["lasso"] *= drawn["l2"]
        preset = starts[0].with_values(**drawn)
        if preset not in presets:
            presets.append(preset)
    return presets


def tune(
    presets: Sequence[Preset],
    cell_of: Callable[[Preset], Cell],
    sweep: Callable[[Sequence[Cell], Sequence[int]], None],
    rounds: Sequence[tuple[int, int]],
) -> list[Trial]:
    """The presets of the last round, best first.

    Args:
        presets: The presets to try.
        cell_of: Gives the cell of a preset.
        sweep: Makes the missing runs of cells.
        rounds: For each round, how many presets take part and how many runs each has in total.
    """
    trials: list[Trial] = []
    for num_presets, num_runs in rounds:
        contenders = presets[:num_presets]
        cells = [cell_of(preset) for preset in contenders]
        sweep(cells, range(num_runs))
        trials = [
            _trial(preset, cell, num_runs) for preset, cell in zip(contenders, cells, strict=True)
        ]
        trials.sort(key=lambda trial: trial.score, reverse=True)
        presets = [trial.preset for trial in trials]
    return trials


def _trial(preset: Preset, cell: Cell, num_runs: int) -> Trial:
    """The trial of a preset; a failed run counts as accuracy zero."""
    done = protocol.ranked(cell.records(range(num_runs)))
    score = sum(records.score(record) for record in done) / num_runs
    if preset.settings.select_by == "loss" and len(done) < num_runs:
        score = -np.inf  # 0 is the best loss
    losses = [record["val_loss"] for record in done] or [np.inf]
    return Trial(preset, num_runs, score, float(np.mean(losses)))
