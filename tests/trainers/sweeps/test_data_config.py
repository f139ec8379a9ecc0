"""Which graph, how it is split, how its features are scaled."""

import dataclasses

import numpy as np
import pytest
import scipy.sparse as sp

from mixhop_tf import SettingError
from trainers.paper.presets import has_many_labels
from trainers.sweeps.data_config import DataConfig


@pytest.mark.parametrize(
    ("split", "per_class", "many"),
    [
        ("given", 100, False),
        ("random", 99, False),
        ("random", 100, True),
        ("stratified", 100, False),
    ],
)
def test_labels_are_many_in_random_splits_like_those_of_table_3(split, per_class, many):
    data = DataConfig(dataset="cora", split=split, per_class=per_class)
    assert has_many_labels(data) is many
    assert not has_many_labels(dataclasses.replace(data, dataset="my/graph"))


@pytest.mark.parametrize(
    ("options", "stem"),
    [
        ({}, "my_graph"),
        ({"split": "thirds", "seed": 3}, "my_graph-thirds"),
        ({"split": "random"}, "my_graph-random"),
        ({"split": "random", "per_class": 20, "seed": 1}, "my_graph-random-20-seed1"),
    ],
)
def test_files_of_different_random_splits_have_different_names(options, stem):
    assert DataConfig(dataset="my/graph", **options).file_stem == stem


def with_features(graph, features):
    return dataclasses.replace(graph, features=sp.csr_array(features))


def test_words_are_scaled_by_row_and_numbers_by_column(small_graph):
    rng = np.random.default_rng(0)
    words = (rng.random((150, 40)) < 0.1).astype(np.float32)
    numbers = rng.random((150, 4))
    own = DataConfig(dataset="my/graph")
    assert own.scaling_of(with_features(small_graph, words)) == "rows"
    assert own.scaling_of(with_features(small_graph, -words)) == "standardize"
    assert own.scaling_of(with_features(small_graph, numbers)) == "standardize"
    assert DataConfig(dataset="synthetic-h0.2").scaling_of(small_graph) == "rows"
    told = DataConfig(dataset="my/graph", scaling="none")
    assert told.scaling_of(with_features(small_graph, numbers)) == "none"
    with pytest.raises(SettingError, match="`scaling` must be one of auto, rows"):
        DataConfig(dataset="my/graph", scaling="minmax")
