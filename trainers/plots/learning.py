"""Pictures of a learned architecture, and of the norms that decided it."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from mixhop_tf import Architecture, LayerSpec, Pruning
from mixhop_tf.training.graph import Graph
from trainers.plots.style import COLOURS, new_figure

_PALETTE = [COLOURS[name] for name in ("grey", "blue", "orange", "green", "purple", "sky", "red")]
_GAP, _LEAST = 0.04, 0.07  # between the boxes of a layer; height of the smallest box


def colour_of(power: int) -> str:
    """The same power has the same colour in every picture."""
    return _PALETTE[power % len(_PALETTE)]


def architecture(learned: Architecture, graph: Graph, subtitle: str) -> Figure:
    """Boxes as in Figure 5 of the paper: a column a layer, a box a power, its height the width.

    A power that vanished from a layer is an empty, dashed box.
    """
    count = len(learned.layers)
    figure, axes = new_figure(1, 1, width=2.6 + 2.3 * count, height=4.0)
    panel = axes[0, 0]
    last = "psum" if learned.output == "psum" else "dense"
    panel.text(0, 0.5, f"{graph.num_features:,}\nfeatures", ha="center", va="center")
    for x, layer in enumerate(learned.layers, start=1):
        _draw_layer(panel, x, layer)
        panel.text(x, 1.06, f"layer {x}: {layer.width} columns", ha="center", va="bottom")
    panel.text(count + 1, 0.5, f"{last}\n{graph.num_classes}\nclasses", ha="center", va="center")
    for x in range(count + 1):
        arrow = {"arrowstyle": "->", "lw": 1.2}
        panel.annotate("", (x + 0.62, 0.5), (x + 0.38, 0.5), arrowprops=arrow)
    panel.set(xlim=(-0.5, count + 1.5), ylim=(-0.03, 1.14))
    panel.axis("off")
    figure.suptitle(f"{graph.name}: learned architecture ({subtitle})")
    return figure


def _draw_layer(panel: Axes, x: int, layer: LayerSpec) -> None:
    room = 1 - _GAP * (len(layer.dims) - 1)
    shares = np.maximum(np.array(layer.dims) / layer.width, _LEAST)
    top = 1.0
    for power, dim, height in zip(
        layer.powers, layer.dims, room * shares / shares.sum(), strict=True
    ):
        panel.add_patch(
            Rectangle(
                (x - 0.3, top - height),
                0.6,
                height,
                facecolor=colour_of(power) if dim else "none",
                edgecolor="white" if dim else "black",
                linestyle="-" if dim else "--",
            )
        )
        label = f"Â{_superscript(power)}:  {dim}" if dim else f"Â{_superscript(power)}:  vanished"
        panel.text(x, top - height / 2, label, ha="center", va="center", fontsize=9)
        top -= height + _GAP


def _superscript(power: int) -> str:
    return str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def unit_scores(pruning: Pruning, graph: Graph) -> Figure:
    """The sorted scores of the units of each power, layer by layer, and the threshold."""
    count = len(pruning.scores)
    figure, axes = new_figure(1, count, width=4.5 * count, height=3.6)
    for i, (layer, threshold) in enumerate(zip(pruning.scores, pruning.thresholds, strict=True)):
        panel, spec = axes[0, i], pruning.architecture.layers[i]
        kept = dict(zip(spec.powers, spec.dims, strict=True))
        size = graph.num_classes if i + 1 == count and pruning.wide.output == "psum" else 1
        for power, values in layer.items():
            ordered = np.sort(values[values > -np.inf])[::-1]  # the others have vanished
            panel.plot(
                np.arange(1, len(ordered) + 1),
                ordered,
                color=colour_of(power),
                marker="." if len(ordered) < 40 else None,
                label=f"Â{_superscript(power)}: {len(ordered)} of {len(values)} survive the lasso, "
                f"{kept[power] // size} stay",
            )
        panel.axhline(threshold, color="black", linestyle="--", linewidth=1, label="threshold")
        unit = "column" if size == 1 else f"group of {size} columns"
        longest = max(map(len, layer.values()))
        panel.set(
            title=f"Layer {i + 1}",
            xlabel=f"{unit}, sorted",
            ylabel="importance",
            xlim=(0, longest + 1),
        )
        panel.set_ylim(bottom=min(0.0, panel.get_ylim()[0]))
        panel.legend(frameon=False, fontsize=7)
    figure.suptitle(f"{graph.name}: what the lasso {pruning.lasso:g} left")
    return figure
