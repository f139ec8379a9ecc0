"""Tables and a picture of the cost of large graphs, from measurements."""

import logging

import numpy as np
from matplotlib.lines import Line2D

from trainers.plots import style
from trainers.text.markdown import markdown_table

# Each task with its colour and its mark.
TASKS = {
    "read": ("purple", "v"),
    "convert": ("grey", "s"),
    "step": ("green", "D"),
    "epoch on clusters": ("blue", "o"),
    "PyG clusters": ("sky", "o"),
    "epoch on fields": ("red", "^"),
    "PyG fields": ("orange", "^"),
    "predict": ("black", "P"),
}
OURS = ("read", "convert", "step", "epoch on clusters", "epoch on fields", "predict")
_BESIDE = (("epoch on clusters", "PyG clusters"), ("epoch on fields", "PyG fields"))
_FITTED_FROM = 1_000_000  # edges
_LEAST_GB = 0.02  # the memory of a smaller task cannot be told from that of start-up


def tables(lines):
    """Makes the Markdown tables from the measurements, by name.

    The last measurement of a task counts. Ours stand beside those of PyG only if both are of the
    same `session`, since the speed of a machine is not that of another.
    """
    return {"large_graph": _ours(_latest(lines)), "large_graph_pyg": _beside(lines)}


def _latest(lines):
    return list({(each["task"], each["edges"]): each for each in lines}.values())


def exponent(points):
    """Fits `e` of `cost ~ size^e` by least squares; None for fewer than two points."""
    if len(points) < 2:
        return None
    sizes, costs = np.log(np.array(points)).T
    return float(np.polyfit(sizes, costs, 1)[0])


def _cost(lines, task, edges):
    found = [each for each in lines if (each["task"], each["edges"]) == (task, edges)]
    return found[-1] if found else None


def _beyond(cost):
    return cost["gb"] - cost["start_gb"]


def _sizes(lines):
    return sorted({each["edges"] for each in lines})


def _ours(lines):
    rows = []
    for edges in _sizes(lines):
        cells = []
        for task in OURS:
            cost = _cost(lines, task, edges)
            cells.append("–" if cost is None else f"{cost['cpu']:.3g}, {cost['gb']:.2f}")
        rows.append([f"{edges:,}", *cells])
    fitted = []
    for task in OURS:
        mine = [each for each in lines if each["task"] == task and each["edges"] >= _FITTED_FROM]
        seconds = exponent([(each["edges"], each["cpu"]) for each in mine])
        grown = [(each["edges"], _beyond(each)) for each in mine]
        memory = exponent([point for point in grown if point[1] > _LEAST_GB])
        fitted.append(
            ", ".join("–" if each is None else f"{each:.2f}" for each in (seconds, memory))
        )
    rows.append(["exponents", *fitted])
    return markdown_table(["edges", *(f"{task}: CPU s, GB" for task in OURS)], rows)


def _beside(lines):
    rows = []
    for edges in _sizes(lines):
        cells = []
        for pair in _BESIDE:
            theirs = _cost(lines, pair[1], edges)
            session = theirs and theirs.get("session")
            ours = _cost([each for each in lines if each.get("session") == session], pair[0], edges)
            if ours is None or theirs is None:
                cells += ["–"] * 4
                continue
            cells += [
                f"{ours['cpu']:.3g} / {theirs['cpu']:.3g}",
                f"{theirs['cpu'] / ours['cpu']:.1f}",
                f"{ours['gb']:.2f} / {theirs['gb']:.2f}",
                f"{_beyond(ours):.2f} / {_beyond(theirs):.2f}",
            ]
        if any(cell != "–" for cell in cells):
            rows.append([f"{edges:,}", *cells])
    kinds = ("clusters", "fields")
    names = ("CPU s, ours / PyG", "ratio", "GB, ours / PyG", "beyond start-up")
    return markdown_table(["edges", *(f"{kind}: {name}" for kind in kinds for name in names)], rows)


def draw(lines, folder):
    """Draws CPU seconds and memory against the size, on logarithmic axes."""
    figure, axes = style.new_figure(1, 2, 9.5, 4.2)
    session = lines[-1].get("session")
    lines = [each for each in _latest(lines) if each.get("session") == session]
    for axis, value, name in zip(axes[0], ("cpu", "gb"), ("CPU seconds", "peak GB"), strict=True):
        for task, (colour, mark) in TASKS.items():
            points = [(each["edges"] / 1e6, each[value]) for each in lines if each["task"] == task]
            if points:
                colour = style.COLOURS.get(colour, colour)
                dashed = "--" if task.startswith("PyG") else "-"
                axis.plot(
                    *np.array(sorted(points)).T, dashed, color=colour, marker=mark, label=task
                )
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("million edges")
        axis.set_ylabel(name)
        style.plain_log_ticks(axis.xaxis)
        style.plain_log_ticks(axis.yaxis)
    left = axes[0, 0]
    low, high = left.get_ylim()
    span = np.array(left.get_xlim())
    left.plot(span, 0.02 * span / span[0], ":", color="black", linewidth=0.8)
    left.set_ylim(low, high)
    handles = left.get_legend_handles_labels()[0]
    handles.append(Line2D([], [], linestyle=":", color="black", linewidth=0.8, label="linear"))
    figure.legend(handles=handles, loc="outside right center", frameon=False)
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it describes every font
    style.save(figure, folder / "large_graph")
