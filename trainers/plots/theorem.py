"""What MixHop can represent and a GCN cannot."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from trainers.plots.style import COLOURS, new_figure, plain_log_ticks


def fit_errors(errors: Mapping[str, np.ndarray], num_graphs: int) -> Figure:
    """Draws the error of each network over the steps. The first network is MixHop.

    Args:
        errors: The error after each step, by name of the network.
        num_graphs: Number of graphs that were fitted.
    """
    figure, axes = new_figure(1, 1, width=7.2, height=3.6)
    panel = axes[0, 0]
    greys = np.linspace(0.7, 0.3, len(errors))
    dashes = ("-", "--", "-.", ":")
    for i, (name, values) in enumerate(errors.items()):
        mixhop = {"color": COLOURS["blue"], "linewidth": 2.4}
        gcn = {"color": str(greys[i]), "linewidth": 1.6, "linestyle": dashes[(i - 1) % 4]}
        panel.semilogy(np.arange(1, len(values) + 1), values, label=name, **(gcn if i else mixhop))
    plain_log_ticks(panel.yaxis)
    panel.set_xlabel("step")
    panel.set_ylabel("squared error (1: predicting zero)")
    panel.set_title(f"The two-hop delta operator, fitted on {num_graphs} random graphs")
    panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return figure
