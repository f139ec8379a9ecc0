"""What a user may ask of the size of a network."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from mixhop_tf.errors import SettingError
from mixhop_tf.notation import MAX_WIDTH

# Columns of each hidden layer.
SIZES = (10, 15, 20, 30, 40, 60, 80, 120, 160, 240)


@dataclasses.dataclass(frozen=True)
class Limit:
    """What a user asks of the size.

    Args:
        kind: `columns`, `parameters` or `milliseconds` of a prediction; or `smallest`, for the
            smallest network within one standard error of the best.
        value: The limit; None for `smallest`.

    Example:
    >>> Limit.parse("columns=20")
    Limit(kind='columns', value=20.0)
    """

    kind: str
    value: float | None = None

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Reads `smallest`, `columns=20`, `parameters=9000` or `milliseconds=2`."""
        kind, _, value = text.partition("=")
        if text == "smallest":
            return cls(kind)
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if kind not in ("columns", "parameters", "milliseconds") or not 0 < number < 1e12:
            rule = "must be smallest, columns=20, parameters=9000 or milliseconds=2"
            raise SettingError("budget", rule, text)
        if kind == "columns" and (number != int(number) or number > MAX_WIDTH):
            rule = f"must be a whole number of columns, at most {MAX_WIDTH:,}"
            raise SettingError("budget", rule, text)
        return cls(kind, number)

    def sizes(self, cost_of: Callable[[int], float]) -> tuple[int, ...]:
        """Lists the widths to compare.

        Args:
            cost_of: The cost of a width, in the limit's unit.

        Raises:
            SettingError: Even the smallest network is beyond the limit.
        """
        if self.kind == "smallest" or self.value is None:
            return SIZES
        if self.kind == "columns":
            return (int(self.value),)
        for size in reversed(SIZES):
            if (cost := cost_of(size)) <= self.value:
                return (size,)
        rule = f"must be at least {cost:.3g}, the {self.kind} of {SIZES[0]} columns"
        raise SettingError("budget", rule, f"{self.kind}={self.value:g}")
