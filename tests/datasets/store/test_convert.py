"""Converting a graph and loading the store gives what loading the graph directly gives."""

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import datasets
from datasets import DataError
from datasets.store import columns, job
from datasets.store.convert import convert
from tests.datasets.store.test_stored_graph import assert_same, random_graph
from tests.datasets.store.towns import EDGES, NODES, NUM_NODES, assert_converts, cells, lines


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"directed": True},
        {"weight": "none"},
        {"weight": "none", "directed": True},
        {"ignore": ["colour", "rooms"]},
        {"features": ["height"]},
    ],
)
def test_tables_become_a_store_in_parts(town, tmp_path, streamed, options):
    assert_converts(town, tmp_path / "town.store", **options)
    assert len(streamed) == 1
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize(("prefix", "scattered"), [("n", False), ("0", False), ("", True)])
def test_ids_of_any_kind(tmp_path, streamed, prefix, scattered):
    nodes, edges = cells(np.random.default_rng(1), prefix, scattered)
    (tmp_path / "nodes.csv").write_text(lines(NODES, nodes))
    (tmp_path / "edges.csv").write_text(lines(EDGES, edges))
    assert_converts(tmp_path, tmp_path / "town.store")
    assert len(streamed) == 1


def test_ids_that_turn_out_to_be_text_after_some_parts(town, tmp_path, streamed):
    with open(town / "nodes.csv", "a") as file:
        file.write("the last,a,1,1,red,yes\n")
    assert_converts(town, tmp_path / "town.store")
    assert len(streamed) == 1


def test_parquet_files_become_a_store_by_groups_of_rows(tmp_path, streamed):
    rng = np.random.default_rng(2)
    nodes = {
        "id": rng.permutation(NUM_NODES),
        "label": pa.array([None if i % 5 == 0 else i % 3 for i in range(NUM_NODES)]),
        "x": rng.random(NUM_NODES, np.float32),
        "n": pa.array([None if i % 7 == 0 else i for i in range(NUM_NODES)]),
        "new": pa.array([None if i % 9 == 0 else i % 2 == 0 for i in range(NUM_NODES)]),
        "kind": [["p", "q", "r"][i % 3] for i in range(NUM_NODES)],
    }
    source, target = rng.integers(NUM_NODES, size=(2, 200))
    edges = pa.table({"from": source, "to": target, "weight": rng.random(200) + 0.1})
    pyarrow.parquet.write_table(pa.table(nodes), tmp_path / "nodes.parquet", row_group_size=17)
    pyarrow.parquet.write_table(edges, tmp_path / "edges.parquet", row_group_size=50)
    assert_converts(tmp_path, tmp_path / "town.store")
    assert len(streamed) == 1


def test_sparse_features_labels_and_splits_of_their_own(town, tmp_path, streamed):
    rows = [row.split(",") for row in (town / "nodes.csv").read_text().splitlines()[1:]]
    known = [(row[0], row[1]) for row in rows if row[1]]
    splits = [(node, ["train", "val", "test"][i % 3]) for i, (node, _) in enumerate(known)]
    one_hot = [
        (row[0], *("1" if i == k % 9 else "0" for i in range(9))) for k, row in enumerate(rows)
    ]
    (town / "nodes.csv").write_text(lines(("node", *(f"f{i}" for i in range(9))), one_hot))
    (town / "labels.csv").write_text(lines(("node", "label"), known))
    (town / "split.csv").write_text(lines(("node", "split"), splits))
    stored = assert_converts(town, tmp_path / "town.store")
    assert not isinstance(stored.feature_matrix, np.ndarray)
    assert len(stored.train)
    assert len(streamed) == 1


