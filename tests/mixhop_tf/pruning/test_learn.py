"""The five stages, in Python, on a small graph."""

import dataclasses
import json
import shutil

import numpy as np
import pytest

from mixhop_tf.models.weights import weights_of
from trainers.paper import learning
from trainers.sweeps import records
from mixhop_tf.errors import LassoError
from trainers.sweeps.errors import RunError
from mixhop_tf.pruning.learn import learn_architecture
from mixhop_tf.training.trainer import Trainer

NUM_CLASSES = 6


def config(lasso=0.02, **changes):
    """A search that takes seconds."""
    default = learning.LEARNING
    small = {"max_steps": 40, "patience": 40}
    wide = dataclasses.replace(
        default.wide,
        settings=dataclasses.replace(default.wide.settings, **small, learning_rate=2.0),
        hidden_dropout=0.5,
    )
    retrain = dataclasses.replace(
        default.retrain, settings=dataclasses.replace(default.retrain.settings, **small)
    )
    fields = {
        "width": 12,
        "wide": wide,
        "retrain": retrain,
        "lassos": (lasso,),
        "budget": "columns=9",
        "runs": 2,
    }
    return dataclasses.replace(default, **fields | changes)


@pytest.fixture(scope="module")
def learned(small_graph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("learned")
    said = []
    outcome = learn_architecture(small_graph, config(), folder=folder, say=said.append)
    return outcome, folder, "\n".join(said)


def test_what_is_learned_has_the_size_of_the_budget(learned, small_graph):
    outcome, _, _ = learned
    first, last = outcome.architecture.layers
    assert first.width == 9
    assert last.width % NUM_CLASSES == 0
    assert 1 <= last.width // NUM_CLASSES <= 3
    assert (first.dropout, last.dropout) == (0.3, 0.9)  # those of the retraining
    assert outcome.model.architecture == outcome.architecture
    scores = np.concatenate(list(outcome.search.scores[0].values()))
    assert int((scores > outcome.search.thresholds[0]).sum()) == 9
    settings = outcome.trainer.config.settings
    assert settings.lasso == 0.0
    assert settings.l2 > 0


def test_the_record_of_the_best_run_is_that_of_the_model(learned, small_graph):
    outcome, _, _ = learned
    best = max(outcome.retrainings, key=lambda r: (r["val_accuracy"], -r["val_loss"]))
    assert outcome.run.seed == best["seed"]
    logits = outcome.model(outcome.trainer.inputs).numpy()
    accuracy = (logits.argmax(1) == small_graph.labels)[small_graph.val].mean()
    assert accuracy == best["val_accuracy"]


def test_each_stage_says_what_it_did(learned):
    _, _, said = learned
    for stage in ("1/5 wide", "2/5 lasso 0.02", "3/5 measure", "4/5 shrink", "5/5 retrain"):
        assert stage in said


def test_a_search_goes_on_at_the_stage_it_was_killed_in(learned, small_graph, monkeypatch):
    outcome, folder, _ = learned
    part = folder / "lasso_0.02"
    path = part / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    trained = []
    run = Trainer.run
    monkeypatch.setattr(
        Trainer, "run", lambda self, seed, *a, **k: trained.append(seed) or run(self, seed, *a, **k)
    )

    def again():
        trained.clear()
        return learn_architecture(small_graph, config(), folder=folder)

    path.write_bytes(lines[0])  # killed in the second retraining
    second = again()
    assert trained[0] == 1
    assert 1 <= len(trained) <= 2  # the wide network is not among them
    for one, other in zip(second.retrainings, outcome.retrainings, strict=True):
        assert one | {"seconds": 0} == other | {"seconds": 0}
    for name, value in weights_of(outcome.model).items():
        np.testing.assert_array_equal(value, weights_of(second.model)[name])
    again()
    assert trained == [outcome.run.seed]  # all on record: only the model is made again
    (part / "wide.json").unlink()  # killed before the end of stage 2
    third = again()
    assert len(trained) == 2
    assert third.architecture == outcome.architecture


def test_a_folder_of_another_seed_or_graph_is_not_taken_for_ones_own(small_graph, tmp_path):
    asked = config(runs=1)
    learn_architecture(small_graph, asked, folder=tmp_path)
    other = learn_architecture(small_graph, asked, folder=tmp_path, seed=7)
    alone = learn_architecture(small_graph, asked, seed=7)
    assert other.search.record | {"seconds": 0} == alone.search.record | {"seconds": 0}
    assert other.architecture == alone.architecture


@pytest.mark.parametrize(
    ("name", "content"),
    [("wide.json", "{"), ("wide.json", '{"a": 1}'), ("wide.npz", "torn"), ("wide.npz", "")],
)
def test_a_damaged_folder_is_told(learned, small_graph, tmp_path, name, content):
    _, folder, _ = learned
    shutil.copytree(folder, tmp_path / "copy")
    part = tmp_path / "copy" / "lasso_0.02"
    (part / name).write_text(content)
    with pytest.raises(RunError, match=r"lasso_0.02 is damaged; remove it"):
        learn_architecture(small_graph, config(), folder=tmp_path / "copy")


def test_without_a_folder_nothing_is_left_and_the_outcome_is_the_same(learned, small_graph):
    outcome, _, _ = learned
    second = learn_architecture(small_graph, config())
    assert second.architecture == outcome.architecture
    for one, other in zip(second.retrainings, outcome.retrainings, strict=True):
        assert one | {"seconds": 0} == other | {"seconds": 0}


def test_surviving_weights_start_from_the_wide_network(small_graph):
    survive = config(restart="surviving", runs=1)
    still = dataclasses.replace(
        survive.retrain,
        settings=dataclasses.replace(
            survive.retrain.settings, learning_rate=1e-7, max_steps=1, l2=0.0
        ),
    )
    outcome = learn_architecture(small_graph, dataclasses.replace(survive, retrain=still))
    for name, value in weights_of(outcome.model).items():
        np.testing.assert_allclose(value, outcome.search.weights[name], atol=1e-5)


@pytest.mark.parametrize("importance", ["norm", "loss"])
def test_other_measures_of_importance(small_graph, importance):
    outcome = learn_architecture(small_graph, config(importance=importance, runs=1))
    assert outcome.architecture.layers[0].width == 9


def test_of_several_coefficients_the_best_retrained_one_wins(small_graph, tmp_path):
    said = []
    asked = config(lassos=(50.0, 0.01, 0.03), runs=1)
    outcome = learn_architecture(small_graph, asked, folder=tmp_path, say=said.append)
    assert [search.lasso for search, _ in outcome.searches] == [0.01, 0.03]
    assert any("50 is too strong" in line for line in said)
    means = {search.lasso: found[0]["val_accuracy"] for search, found in outcome.searches}
    assert means[outcome.search.lasso] == max(means.values())
    assert (tmp_path / "lasso_0.03" / "architecture.json").is_file()


def test_a_lasso_too_strong_is_an_error_that_says_what_to_change(small_graph):
    with pytest.raises(LassoError, match=r"The lasso 50 is too strong: 0 columns.*lower --lasso"):
        learn_architecture(small_graph, config(lasso=50.0))


def test_a_lasso_too_weak_is_reported(small_graph):
    said = []
    learn_architecture(small_graph, config(lasso=1e-9, runs=1), say=said.append)
    assert any("1e-09 made no column vanish" in line and "raise --lasso" in line for line in said)


def test_a_coefficient_that_diverges_does_not_stop_the_others(small_graph):
    wide = config().wide
    wide = dataclasses.replace(
        wide, settings=dataclasses.replace(wide.settings, lasso_kind="gradient")
    )
    said = []
    asked = config(lassos=(1e38, 0.01), wide=wide, runs=1)
    outcome = learn_architecture(small_graph, asked, say=said.append)
    assert outcome.search.lasso == 0.01
    assert any("The loss is" in line for line in said)
    assert any("use --wide_lasso_kind scaled" in line for line in said)


def test_test_accuracy_is_told_once_of_what_is_kept(learned):
    outcome, _, said = learned
    assert said.count("test ") == 1
    assert outcome.search.record["test_accuracy"] is None


def test_deeper_networks_and_other_powers(small_graph):
    asked = config(powers=(1, 3), num_hidden=2, budget="columns=8,5,6", runs=1, lasso=1e-3)
    layers = learn_architecture(small_graph, asked).architecture.layers
    assert [layer.width for layer in layers] == [8, 5, 6]
    assert {layer.powers for layer in layers} == {(1, 3)}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budget": "columns=99"}, "--budget columns=99: Layer 1 of the wide model has 36"),
        ({"budget": "much"}, "--budget much: A budget is"),
        ({"powers": (1, 1)}, "--powers takes distinct whole numbers"),
        ({"lassos": (0.0,)}, "--lasso takes distinct positive numbers"),
        ({"lassos": (0.1, 0.1)}, "--lasso takes distinct positive numbers"),
        ({"width": 0}, "--width must be at least 1"),
        ({"importance": "size"}, "--importance must be one of norm, effect, loss"),
    ],
)
def test_what_cannot_be_is_refused_before_any_training(small_graph, changes, message):
    with pytest.raises(RunError, match=message):
        learn_architecture(small_graph, config(**changes))


def test_the_wide_network_is_as_wide_as_asked():
    wide = learning.LEARNING.wide_architecture(NUM_CLASSES)
    assert [layer.dims for layer in wide.layers] == [(200,) * 3, (198,) * 3]
    narrow = dataclasses.replace(learning.LEARNING, width=2).wide_architecture(NUM_CLASSES)
    assert narrow.layers[-1].dims == (NUM_CLASSES,) * 3


def test_the_record_of_the_wide_network_names_its_lasso(learned):
    _, folder, _ = learned
    record = json.loads((folder / "lasso_0.02" / "wide.json").read_text())
    settings = record["config"]["settings"]
    assert (settings["lasso"], settings["lasso_kind"]) == (0.02, "scaled")
    assert record["status"] == records.DONE
