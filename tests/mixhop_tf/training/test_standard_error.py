"""How far a validation metric may be off by chance."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from mixhop_tf.metrics import score
from mixhop_tf.training.standard_error import standard_error


def run_of(select_by, seed=0, num_nodes=400, share=0.1):
    """A run whose logits tell a rare class more or less."""
    rng = np.random.default_rng(seed)
    labels = (rng.random(num_nodes) < share).astype(int)
    logits = np.stack([np.zeros(num_nodes), rng.normal(size=num_nodes) + 2 * labels - 2], axis=1)
    nodes = np.arange(num_nodes)
    graph = SimpleNamespace(labels=labels, num_classes=2, train=nodes, val=nodes)
    accuracy = float(np.mean(logits.argmax(axis=1) == labels))
    best = SimpleNamespace(val_accuracy=accuracy)
    return SimpleNamespace(graph=graph, logits=logits, select_by=select_by, best=best)


def value(run):
    shares = np.exp(run.logits) / np.exp(run.logits).sum(axis=1, keepdims=True)
    return score(run.select_by, run.graph.labels, shares, 1)


@pytest.mark.parametrize("metric", ["pr_auc", "roc_auc", "balanced_accuracy", "macro_f1", "loss"])
def test_it_is_the_deviation_over_fresh_nodes(metric):
    spread = np.std([value(run_of(metric, seed)) for seed in range(100)])
    found = np.mean([standard_error(run_of(metric, seed)) for seed in range(10)])
    assert found == pytest.approx(spread, rel=0.3)


def test_the_error_of_an_accuracy_is_that_of_a_share():
    run = run_of("accuracy")
    share = run.best.val_accuracy
    assert standard_error(run) == pytest.approx(math.sqrt(share * (1 - share) / 400), rel=0.02)


def test_the_average_precision_of_a_rare_class_is_less_certain_than_a_share():
    run = run_of("pr_auc", share=0.05)
    share = value(run)
    assert standard_error(run) > 2 * math.sqrt(share * (1 - share) / 400)


def test_the_same_seed_gives_the_same_error():
    assert standard_error(run_of("pr_auc"), 3) == standard_error(run_of("pr_auc"), 3)
    assert standard_error(run_of("pr_auc"), 3) != standard_error(run_of("pr_auc"), 4)
