"""Several workers on batches: the update of two is the mean of their batches' gradients."""

import numpy as np
import pytest
from small_parted import make_graph
from small_parted_batches import CASES, MeanOfTwo, all_cases, points, settings_of
from workers import run_workers

from mixhop_tf import Architecture, Checkpoint
from mixhop_tf.distributed.group import Group
from mixhop_tf.distributed.place import Place
from mixhop_tf.training.batches.turns import Turns
from mixhop_tf.training.make_trainer import make_trainer

ALONE = Group(Place(("localhost:1",), 0))
WET = Architecture.default(3, hidden_dims=[12])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("checkpoints")


@pytest.fixture(scope="module")
def pair(folder):
    """What two workers computed."""
    return run_workers(2, all_cases, str(folder))


@pytest.mark.parametrize("name", CASES)
def test_an_update_is_the_mean_of_the_batches_of_all_workers(pair, name):
    trainer = MeanOfTwo(make_graph(), CASES[name][0], settings_of(name))
    assert trainer._turns.count > 2
    run = trainer.run(0)
    for losses, logits, workers in (worker[name] for worker in pair):
        np.testing.assert_allclose(losses, points(run), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(logits, run.logits, rtol=1e-3, atol=1e-4)
        assert workers == 2


def test_all_workers_return_the_same_bits(pair):
    for name in CASES:
        np.testing.assert_array_equal(pair[0][name][0], pair[1][name][0])
        np.testing.assert_array_equal(pair[0][name][1], pair[1][name][1])


@pytest.mark.parametrize("name", CASES)
def test_one_worker_has_the_bits_of_one_process(name):
    graph, architecture, settings = make_graph(), CASES[name][0], settings_of(name)
    alone = make_trainer(graph, architecture, settings).run(0)
    run = make_trainer(graph, architecture, settings, group=ALONE).run(0)
    np.testing.assert_array_equal(points(run), points(alone))
    np.testing.assert_array_equal(run.logits, alone.logits)


def test_a_run_continues_from_the_checkpoint_of_the_chief(pair):
    for worker in pair:
        first, losses = worker["resumed"]
        assert first == 3  # the last save was after step 2
        np.testing.assert_array_equal(losses, worker["wet"])


def test_a_run_continues_with_another_number_of_workers(pair, folder):
    trainer = make_trainer(make_graph(), WET, settings_of("clusters"), group=ALONE)
    steps = []
    checkpoint = Checkpoint(folder / "0.npz")
    run = trainer.run(0, lambda point, _: steps.append(point.step), checkpoint=checkpoint)
    assert steps == [3, 4]
    assert not (folder / "1.npz").exists()
    np.testing.assert_array_equal(points(run)[:2], pair[0]["wet"][:2])


def test_workers_learn_one_architecture_on_batches(pair):
    (first, logits), (second, others) = (worker["learned"] for worker in pair)
    assert first == second
    np.testing.assert_array_equal(logits, others)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7])
def test_workers_take_every_batch_of_a_step_once(size):
    each = [Turns(5, size, rank) for rank in range(size)]
    for step in range(3):
        updates = range(step * each[0].updates, (step + 1) * each[0].updates)
        taken = [turns.batch(update) for update in updates for turns in each if turns.share(update)]
        assert taken == list(range(5 * step, 5 * step + 5))
        for update in updates:
            assert sum(turns.share(update) for turns in each) == pytest.approx(1)
