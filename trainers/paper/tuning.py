"""Tuning: hyper-parameters drawn at random, compared by validation accuracy alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from trainers.paper import synthetic_presets
from trainers.paper.preset import Preset
from trainers.paper.presets import CITATION, MODELS, preset
from trainers.sweeps import protocol
from trainers.sweeps.cell import Cell
from trainers.sweeps.data_config import DataConfig, is_synthetic

# What `trainers.tune` draws from, each value as likely as the others, for each optimiser: as many
# values of each hyper-parameter. The penalties are multiples of each other as in the original
# (lasso = L2) or the paper (no lasso).
_DROPOUTS = {
    "input_dropout": (0.0, 0.3, 0.5, 0.7, 0.8),
    "hidden_dropout": (0.3, 0.5, 0.7, 0.8, 0.9),
}
SPACES: Mapping[str, Mapping[str, tuple[float, ...]]] = {
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
    # Two features of 5,000 nodes leave nothing to drop at the input, and little to overfit.
    "synthetic": {
        "learning_rate": (0.005, 0.01, 0.02, 0.05),
        "l2": (0.0, 5e-5, 2.5e-4, 1e-3),
        "lasso": (0.0,),
        "input_dropout": (0.0,),
        "hidden_dropout": (0.0, 0.3, 0.5, 0.7),
    },
}

# The presets from which tuning starts, and which are among what it tries; it draws around the
# first.
_STARTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(MODELS, ("equal",)),
    "mixhop": ("original",),
    "ngcn": ("own",),  # it is in none of the tables of equal capacity
}


def tuning_starts(model: str, data: DataConfig) -> tuple[dict[str, Preset], str]:
    """The presets from which tuning starts, by name, and the name of the space that it draws from.

    What it finds differs from one of them in the tuned values alone. On other splits than
    Planetoid's, MixHop's settings for those are known, and tried too.
    """
    if is_synthetic(data.dataset) and model in synthetic_presets.START:
        return {"synthetic": synthetic_presets.START[model]}, "synthetic"
    names = _STARTS[model]
    if model == "mixhop" and data.dataset not in CITATION:
        names = ("general",)
    elif model == "mixhop" and data.split != "given":
        names = (*names, "l2")
    starts = {name: preset(name, data.dataset, model) for name in names}
    return starts, starts[names[0]].settings.optimizer


# In each round: how many of the best presets take part, and the runs each then has.
ROUNDS = ((16, 2), (4, 6))


@dataclasses.dataclass(frozen=True)
class Trial:
    """A preset that was tried, and how it did on validation data."""

    preset: Preset
    num_runs: int
    val_accuracy: float
    val_loss: float

    @property
    def score(self) -> tuple[float, float]:
        """Greater is better."""
        return self.val_accuracy, -self.val_loss


def draw(starts: Sequence[Preset], space: str, num_trials: int, seed: int) -> list[Preset]:
    """`starts`, and distinct presets drawn around the first from one of `SPACES`."""
    rng = np.random.default_rng(seed)
    presets = list(starts)
    while len(presets) < num_trials:
        drawn = {name: float(rng.choice(values)) for name, values in SPACES[space].items()}
        preset = starts[0].with_values(**drawn | {"lasso": drawn["lasso"] * drawn["l2"]})
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
        presets: What to try.
        cell_of: The cell in which a preset is tried.
        sweep: Makes the missing runs of cells.
        rounds: Of each round, how many presets take part and how many runs each has in all.
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
    """A run that failed counts as one that got nothing right."""
    done = protocol.ranked(cell.records(range(num_runs)))
    accuracy = sum(record["val_accuracy"] for record in done) / num_runs
    losses = [record["val_loss"] for record in done] or [np.inf]
    return Trial(preset, num_runs, accuracy, float(np.mean(losses)))
