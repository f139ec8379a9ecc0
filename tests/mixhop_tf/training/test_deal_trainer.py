"""Many deals of the labelled nodes with one compiled step."""

import numpy as np
import pytest

from mixhop_tf import Architecture, SettingError, Settings, Trainer
from mixhop_tf.models.weights import weights_of
from mixhop_tf.training.choose import redealt
from mixhop_tf.training.deal_trainer import DealTrainer
from mixhop_tf.training.graph import Resplit

PLAIN = Architecture.default(6, hidden_dims=[12], input_dropout=0.0, hidden_dropout=0.0)
SETTINGS = Settings(optimizer="adam", learning_rate=0.02, max_steps=12, l2=1e-3)


@pytest.mark.parametrize("class_weight", ["none", "balanced"])
def test_a_run_on_a_deal_is_that_of_a_trainer_made_for_it(small_graph, class_weight):
    settings = Settings(**{**vars(SETTINGS), "class_weight": class_weight})
    shared = DealTrainer(small_graph, PLAIN, settings, scaling="rows")
    for number in (2, 1, 2):
        deal = redealt(small_graph, number, seed=3)
        own = Trainer(deal, PLAIN, settings, scaling="rows").run(seed=5)
        run = shared.deal(deal).run(seed=5)
        assert run.best.step == own.best.step
        np.testing.assert_allclose(
            [point.val_loss for point in run.curve],
            [point.val_loss for point in own.curve],
            rtol=1e-4,
        )
        np.testing.assert_allclose(run.logits, own.logits, atol=1e-4)


def test_metrics_of_other_kinds_see_the_nodes_of_the_deal(small_graph):
    settings = Settings(**{**vars(SETTINGS), "select_by": "macro_f1"})
    deal = redealt(small_graph, 1, seed=0)
    run = DealTrainer(small_graph, PLAIN, settings, scaling="rows").deal(deal).run(seed=0)
    own = Trainer(deal, PLAIN, settings, scaling="rows").run(seed=0)
    assert run.result.score == pytest.approx(own.result.score, abs=1e-6)


def test_it_goes_on_from_its_weights_and_the_lasso_grows(small_graph):
    settings = Settings(lasso_kind="scaled", lasso=1e-3, learning_rate=0.05, max_steps=30)
    trainer = DealTrainer(small_graph, PLAIN, settings, scaling="rows")
    trainer.start(seed=0)

    def alive():
        return sum(
            int(np.any(kernel != 0, axis=0).sum())
            for name, kernel in weights_of(trainer.model).items()
            if "kernel" in name
        )

    first = trainer.go_on(20, 1e-3)
    many = alive()
    second = trainer.go_on(60, 5.0)  # more steps than the settings have
    assert (first.step, second.step) == (20, 80)
    assert 0 <= alive() < many


def test_a_node_that_is_not_labelled_for_it_is_refused(small_graph):
    trainer = DealTrainer(small_graph, PLAIN, SETTINGS)
    with pytest.raises(ValueError, match="no other nodes"):
        trainer.deal(Resplit(small_graph, train=small_graph.test, val=small_graph.val))


def test_a_deal_cannot_select_by_test_nodes(small_graph):
    settings = Settings(selection="original")
    with pytest.raises(SettingError, match="strict"):
        DealTrainer(small_graph, PLAIN, settings)
