"""Labels such as `NA` count as unknown, as gaps in features do."""

import logging

import networkx as nx
import numpy as np
import pytest

import datasets
from datasets.checks import UNKNOWN
from datasets.tables.gaps import GAPS

WORDS = sorted(GAPS - {""})


def people(labels):
    ids = [f"p{i}" for i in range(len(labels))]
    return {"id": ids, "age": list(range(len(labels))), "label": labels}


LINKS = {"source": ["p0", "p1"], "target": ["p1", "p2"]}


@pytest.mark.parametrize("word", WORDS)
def test_a_gap_is_an_unknown_label_in_every_format(word, tmp_path):
    labels = ["stays", word, "leaves"]
    folder = tmp_path / "town"
    folder.mkdir()
    (folder / "edges.csv").write_text("source,target\n0,1\n1,2\n")
    rows = "".join(f"{i},{label}\n" for i, label in enumerate(labels))
    (folder / "labels.csv").write_text(f"node,label\n{rows}")
    np.savez(tmp_path / "town.npz", edges=[[0, 1], [1, 2]], labels=np.array(labels))
    club = nx.path_graph(3)
    nx.set_node_attributes(club, dict(enumerate(labels)), "label")
    for graph in (
        datasets.load(folder, make_split=False),
        datasets.load(tmp_path / "town.npz", make_split=False),
        datasets.Graph.from_networkx(club),
        datasets.from_tables(people(labels), LINKS),
    ):
        assert graph.class_names == ("leaves", "stays")
        assert sorted(graph.labels.tolist()) == [UNKNOWN, 0, 1]


def test_a_line_says_how_many_labels_are_unknown(caplog):
    with caplog.at_level(logging.INFO, "datasets"):
        datasets.from_tables(people(["a", "NA", "?", "NA", "b", ""]), LINKS)
    assert caplog.messages == [
        "nodes: 3 labels count as unknown: 'NA' (2), '?' (1); if that is a class, give it another "
        "name"
    ]


def test_text_that_only_resembles_a_gap_is_a_class():
    graph = datasets.from_tables(people(["Na", "Cl", "nine", "Cl"]), LINKS)
    assert graph.class_names == ("Cl", "Na", "nine")


def test_a_known_class_stays_whatever_it_is_called(tmp_path):
    table, names = people(["None", "nan", "x"]), ["None", "x"]
    assert datasets.from_tables(table, LINKS, class_names=names).labels.tolist() == [0, -1, 1]
    path = tmp_path / "town.npz"
    np.savez(path, edges=[[0, 1]], labels=np.array(["None", "nan", "x"]), class_names=names)
    assert datasets.load(path, make_split=False).labels.tolist() == [0, -1, 1]
