"""The five stages, in Python, on a small graph."""

import dataclasses

import numpy as np
import pytest
from small_learning import RETRAIN, WIDE, learn_settings, with_settings

from mixhop_tf import Learner, LearnSettings, Observer, learn_architecture
from mixhop_tf.errors import DivergedError, LassoError, SettingError
from mixhop_tf.models.weights import weights_of

NUM_CLASSES = 6


class Listener(Observer):
    """Records the results that it receives."""

    def __init__(self):
        self.stages, self.errors, self.kept_runs = [], [], []

    def widened(self, wide, num_parameters):
        self.stages.append(1)

    def trained(self, lasso, result):
        assert result.test_accuracy is None
        self.stages.append(2)

    def pruned(self, pruning, num_parameters):
        self.stages += [3, 4]

    def retrained(self, results):
        self.stages.append(5)

    def failed(self, error):
        self.errors.append(error)

    def kept(self, run):
        self.kept_runs.append(run)


def learn(graph, settings, **options):
    return learn_architecture(graph, settings, scaling="rows", **options)


def without_seconds(results):
    return [dataclasses.replace(result, seconds=0.0) for result in results]


@pytest.fixture(scope="module")
def learned(small_graph):
    listener = Listener()
    return learn(small_graph, learn_settings(), observer=listener), listener


def test_what_is_learned_has_the_size_of_the_budget(learned):
    outcome, _ = learned
    first, last = outcome.architecture.layers
    assert first.width == 9
    assert last.width % NUM_CLASSES == 0
    assert 1 <= last.width // NUM_CLASSES <= 3
    assert (first.dropout, last.dropout) == (0.3, 0.9)  # those of the retraining
    assert outcome.model.architecture == outcome.architecture == outcome.pruning.architecture
    scores = np.concatenate(list(outcome.pruning.scores[0].values()))
    assert int((scores > outcome.pruning.thresholds[0]).sum()) == 9


def test_the_retraining_has_plain_l2_and_no_lasso(learned):
    outcome, _ = learned
    penalty = outcome.model.kernel_regularizer
    assert (penalty.lasso, penalty.l2) == (0.0, RETRAIN.settings.l2)


def test_the_best_run_is_that_of_the_model(learned, small_graph):
    outcome, _ = learned
    assert [result.seed for result in outcome.retrainings] == [0, 1]
    best = max(outcome.retrainings, key=lambda each: (each.val_accuracy, -each.val_loss))
    assert outcome.run.seed == best.seed
    logits = outcome.model(outcome.run.inputs).numpy()
    accuracy = (logits.argmax(1) == small_graph.labels)[small_graph.val].mean()
    assert accuracy == best.val_accuracy


def test_each_stage_is_told(learned):
    outcome, listener = learned
    assert listener.stages == [1, 2, 3, 4, 5]
    assert listener.kept_runs == [outcome.run]
    assert listener.errors == []


def test_the_wide_networks_test_accuracy_is_not_told(learned):
    outcome, _ = learned
    assert outcome.pruning.peak.test_accuracy is None
    assert outcome.run.test_accuracy is not None


def test_the_same_seed_gives_the_same_outcome_and_another_seed_another(learned, small_graph):
    outcome, _ = learned
    again = learn(small_graph, learn_settings())
    assert again.architecture == outcome.architecture
    assert without_seconds(again.retrainings) == without_seconds(outcome.retrainings)
    other = learn(small_graph, learn_settings(runs=1), seed=7)
    assert [result.seed for result in other.retrainings] == [7]
    assert other.pruning.peak.val_loss != outcome.pruning.peak.val_loss


def test_surviving_weights_start_from_the_wide_network(small_graph):
    still = with_settings(RETRAIN, learning_rate=1e-7, max_steps=1, l2=0.0)
    survive = learn_settings(restart="surviving", runs=1, retrain=still)
    outcome = learn(small_graph, survive)
    for name, value in weights_of(outcome.model).items():
        np.testing.assert_allclose(value, outcome.pruning.weights[name], atol=1e-5)


