"""The training loop equals a plain eager loop and keeps the promises of its docstring."""

import dataclasses

import keras
import numpy as np
import pytest
import tensorflow as tf
from small_trainers import SMALL, trainer_of

import mixhop_tf
from mixhop_tf.baselines import GAT, NGCN, Chebyshev
from mixhop_tf.errors import DivergedError
from mixhop_tf.training.inputs import Inputs


def plain_loop(graph, architecture, settings, seed):
    """Trains with Keras' optimizer, without compilation, and evaluates after each update."""
    model = mixhop_tf.build_model(
        architecture,
        graph.num_features,
        graph.num_classes,
        kernel_regularizer=mixhop_tf.GroupLasso(settings.lasso, settings.l2),
        scaling="standardize",
        seed=seed,
    )
    model.adapt(graph.features)
    inputs = Inputs.of(graph, model)
    optimizer = keras.optimizers.SGD()
    if settings.optimizer == "adam":
        optimizer = keras.optimizers.Adam(epsilon=1e-8)
    entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    rate, curve = settings.learning_rate, []
    for i in range(settings.max_steps):
        with tf.GradientTape() as tape:
            loss = tf.add_n(model.losses)
            for logits in model.training_logits(inputs.raw_pair):
                loss += entropy(graph.labels[graph.train], tf.gather(logits, graph.train))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.learning_rate = rate
        optimizer.apply(gradients, model.trainable_variables)
        if i and i % settings.decay_every == 0:
            rate -= settings.decay_fraction * settings.learning_rate
        predicted = model(inputs.raw_pair).numpy()
        val = predicted[graph.val]
        curve.append(
            (
                np.mean(val.argmax(1) == graph.labels[graph.val]),
                float(entropy(graph.labels[graph.val], val)),
                np.mean(predicted[graph.train].argmax(1) == graph.labels[graph.train]),
            )
        )
    return np.array(curve)


LOOPS = {
    "mixhop": {"decay_every": 7, "decay_fraction": 0.1},
    "mixhop with adam": {"optimizer": "adam", "learning_rate": 0.05},
    "gat": {"optimizer": "adam", "learning_rate": 0.05},
    "chebyshev": {"optimizer": "adam", "learning_rate": 0.05, "decay_every": 7},
    "ngcn": {"learning_rate": 0.2},
}
BASELINES = {
    "gat": GAT(hidden_width=12, heads=3, input_dropout=0.1),
    "chebyshev": Chebyshev(hidden_width=12, order=2, largest_eigenvalue=1.9),
    "ngcn": NGCN(hidden_width=6, powers=(0, 1), replicas=2),
}


@pytest.mark.parametrize("name", LOOPS)
def test_the_compiled_loop_is_the_plain_one(small_graph, name):
    architecture = BASELINES.get(name, SMALL)
    trainer = trainer_of(small_graph, architecture, max_steps=25, patience=25, **LOOPS[name])
    expected = plain_loop(small_graph, architecture, trainer.settings, seed=3)
    curve = trainer.run(seed=3).curve
    found = np.array([(p.val_accuracy, p.val_loss, p.train_accuracy) for p in curve])
    np.testing.assert_allclose(
        found[:, 1], expected[:, 1], atol=2e-3 if trainer.settings.optimizer == "adam" else 2e-4
    )
    np.testing.assert_allclose(found[:, [0, 2]], expected[:, [0, 2]], atol=0.03)
    assert [point.step for point in curve] == list(range(1, 26))
    assert np.ptp(expected[:, 1]) > 0.05  # the model has learned


@pytest.mark.parametrize("scaling", ["rows", "standardize"])
@pytest.mark.parametrize("selection", ["strict", "original"])
def test_a_part_of_the_graph_trains_like_the_whole(small_graph, selection, scaling):
    few = dataclasses.replace(
        small_graph,
        train=small_graph.train[-1:],
        val=small_graph.val[-2:],
        test=small_graph.test[-2:],
    )
    without_dropout = dict.fromkeys(("input_dropout", "hidden_dropout", "attention_dropout"), 0.0)
    part, whole = (
        trainer_of(
            few,
            dataclasses.replace(BASELINES["gat"], **without_dropout),
            scaling,
            whole,
            max_steps=10,
            selection=selection,
            **LOOPS["gat"],
        )
        for whole in (False, True)
    )
    for cut in (part._trained, part._evaluated):
        assert cut.pair[1].shape[0] < few.num_nodes
    runs = part.run(seed=0), whole.run(seed=0)
    for one, other in zip(runs[0].curve, runs[1].curve, strict=True):
        assert one.loss == pytest.approx(other.loss, rel=1e-4)
        assert one.val_loss == pytest.approx(other.val_loss, rel=1e-4)
        assert one.train_accuracy == other.train_accuracy
    assert runs[0].best.step == runs[1].best.step
    assert runs[0].test_accuracy == runs[1].test_accuracy


