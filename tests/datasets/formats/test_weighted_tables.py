"""Weights and directions in tables: CSV, Parquet, Feather, lists of edges, data frames."""

import dataclasses

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import datasets
from datasets import DataError

LABELS = "node,label\na,x\nb,y\nc,y\n"
WEIGHTED = "source,target,weight\na,b,0.5\nb,a,2\nb,c,3\nc,c,9\nb,c,1\n"


def write(folder, edges=WEIGHTED, name="edges.csv", **others):
    folder.mkdir(exist_ok=True)
    (folder / "labels.csv").write_text(LABELS)
    (folder / name).write_text(edges)
    for stem, text in others.items():
        (folder / f"{stem}.csv").write_text(text)
    return folder


def weights_in(graph):
    """The weight of each edge, by the names of its ends."""
    names = graph.node_ids[graph.edges].tolist()
    ones = np.ones(graph.num_edges) if graph.edge_weights is None else graph.edge_weights
    return {u + v: w for (u, v), w in zip(names, ones.tolist(), strict=True)}


def test_column_called_weight_is_used(tmp_path, messages):
    graph = datasets.load(write(tmp_path), make_split=False)
    assert weights_in(graph) == {"ab": 2.5, "bc": 4}
    assert not graph.directed
    assert "the column weight has the weights of edges" in messages()


def test_directions_are_kept_if_asked_for(tmp_path):
    graph = datasets.load(write(tmp_path), make_split=False, directed=True)
    assert graph.directed
    assert weights_in(graph) == {"ab": 0.5, "ba": 2, "bc": 4}
    assert weights_in(graph.undirected()) == {"ab": 2.5, "bc": 4}


def test_weights_can_be_ignored(tmp_path, messages, same_graph):
    ignored = datasets.load(write(tmp_path / "w"), weight="none")
    plain = write(tmp_path / "p", "source,target\na,b\nb,a\nb,c\nc,c\n")
    same_graph(ignored, datasets.load(plain))
    assert ignored.edge_weights is None
    assert "the weights of edges in weight are ignored" in messages()


@pytest.mark.parametrize(
    ("header", "option"),
    [
        ("Weight", None),
        ("WEIGHT", None),
        ("strength", "strength"),
        ("Strength", "strength"),
        ("weight", "weight"),
    ],
)
def test_column_by_another_name(tmp_path, header, option):
    folder = write(tmp_path, WEIGHTED.replace("weight", header))
    graph = datasets.load(folder, make_split=False, weight=option)
    assert weights_in(graph) == {"ab": 2.5, "bc": 4}


def test_named_column_counts_and_not_the_usual_one(tmp_path, messages):
    edges = "source,target,weight,calls\na,b,-1,7\nb,c,x,1\n"
    graph = datasets.load(write(tmp_path, edges), make_split=False, weight="calls")
    assert weights_in(graph) == {"ab": 7, "bc": 1}
    assert "columns of edges that are not used: weight" in messages()


def test_exact_name_is_preferred(tmp_path):
    edges = "source,target,weight,Weight\na,b,7,1\n"
    assert weights_in(datasets.load(write(tmp_path, edges), make_split=False)) == {"ab": 7}
    upper = datasets.load(tmp_path, make_split=False, weight="Weight")
    assert weights_in(upper) == {"ab": 1}


def test_missing_column_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(
        DataError, match=r"edges\.csv has no column 'calls' .*; the columns are source, target, we"
    ):
        datasets.load(write(tmp_path), weight="calls")
    with pytest.raises(DataError, match="has no column 'target' for the weights"):
        datasets.load(write(tmp_path), weight="target")


def test_a_graph_with_a_column_of_ones_is_weighted(tmp_path):
    graph = datasets.load(write(tmp_path, "source,target,weight\na,b,1\n"), make_split=False)
    assert graph.edge_weights.tolist() == [1]
    empty = datasets.load(write(tmp_path, "source,target,weight\n"), make_split=False)
    assert empty.edge_weights.shape == (0,)


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize(
    ("cell", "complaint"),
    [
        ("-1", "the weight '-1' is not positive"),
        ("0", "the weight '0' is not positive"),
        ("", "the weight is missing"),
        ("NaN", "the weight .*is (missing|not a number)"),
        ("inf", "the weight 'inf' does not fit into a float32"),
        ("1e39", "the weight '.*' does not fit into a float32"),
        ("1e-60", "the weight '1e-60' does not fit into a float32"),
        ("heavy", "the weight 'heavy' is not a number"),
        ("1_0", "the weight '1_0' is not a number"),
    ],
)
def test_all_invalid_weights_are_listed_with_their_lines(tmp_path, cell, complaint, quote):
    edges = f"source,target,weight\n{quote}a{quote},b,1\nb,c,{cell}\na,b,2\na,c,{cell}\n"
    with pytest.raises(DataError) as error:
        datasets.load(write(tmp_path, edges))
    assert error.match(rf"edges\.csv:3: {complaint}; write a positive number, or .*weight=none")
    assert error.match(rf"Also line 5: {complaint}\.$")
    assert datasets.load(tmp_path, weight="none", make_split=False).num_edges == 3


