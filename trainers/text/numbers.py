"""Numbers as text: the one place that formats a mean with its spread."""

from __future__ import annotations

import math

NONE = "–"


def plus_minus(
    mean: float, spread: float | None = None, digits: int | None = 2, *, sign: bool = False
) -> str:
    """A mean and its spread, or only the mean if there is no spread.

    >>> plus_minus(82.591, 0.76), plus_minus(1.5, math.nan, 1, sign=True)
    ('82.59 ± 0.76', '+1.5')

    Args:
        mean: The mean.
        spread: A deviation or half an interval; None and NaN mean that there is none.
        digits: Number of decimals; None prints the numbers unrounded.
        sign: Whether a positive mean shows its sign.
    """

    def text(value: float, plus: str = "") -> str:
        return f"{value}" if digits is None else f"{value:{plus}.{digits}f}"

    shown = text(mean, "+" if sign else "")
    return shown if spread is None or math.isnan(spread) else f"{shown} ± {text(spread)}"


def percent(share: float) -> str:
    """A share in percent, or a dash for NaN.

    >>> percent(0.8259), percent(math.nan)
    ('82.59%', '–')
    """
    return NONE if math.isnan(share) else f"{share:.2%}"
