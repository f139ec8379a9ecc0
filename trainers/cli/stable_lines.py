"""The lines that `trainers.stable_arch` prints."""

from __future__ import annotations

import shlex
from pathlib import Path

from mixhop_tf.pruning.candidates import EVEN, StableArchitecture
from mixhop_tf.pruning.comparison import gain, scores_of
from trainers.sweeps.config import non_defaults
from trainers.sweeps.data_config import DataConfig
from trainers.text.markdown import markdown_table
from trainers.text.numbers import NONE


def shares_table(learned: StableArchitecture, columns: int) -> str:
    """What the searches say of each power in each layer."""
    rows = [
        [
            str(each.layer + 1),
            str(each.power),
            f"{100 * each.share:.0f} ± {100 * each.interval:.0f} %",
            f"{100 * each.frequency:.0f} %",
        ]
        for each in learned.shares[columns]
    ]
    header = ["layer", "power", "share of survivors", "searches where it survives"]
    return markdown_table(header, rows)


def scores_table(learned: StableArchitecture) -> str:
    """The validation scores of the candidates; a star marks the chosen one."""
    rows = []
    for name, architecture in learned.candidates.items():
        scores = scores_of(learned.scores, name.text)
        ahead = gain(learned.scores, name.text, f"{name.columns} {EVEN}")
        difference = NONE if name.kind == EVEN else _points(ahead.mean, ahead.interval)
        widths = " then ".join(",".join(map(str, layer.dims)) for layer in architecture.layers)
        rows.append(
            [
                f"{name.text}{' *' * (name == learned.chosen)}",
                widths,
                f"{100 * float(scores.mean()):.2f}",
                difference,
            ]
        )
    deals = len({score.deal for score in learned.scores})
    header = ["architecture", "widths", f"validation, mean of {deals} deals", "against even ± 95 %"]
    return markdown_table(header, rows)


def _points(mean: float, interval: float) -> str:
    return f"{100 * mean:+.2f} ± {100 * interval:.2f}"


def choice_lines(learned: StableArchitecture, data: DataConfig, folder: Path) -> list[str]:
    """What was chosen and why, and how to train it."""
    chosen = learned.chosen
    if chosen.kind == EVEN:
        answer = (
            f"chosen: the default architecture with {chosen.columns} columns; no other of its "
            "width is clearly better"
        )
    else:
        ahead = gain(learned.scores, chosen.text, f"{chosen.columns} {EVEN}")
        answer = (
            f"chosen: {chosen.text}; it is ahead of the default of its width by "
            f"{_points(ahead.mean, ahead.interval)} points"
        )
    if len({name.columns for name in learned.candidates}) > 1:
        answer += "; the smallest network within one standard error of the best"
    given = {"dataset": data.dataset, **non_defaults(data)}
    flags = " ".join(f"--{name}={shlex.quote(str(value))}" for name, value in given.items())
    architecture = shlex.quote(str(folder / "architecture.json"))
    return [
        answer,
        f"To train it: python -m trainers.train {flags} --architecture={architecture}",
        f"wrote {folder}",
    ]
