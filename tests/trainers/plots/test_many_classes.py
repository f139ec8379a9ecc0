"""Pictures do not grow with the number of classes."""

import numpy as np
import pytest

import datasets
from trainers.plots.confusion import confusion_matrix
from trainers.plots.graph import graph_statistics
from trainers.plots.many_classes import MOST_CLASSES, shown_classes


def test_the_largest_classes_have_a_place_and_the_others_share_one():
    sizes = np.arange(100)
    places, names = shown_classes(sizes, [f"class {i}" for i in range(100)])
    assert len(names) == MOST_CLASSES
    assert names[0] == "class 61"
    assert names[-1] == "61 others"
    assert places[61:].tolist() == list(range(39))
    assert set(places[:61]) == {39}


def test_a_long_name_is_shortened():
    _, (name,) = shown_classes(np.array([1]), ["x" * 500])
    assert len(name) == 40


@pytest.mark.parametrize("num_classes", [40, 41, 3000])
def test_a_confusion_matrix_keeps_every_node_and_its_size(num_classes):
    counts = np.eye(num_classes, dtype=int)
    figure = confusion_matrix(counts, [f"c{i}" for i in range(num_classes)], "title")
    panel = figure.axes[0]
    assert len(panel.get_xticklabels()) == 40
    assert sum(int(text.get_text().replace(",", "")) for text in panel.texts) == num_classes
    assert max(figure.get_size_inches()) < 30


def test_class_sizes_of_thousands_of_classes_are_drawn():
    labels = np.arange(6000) % 3000
    graph = datasets.Graph(
        name="x" * 500,
        num_nodes=6000,
        num_classes=3000,
        features=np.ones((6000, 1)),
        edges=[[0, 1]],
        labels=labels,
        train=range(3000),
        val=[],
        test=range(3000, 6000),
    )
    figure = graph_statistics(graph)
    bars = figure.axes[1]
    assert len(bars.get_yticklabels()) == MOST_CLASSES
    assert sum(patch.get_width() for patch in bars.patches) == 6000
    assert figure.get_size_inches().max() < 12
