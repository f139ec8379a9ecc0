"""Embeddings as tables."""

import csv

import numpy as np
import pyarrow.parquet as pq
import pytest

from mixhop_tf import SettingError
from trainers.runs import embeddings

VALUES = np.random.default_rng(0).normal(size=(150, 4)).astype(np.float32)


def test_a_csv_file_holds_every_digit(small_graph, tmp_path):
    path = tmp_path / "e.csv"
    embeddings.write(path, small_graph, VALUES)
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == ["node", "e0", "e1", "e2", "e3"]
    np.testing.assert_array_equal(np.array([row[1:] for row in rows], np.float32), VALUES)
    assert [row[0] for row in rows][:2] == ["0", "1"]


def test_a_parquet_file_holds_the_same(small_graph, tmp_path):
    path = tmp_path / "e.parquet"
    embeddings.write(path, small_graph, VALUES)
    table = pq.read_table(path)
    assert table.column_names == ["node", "e0", "e1", "e2", "e3"]
    found = np.column_stack([table[name].to_numpy() for name in table.column_names[1:]])
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, VALUES)
    assert [each.name for each in tmp_path.iterdir()] == ["e.parquet"]


@pytest.mark.parametrize("name", ["e.txt", "e", "folder.csv"])
def test_another_kind_of_file_is_refused(tmp_path, name):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(SettingError, match=r"ends in \.csv or \.parquet"):
        embeddings.check_path(tmp_path / name)
