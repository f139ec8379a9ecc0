"""An interrupted run continues to the same bits, wherever it stopped."""

import dataclasses
import logging
import random

import numpy as np
import pytest
from small_settings import SETTINGS

from mixhop_tf import Architecture, Checkpoint, Trainer
from mixhop_tf.baselines import GAT, GCN, NGCN, Chebyshev
from mixhop_tf.errors import DivergedError
from mixhop_tf.models.weights import weights_of
from mixhop_tf.training.checkpoint import State
from mixhop_tf.training.curve import CurvePoint
from mixhop_tf.training.patience import Best

SMALL = Architecture.default(6, hidden_dims=[12], input_dropout=0.3, hidden_dropout=0.5)
KINDS = {
    "gradient descent": (SMALL, {}),
    "adam": (SMALL, {"optimizer": "adam", "learning_rate": 0.05}),
    "proximal": (SMALL, {"lasso_kind": "proximal", "lasso": 0.01}),
    "scaled with adam": (SMALL, {"lasso_kind": "scaled", "optimizer": "adam", "lasso": 0.01}),
    "the original's rule": (SMALL, {"selection": "original"}),
    "either's patience": (SMALL, {"patience_for": "either", "patience": 3, "max_steps": 60}),
    "macro-F1": (SMALL, {"select_by": "macro_f1", "class_weight": "balanced"}),
    "loss": (SMALL, {"select_by": "loss", "patience_for": "either", "calibrate": True}),
    "gat": (GAT(hidden_width=4, heads=2), {"optimizer": "adam", "learning_rate": 0.05}),
    "ngcn": (NGCN(hidden_width=4), {}),
    "gcn": (GCN(hidden_width=4), {"optimizer": "adam"}),
    "chebyshev": (Chebyshev(hidden_width=4, largest_eigenvalue=1.5), {"optimizer": "adam"}),
}


def trainer_of(graph, architecture=SMALL, **changes):
    return Trainer(graph, architecture, dataclasses.replace(SETTINGS, **changes))


def interrupt_at(last):
    def on_step(point, _):
        if point.step == last:
            raise KeyboardInterrupt

    return on_step


def interrupted(trainer, checkpoint, last, seed=3, **options):
    with pytest.raises(KeyboardInterrupt):
        trainer.run(seed, interrupt_at(last), checkpoint=checkpoint, **options)


def assert_same(run, other):
    assert run.curve == other.curve
    assert run.best == other.best
    assert run.test_accuracy == other.test_accuracy
    assert run.decision == other.decision
    weights = weights_of(other.model)
    for name, value in weights_of(run.model).items():
        assert value.tobytes() == weights[name].tobytes(), name


@pytest.mark.parametrize("name", KINDS)
def test_an_interrupted_run_ends_with_the_same_bits(small_graph, tmp_path, name):
    architecture, changes = KINDS[name]
    trainer = trainer_of(small_graph, architecture, **changes)
    calm = trainer.run(3)
    path = tmp_path / "state.npz"
    other = trainer_of(small_graph, architecture, **changes)  # a new process has a new trainer
    for last in range(2, calm.num_steps):  # at every step, each time a step further
        interrupted(other, Checkpoint(path, every_steps=1), last)
        assert path.is_file()
    told = []
    run = other.run(3, lambda point, _: told.append(point.step), checkpoint=Checkpoint(path))
    assert_same(run, calm)
    assert told == list(range(calm.num_steps - 1, calm.num_steps + 1))
    assert not list(tmp_path.iterdir())  # the run has ended


@pytest.mark.parametrize("name", ["adam", "gat", "ngcn"])
def test_steps_after_the_last_save_are_made_again(small_graph, tmp_path, name):
    architecture, changes = KINDS[name]
    trainer = trainer_of(small_graph, architecture, **changes)
    calm = trainer.run(0)
    checkpoint = Checkpoint(tmp_path / "state.npz", every_steps=7)
    for last in (5, 9, 13, 18, 16):
        interrupted(trainer, checkpoint, last, seed=0)
        trainer.run(8)  # a run of another seed in between leaves no trace
    assert_same(trainer.run(0, checkpoint=checkpoint), calm)


def test_first_weights_are_part_of_the_run(small_graph, tmp_path, caplog):
    trainer = trainer_of(small_graph)
    first, second = (weights_of(trainer.run(seed).model) for seed in (1, 2))
    calm = trainer.run(3, weights=first)
    checkpoint = Checkpoint(tmp_path / "state.npz", every_steps=2)
    interrupted(trainer, checkpoint, 9, weights=second)
    assert_same(trainer.run(3, weights=first, checkpoint=checkpoint), calm)
    assert "another run" in caplog.text
    interrupted(trainer, checkpoint, 9, weights=first)
    assert_same(trainer.run(3, weights=first, checkpoint=checkpoint), calm)


def test_the_seconds_of_all_parts_are_added_up(small_graph, tmp_path):
    trainer = trainer_of(small_graph)
    checkpoint = Checkpoint(tmp_path / "state.npz", every_steps=2, keep=True)
    first = trainer.run(3, checkpoint=checkpoint)
    again = trainer.run(3, checkpoint=checkpoint)
    assert again.seconds > 0.9 * first.seconds


