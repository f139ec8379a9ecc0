"""The files of the learning stages: an interrupted command continues where it stopped."""

import dataclasses
import json
import shutil

import numpy as np
import pytest
from small_learning import learn_settings

from mixhop_tf import Trainer, learn_architecture
from mixhop_tf.models.weights import weights_of
from trainers.runs.learn_store import LearnStore, PeakStore
from trainers.sweeps import records
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError


def learn(graph, settings, folder=None, seed=0, kind=LearnStore):
    data = DataConfig(dataset=graph.name)
    return learn_architecture(
        graph,
        settings,
        seed=seed,
        scaling=data.scaling_of(graph),
        store=None if folder is None else kind(folder, graph, data, seed),
    )


def without_seconds(results):
    return [dataclasses.replace(result, seconds=0.0) for result in results]


@pytest.fixture(scope="module")
def learned(small_graph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("learned")
    return learn(small_graph, learn_settings(), folder), folder


@pytest.fixture
def trained(monkeypatch):
    """The seeds of the runs that are made."""
    seeds, run = [], Trainer.run
    monkeypatch.setattr(
        Trainer, "run", lambda self, seed, *a, **k: seeds.append(seed) or run(self, seed, *a, **k)
    )
    return seeds


def test_a_search_goes_on_at_the_stage_it_was_killed_in(learned, small_graph, trained, tmp_path):
    outcome, folder = learned
    shutil.copytree(folder, tmp_path / "copy")
    part = tmp_path / "copy" / "lasso_0.02"
    path = part / "records.jsonl"

    def again():
        trained.clear()
        return learn(small_graph, learn_settings(), tmp_path / "copy")

    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0])  # killed in the second retraining
    second = again()
    assert trained[0] == 1
    assert 1 <= len(trained) <= 2  # the wide network is not among them
    assert without_seconds(second.retrainings) == without_seconds(outcome.retrainings)
    for name, value in weights_of(outcome.model).items():
        np.testing.assert_array_equal(value, weights_of(second.model)[name])
    again()
    assert trained == [outcome.run.seed]  # all on record: only the model is made again
    (part / "wide.json").unlink()  # killed before the end of stage 2
    third = again()
    assert len(trained) == 2
    assert third.architecture == outcome.architecture


@pytest.mark.usefixtures("fewer_pictures")
def test_a_folder_of_another_seed_is_not_taken_for_ones_own(small_graph, tmp_path):
    asked = learn_settings(runs=1)
    learn(small_graph, asked, tmp_path)
    other = learn(small_graph, asked, tmp_path, seed=7)
    alone = learn(small_graph, asked, seed=7)
    assert without_seconds([other.pruning.peak]) == without_seconds([alone.pruning.peak])
    assert other.architecture == alone.architecture


@pytest.mark.usefixtures("fewer_pictures")
def test_a_folder_of_another_graph_or_of_other_settings_is_not_taken_for_ones_own(
    learned, small_graph, trained, tmp_path
):
    _, folder = learned
    shutil.copytree(folder, tmp_path / "copy")
    cut = dataclasses.replace(small_graph, train=small_graph.train[1:])
    learn(cut, learn_settings(runs=1), tmp_path / "copy")
    assert len(trained) == 2
    trained.clear()
    learn(small_graph, learn_settings(runs=1, width=14), tmp_path / "copy")
    assert len(trained) == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [("wide.json", "{"), ("wide.json", '{"a": 1}'), ("wide.npz", "torn"), ("wide.npz", "")],
)
def test_a_damaged_folder_is_told(learned, small_graph, tmp_path, name, content):
    _, folder = learned
    shutil.copytree(folder, tmp_path / "copy")
    part = tmp_path / "copy" / "lasso_0.02"
    (part / name).write_text(content)
    with pytest.raises(RunError, match=r"lasso_0.02 is damaged; remove it"):
        learn(small_graph, learn_settings(), tmp_path / "copy")


def test_weights_of_another_network_are_damage_too(learned, small_graph, tmp_path):
    _, folder = learned
    shutil.copytree(folder, tmp_path / "copy")
    path = tmp_path / "copy" / "lasso_0.02" / "wide.npz"
    with np.load(path) as content:
        cut = {name: value[:-1] for name, value in content.items()}
    np.savez(path, **cut)
    with pytest.raises(RunError, match=r"lasso_0.02 is damaged; remove it"):
        learn(small_graph, learn_settings(), tmp_path / "copy")


def test_without_a_folder_the_outcome_is_the_same(learned, small_graph):
    outcome, _ = learned
    second = learn(small_graph, learn_settings())
    assert second.architecture == outcome.architecture
    assert without_seconds(second.retrainings) == without_seconds(outcome.retrainings)


@pytest.mark.usefixtures("fewer_pictures")
def test_each_coefficient_has_a_folder(small_graph, tmp_path):
    asked = learn_settings(lassos=(50.0, 0.01, 0.03), runs=1)
    outcome = learn(small_graph, asked, tmp_path)
    for pruning, _ in outcome.candidates:
        text = (tmp_path / f"lasso_{pruning.lasso}" / "architecture.json").read_text()
        assert text == pruning.architecture.to_json()
    assert not (tmp_path / "lasso_50.0" / "architecture.json").exists()


def test_the_record_of_the_wide_network_names_its_lasso_and_no_test_accuracy(learned):
    _, folder = learned
    record = json.loads((folder / "lasso_0.02" / "wide.json").read_text())
    settings = record["config"]["settings"]
    assert (settings["lasso"], settings["lasso_kind"]) == (0.02, "scaled")
    assert record["status"] == records.DONE
    assert record["test_accuracy"] is None


def test_a_store_of_peaks_keeps_nothing_else(learned, small_graph, trained, tmp_path):
    outcome, _ = learned
    for num_trained in (3, 2):  # the wide network is trained the first time alone
        trained.clear()
        found = learn(small_graph, learn_settings(), tmp_path, kind=PeakStore)
        assert found.architecture == outcome.architecture
        assert len(trained) == num_trained
    names = {path.name for path in (tmp_path / "lasso_0.02").iterdir()}
    curve = {f"wide_curve.{kind}" for kind in ("csv", "png", "svg", "pdf")}
    assert names == {"wide.npz", "wide.json", *curve}
