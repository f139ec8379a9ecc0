"""Property tests: valid graphs survive every format, invalid ones are refused in one sentence."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import datasets
from datasets import DataError, Graph, canonical_edges
from datasets.class_index import LabelCheck

floats = st.floats(-1e6, 1e6, width=32)
words = (
    st.text(st.characters(exclude_categories=("C",)), min_size=1, max_size=6)
    .map(str.strip)
    .filter(lambda word: word and word.isprintable())
)


def can_be_classes(names):
    """Returns whether a text file can hold these names: no NaN, no number spelt in two ways."""
    check = LabelCheck()
    return not any(check.complaint(name) for name in sorted(names))


@st.composite
def fields(draw):
    """Draws the arguments of a valid `Graph`; every class is used, ids and names are any text."""
    num_nodes = draw(st.integers(2, 12))
    classes = st.sets(words, min_size=1, max_size=min(4, num_nodes)).filter(can_be_classes)
    names = sorted(draw(classes))
    labels = draw(hnp.arrays(np.int64, num_nodes, elements=st.integers(-1, len(names) - 1)))
    labels[: len(names)] = range(len(names))
    part = draw(hnp.arrays(np.int8, num_nodes, elements=st.integers(0, 3)))
    part[labels < 0] = 3
    pairs = st.tuples(*[st.integers(0, num_nodes - 1)] * 2)
    shape = (num_nodes, draw(st.integers(1, 5)))
    sparse = draw(st.booleans())
    elements = st.one_of(st.just(0.0), floats) if sparse else floats
    ids = st.one_of(st.none(), st.lists(words, min_size=num_nodes, max_size=num_nodes, unique=True))
    return {
        "name": "any",
        "num_nodes": num_nodes,
        "num_classes": len(names),
        "features": draw(hnp.arrays(np.float32, shape, elements=elements)),
        "edges": canonical_edges(draw(st.lists(pairs, max_size=20)), num_nodes),
        "labels": labels,
        "train": np.flatnonzero(part == 0),
        "val": np.flatnonzero(part == 1),
        "test": np.flatnonzero(part == 2),
        "class_names": tuple(names),
        "node_ids": draw(ids),
    }


@given(fields())
def test_npz_brings_every_graph_back(given_fields):
    graph = Graph(**given_fields)
    with tempfile.TemporaryDirectory() as folder:
        back = datasets.load(graph.save(Path(folder) / "graph.npz"), make_split=False)
    _assert_same(graph, back)
    np.testing.assert_array_equal(graph.labels, back.labels)
    assert graph.name == back.name
    assert (graph.node_ids is None) == (back.node_ids is None)


@given(fields())
def test_csv_brings_every_graph_back_up_to_the_order_of_classes(given_fields):
    graph = Graph(**given_fields)
    with tempfile.TemporaryDirectory() as folder:
        back = datasets.load(graph.save(Path(folder) / "graph"), make_split=False)
    _assert_same(graph, back)


@given(fields())
def test_networkx_brings_every_graph_back(given_fields):
    graph = Graph(**given_fields)
    back = Graph.from_networkx(graph.to_networkx())
    _assert_same(graph, back)


BREAKS = {
    "edge index": lambda d, f: f | {"edges": np.vstack([f["edges"], [[0, f["num_nodes"] + d]]])},
    "negative edge": lambda d, f: f | {"edges": np.vstack([f["edges"], [[-1 - d, 0]]])},
    "self-loop": lambda d, f: f | {"edges": np.vstack([f["edges"], [[0, 0]]])},
    "NaN": lambda d, f: f | {"features": np.where(np.eye(*f["features"].shape), np.nan, 0)},
    "infinity": lambda d, f: f | {"features": f["features"] + np.inf},
    "label": lambda d, f: f | {"labels": f["labels"] + f["num_classes"]},
    "low label": lambda d, f: f | {"labels": np.full(f["num_nodes"], -2 - d)},
    "overlap": lambda d, f: f | {"train": [0], "val": [0]},
    "split range": lambda d, f: f | {"test": [f["num_nodes"] + d]},
    "rows": lambda d, f: f | {"features": f["features"][1:]},
    "short labels": lambda d, f: f | {"labels": f["labels"][1:]},
    "empty": lambda d, f: f | {"num_nodes": 0},
    "duplicate id": lambda d, f: f | {"node_ids": ["same"] * f["num_nodes"]},
}


@given(fields(), st.sampled_from(sorted(BREAKS)), st.integers(0, 10**9))
def test_broken_fields_are_refused_in_one_sentence(given_fields, kind, amount):
    with pytest.raises(DataError) as refusal:
        Graph(**BREAKS[kind](amount, given_fields))
    assert "\n" not in str(refusal.value)


@given(
    fields(),
    st.sampled_from(["edges.csv", "features.csv", "labels.csv", "split.csv"]),
    st.integers(0, 400),
    st.sampled_from(["", ",", "\n", '"', "\x00", "\udcff", "nan", "x,y,z\n", "-1"]),
)
def test_a_damaged_csv_is_read_or_refused_never_more(given_fields, name, where, insert):
    graph = Graph(**given_fields)
    with tempfile.TemporaryDirectory() as folder:
        path = graph.save(Path(folder) / "graph") / name
        text = path.read_text("utf-8") if path.exists() else ""
        damaged = text[:where] + insert + text[where + 1 :]
        path.write_bytes(damaged.encode("utf-8", "surrogateescape"))
        try:
            assert isinstance(datasets.load(path.parent), Graph)
        except DataError as refusal:
            assert "\n" not in str(refusal)


@given(fields(), st.integers(0, 2000), st.integers(0, 255), st.booleans())
def test_a_damaged_npz_is_read_or_refused_never_more(given_fields, where, byte, cut):
    with tempfile.TemporaryDirectory() as folder:
        path = Graph(**given_fields).save(Path(folder) / "graph.npz")
        content = bytearray(path.read_bytes())
        where %= len(content)
        content[where] = byte
        path.write_bytes(content[:where] if cut else content)
        try:
            assert isinstance(datasets.load(path), Graph)
        except DataError as refusal:
            assert "\n" not in str(refusal)


def _written(graph):
    return [graph.class_names[c] if c >= 0 else None for c in graph.labels]


def _assert_same(first, second):
    assert set(first.class_names) == set(second.class_names)
    assert _written(first) == _written(second)
    for field in ("edges", "train", "val", "test"):
        np.testing.assert_array_equal(getattr(first, field), getattr(second, field), err_msg=field)
    np.testing.assert_array_equal(first.features.toarray(), second.features.toarray())
    if first.node_ids is not None:
        np.testing.assert_array_equal(first.node_ids, second.node_ids)
