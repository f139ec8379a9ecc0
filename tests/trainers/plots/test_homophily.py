"""Figures over homophily: what is drawn where."""

import numpy as np
import pytest

from trainers.plots import homophily
from trainers.sweeps.statistics import Point


def test_the_figures_name_every_line_and_draw_the_published_graphs_hollow():
    points = [Point(level, 0.1 + level / 2, 0.01, 10) for level in (0.0, 0.5)]
    curves = {"MixHop": points, "GCN": points}
    panel = homophily.accuracies(curves, "note", {"GCN": points}).axes[0]
    names = [text.get_text() for text in panel.get_legend().get_texts()]
    assert names == ["MixHop", "GCN", "the published graphs"]
    assert panel.get_ylabel() == "test accuracy, %"
    np.testing.assert_allclose(panel.lines[0].get_ydata(), [10, 35])
    panel = homophily.delta_shares(curves, 0.28, "note").axes[0]
    assert panel.lines[-1].get_ydata()[0] == pytest.approx(28)
    assert panel.get_ylim()[0] == 0
