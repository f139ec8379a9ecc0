"""The presets, their sources, and the cells of the tables that use them."""

import dataclasses
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from mixhop_tf import LearnSettings, Recipe, SettingError
from mixhop_tf.architecture import HIDDEN_DROPOUT, INPUT_DROPOUT
from trainers.paper import series, synthetic_presets, tuned_values, tuning
from trainers.paper.cells import EXPERIMENTS, Experiment, random_split
from trainers.paper.learn_settings import (
    DEFAULT_WAY,
    WAYS,
    lasso_path,
    learn_settings,
    ways_to_learn,
)
from trainers.paper.presets import CITATION, PRESET_HELP, PRESETS, default_preset, preset
from trainers.paper.published import paper_tables
from trainers.paper.tuning import ROUNDS, draw, tune, tuning_starts
from trainers.sweeps import records
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError
from trainers.sweeps.patterns import select

RECORDS = Path(__file__).parents[3] / "results" / "records"
RECIPE = dataclasses.fields(Recipe)
TUNING, L2 = RECORDS / "tuning", RECORDS / "l2"


@pytest.mark.parametrize(
    ("dataset", "learning_rate", "decay_every", "penalty"),
    [("cora", 1.0, 40, 5e-3), ("citeseer", 0.25, 40, 5e-2), ("pubmed", 0.5, 20, 5e-3)],
)
def test_the_original_preset_is_that_of_the_scripts(dataset, learning_rate, decay_every, penalty):
    chosen = preset("original", dataset)
    settings = chosen.settings
    assert (settings.learning_rate, settings.decay_every) == (learning_rate, decay_every)
    assert settings.l2 == settings.lasso == penalty
    assert (settings.max_steps, settings.patience, settings.decay_fraction) == (400, 200, 0.01)
    assert (chosen.input_dropout, chosen.hidden_dropout) == (0.5, 0.9)


def test_the_paper_preset_is_that_of_section_5():
    settings = preset("paper", "cora").settings
    assert settings.learning_rate * settings.decay_fraction == pytest.approx(0.0005)
    assert (settings.learning_rate, settings.decay_every) == (0.05, 40)
    assert (settings.max_steps, settings.patience) == (2000, 40)
    assert (settings.l2, settings.lasso) == (5e-4, 0.0)


def test_only_strict_selection_is_ever_reported():
    for experiment in EXPERIMENTS.values():
        chosen = preset(experiment.preset, experiment.data.dataset, experiment.model)
        assert chosen.settings.selection == "strict"


def test_names_are_table_dataset_row_and_the_paper_has_the_cell():
    for name, experiment in EXPERIMENTS.items():
        table, dataset, _ = name.split("/")
        assert (table, dataset) == (experiment.table, experiment.data.dataset)
        if experiment.paper:
            of_table, row = experiment.paper
            assert paper_tables()[of_table][row][dataset]


def test_patterns_choose_in_the_order_of_the_table():
    names = list(select(EXPERIMENTS, ["own/*", "table1/cora/*"], "experiment"))
    assert names == [name for name in EXPERIMENTS if name.startswith(("own/", "table1/cora/"))]
    assert select(EXPERIMENTS, ["*"], "experiment") == EXPERIMENTS
    with pytest.raises(RunError, match="No experiment matches 'table9/\\*'; the names are table1/"):
        select(EXPERIMENTS, ["table1/*", "table9/*"], "experiment")


def test_every_preset_is_explained_and_every_model_has_a_default():
    assert set(PRESET_HELP) == {name for presets in PRESETS.values() for name in presets}
    for model, presets in PRESETS.items():
        for dataset in ("cora", "synthetic-h0.1", "my/folder"):
            data = DataConfig(dataset=dataset)
            assert default_preset(model, data) in presets
            assert tuning_starts(model, data)[1] in tuning.SPACES


@pytest.mark.parametrize(
    ("model", "data", "name"),
    [
        ("mixhop", DataConfig(dataset="pubmed"), "l2"),
        ("mixhop", random_split("pubmed"), "tuned-random"),
        ("mixhop", DataConfig(dataset="pubmed", split="random", per_class=20), "l2"),
        ("mixhop", random_split("my/folder"), "auto"),
        ("mixhop", DataConfig(dataset="synthetic-h0.4"), "synthetic"),
        ("gat", DataConfig(dataset="pubmed"), "own"),
        ("gat", random_split("pubmed"), "tuned-random"),
        ("gat", random_split("my/folder"), "own"),
        ("ngcn", random_split("pubmed"), "own"),  # it was not tuned
        ("ngcn", DataConfig(dataset="synthetic-h0.4"), "own"),
    ],
)
def test_the_default_preset_is_that_of_the_tables(model, data, name):
    assert default_preset(model, data) == name


