"""Classical methods on the command line."""

import json

import pytest
from commands import assert_one_clear_sentence, run_with_fewer_pictures

from mixhop_tf.baselines import BASELINES
from trainers.cli import option_flags
from trainers.paper import classical_presets
from trainers.paper.tuning import draw, tuned_names, tuning_starts
from trainers.sweeps.data_config import DataConfig


@pytest.fixture(scope="module")
def answer(small_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ica") / "run"
    options = ("--options", "aggregate=share,iterations=2", "--l2", 0.02)
    words = ("train", "--dataset", small_file, "--model", "ica", *options, "--out", folder)
    return folder, run_with_fewer_pictures(*words)


def test_a_run_has_its_record_and_metrics_but_no_model(answer):
    folder, found = answer
    assert found.returncode == 0, found.stderr
    assert "ica: aggregate share, iterations 2" in found.stdout
    assert "there is no model to export" in found.stdout
    assert not (folder / "saved_model").exists()
    record = json.loads((folder / "record.json").read_text())
    assert record["config"]["architecture"]["aggregate"] == "share"
    assert record["test_metrics"]["macro_f1"] > 0


def test_without_a_model_prediction_says_what_is_missing(answer, small_file, tmp_path):
    found = run_with_fewer_pictures(
        "predict", "--model", answer[0], "--dataset", small_file, "--out", tmp_path / "p.csv"
    )
    assert_one_clear_sentence(found, str(answer[0]))


@pytest.mark.parametrize(
    ("model", "options", "parts"),
    [
        ("ica", "aggregate=mean", ["aggregate", "count", "mean"]),
        ("ica", "iterations=2.5", ["--options", "iterations", "a whole number"]),
        ("ica", "window=3", ["--options", "aggregate, iterations", "window=3"]),
        ("lp", "mass_normalization=maybe", ["--options", "yes or no"]),
        ("mixhop", "window=3", ["--options", "must be left out"]),
    ],
)
def test_a_wrong_option_is_named(small_file, model, options, parts):
    words = ("train", "--dataset", small_file, "--model", model, "--options", options)
    assert_one_clear_sentence(run_with_fewer_pictures(*words), *parts)


@pytest.mark.parametrize("model", classical_presets.START)
def test_tuning_draws_presets_that_make_a_description(model):
    starts, space = tuning_starts(model, DataConfig(dataset="cora"))
    drawn = draw(list(starts.values()), space, 16, seed=0)
    assert 1 < len(drawn) <= 16
    assert len({repr(preset) for preset in drawn}) == len(drawn)
    names = [field for field in tuned_names(model) if field in drawn[0].architecture]
    for preset in drawn:
        BASELINES[model](**preset.architecture)
        assert set(preset.chosen(tuned_names(model))) == set(tuned_names(model))
    text = option_flags.shown({name: drawn[-1].architecture[name] for name in names})
    assert text.count("=") == len(names)
