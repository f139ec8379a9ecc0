"""One style for all figures: colour-blind safe, for screens (PNG, SVG) and papers (PDF)."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import colors
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatterSciNotation

from datasets.atomic import replacing
from trainers.plots.small_png import write_small_png

# Okabe and Ito's palette, which colour-blind readers can tell apart.
COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "grey": "#999999",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "red": "#D55E00",
}
DPI = 300  # what journals ask for
KINDS = ("png", "svg", "pdf")
STYLE: dict[Any, Any] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "figure.dpi": 150,
    "font.size": 10,
    "pdf.fonttype": 42,  # TrueType: journals refuse matplotlib's default, Type 3
    "savefig.dpi": DPI,
    "text.parse_math": False,  # a class may be called $x_{$
    "svg.fonttype": "none",
    "svg.hashsalt": "mixhop",  # the same figure gives the same bytes
}
# Without dates, so that the same figure gives the same bytes.
_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}


def new_figure(rows: int, columns: int, width: float, height: float) -> tuple[Figure, np.ndarray]:
    """A figure and its axes `[rows, columns]`, in the project's style, without a display."""
    mpl.rcParams.update(STYLE)
    figure = Figure(figsize=(width, height))
    return figure, figure.subplots(rows, columns, squeeze=False)


def save(figure: Figure, stem: Path) -> list[Path]:
    """Writes `stem.png`, `stem.svg` and `stem.pdf`, each whole or not at all."""
    paths = [stem.with_name(f"{stem.name}.{kind}") for kind in KINDS]
    for path, kind in zip(paths, KINDS, strict=True):
        with replacing(path) as temporary, warnings.catch_warnings():
            # A user's own names may be in any script. Boxes in the picture show the problem.
            warnings.filterwarnings("ignore", "Glyph .* missing")
            drawn = io.BytesIO()
            figure.savefig(drawn, format=kind, metadata=_METADATA[kind])
            if kind == "png":
                write_small_png(drawn, temporary, DPI)
            else:
                temporary.write_bytes(drawn.getvalue())
    return paths


def text_colour(background: Any) -> str:
    """Black or white, whichever has more contrast with the background.

    The contrast is that of the Web Content Accessibility Guidelines, `(L₁ + 0.05) / (L₂ + 0.05)`
    with the relative luminance `L`.

    >>> text_colour(COLOURS["blue"]), text_colour(COLOURS["orange"])
    ('white', 'black')
    """
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in colors.to_rgb(background)
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "white" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "black"


class _PlainLog(LogFormatterSciNotation):
    """Labels the ticks that matplotlib would label, with plain numbers instead of formulas."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return f"{x:g}" if super().__call__(x, pos) else ""


def plain_log_ticks(axis: Axis) -> None:
    """Labels a logarithmic axis with plain numbers.

    Matplotlib's own labels are formulas, which this style shows as they are written. An axis of
    less than a decade has labels at its minor ticks, so these need the same.
    """
    axis.set_major_formatter(_PlainLog())
    axis.set_minor_formatter(_PlainLog(minor_thresholds=(1.0, 0.4)))
