"""Ids that are whole numbers are found fast, and exactly as text would be."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.tables import number_index
from datasets.tables.faults import Faults
from datasets.tables.nodes import Nodes
from datasets.tables.table import TEXT, Table
from datasets.tables.whole_numbers import as_text, only_marks, whole_numbers


@pytest.mark.parametrize(
    "odd", ["", "01", "00", "+1", "-1", "-0", "1.0", "1e3", "0x1F", "٣", "1 ", "9" * 19, "a", None]
)
@pytest.mark.parametrize("kind", [TEXT, pa.string()])
def test_anything_but_plain_digits_is_text(odd, kind):
    assert whole_numbers(pa.array(["7", odd], kind)) is None
    assert whole_numbers(pa.chunked_array([["7"], [odd]], kind)) is None


@pytest.mark.parametrize("kind", [TEXT, pa.string()])
def test_plain_digits_are_numbers_and_give_back_their_text(kind):
    texts = pa.array(["x", "0", "10", "9223372036854775807", "5"], kind)[1:4]
    numbers = whole_numbers(texts)
    assert numbers.tolist() == [0, 10, 2**63 - 1]
    assert as_text(numbers).to_pylist() == texts.to_pylist()
    assert whole_numbers(pa.array([], kind)).tolist() == []


def test_marks_are_printable_ascii_without_spaces():
    assert only_marks(pa.array(["a-1", "~"]))
    for odd in ("", "a b", "é", "\x7f", "\x1f"):
        assert not only_marks(pa.array(["a", odd]))


def found(tables, in_words, monkeypatch=None):
    nodes, places = Nodes(), []
    if in_words:
        nodes._index = None
    for columns in tables:
        named = {str(i): pa.array(column, TEXT) for i, column in enumerate(columns)}
        table = Table("t", named, len(columns[0]))
        faults = Faults("t")
        places.append(nodes.find(table, faults, *named).tolist())
        faults.check()
    return places, nodes.ids.to_pylist()


ids = st.integers(0, 30).map(str) | st.integers(0, 2**62).map(str) | st.sampled_from(["a", "01"])


@given(st.lists(st.lists(st.tuples(ids, ids), min_size=1), min_size=1, max_size=3))
def test_nodes_of_numbers_equal_those_of_words(tables):
    columns = [tuple(zip(*rows, strict=True)) for rows in tables]
    assert found(columns, in_words=False) == found(columns, in_words=True)


def test_scattered_and_dense_numbers_are_found_alike(monkeypatch):
    rng = np.random.default_rng(0)
    tables = [[rng.integers(1000, size=500).astype(str).tolist() for _ in range(2)] for _ in "ab"]
    dense = found(tables, in_words=False)
    monkeypatch.setattr(number_index, "_FREE", 0)
    monkeypatch.setattr(number_index, "_SPARE", 0)
    assert found(tables, in_words=False) == dense == found(tables, in_words=True)