def test_the_rate_falls_after_every_so_many_steps(trained):
    rates = [point.learning_rate for point in trained(decay_every=5, decay_fraction=0.1).curve]
    np.testing.assert_allclose(rates[:6], [0.5] * 6)
    np.testing.assert_allclose(rates[6:11], [0.45] * 5)


def test_the_model_has_the_weights_of_the_best_step(trained, small_graph):
    run = trained(max_steps=40, patience=40)
    assert 1 < run.best.step < run.num_steps  # otherwise this would prove nothing
    inputs = Inputs.of(small_graph, run.model)
    predicted = run.model(inputs.raw_pair).numpy().argmax(axis=1)
    right = predicted == small_graph.labels
    assert right[small_graph.val].mean() == run.best.val_accuracy
    assert right[small_graph.test].mean() == run.test_accuracy
    assert right[small_graph.train].mean() == run.best.train_accuracy


def test_the_best_step_is_the_one_that_strict_selection_names(trained):
    run = trained(max_steps=40, patience=40)
    assert run.best == max(run.curve, key=lambda p: (p.val_accuracy, -p.val_loss, -p.step))


def test_ties_in_accuracy_go_to_the_lower_loss(trained, small_graph):
    graph = dataclasses.replace(small_graph, val=small_graph.val[8:13])
    run = trained(graph=graph, max_steps=60, patience=60)
    tied = [point for point in run.curve if point.val_accuracy == run.best.val_accuracy]
    assert len(tied) > 5  # otherwise this would prove nothing
    assert run.best == min(tied, key=lambda point: point.val_loss)
    assert run.best not in (tied[0], tied[-1])


def test_the_same_seed_gives_the_same_run_and_another_seed_another(small_graph):
    first, second = trainer_of(small_graph), trainer_of(small_graph)
    second.run(seed=5)  # earlier runs of a trainer leave no trace
    one, again, other = first.run(seed=1), second.run(seed=1), first.run(seed=2)
    assert one.curve == again.curve
    assert one.test_accuracy == again.test_accuracy
    for a, b in zip(one.model.get_weights(), again.model.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    assert one.curve != other.curve
    assert one.model.seed == 1


def test_training_ends_when_patience_does(trained):
    run = trained(max_steps=300, patience=7)
    assert run.num_steps == run.best.step + 8 < 300


def test_training_ends_when_the_rate_is_zero(trained):
    # The rate drops by a tenth after steps 2, 4 and so on, so it is zero after 20 updates.
    run = trained(max_steps=100, patience=100, decay_every=2, decay_fraction=0.1)
    assert run.num_steps == 21
    assert run.curve[-1].learning_rate > 0


@pytest.mark.parametrize("drops", [41, 47])
def test_a_rate_that_is_zero_but_for_rounding_is_zero(trained, drops):
    # In float32 1 - 41 · (1/41) is not quite zero.
    run = trained(max_steps=100, patience=100, decay_every=1, decay_fraction=1 / drops)
    assert run.num_steps == drops + 1


def test_training_ends_after_the_steps_allowed(trained):
    assert trained(max_steps=3).num_steps == 3
    assert trained(max_steps=1).best.step == 1


def test_a_loss_that_is_no_number_is_an_error_with_step_and_remedy(trained):
    with pytest.raises(
        DivergedError, match=r"The loss is (nan|inf) after \d+ steps.*`learning_rate`"
    ):
        trained(learning_rate=1e30)


def test_a_penalty_that_is_no_number_is_blamed_for_it(trained):
    with pytest.raises(DivergedError, match=r"before the first step; lower `l2` \(it is 1e\+38\)"):
        trained(l2=1e38)


def test_strict_selection_never_sees_the_test_labels(trained, small_graph):
    labels = small_graph.labels.copy()
    labels[small_graph.test] = (labels[small_graph.test] + 1) % 6
    graph = dataclasses.replace(small_graph, labels=labels)
    honest, other = trained(), trained(graph=graph)
    assert honest.curve == other.curve
    assert honest.best == other.best
    assert honest.test_accuracy != other.test_accuracy


def test_the_leaky_rule_flatters(trained, small_graph):
    """With few validation nodes many steps tie, so the test nodes decide."""
    graph = dataclasses.replace(small_graph, val=small_graph.val[8:13])
    enough = {"graph": graph, "max_steps": 60, "patience": 60}
    honest, leaky = trained(**enough), trained(**enough, selection="original")
    assert honest.curve == leaky.curve
    assert leaky.best.val_accuracy == honest.best.val_accuracy
    assert leaky.best.step != honest.best.step
    assert leaky.test_accuracy > honest.test_accuracy


def test_a_graph_without_test_nodes_can_be_trained_on(trained, small_graph):
    run = trained(graph=dataclasses.replace(small_graph, test=[]))
    assert run.test_accuracy is None


def test_every_step_is_told_with_the_best_so_far(small_graph):
    told = []
    run = trainer_of(small_graph).run(0, lambda point, best: told.append((point, best)))
    assert tuple(point for point, _ in told) == run.curve
    assert told[-1][1] == run.best
    assert all(best.step <= point.step for point, best in told)
