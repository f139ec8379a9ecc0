"""The architectures that stability selection suggests, and the default one beside them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mixhop_tf.architecture import Architecture
from mixhop_tf.pruning.comparison import DealScore
from mixhop_tf.pruning.settings import LearnSettings, StabilitySettings
from mixhop_tf.pruning.stability import PathPoint, PowerShare, stable_widths

EVEN, FAR, HIDDEN, LEARNED = "even", "even far", "learned hidden", "learned"


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
        kind: `even`, `even far`, `learned hidden` or `learned`; see `candidates_of`.
    """

    columns: int
    kind: str

    @property
    def text(self) -> str:
        """The name in tables and files, such as `60 even`."""
        return f"{self.columns} {self.kind}"


def units_of(settings: LearnSettings, columns: int) -> list[int]:
    """Lists the number of units of each layer to which the searches are followed.

    Args:
        settings: Settings with the powers that are searched.
        columns: Number of columns of each hidden layer.
    """
    return [columns] * settings.num_hidden + [len(settings.all_powers)]


def candidates_of(
    shares: Sequence[PowerShare],
    settings: LearnSettings,
    stability: StabilitySettings,
    columns: int,
    num_classes: int,
) -> dict[str, Architecture]:
    """Makes the candidates: the default architecture, and others of the same width.

    `even far` gives all powers that were searched an equal share. `learned` divides the hidden
    columns as the searches say, and its output has the powers that may be of use there. `learned
    hidden` has all powers at the output.

    Args:
        shares: Result of `power_shares`.
        settings: Settings with the powers of the default architecture, the number of layers and the
            dropout of retraining.
        stability: Settings with the threshold of the output.
        columns: Number of columns of each hidden layer.
        num_classes: Number of classes `c`.
    """
    searched = stability.searched(settings)
    powers = searched.all_powers
    widths = [stable_widths(shares, columns, i) for i in range(settings.num_hidden)]
    output = output_powers(shares, settings.num_hidden, stability.threshold)

    def learned(output: Sequence[int]) -> Architecture:
        groups = {power: num_classes * (power in output) for power in powers}
        dims = [[power, *(layer[power] for layer in widths), groups[power]] for power in powers]
        notation = ",".join(":".join(map(str, each)) for each in dims)
        return _made(settings, columns, num_classes, notation)

    def even(powers: Sequence[int]) -> Architecture:
        return _made(settings, columns, num_classes, ",".join(map(str, powers)))

    made = {EVEN: even(settings.powers)}
    if searched.powers != settings.powers:
        made[FAR] = even(searched.powers)
    made[HIDDEN] = learned(powers)
    if len(output) < len(powers):
        made[LEARNED] = learned(output)
    return made


def output_powers(shares: Sequence[PowerShare], layer: int, threshold: float) -> list[int]:
    """Lists the powers of the output that may have `threshold` times an equal share, in order.

    A power goes only if the searches agree: its share and the interval of it stay below.

    Args:
        shares: Result of `power_shares`.
        layer: Number of the output layer.
        threshold: The share, in multiples of an equal share.
    """
    last = [each for each in shares if each.layer == layer]
    greatest = max(each.share for each in last)
    least = min(threshold / len(last), greatest)
    return sorted(each.power for each in last if each.share + each.interval >= least)


def _made(settings: LearnSettings, columns: int, num_classes: int, notation: str) -> Architecture:
    made = Architecture.from_notation(
        notation,
        num_classes=num_classes,
        hidden_dims=[columns] * settings.num_hidden,
        adjacency=settings.adjacency,
        jumping=settings.jumping,
    )
    return made.with_dropout(settings.retrain.input_dropout, settings.retrain.hidden_dropout)
