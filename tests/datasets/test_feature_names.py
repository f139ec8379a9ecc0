"""Tests that every file format keeps the names of features."""

import dataclasses

import networkx as nx
import pytest

import datasets
from datasets import DataError, Graph


def write_folder(folder, features):
    (folder / "edges.csv").write_text("source,target\na,b\n")
    (folder / "labels.csv").write_text("node,label\na,x\nb,y\n")
    (folder / "features.csv").write_text(features)
    return folder


def test_a_dense_table_names_its_columns_in_their_order(tmp_path):
    graph = datasets.load(write_folder(tmp_path, "size,node,age\n1,a,2\n3,b,4\n"), make_split=False)
    assert graph.feature_names == ("size", "age")
    assert graph.features.toarray().tolist() == [[1, 2], [3, 4]]


def test_triplets_name_their_columns_in_the_order_of_the_names(tmp_path):
    graph = datasets.load(
        write_folder(tmp_path, "node,feature,value\na,word,1\nb,age,4\n"), make_split=False
    )
    assert graph.feature_names == ("age", "word")
    assert graph.features.toarray().tolist() == [[0, 1], [4, 0]]


def test_networkx_names_numbers_but_not_the_entries_of_vectors():
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {node: {"age": node, "size": 2, "label": "c"} for node in graph})
    assert Graph.from_networkx(graph).feature_names == ("age", "size")
    nx.set_node_attributes(graph, {node: [1.0, 2.0] for node in graph}, "x")
    assert Graph.from_networkx(graph).feature_names is None


@pytest.mark.parametrize("target", ["graph.npz", "folder"])
def test_names_are_kept(path_graph, tmp_path, target):
    named = dataclasses.replace(path_graph, feature_names=("a", "b", "c"))
    again = datasets.load(named.save(tmp_path / target))
    assert again.feature_names == named.feature_names
    assert (again.features != named.features).nnz == 0


@pytest.mark.parametrize("names", [("a", "b"), ("a", "b", "b"), ("a", "b", " ")])
def test_names_that_are_none_are_refused(path_graph, names):
    with pytest.raises(DataError, match="feature_names"):
        dataclasses.replace(path_graph, feature_names=names)
