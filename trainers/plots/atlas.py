"""The picture of the atlas: which powers the compact architecture of each graph reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from trainers.plots.learning import colour_of, label_of
from trainers.plots.style import COLOURS, new_figure


def shapes(found: Sequence[Mapping[str, Any]]) -> Figure:
    """Draws a row for each graph: homophily by hop, shares of the powers, and the gain.

    Args:
        found: Records of the atlas.
    """
    figure, axes = new_figure(1, 4, 11.0, 1.0 + 0.27 * len(found))
    homophily, hidden, output, gains = axes[0]
    names = [each["name"] for each in found]
    rows = list(range(len(found)))[::-1]
    for panel, layer, title in ((hidden, 0, "hidden layer"), (output, 1, "output")):
        panel.set_title(f"{title}: share of survivors")
        for row, each in zip(rows, found, strict=True):
            left = 0.0
            for share in (s for s in each["shares"] if s["layer"] == layer):
                panel.barh(row, share["share"], left=left, color=colour_of(share["power"]))
                left += share["share"]
        panel.set_xlim(0, 1)
        panel.set_yticks([])
    homophily.set_title("homophily by hop")
    for hop in range(len(found[0]["graph"]["homophily"])):
        values = [each["graph"]["homophily"][hop] for each in found]
        homophily.plot(values, rows, "o", color=colour_of(hop + 1), markersize=4)
    homophily.set_yticks(rows, names)
    homophily.set_xlim(-0.03, 1.03)
    gains.set_title("learned - even, points")
    means = [100 * each["gain"] for each in found]
    gains.errorbar(
        means, rows, xerr=[100 * each["interval"] for each in found],
        fmt="s", color=COLOURS["blue"], markersize=4, capsize=2,
    )  # fmt: skip
    gains.axvline(0, color=COLOURS["grey"], linewidth=0.8)
    gains.set_yticks([])
    powers = sorted({share["power"] for each in found for share in each["shares"]})
    handles = [Patch(color=colour_of(power), label=label_of(power, False)) for power in powers]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    for panel in axes[0]:
        panel.set_ylim(-0.7, len(found) - 0.3)
    return figure
