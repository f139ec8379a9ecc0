"""Several workers must compute what one process computes."""

import numpy as np
import pytest
from small_parted import CASES, LEAN, LEARN, WET, all_cases, as_large_graphs, make_graph, trained
from workers import run_workers

from mixhop_tf import Architecture, Checkpoint, SettingError, Settings, learn_architecture
from mixhop_tf import baselines as of
from mixhop_tf.distributed.group import Group
from mixhop_tf.distributed.place import Place
from mixhop_tf.methods import LabelPropagation
from mixhop_tf.training.fresh_model import fresh_model
from mixhop_tf.training.inputs import Inputs
from mixhop_tf.training.make_trainer import make_trainer

ALONE = Group(Place(("localhost:1",), 0))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("checkpoints")


@pytest.fixture(scope="module")
def pair(folder):
    """What two workers computed."""
    return run_workers(2, all_cases, str(folder))


@pytest.mark.parametrize("name", CASES)
def test_losses_and_logits_are_those_of_one_process(pair, name):
    losses, logits, _ = trained(None, name)
    for worker in pair:
        np.testing.assert_allclose(worker[name][0], losses, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(worker[name][1], logits, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("name", LEAN)
def test_the_way_of_large_graphs_has_the_same_losses_and_logits(pair, name):
    losses, logits, _ = trained(None, name)
    for worker in pair:
        np.testing.assert_allclose(worker["lean"][name][0], losses, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(worker["lean"][name][1], logits, rtol=1e-3, atol=1e-4)


def test_one_worker_has_the_way_of_large_graphs_too():
    found = as_large_graphs(ALONE)
    for name in LEAN:
        losses, _, _ = trained(None, name)
        np.testing.assert_allclose(found[name][0], losses, rtol=1e-5, atol=1e-6)


def test_all_workers_return_the_same_bits(pair):
    first, second = pair
    for name in CASES:
        np.testing.assert_array_equal(first[name][1], second[name][1])
    for mine, yours in zip(first["frozen"], second["frozen"], strict=True):
        np.testing.assert_array_equal(mine, yours)


def test_a_run_continues_from_the_checkpoint_of_the_chief(pair):
    for worker in pair:
        first, losses = worker["resumed"]
        assert first == 5  # the last save was after step 4
        np.testing.assert_array_equal(losses, worker["mixhop"][0][:, 0])


def test_a_run_continues_with_fewer_workers(pair, folder):
    graph, architecture, settings = CASES["mixhop"]
    steps = []
    trainer = make_trainer(graph, architecture, settings, group=ALONE)
    checkpoint = Checkpoint(folder / "0.npz")
    run = trainer.run(0, lambda point, _: steps.append(point.step), checkpoint=checkpoint)
    assert steps[0] == 5
    assert not (folder / "1.npz").exists()
    np.testing.assert_allclose([each.loss for each in run.curve], pair[0]["mixhop"][0][:, 0], 1e-5)


def test_the_model_is_frozen_with_the_moments_of_the_whole_graph(pair):
    graph, architecture, settings = CASES["mixhop"]
    model = fresh_model(graph, architecture, settings, frozen=True)
    model.set_weights(pair[1]["frozen"])
    inputs = Inputs.of(graph, model).raw_pair
    expected = pair[0]["mixhop"][1]
    np.testing.assert_allclose(model(inputs).numpy(), expected, rtol=1e-3, atol=1e-4)


def test_two_workers_learn_the_architecture_of_one(pair):
    expected = learn_architecture(make_graph(), LEARN).architecture
    assert [worker["architecture"] for worker in pair] == [expected, expected]


@pytest.mark.parametrize("name", WET)
def test_dropout_is_that_of_one_process(pair, name):
    losses, logits, run = trained(None, name, WET)
    for worker in pair:
        np.testing.assert_allclose(worker["wet"][name][0], losses, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(worker["wet"][name][1], logits, rtol=1e-3, atol=1e-4)
    dry = np.array([each.loss for each in run.curve])
    assert np.ptp(dry) > 1e-3  # the losses move, so that equality means something


@pytest.mark.parametrize("name", [name for name in WET if name not in ("mixhop", "ngcn")])
def test_these_runs_see_a_part_of_the_graph(name):
    trainer = make_trainer(*WET[name])
    assert trainer._trained.pair[0].shape[0] < 40


def test_on_large_graphs_dropout_differs_and_the_workers_agree(pair):
    first, second = (worker["lean"]["dropout"] for worker in pair)
    assert first == second
    equal = [each[0] for each in trained(None, "mixhop", WET)[0]]
    assert not np.allclose(first, equal, rtol=1e-3)


def test_the_chief_shares_what_it_read(pair):
    assert [worker["shared"] for worker in pair] == [b"from the chief"] * 2


@pytest.mark.parametrize(
    ("architecture", "settings", "sentence"),
    [
        (of.GAT(hidden_width=4, heads=2), Settings(), "without attention if several workers"),
        (Architecture.default(3, heads=2), Settings(), "train it on batches"),
        (LabelPropagation(), Settings(batches="clusters"), "not a classical method"),
    ],
)
def test_what_does_not_work_says_so(architecture, settings, sentence):
    with pytest.raises(SettingError, match=sentence):
        make_trainer(make_graph(), architecture, settings, group=ALONE)
