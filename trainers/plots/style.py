"""Figures for eyes and papers: one style, colour-blind safe, PNG and SVG."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from datasets.atomic import replacing

# Okabe and Ito's palette: told apart by the colour-blind, and in grey.
COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "grey": "#999999",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "red": "#D55E00",
}
STYLE: dict[Any, Any] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "figure.dpi": 150,
    "font.size": 10,
    "text.parse_math": False,  # a class may be called $x_{$
    "svg.fonttype": "none",
    "svg.hashsalt": "mixhop",  # the same figure gives the same bytes
}


def new_figure(rows: int, columns: int, width: float, height: float) -> tuple[Figure, np.ndarray]:
    """A figure and its axes `[rows, columns]`, in the project's style, without a display."""
    mpl.rcParams.update(STYLE)
    figure = Figure(figsize=(width, height))
    return figure, figure.subplots(rows, columns, squeeze=False)


def save(figure: Figure, stem: Path) -> list[Path]:
    """Writes `stem.png` and `stem.svg`, whole or not at all."""
    paths = [stem.with_name(f"{stem.name}.{kind}") for kind in ("png", "svg")]
    for path in paths:
        date = {"Date": None} if path.suffix == ".svg" else {}
        with replacing(path) as temporary, warnings.catch_warnings():
            # The user's own names may be in any script; boxes in a picture are enough said.
            warnings.filterwarnings("ignore", "Glyph .* missing")
            figure.savefig(temporary, metadata=date)
    return paths
