"""A search over hyper-parameters that looks at validation accuracy alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from trainers import protocol
from trainers.cell import Cell
from trainers.config import Preset
from trainers.experiments import SEARCH_SPACES


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
    """`starts`, and distinct presets drawn around the first from one of `SEARCH_SPACES`."""
    rng = np.random.default_rng(seed)
    presets = list(starts)
    while len(presets) < num_trials:
        drawn = {name: float(rng.choice(values)) for name, values in SEARCH_SPACES[space].items()}
        preset = starts[0].tuned(**drawn | {"lasso": drawn["lasso"] * drawn["l2"]})
        if preset not in presets:
            presets.append(preset)
    return presets


def search(
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
        going_on = presets[:num_presets]
        cells = [cell_of(preset) for preset in going_on]
        sweep(cells, range(num_runs))
        trials = [
            _trial(preset, cell, num_runs) for preset, cell in zip(going_on, cells, strict=True)
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
