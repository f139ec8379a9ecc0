"""The trainer with a proximal lasso, with given weights, and with both kinds of patience."""

import numpy as np
import pytest
import tensorflow as tf
from small_trainers import trainer_of

from mixhop_tf.baselines import NGCN
from mixhop_tf.errors import SettingError
from mixhop_tf.models.weights import weights_of

NGCN_SMALL = NGCN(hidden_width=6, powers=(0, 1), replicas=2)


def num_dead_columns(trainer):
    """Returns the kernels after the last step."""
    trainer.run(0)
    kernels = [value for name, value in weights_of(trainer._model).items() if "kernel" in name]
    return sum(int((np.abs(kernel).sum(axis=0) == 0).sum()) for kernel in kernels)


def test_a_proximal_lasso_makes_whole_columns_exactly_zero(small_graph):
    strong = {
        kind: num_dead_columns(trainer_of(small_graph, lasso=0.2, lasso_kind=kind, l2=0.0))
        for kind in ("gradient", "proximal", "scaled")
    }
    assert strong["gradient"] == 0
    # With scales the smoothed powers pay less, so more of their units survive.
    assert 0 < strong["scaled"] < strong["proximal"]


def test_a_proximal_lasso_of_zero_is_no_lasso(trained):
    plain, proximal = (
        trained(lasso=0.0, lasso_kind=kind, max_steps=5) for kind in ("gradient", "scaled")
    )
    for one, other in zip(plain.curve, proximal.curve, strict=True):
        assert one.val_loss == pytest.approx(other.val_loss, rel=1e-4)


def test_a_run_can_start_from_given_weights(small_graph, trained):
    first = trained(seed=1)
    trainer = trainer_of(small_graph, learning_rate=1e-6, max_steps=1)
    again = trainer.run(5, weights=weights_of(first.model))
    assert again.best.val_accuracy == first.best.val_accuracy
    assert again.best.val_loss == pytest.approx(first.best.val_loss, abs=1e-4)
    fresh = trainer.run(5)
    assert fresh.best.val_loss != pytest.approx(first.best.val_loss, abs=1e-2)


def test_proximal_steps_are_for_mixhop(small_graph):
    with pytest.raises(
        SettingError, match="`lasso_kind` must be gradient unless the model is MixHop"
    ):
        trainer_of(small_graph, NGCN_SMALL, lasso_kind="proximal")


@pytest.mark.parametrize(("kind", "last"), [("best", 4), ("either", 9)])
def test_patience_is_for_the_best_step_or_for_loss_and_accuracy(
    small_graph, monkeypatch, kind, last
):
    """Accuracy never gets better after step 1; the loss falls until step 6."""
    trainer = trainer_of(small_graph, max_steps=30, patience=2, patience_for=kind)

    def step(_):
        i = next(steps)
        # loss, right in training, right in validation, validation loss
        numbers = [1.0, 1.0, 10.0 - min(i, 2), 9.0 - min(i, 6) + max(0, i - 6)]
        return tf.constant(numbers), {"test": None, "val": None}, []

    steps = iter(range(40))
    monkeypatch.setattr(trainer, "_step", step)
    curve, best = trainer._descend(0, None)
    assert best.point.step == 1
    assert curve[-1].step == last