@pytest.mark.parametrize("importance", ["norm", "loss"])
def test_other_measures_of_importance(small_graph, importance):
    outcome = learn(small_graph, learn_settings(importance=importance, runs=1))
    assert outcome.architecture.layers[0].width == 9


def test_of_several_coefficients_the_best_retrained_one_wins(small_graph):
    listener = Listener()
    asked = learn_settings(lassos=(50.0, 0.01, 0.03), runs=1)
    outcome = learn(small_graph, asked, observer=listener)
    assert [pruning.lasso for pruning, _ in outcome.candidates] == [0.01, 0.03]
    (error,) = listener.errors
    assert "50 is too strong" in str(error)
    means = {pruning.lasso: found[0].val_accuracy for pruning, found in outcome.candidates}
    assert means[outcome.pruning.lasso] == max(means.values())


def test_a_lasso_too_strong_is_an_error_that_says_what_to_change(small_graph):
    with pytest.raises(
        LassoError, match=r"The lasso 50 is too strong: .*leaves 0 columns.*lower `lassos`"
    ):
        learn(small_graph, learn_settings(lasso=50.0))


@pytest.mark.parametrize(("lasso", "separates"), [(0.1, True), (1e-9, False)])
def test_whether_the_lasso_made_anything_vanish_is_known(small_graph, lasso, separates):
    pruning = Learner(small_graph, learn_settings(), scaling="rows").prune(lasso)
    assert pruning.separates is separates
    dead = 12 - np.array([list(layer.values()) for layer in pruning.alive[:1]])
    assert dead.any() == separates


def test_a_coefficient_that_diverges_does_not_stop_the_others(small_graph):
    listener = Listener()
    wide = with_settings(WIDE, lasso_kind="gradient")
    asked = learn_settings(lassos=(1e38, 0.01), wide=wide, runs=1)
    outcome = learn(small_graph, asked, observer=listener)
    assert outcome.pruning.lasso == 0.01
    (error,) = listener.errors
    assert isinstance(error, DivergedError)
    assert "The loss is" in str(error)
    assert "`wide.lasso`" in str(error)


def test_deeper_networks_and_other_powers(small_graph):
    asked = learn_settings(powers=(1, 3), num_hidden=2, budget="columns=8,5,6", runs=1, lasso=1e-3)
    layers = learn(small_graph, asked).architecture.layers
    assert [layer.width for layer in layers] == [8, 5, 6]
    assert {layer.powers for layer in layers} == {(1, 3)}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budget": "columns=99"}, "`budget` must fit .*Layer 1 of the wide model has 36"),
        ({"budget": "much"}, "`budget` .*columns=.*Received: 'much'"),
        ({"powers": (1, 1)}, "`powers` must be distinct whole numbers"),
        ({"lassos": (0.0,)}, "`lassos` must be distinct positive numbers"),
        ({"lassos": (0.1, 0.1)}, "`lassos` must be distinct positive numbers"),
        ({"width": 0}, "`width` must be at least 1"),
        ({"importance": "size"}, "`importance` must be one of norm, effect, loss"),
    ],
)
def test_what_cannot_be_is_refused_before_any_training(small_graph, changes, message):
    class Forbidden(Observer):
        def run(self, *_):
            raise AssertionError("it trains")

    with pytest.raises(SettingError, match=message):
        learn(small_graph, learn_settings(**changes), observer=Forbidden())


def test_the_wide_network_is_as_wide_as_asked():
    wide = LearnSettings(width=200).wide_architecture(NUM_CLASSES)
    assert [layer.dims for layer in wide.layers] == [(200,) * 3, (198,) * 3]
    narrow = LearnSettings(width=2).wide_architecture(NUM_CLASSES)
    assert narrow.layers[-1].dims == (NUM_CLASSES,) * 3
