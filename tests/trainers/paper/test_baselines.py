"""Baselines through the engine: from presets and flags to runs."""

import dataclasses
import functools
import json

import keras
import numpy as np
import pytest
import tensorflow as tf
from commands import assert_one_clear_sentence, run_with_fewer_pictures

from mixhop_tf import SettingError, check_activations, largest_eigenvalue
from mixhop_tf.baselines import GAT, GCN, NGCN, Chebyshev
from mixhop_tf.methods import METHODS
from mixhop_tf.training import optimizers, settings
from mixhop_tf.training.inputs import Inputs
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.presets import MODELS, PRESETS, preset
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig

run = functools.partial(run_with_fewer_pictures, "train")


def resolve(model, graph, name="own", **given):
    request = ArchitectureRequest(model=model, fields=given)
    return request.resolve(
        "cora",
        graph.num_classes,
        preset(name, "cora", model),
        lambda: largest_eigenvalue(graph.edges, graph.num_nodes),
    )


def test_presets_become_architectures(small_graph):
    gcn = GCN(hidden_width=16, penalize_output=False)
    assert resolve("gcn", small_graph) == gcn
    assert resolve("gcn", small_graph, "equal") == dataclasses.replace(gcn, hidden_width=60)
    assert resolve("gat", small_graph, "equal") == GAT(
        hidden_width=60, heads=6, input_dropout=0.6, hidden_dropout=0.6, drop_values=True
    )
    assert resolve("ngcn", small_graph) == NGCN(
        hidden_width=10, input_dropout=0.7, hidden_dropout=0.9
    )
    largest = largest_eigenvalue(small_graph.edges, small_graph.num_nodes)
    assert 1 < largest < 2
    assert resolve("chebyshev", small_graph, order=2) == Chebyshev(
        hidden_width=16, order=2, penalize_output=False, largest_eigenvalue=largest
    )


@pytest.mark.parametrize(
    ("model", "given", "complaint"),
    [
        ("gcn", {"heads": 4}, "`heads` must be left out, because a gcn"),
        ("gat", {"heads": 5}, "`model` must fit its options (`hidden_width` must be a multiple"),
        ("mlp", {"input_dropout": 1.5}, "`input_dropout` must be in"),
        ("gcn", {"activation": "rule"}, "`activation` must be an activation that Keras"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(small_graph, model, given, complaint):
    with pytest.raises(SettingError) as caught:
        check_activations(resolve(model, small_graph, **given))
    assert complaint in str(caught.value)


@pytest.mark.parametrize("model", [model for model in MODELS if model not in ("mixhop", *METHODS)])
def test_every_baseline_learns_and_repeats_itself(small_graph, small_file, model):
    name = "own" if "own" in PRESETS[model] else "start"
    settings = dataclasses.replace(preset(name, "cora", model).settings, max_steps=30)
    architecture = resolve(model, small_graph, name)
    data = DataConfig(dataset=str(small_file))
    made = RunConfig.of(data, small_graph, architecture, settings)
    trainer = made.trainer(small_graph)
    first, again = trainer.run(seed=1), made.trainer(small_graph).run(seed=1)
    assert first.curve == again.curve == trainer.run(seed=1).curve
    assert first.curve[-1].loss < first.curve[0].loss
    logits = first.model(Inputs.of(small_graph, first.model).raw_pair).numpy()
    right = logits.argmax(axis=1) == small_graph.labels
    assert right[small_graph.val].mean() == pytest.approx(first.best.val_accuracy)


def test_the_command_line_trains_and_exports_one(small_file, small_graph, tmp_path):
    answer = run(
        *("--dataset", small_file, "--model", "chebyshev", "--preset", "equal", "--order", 2),
        *("--hidden_dims", 12, "--max_steps", 15, "--out", "out"),
        cwd=tmp_path,
    )
    assert answer.returncode == 0, answer.stderr
    assert "preset equal (Kipf and Welling (2017), latent width 60)" in answer.stdout
    assert "chebyshev: hidden width 12, activation relu" in answer.stdout
    record = json.loads((tmp_path / "out" / "record.json").read_text())
    assert record["config"]["architecture"]["order"] == 2
    model = keras.saving.load_model(tmp_path / "out" / "model.keras")
    expected = model(Inputs.of(small_graph, model).raw_pair)
    served = tf.saved_model.load(str(tmp_path / "out" / "saved_model"))
    logits = served.signatures["serving_default"](
        features=tf.constant(small_graph.features.toarray()), edges=tf.constant(small_graph.edges)
    )["logits"]
    np.testing.assert_allclose(logits, expected, atol=1e-4)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--model", "gat", "--preset", "l2"), "--preset for gat must be one of own, equal"),
        (("--heads", 2), "--heads must be left out, because MixHop without attention"),
        (("--model", "gcn", "--architecture", "default"), "--architecture works only with MixHop"),
        (("--model", "gcn", "--hidden_dims", "8,8"), "--hidden_dims must be one number: a gcn"),
        (
            ("--model", "ngcn", "--powers", "0,x"),
            "--powers takes whole numbers from 0 on. Received: 0,x",
        ),
        (("--model", "ngcn", "--lasso_kind", "scaled"), "--lasso_kind works only with MixHop"),
    ],
)
def test_flags_that_do_not_go_together_are_refused(small_file, tmp_path, arguments, complaint):
    answer = run("--dataset", small_file, *arguments, cwd=tmp_path)
    assert_one_clear_sentence(answer, complaint)
    assert not (tmp_path / "runs").exists()


def test_a_search_for_a_baseline_takes_no_architecture(small_file):
    answer = run_with_fewer_pictures(
        "tune", "--dataset", small_file, "--model", "gat", "--architecture", "default"
    )
    assert_one_clear_sentence(answer, "--architecture works only with MixHop, not with --model gat")


def test_the_settings_know_every_optimizer():
    assert tuple(optimizers.OPTIMIZERS) == settings.OPTIMIZERS
