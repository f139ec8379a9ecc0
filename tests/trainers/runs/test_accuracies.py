"""The line that says how good a run is."""

import dataclasses

import pytest

import mixhop_tf
from mixhop_tf import Architecture, Settings
from trainers.runs.training import accuracies


@pytest.fixture(scope="module")
def run(small_graph):
    return mixhop_tf.train(small_graph, Architecture.default(6), Settings(max_steps=2))


def test_a_run_on_the_whole_graph_has_one_validation_accuracy(run):
    assert "whole graph" not in accuracies(run)


def test_a_sampled_run_has_the_validation_accuracy_of_batches_and_the_exact_one(run):
    sampled = dataclasses.replace(
        run, batches="clusters", best=dataclasses.replace(run.best, val_accuracy=0.125)
    )
    exact = run.evaluation("val").accuracy
    expected = f"sampled training, validation 12.5% in a sample and {exact:.1%} in the whole graph"
    assert expected in accuracies(sampled)


def test_a_sampled_run_that_was_evaluated_exactly_says_it_once(run):
    same = dataclasses.replace(run, batches="clusters")
    assert run.evaluation("val").accuracy == run.best.val_accuracy
    assert "in the whole graph" not in accuracies(same)