def test_several_lists_of_edges(town, tmp_path, streamed):
    (town / "edges.csv").rename(tmp_path / "all.csv")
    pairs = [line.split(",")[:2] for line in (tmp_path / "all.csv").read_text().splitlines()[1:]]
    (town / "one.txt").write_text("# comment\n" + "".join(f"{a} {b}\n" for a, b in pairs[:100]))
    (town / "two.csv").write_text(lines(("from", "to"), pairs[100:]))
    assert_converts(town, tmp_path / "town.store", edges=["one.txt", "two.csv"])
    assert len(streamed) == 1


def test_other_graphs_are_loaded_first(town, tmp_path, streamed):
    graph = random_graph(directed=True, weighted=True)
    assert_converts(graph.save(tmp_path / "a.npz"), tmp_path / "a.store", directed=True)
    assert_converts(random_graph().save(tmp_path / "csv"), tmp_path / "b.store")
    (town / "nodes.csv").unlink()
    labels = [(f"{i}", "xy"[i % 2]) for i in range(NUM_NODES)]
    (town / "labels.csv").write_text(lines(("node", "label"), labels))
    assert_converts(town, tmp_path / "c.store", stand_ins="local")  # no features
    convert(tmp_path / "a.store", tmp_path / "d.store", directed=True)
    assert_same(graph, datasets.load(tmp_path / "d.store", directed=True, make_split=False))
    assert len(streamed) <= 1


@pytest.mark.parametrize("oddity", ['"Rooms, many"', "a\rb"])
def test_what_only_the_line_reader_understands_is_read_as_a_whole(town, tmp_path, streamed, oddity):
    with open(town / "nodes.csv", "a", newline="") as file:
        file.write(f"7777,a,1,1,{oddity},yes\n")
    if "\r" in oddity:
        with pytest.raises(DataError, match="cells"):
            convert(town, tmp_path / "town.store")
    else:
        assert_converts(town, tmp_path / "town.store")
    assert not streamed


def test_too_many_words_are_read_as_a_whole(town, tmp_path, streamed, monkeypatch):
    monkeypatch.setattr(columns, "_WORDS", 2)
    assert_converts(town, tmp_path / "town.store")
    assert not streamed


def test_a_split_is_stored_if_it_is_asked_for(town, tmp_path, streamed):
    convert(town, tmp_path / "town.store", split="thirds", seed=3)
    direct = datasets.load(town, split="thirds", seed=3)
    assert_same(direct, datasets.load(tmp_path / "town.store"))
    assert len(streamed) == 1


@pytest.mark.parametrize(
    ("file", "line", "sentence"),
    [
        ("edges.csv", "7777,1,1", "edges.csv:302: node '7777' is not in nodes.csv"),
        ("edges.csv", "1,2,-3", "edges.csv:302: the weight '-3' is not positive"),
        ("nodes.csv", "7777,a,inf,1,red,yes", "nodes.csv:62: inf is not a finite float32"),
        ("nodes.csv", "1,a,1,1,red,yes", "nodes.csv:62: duplicate node id '1'"),
        ("nodes.csv", "7777,a,1", "nodes.csv:62: the line has 3 cells"),
    ],
)
def test_faults_name_the_same_lines_as_direct_loading(
    town, tmp_path, streamed, file, line, sentence
):
    with open(town / file, "a") as opened:
        opened.write(f"{line}\n")
    with pytest.raises(DataError) as direct:
        datasets.load(town)
    with pytest.raises(DataError) as converted:
        convert(town, tmp_path / "town.store")
    assert sentence in str(direct.value)
    assert str(converted.value) == str(direct.value)
    assert not (tmp_path / "town.store").exists()


def test_outputs_that_exist_or_do_not_fit_are_refused(town, tmp_path, monkeypatch):
    with pytest.raises(DataError, match="A store ends in"):
        convert(town, tmp_path / "town")
    (tmp_path / "town.store").mkdir()
    with pytest.raises(DataError, match="exists; remove it"):
        convert(town, tmp_path / "town.store")
    monkeypatch.setattr(job.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 10}))
    with pytest.raises(DataError, match="of disk space while it is made"):
        convert(town, tmp_path / "other.store")
