import itertools

import numpy as np
import pytest

import datasets
from datasets import DataError, Graph, random_split, stratified_split, thirds_split


@pytest.fixture(scope="module")
def graph():
    return datasets.generate(0.5)


def parts(graph):
    return [graph.train, graph.val, graph.test]


@pytest.mark.parametrize("seed", [0, 1])
def test_random_split_has_the_papers_sizes_and_is_pairwise_disjoint(graph, seed):
    split = random_split(graph, seed=seed)
    assert np.bincount(graph.labels[split.train]).tolist() == [100] * 10
    assert [len(part) for part in parts(split)] == [1000, 500, 1000]
    for first, second in itertools.combinations(parts(split), 2):
        assert not np.intersect1d(first, second).size


@pytest.mark.parametrize("splitter", [random_split, thirds_split, stratified_split])
def test_seed_decides_the_split(graph, splitter):
    first, again, other = (parts(splitter(graph, seed=seed)) for seed in (3, 3, 4))
    for a, b, c in zip(first, again, other, strict=True):
        np.testing.assert_array_equal(a, b)
        assert not np.array_equal(a, c)


def test_unlabelled_nodes_are_in_no_split(path_graph):
    split = thirds_split(path_graph)
    assert sorted(np.concatenate(parts(split)).tolist()) == [0, 1, 2, 3]
    split = random_split(path_graph, per_class=1, num_val=1, num_test=1)
    assert 4 not in np.concatenate(parts(split))


def test_validation_and_test_nodes_are_drawn_at_random(graph):
    split = random_split(graph)
    assert split.val.max() > split.test.min()
    assert split.test.max() > split.val.min()


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"per_class": -1}, "per_class must not be negative"),
        ({"num_val": -1}, "num_val must not be negative"),
        ({"num_test": 1.5}, "num_test must be a whole number"),
        ({"seed": -1}, "seed must not be negative"),
        ({"num_val": 0, "num_test": 4500}, "fewer than the 0"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(graph, options, culprit):
    with pytest.raises(DataError, match=culprit):
        random_split(graph, **options)


def test_too_small_a_class_is_named(path_graph):
    with pytest.raises(DataError, match="class 'left' has 2 labelled nodes, fewer than the 100"):
        random_split(path_graph)


def test_too_few_nodes_for_validation_and_test(path_graph):
    with pytest.raises(
        DataError, match=r"2 labelled nodes are left .* fewer than the 500 \+ 1,000"
    ):
        random_split(path_graph, per_class=1)


def test_load_applies_the_split_asked_for():
    graph = datasets.load("synthetic-h0.2", split="random", per_class=5, num_val=7, num_test=9)
    assert [len(part) for part in parts(graph)] == [50, 7, 9]
    assert len(datasets.load("synthetic-h0.2", split="thirds").train) == 1667
    with pytest.raises(
        DataError, match="Unknown split 'halves'; choose one of given, random, thirds"
    ):
        datasets.load("synthetic-h0.2", split="halves")


def with_class_sizes(*sizes):
    labels = np.repeat(np.arange(len(sizes)), sizes)
    return Graph(
        name="sizes",
        num_nodes=len(labels),
        num_classes=len(sizes),
        features=np.ones((len(labels), 1)),
        edges=[[0, 1]],
        labels=labels,
        train=[],
        val=[],
        test=[],
    )


@pytest.mark.parametrize(
    ("size", "expected"),
    [(1, [1, 0, 0]), (2, [1, 1, 0]), (3, [2, 1, 0]), (5, [3, 1, 1]), (10, [6, 2, 2])],
)
def test_a_stratified_split_shares_each_class_and_trains_on_all(size, expected):
    graph = with_class_sizes(size, 20)
    split = stratified_split(graph)
    counts = np.array([np.bincount(graph.labels[part], minlength=2) for part in parts(split)])
    assert counts[:, 0].tolist() == expected
    assert counts[:, 1].tolist() == [12, 4, 4]


def test_a_stratified_split_of_single_nodes_is_refused():
    with pytest.raises(DataError, match="no class has two labelled nodes"):
        stratified_split(with_class_sizes(1, 1))