@pytest.mark.parametrize("part", ["table1", "table3"])
def test_a_cell_of_mixhop_has_the_preset_that_a_user_gets(part):
    cells = [each for each in EXPERIMENTS.values() if each.table == part]
    for each in (each for each in cells if each.model == "mixhop"):
        assert each.preset == default_preset("mixhop", each.data)


def test_a_graph_of_ones_own_gets_settings_that_suit_any_graph():
    mine = DataConfig(dataset="my/folder")
    general = preset("general", "my/folder")
    assert preset(default_preset("mixhop", mine), "my/folder") == general
    assert Recipe(**{field.name: getattr(general, field.name) for field in RECIPE}) == Recipe()
    settings = learn_settings(mine)
    assert settings == LearnSettings()
    assert (settings.retrain, settings.importance) == (Recipe(), "loss")
    assert tuning_starts("mixhop", mine) == ({"general": general}, "adam")
    assert learn_settings(DataConfig(dataset="cora")).retrain == preset("l2", "cora")


def test_an_architecture_is_learned_otherwise_where_labels_are_many():
    many = learn_settings(random_split("citeseer"))
    few = learn_settings(DataConfig(dataset="citeseer"))
    assert many.lassos < few.lassos
    assert many.retrain == preset("tuned-random", "citeseer")
    assert dataclasses.replace(many, lassos=few.lassos, retrain=few.retrain) == few
    mine = learn_settings(random_split("my/folder"))
    assert mine == learn_settings(DataConfig(dataset="my/folder"))
    for dataset in CITATION:
        path = lasso_path(random_split(dataset))
        assert learn_settings(random_split(dataset)).lassos[0] in path
    assert lasso_path(random_split("my/folder")) == lasso_path(DataConfig(dataset="my/folder"))


def test_ways_to_learn_differ_where_labels_are_many_but_not_the_papers_lasso():
    ways = ways_to_learn(random_split("cora"))
    assert ways["naive"].lassos == WAYS["naive"].lassos
    assert ways[DEFAULT_WAY] == learn_settings(random_split("cora"))
    assert ways_to_learn(DataConfig(dataset="cora")) == WAYS


def test_a_preset_of_another_model_is_refused():
    with pytest.raises(SettingError, match=r"`preset` for gat must be one of own, equal.*'l2'"):
        preset("l2", "cora", "gat")


def test_kipf_and_wellings_settings_are_theirs():
    chosen = preset("own", "cora", "gcn")
    assert chosen.settings == preset("own", "pubmed", "chebyshev").settings
    assert (chosen.settings.optimizer, chosen.settings.learning_rate) == ("adam", 0.01)
    assert (chosen.settings.l2, chosen.settings.lasso) == (5e-4 / 2, 0.0)
    assert (chosen.settings.max_steps, chosen.settings.decay_fraction) == (200, 0.0)
    assert (chosen.input_dropout, chosen.hidden_dropout) == (0.5, 0.5)
    assert chosen.architecture == {"hidden_width": 16, "penalize_output": False}


@pytest.mark.parametrize(
    ("dataset", "rate", "decay", "output_heads"),
    [("cora", 0.005, 5e-4, 1), ("citeseer", 0.005, 5e-4, 1), ("pubmed", 0.01, 1e-3, 8)],
)
def test_velickovics_settings_are_theirs(dataset, rate, decay, output_heads):
    chosen = preset("own", dataset, "gat")
    assert (chosen.settings.learning_rate, chosen.settings.l2) == (rate, decay / 2)
    assert chosen.settings.patience == 100
    assert (chosen.input_dropout, chosen.hidden_dropout) == (0.6, 0.6)
    assert chosen.architecture == {
        "hidden_width": 64,
        "heads": 8,
        "output_heads": output_heads,
        "attention_dropout": 0.6,
        "drop_values": True,
    }


@pytest.mark.parametrize("model", [model for model in PRESETS if "equal" in PRESETS[model]])
def test_equal_capacity_is_a_latent_width_of_sixty(model):
    equal = preset("equal", "cora", model)
    towers = 12 if model == "ngcn" else 1
    assert equal.architecture["hidden_width"] * towers == 60
    assert equal.settings.max_steps >= 400


def test_the_library_and_the_presets_agree_on_the_papers_dropout():
    chosen = preset("original", "cora")
    assert (chosen.input_dropout, chosen.hidden_dropout) == (INPUT_DROPOUT, HIDDEN_DROPOUT)


def dropouts_of(architecture):
    if "layers" in architecture:
        return [layer["dropout"] for layer in architecture["layers"]]
    return [architecture["input_dropout"], architecture["hidden_dropout"]]


