"""Tests of files that try to use all memory or time, and of text that is not UTF-8."""

import os
import pickle
import shutil
import time

import numpy as np
import pytest

import datasets
from datasets import DataError, memory
from datasets.errors import short


def csv_folder(tmp_path, **files):
    folder = tmp_path / "graph"
    folder.mkdir()
    texts = {"edges": "source,target\na,b\nb,c\n", "labels": "node,label\na,x\nb,y\nc,x\n"}
    for name, text in (texts | files).items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder


def test_a_hundred_thousand_columns_are_read_in_seconds(tmp_path):
    width = 100_000
    header = "node," + ",".join(f"c{i}" for i in range(width))
    rows = "".join(f"{node}" + ",1" * width + "\n" for node in "abc")
    folder = csv_folder(tmp_path, features=f"{header}\n{rows}")
    start = time.process_time()
    assert datasets.load(folder, make_split=False).num_features == width
    assert time.process_time() - start < 10


def test_a_column_named_twice_among_many_is_found(tmp_path):
    header = "node," + ",".join(f"c{i}" for i in range(20_000)) + ",c7"
    folder = csv_folder(tmp_path, features=f"{header}\n")
    with pytest.raises(DataError, match=r"features\.csv:1: the column 'c7' appears twice"):
        datasets.load(folder)


def test_a_message_does_not_repeat_a_long_header(tmp_path):
    folder = csv_folder(tmp_path, labels=",".join(f"c{i}" for i in range(20_000)) + "\n")
    with pytest.raises(DataError, match="the column 'node' is missing") as refusal:
        datasets.load(folder)
    assert len(str(refusal.value)) < 1000


def test_as_many_classes_as_nodes_are_split_in_seconds(tmp_path):
    count = 50_000
    graph = datasets.Graph(
        name="g", num_nodes=2 * count, num_classes=count, features=np.ones((2 * count, 1)),
        edges=[[0, 1]], labels=np.arange(2 * count) % count, train=[], val=[], test=[],
    )  # fmt: skip
    start = time.monotonic()
    split = datasets.stratified_split(graph)
    assert time.monotonic() - start < 10
    assert len(split.train) == len(split.val) == count


@pytest.fixture
def planetoid(data, tmp_path):
    return shutil.copytree(data / "tiny", tmp_path / "tiny")


@pytest.mark.parametrize("node", [400_000_000, 2**31 - 1, 100_000])
def test_a_test_index_beyond_what_the_files_can_hold(planetoid, node):
    path = planetoid / "ind.tiny.test.index"
    path.write_text(path.read_text().replace("41\n", f"{node}\n"))
    culprit = rf"test\.index: node {node:,} is more than files of this size can hold"
    with pytest.raises(DataError, match=culprit):
        datasets.load(planetoid)


@pytest.mark.parametrize("digits", [21, 5000, 10**6])
def test_a_test_index_of_thousands_of_digits(planetoid, digits):
    path = planetoid / "ind.tiny.test.index"
    path.write_text("9" * digits + "\n")
    with pytest.raises(DataError, match=r"test\.index:1: '9{21,40}' is not a node index"):
        datasets.load(planetoid)


HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
LABEL = '<key id="l" for="node" attr.name="label" attr.type="string"/>'


def graphml(tmp_path, body, before=""):
    path = tmp_path / "g.graphml"
    path.write_text(f"{before}{HEAD}{LABEL}{body}</graphml>", encoding="utf-8")
    return path


def test_entities_do_not_expand_without_end(tmp_path):
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    before = f'<!DOCTYPE g [<!ENTITY l0 "{"ha" * 100}">{laughs}]>'
    node = '<graph><node id="a"><data key="l">&l9;</data></node></graph>'
    start = time.monotonic()
    with pytest.raises(DataError, match="cannot be read as GraphML"):
        datasets.load(graphml(tmp_path, node, before))
    assert time.monotonic() - start < 10


def test_a_huge_attribute_is_refused_in_few_words(tmp_path):
    node = f'<graph><node id="a"><data key="l">{"x" * 10**6}</data></node></graph>'
    with pytest.raises(DataError, match="longer than 1,000 characters") as refusal:
        datasets.load(graphml(tmp_path, node))
    assert len(str(refusal.value)) < 1000


def test_defaults_for_every_node_are_counted_before_they_are_made(tmp_path, monkeypatch):
    keys = "".join(
        f'<key id="d{i}" for="node" attr.name="f{i}" attr.type="int"><default>1</default></key>'
        for i in range(300)
    )
    nodes = "".join(f'<node id="{i}"/>' for i in range(1000))
    path = graphml(tmp_path, f"{keys}<graph>{nodes}</graph>")
    monkeypatch.setattr(memory, "free_memory", lambda: 10_000_000)
    with pytest.raises(DataError, match=r"with its defaults on every node, needs 30 MB of memory"):
        datasets.load(path)


def test_what_networkx_warns_of_is_a_message(tmp_path, messages):
    body = (
        '<key id="d" for="node" attr.name="z"/><graph><node id="a"><data key="l">x</data></node>'
        '<node id="b"><data key="l">x</data></node></graph>'
    )
    datasets.load(graphml(tmp_path, body), make_split=False)
    assert "No key type for id d" in messages()


@pytest.mark.parametrize("name", ["caf\udce9.npz", "caf\udce9"])
def test_a_file_name_that_is_not_utf8(tmp_path, path_graph, name):
    path_graph.save(tmp_path / "plain.npz")
    (tmp_path / "plain.npz").rename(tmp_path / name)
    with pytest.raises(DataError, match=r"caf\\udce9.* is not UTF-8 text; rename the file"):
        datasets.load(tmp_path / name)
    with pytest.raises(DataError, match="is not UTF-8 text"):
        path_graph.save(tmp_path / name)


def test_a_folder_around_that_is_not_utf8(tmp_path, monkeypatch):
    folder = csv_folder(tmp_path)
    odd = tmp_path / os.fsdecode(b"caf\xe9")
    folder.rename(odd)
    monkeypatch.chdir(odd)
    assert datasets.load(".", make_split=False).name == "caf?"


@pytest.mark.parametrize("name", ["a\nb", "a\0b", "a\ud800b", "x" * 1001, None, 5])
def test_a_graph_has_a_name_that_can_be_written(path_graph, name):
    import dataclasses

    with pytest.raises(DataError, match="A graph's name must be"):
        dataclasses.replace(path_graph, name=name)


@pytest.mark.parametrize("name", ["x" * 300 + ".npz", "x" * 5000, "a\0b", "~no-such-user/x"])
def test_paths_that_no_system_has(name):
    for options in ({}, {"data_dir": name}):
        with pytest.raises(DataError) as refusal:
            datasets.load("cora" if options else name, **options)
        assert "\n" not in str(refusal.value)


def test_what_others_say_is_short_and_on_one_line():
    assert short("a\n\tb\0\ud800") == "a b\\x00\\ud800"
    assert len(short("x" * 10**6)) < 300
    assert short(10**5000) == "a number with thousands of digits"


def test_shared_columns_of_planetoids_matrix(planetoid):
    """The parts of this matrix are lists, not arrays."""
    path = planetoid / "ind.tiny.allx"
    matrix = pickle.loads(path.read_bytes())
    matrix.data = [1, 2, 3]
    path.write_bytes(pickle.dumps(matrix))
    with pytest.raises(DataError, match="a matrix whose parts do not fit"):
        datasets.load(planetoid)
