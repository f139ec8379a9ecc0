"""Pictures of a learned architecture, and of the scores that decided it."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from mixhop_tf import Architecture, LayerSpec, Pruning
from mixhop_tf.architecture_text import power_name
from mixhop_tf.training.graph import Graph
from trainers.plots.style import COLOURS, new_figure, text_colour

_PALETTE = [COLOURS[name] for name in ("grey", "blue", "orange", "green", "purple", "sky", "red")]
# As shares of the height of the widest layer: between two boxes, and what a line of text takes.
_GAP, _LINE = 0.03, 0.065


def colour_of(power: int) -> str:
    """The same power has the same colour in every picture; backward ones come from the end."""
    return _PALETTE[power % len(_PALETTE)]


def label_of(power: int, is_both: bool) -> str:
    """How a power is written: `Â²`, or `in 2` and `out 2` if both directions are read."""
    if is_both and power:
        return power_name(power, is_both)
    return "Â" + str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def architecture(learned: Architecture, graph: Graph, subtitle: str) -> Figure:
    """Draws boxes as in Figure 5 of the paper: layers from left to right, a box for each power.

    A box is as tall as the power has columns, on one scale for all layers. A power that vanished
    from a layer is an empty, dashed box. A line below says what is special: direction,
    normalization, jumping connections, attention.

    Args:
        learned: The architecture.
        graph: The graph that it was learned on.
        subtitle: Stands in brackets after the title.
    """
    count = len(learned.layers)
    figure, axes = new_figure(1, 1, width=2.6 + 2.3 * count, height=4.0)
    panel, scale = axes[0, 0], 1 / max(layer.width for layer in learned.layers)
    is_both = learned.adjacency.direction == "both"
    lowest = min(
        _draw_layer(panel, x, layer, scale, is_both)
        for x, layer in enumerate(learned.layers, start=1)
    )
    note = _note(learned)
    if note:
        lowest -= _LINE + _GAP
        panel.text((count + 1) / 2, lowest, note, ha="center", va="bottom", fontsize=9)
    output = "psum" if learned.output == "psum" else "dense"
    stages = [
        f"{graph.num_features:,}\nfeatures",
        *(f"layer {x}:\n{layer.width} columns" for x, layer in enumerate(learned.layers, start=1)),
        f"{output}:\n{graph.num_classes} classes",
    ]
    for x, stage in enumerate(stages):
        panel.text(x, 0.1, stage, ha="center", va="center")
        if x:
            arrow = {"arrowstyle": "->", "lw": 1.2}
            panel.annotate("", (x - 0.36, 0.1), (x - 0.64, 0.1), arrowprops=arrow)
    panel.set(xlim=(-0.5, count + 1.5), ylim=(lowest - 0.01, 0.18))
    panel.axis("off")
    figure.suptitle(f"{graph.name}: learned architecture ({subtitle})")
    return figure


def _note(learned: Architecture) -> str:
    """What is special about an architecture, in one line."""
    parts = [str(learned.adjacency)] if str(learned.adjacency) else []
    if learned.jumping:
        parts.append("jumping connections")
    heads = sorted({layer.heads for layer in learned.layers if layer.heads})
    if heads:
        parts.append(f"{' and '.join(map(str, heads))} attention heads")
    return ", ".join(parts)


def _draw_layer(panel: Axes, x: int, layer: LayerSpec, scale: float, is_both: bool) -> float:
    """Hangs the boxes of a layer from the height 0; returns where the lowest ends."""
    top = 0.0
    for power, dim in zip(layer.powers, layer.dims, strict=True):
        height = dim * scale if dim else _LINE
        face = colour_of(power) if dim else "none"
        panel.add_patch(
            Rectangle(
                (x - 0.3, top - height),
                0.6,
                height,
                facecolor=face,
                edgecolor="none" if dim else "black",
                linestyle="-" if dim else "--",
            )
        )
        label = f"{label_of(power, is_both)}: {dim or 'vanished'}"
        middle = top - height / 2
        if height < _LINE:  # too low for text: beside the box
            panel.text(x + 0.34, middle, label, ha="left", va="center", fontsize=9)
        else:
            colour = text_colour(face) if dim else "black"
            panel.text(x, middle, label, ha="center", va="center", fontsize=9, color=colour)
        top -= max(height, _LINE) + _GAP
    return top + _GAP


def unit_scores(pruning: Pruning, graph: Graph) -> Figure:
    """Draws the sorted scores of the units of each power, layer by layer, and the threshold."""
    count, is_both = len(pruning.scores), pruning.wide.adjacency.direction == "both"
    figure, axes = new_figure(1, count, width=4.5 * count, height=3.6)
    for i, (layer, threshold) in enumerate(zip(pruning.scores, pruning.thresholds, strict=True)):
        panel, spec = axes[0, i], pruning.architecture.layers[i]
        kept = dict(zip(spec.powers, spec.dims, strict=True))
        size = graph.num_classes if i + 1 == count and pruning.wide.output == "psum" else 1
        for power, values in layer.items():
            ordered = np.sort(values[values > -np.inf])[::-1]  # the others vanished
            panel.plot(
                np.arange(1, len(ordered) + 1),
                ordered,
                color=colour_of(power),
                marker="." if len(ordered) < 40 else None,
                linestyle="-" if power >= 0 else "--",
                label=f"{label_of(power, is_both)}: {len(ordered)} of {len(values)} survive the "
                f"lasso, {kept[power] // size} stay",
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
    figure.suptitle(f"{graph.name}: importance of the units after the lasso ({pruning.lasso:g})")
    return figure