def found_by_tuning(path, model, data):
    """The preset that `tune` finds in the records, and a config of its runs."""
    kept = {}
    for record in records.read(path):
        config = RunConfig.from_dict(record["config"])
        key = repr((config.settings, dropouts_of(config.architecture)))
        kept.setdefault(key, {})[record["seed"]] = record

    def cell_of(chosen):
        runs = kept[repr((chosen.settings, [chosen.input_dropout, chosen.hidden_dropout]))]
        return SimpleNamespace(records=lambda seeds: [runs[seed] for seed in seeds])

    starts, space = tuning_starts(model, data)
    drawn = draw(list(starts.values()), space, ROUNDS[0][0], seed=0)
    best = tune(drawn, cell_of, lambda *_: None, ROUNDS)[0].preset
    return best, cell_of(best).records([0])[0]["config"]


@pytest.mark.parametrize("dataset", CITATION)
def test_the_tuned_preset_is_what_the_search_found(dataset):
    data = DataConfig(dataset=dataset)
    best, _ = found_by_tuning(TUNING / f"{dataset}.jsonl", "mixhop", data)
    chosen = preset("tuned", dataset)
    assert dataclasses.replace(best, source=chosen.source) == chosen


@pytest.mark.parametrize(
    ("model", "name", "dataset"),
    [
        *(
            (model, "tuned-random", dataset)
            for model in synthetic_presets.TUNED
            for dataset in PRESETS[model].get("tuned-random", ())
        ),
        *((model, "synthetic", "synthetic-h0.2") for model in synthetic_presets.TUNED),
    ],
)
def test_the_presets_of_all_models_are_what_their_searches_found(model, name, dataset):
    folder = TUNING if model == "mixhop" else TUNING / model
    tuned_on, seed = tuned_values.SYNTHETIC_GRAPH
    data = (
        DataConfig(dataset=tuned_on, split="thirds", seed=seed)
        if name == "synthetic"
        else random_split(dataset)
    )
    best, config = found_by_tuning(folder / f"{data.file_stem}.jsonl", model, data)
    chosen = preset(name, dataset, model)
    assert dataclasses.replace(best, source=chosen.source) == chosen
    architecture = config["architecture"]
    if "layers" not in architecture:
        assert {key: architecture[key] for key in chosen.architecture} == dict(chosen.architecture)
    told = {key: config["data"][key] for key in ("dataset", "split", "per_class", "seed")}
    assert told == {key: getattr(data, key) for key in told}
    assert seed >= series.NUM_GRAPHS  # none of the graphs that are reported


def plain_l2_trials(dataset):
    """Validation accuracies by learning rate, L2 and dropout."""
    found = {}
    for record in records.read(L2 / f"{dataset}.jsonl"):
        settings = record["config"]["settings"]
        dropouts = [layer["dropout"] for layer in record["config"]["architecture"]["layers"]]
        # The pace of the decay is the original's for each graph, and not compared.
        name = settings["learning_rate"], settings["l2"], *dropouts
        found.setdefault(name, []).append(record["val_accuracy"])
    return found


def told(chosen):
    settings = chosen.settings
    assert settings.lasso == 0.0
    return settings.learning_rate, settings.l2, chosen.input_dropout, chosen.hidden_dropout


def test_the_l2_preset_has_the_best_mean_validation_accuracy_over_the_graphs():
    """Compares the settings that were tried on all three graphs, in the runs of the first seeds."""
    trials = [plain_l2_trials(dataset) for dataset in CITATION]
    everywhere = set(trials[0]) & set(trials[1]) & set(trials[2])
    assert len(everywhere) >= 5
    means = {name: sum(np.mean(each[name][:6]) for each in trials) for name in everywhere}
    assert max(means, key=means.get) == told(preset("l2", "my own graph"))


def test_the_l2_preset_of_citeseer_is_the_best_of_those_tried_longest():
    trials = plain_l2_trials("citeseer")
    longest = {name: each for name, each in trials.items() if len(each) == 24}
    assert told(preset("l2", "cora")) in longest
    assert len(longest) >= 4
    best = max(longest, key=lambda name: sum(longest[name]))
    assert best == told(preset("l2", "citeseer"))


def test_a_method_without_randomness_has_one_run():
    cora = DataConfig(dataset="cora")
    lp = Experiment(table="table1", data=cora, row="lp", model="lp", preset="start")
    assert list(lp.seeds(100)) == [0]
    assert list(dataclasses.replace(lp, model="ica").seeds(3)) == [0, 1, 2]
    assert list(dataclasses.replace(lp, model="mixhop").seeds(2)) == [0, 1]
