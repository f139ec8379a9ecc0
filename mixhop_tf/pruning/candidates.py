"""The architectures that stability selection suggests, and the default one beside them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mixhop_tf.architecture import Architecture
from mixhop_tf.pruning.comparison import DealScore
from mixhop_tf.pruning.settings import LearnSettings, StabilitySettings
from mixhop_tf.pruning.stability import PathPoint, PowerShare, stable_widths

EVEN, HIDDEN, LEARNED = "even", "learned hidden", "learned"


@dataclasses.dataclass(frozen=True, kw_only=True)
class StableArchitecture:
    """The result of `learn_stable_architecture`.

    Attributes:
        chosen: The chosen candidate.
        candidates: The architectures that were compared.
        points: The networks of the searches.
        shares: What the searches say of each power in each layer, for each number of columns.
        scores: Validation scores of the candidates on deals of the labelled nodes, by `Named.text`.
    """

    chosen: Named
    candidates: Mapping[Named, Architecture]
    points: Sequence[PathPoint]
    shares: Mapping[int, Sequence[PowerShare]]
    scores: Sequence[DealScore]

    @property
    def architecture(self) -> Architecture:
        """The chosen architecture."""
        return self.candidates[self.chosen]

    def learned(self, columns: int) -> Architecture:
        """The architecture that the searches suggest, even if another was chosen."""
        name = Named(columns, LEARNED)
        return self.candidates.get(name, self.candidates[Named(columns, HIDDEN)])


class Named(NamedTuple):
    """A candidate.

    Attributes:
        columns: Number of columns of each hidden layer.
        kind: `even`, `learned hidden` or `learned`.
    """

    columns: int
    kind: str

    @property
    def text(self) -> str:
        """The name in tables and files, such as `60 even`."""
        return f"{self.columns} {self.kind}"


def units_of(settings: LearnSettings, columns: int) -> list[int]:
    """Lists the number of units of each layer to which the searches are followed."""
    return [columns] * settings.num_hidden + [len(settings.all_powers)]


def candidates_of(
    shares: Sequence[PowerShare],
    settings: LearnSettings,
    stability: StabilitySettings,
    columns: int,
    num_classes: int,
) -> dict[str, Architecture]:
    """Makes the candidates: the default architecture, and learned ones of the same width.

    `learned` divides the hidden columns as the searches say, and its output has the powers that
    survive there. `learned hidden` has all powers at the output.

    Args:
        shares: Result of `power_shares`.
        settings: Settings with the powers, the number of layers and the dropout of retraining.
        stability: Settings with the threshold of the output.
        columns: Number of columns of each hidden layer.
        num_classes: Number of classes `c`.
    """
    powers = settings.all_powers
    widths = [stable_widths(shares, columns, i) for i in range(settings.num_hidden)]
    last = {each.power: each.share for each in shares if each.layer == settings.num_hidden}

    def learned(output: Sequence[int]) -> Architecture:
        groups = {power: num_classes * (power in output) for power in powers}
        dims = [[power, *(layer[power] for layer in widths), groups[power]] for power in powers]
        notation = ",".join(":".join(map(str, each)) for each in dims)
        return _made(settings, columns, num_classes, notation)

    made = {EVEN: _made(settings, columns, num_classes, ",".join(map(str, settings.powers)))}
    made[HIDDEN] = learned(powers)
    output = output_powers(last, stability.threshold)
    if len(output) < len(powers):
        made[LEARNED] = learned(output)
    return made


def output_powers(shares: Mapping[int, float], threshold: float) -> list[int]:
    """Lists the powers with at least `threshold` times an equal share, in order.

    Example:
    >>> output_powers({0: 0.1, 1: 0.5, 2: 0.4}, threshold=0.5)
    [1, 2]
    """
    least = min(threshold / len(shares), max(shares.values()))
    return sorted(power for power, share in shares.items() if share >= least)


def _made(settings: LearnSettings, columns: int, num_classes: int, notation: str) -> Architecture:
    made = Architecture.from_notation(
        notation,
        num_classes=num_classes,
        hidden_dims=[columns] * settings.num_hidden,
        adjacency=settings.adjacency,
        jumping=settings.jumping,
    )
    return made.with_dropout(settings.retrain.input_dropout, settings.retrain.hidden_dropout)