def test_decimal_comma(tmp_path):
    edges = "source;target;weight\na;b;0,5\nb;c;2\n"
    graph = datasets.load(write(tmp_path, edges), make_split=False)
    assert weights_in(graph) == {"ab": 0.5, "bc": 2}


@pytest.mark.parametrize(
    "text",
    ["a b 0.5\nb c 2\n", "a\tb\t0.5\nb\tc\t2\n", "# x\na b 0.5\n# y\nb c +2\n", "a,b,.5\nb,c,2e0"],
)
def test_third_cell_of_a_list_of_edges_is_the_weight(tmp_path, text, messages):
    write(tmp_path, text, "links.txt")
    graph = datasets.load(tmp_path / "links.txt", nodes="labels.csv", make_split=False)
    assert weights_in(graph) == {"ab": 0.5, "bc": 2}
    assert "the third cell of a line is the weight of its edge" in messages()


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("a b 0.5\nb c x\n", "the third cells are not all positive numbers"),
        ("a b 1\nb c 0\n", "the third cells are not all positive numbers"),
        ("a b 0.5\nb c\n", "some lines have no third cell, so it is not used"),
    ],
)
def test_other_third_cells_are_not_weights(tmp_path, text, note, messages):
    write(tmp_path, text, "links.txt")
    graph = datasets.load(tmp_path / "links.txt", nodes="labels.csv", make_split=False)
    assert graph.edge_weights is None
    assert note in messages()
    if "not all" in note:
        with pytest.raises(DataError, match=r"links\.txt:2: the weight '(x|0)' is not"):
            datasets.load(tmp_path / "links.txt", nodes="labels.csv", weight="weight")
    else:
        with pytest.raises(DataError, match=r"no column 'weight' .* are source, target\."):
            datasets.load(tmp_path / "links.txt", nodes="labels.csv", weight="weight")


def test_several_files_need_weights_all_or_none(tmp_path):
    more = "source,target,weight\nc,b,1\n"
    folder = write(tmp_path, more=more, plain="source,target\na,c\n")
    graph = datasets.load(folder, edges=["edges.csv", "more.csv"], make_split=False)
    assert weights_in(graph) == {"ab": 2.5, "bc": 5}
    files = ["edges.csv", "plain.csv"]
    with pytest.raises(
        DataError, match=r"edges\.csv has weights of edges, but .*plain\.csv has none; .*=none"
    ):
        datasets.load(folder, edges=files)
    with pytest.raises(DataError, match=r"plain\.csv has no column 'weight'"):
        datasets.load(folder, edges=files, weight="weight")
    assert datasets.load(folder, edges=files, weight="none", make_split=False).num_edges == 3


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_arrow_files(tmp_path, ending):
    write(tmp_path).joinpath("edges.csv").unlink()
    table = pa.table({"source": ["a", "b"], "target": ["b", "a"], "weight": [1, 2]})
    save = pyarrow.parquet.write_table if ending == "parquet" else pyarrow.feather.write_feather
    save(table, tmp_path / f"edges.{ending}")
    assert weights_in(datasets.load(tmp_path, make_split=False)) == {"ab": 3}
    assert weights_in(datasets.load(tmp_path, make_split=False, directed=True))["ba"] == 2
    table = table.set_column(2, "weight", pa.array([None, -1.5]))
    save(table, tmp_path / f"edges.{ending}")
    with pytest.raises(
        DataError, match=r"row 1: the weight is missing; .*\. Also row 2: the weight '-1\.5' is not"
    ):
        datasets.load(tmp_path)


def test_tables_in_memory():
    nodes = {"id": ["a", "b", "c"], "label": ["x", "y", "y"]}
    edges = {"from": ["a", "b"], "to": ["b", "a"], "weight": [0.5, 1.0], "n": [2, 3]}
    assert weights_in(datasets.from_tables(nodes, edges)) == {"ab": 1.5}
    directed = datasets.from_tables(nodes, [edges, edges], directed=True, weight="n")
    assert weights_in(directed) == {"ab": 4, "ba": 6}
    assert datasets.from_tables(nodes, edges, weight="none").edge_weights is None
    with pytest.raises(DataError, match="edges, row 2: the weight '0' is not positive"):
        datasets.from_tables(nodes, edges | {"weight": [1, 0]})


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, [0.1, 1, 3e-20, 7e30]])
@pytest.mark.parametrize("target", ["folder", "graph.npz"])
def test_saved_and_loaded(tmp_path, path_graph, same_graph, directed, weights, target):
    edges = [[0, 1], [1, 0], [1, 2], [3, 2]] if directed else [[0, 1], [1, 2], [2, 3], [3, 4]]
    graph = dataclasses.replace(path_graph, edges=edges, edge_weights=weights, directed=directed)
    path = graph.save(tmp_path / target)
    loaded = datasets.load(path, directed=directed)
    same_graph(loaded, graph)
    same_graph(datasets.load(path), graph.undirected())
    if target == "folder":
        header = (path / "edges.csv").read_text().splitlines()[0]
        assert header == ("source,target" if weights is None else "source,target,weight")