def test_a_checkpoint_that_is_kept_holds_the_end_of_the_run(small_graph, tmp_path):
    trainer = trainer_of(small_graph)
    checkpoint = Checkpoint(tmp_path / "state.npz", every_steps=2, keep=True)
    first, told = trainer.run(3, checkpoint=checkpoint), []
    assert checkpoint.path.is_file()
    again = trainer.run(3, lambda point, _: told.append(point), checkpoint=checkpoint)
    assert told == []  # no steps were left
    assert_same(again, first)
    (tmp_path / ".state.npz.part").write_bytes(b"torn")
    checkpoint.remove()
    assert not list(tmp_path.iterdir())


def test_a_run_that_ends_before_its_first_checkpoint_leaves_no_file(small_graph, tmp_path):
    trainer_of(small_graph).run(3, checkpoint=Checkpoint(tmp_path / "state.npz", keep=True))
    assert not list(tmp_path.iterdir())


def test_a_trainer_may_have_a_checkpoint_of_its_own(small_graph, tmp_path):
    checkpoint = Checkpoint(tmp_path / "state.npz", every_steps=1)
    trainer = Trainer(small_graph, SMALL, SETTINGS, checkpoint=checkpoint)
    with pytest.raises(KeyboardInterrupt):
        trainer.run(3, interrupt_at(7))
    assert checkpoint.path.is_file()
    assert_same(trainer.run(3), trainer_of(small_graph).run(3))


def test_a_run_that_diverges_leaves_nothing(small_graph, tmp_path, monkeypatch):
    trainer = trainer_of(small_graph)
    checkpoint = Checkpoint(tmp_path / "state.npz", every_steps=1)

    def check(step, numbers):
        if step == 5:
            assert checkpoint.path.is_file()
            raise DivergedError(numbers[0], step, {})

    monkeypatch.setattr(trainer, "_check_finite", check)
    with pytest.raises(DivergedError):
        trainer.run(0, checkpoint=checkpoint)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 4},
        {"l2": 2e-3},
        {"graph": True},
        {"architecture": Architecture.default(6, hidden_dims=[18])},
        {"whole_graph": True},
    ],
)
def test_the_state_of_another_run_is_ignored_and_told(small_graph, tmp_path, caplog, other):
    checkpoint = Checkpoint(tmp_path / "state.npz", every_steps=1)
    interrupted(trainer_of(small_graph), checkpoint, 9)
    seed, architecture = other.pop("seed", 3), other.pop("architecture", SMALL)
    cut = dataclasses.replace(small_graph, train=small_graph.train[1:])
    graph = cut if other.pop("graph", False) else small_graph
    options = {name: other.pop(name) for name in ("whole_graph",) if name in other}
    settings = dataclasses.replace(SETTINGS, **other)
    trainer = Trainer(graph, architecture, settings, **options)
    calm = trainer.run(seed)
    assert_same(trainer.run(seed, checkpoint=checkpoint), calm)
    assert "is the state of another run; this one starts anew" in caplog.text


@pytest.mark.parametrize("content", [b"", b"torn", b"PK\x03\x04 half a file"])
def test_a_damaged_file_is_ignored_and_told(small_graph, tmp_path, caplog, content):
    path = tmp_path / "state.npz"
    path.write_bytes(content)
    trainer = trainer_of(small_graph)
    assert_same(trainer.run(3, checkpoint=Checkpoint(path)), trainer.run(3))
    assert "state.npz is damaged; the run starts anew" in caplog.text


def small_state():
    rng = np.random.default_rng(0)
    curve = [
        CurvePoint(
            step=step,
            learning_rate=0.1,
            loss=1 / step,
            train_accuracy=0.3,
            val_accuracy=1 / 3,
            val_loss=0.7 / step,
        )
        for step in (1, 2, 3)
    ]
    weights = [rng.standard_normal((4, 3)).astype("float32"), np.array([1, 2**40])]
    return State(4, curve, Best((1 / 3, -0.35, -2), curve[1], weights), (2, 0.5, 0.1), 7.5, weights)


def as_bits(state):
    arrays = [each.tobytes() for each in (*state.variables, *state.moments, *state.best.weights)]
    return state.next_step, state.curve, state.best[:2], state.patience, state.seconds, arrays


def test_a_state_is_read_back_to_the_bit(tmp_path, caplog):
    caplog.set_level(logging.INFO, logger="mixhop_tf")
    checkpoint = Checkpoint(tmp_path / "state.npz")
    checkpoint.save("mine", small_state())
    assert as_bits(checkpoint.load("mine")) == as_bits(small_state())
    assert "going on after step 3" in caplog.text
    assert checkpoint.load("yours") is None
    assert Checkpoint(tmp_path / "none.npz").load("mine") is None


def test_no_flipped_bit_and_no_cut_changes_a_state_unnoticed(tmp_path):
    checkpoint = Checkpoint(tmp_path / "state.npz")
    checkpoint.save("mine", small_state())
    whole, dice, refused = checkpoint.path.read_bytes(), random.Random(0), 0
    damaged = [whole[: dice.randrange(len(whole))] for _ in range(50)]
    for _ in range(500):
        content = bytearray(whole)
        content[dice.randrange(len(whole))] ^= 1 << dice.randrange(8)
        damaged.append(bytes(content))
    for content in damaged:
        checkpoint.path.write_bytes(content)
        state = checkpoint.load("mine")
        refused += state is None
        assert state is None or as_bits(state) == as_bits(small_state())
    assert refused > 200


def test_it_is_written_every_so_many_seconds(tmp_path, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    checkpoint = Checkpoint(tmp_path / "state.npz", every=60.0)
    due = []
    for second in range(0, 200, 10):
        now[0] = float(second)
        if checkpoint.is_due(second):
            checkpoint.save("mine", small_state())
            due.append(second)
    assert due == [60, 120, 180]
