"""Tables as pictures: what is drawn where."""

import math

import pytest
from matplotlib import pyplot as plt

from trainers.plots.tables import TableRow, accuracies


@pytest.fixture
def drawn():
    figure = accuracies(
        [
            TableRow("cora", "MixHop", (81.0, 0.5), (85.0, 1.4), [79.0, 85.0]),
            TableRow("cora", "GCN", (71.0, None), (70.0, math.nan)),
            TableRow("pubmed", "MixHop", (81.0, 0.5), None),
        ],
        "Table 9",
    )
    yield figure
    plt.close(figure)


def marks(panel, label):
    handles, labels = panel.get_legend_handles_labels()
    return [
        handle.get_xdata() if hasattr(handle, "get_xdata") else handle.lines[0].get_xdata()
        for handle, name in zip(handles, labels, strict=True)
        if name.startswith(label)
    ]


def test_a_panel_is_a_graph_and_a_line_a_row(drawn):
    cora, pubmed = drawn.axes
    assert (cora.get_title(), pubmed.get_title()) == ("cora", "pubmed")
    assert [tick.get_text() for tick in cora.get_yticklabels()] == ["MixHop", "GCN"]
    assert [tick.get_text() for tick in pubmed.get_yticklabels()] == ["", ""]
    assert cora.get_ylim() == pubmed.get_ylim()
    assert cora.get_ylim()[0] > cora.get_ylim()[1]  # the first row is on top


def test_ours_stands_beside_the_papers_and_the_splits(drawn):
    cora, pubmed = drawn.axes
    assert [list(x) for x in marks(cora, "paper")] == [[81.0], [71.0]]
    assert [list(x) for x in marks(cora, "ours ± sd")] == [
        [pytest.approx(85.0)],
        [pytest.approx(70.0)],
    ]
    assert [list(x) for x in marks(cora, "ours, one dot")] == [[79, 85]]
    assert marks(pubmed, "ours") == []


def test_every_kind_of_mark_is_in_the_legend_once(drawn):
    (legend,) = drawn.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "ours, one dot per further split",
        "paper ± sd",
        "ours ± sd, by the paper's protocol",
    ]
