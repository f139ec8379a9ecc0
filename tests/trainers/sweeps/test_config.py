import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from small_settings import SETTINGS

import datasets
from mixhop_tf import Architecture, SettingError, Settings, SplitError
from trainers.sweeps import config as config_module
from trainers.sweeps import records
from trainers.sweeps.config import RunConfig, graph_digest
from trainers.sweeps.data_config import DataConfig, is_synthetic

RESULTS = Path(__file__).parents[3] / "results" / "records"


@pytest.fixture
def config(path_graph):
    return RunConfig.of(
        DataConfig(dataset="path"), path_graph, Architecture.default(num_classes=2), SETTINGS
    )


def with_data(config, **changes):
    return dataclasses.replace(config, data=dataclasses.replace(config.data, **changes))


def with_settings(config, **changes):
    return dataclasses.replace(config, settings=dataclasses.replace(config.settings, **changes))


@pytest.mark.parametrize("shared_first_kernel", [False, True])
def test_a_config_survives_json(config, shared_first_kernel):
    config = with_settings(config, class_weight={"left": 2, "right": 1}, threshold=0.5)
    config = dataclasses.replace(config, shared_first_kernel=shared_first_kernel)
    again = RunConfig.from_dict(json.loads(json.dumps(config.to_dict())))
    assert again == config
    assert again.key() == config.key()


def test_every_part_of_a_config_counts_in_its_key(config, path_graph):
    other = Architecture.default(num_classes=2, hidden_dropout=0.8)
    variants = [
        config,
        with_settings(config, class_weight={"left": 2, "right": 1}),
        with_data(config, split="random"),
        with_data(config, seed=1),
        with_data(config, per_class=3),
        with_data(config, scaling="none"),
        dataclasses.replace(config, digest="0"),
        dataclasses.replace(config, shared_first_kernel=True),
        RunConfig.of(config.data, path_graph, other, SETTINGS),
        *(
            with_settings(config, **{field.name: value})
            for field, value in zip(
                dataclasses.fields(Settings),
                [
                    *[0.4, 41, 0.02, 21, 11, "either", 2e-3, 5e-3, "scaled", "adam", "original"],
                    *["pr_auc", "balanced", True, "auto", "walks"],
                ],
                strict=True,
            )
        ),
    ]
    assert len({each.key() for each in variants}) == len(variants)


def test_a_field_that_is_added_later_leaves_the_key_as_it_was(config, monkeypatch):
    """A new field with a neutral default must not change the keys of existing records."""

    @dataclasses.dataclass(frozen=True, kw_only=True)
    class LaterSettings(Settings):
        momentum: float = dataclasses.field(default=0.9, metadata={"help": "", "choices": ()})

    def later(momentum):
        settings = LaterSettings(**dataclasses.asdict(SETTINGS), momentum=momentum)
        return dataclasses.replace(config, settings=settings)

    known = {**config_module._KEY_DEFAULTS, "momentum": 0.0}
    monkeypatch.setattr(config_module, "_KEY_DEFAULTS", known)
    assert later(0.0).key() == config.key()
    assert later(0.9).key() != config.key()  # though it is the default of today


def test_what_an_older_record_lacks_has_the_value_of_its_time(config):
    """An older record lacks the optimizer; today's default is another one."""
    content = config.to_dict()
    for name in config_module._KEY_DEFAULTS:
        del content["settings"][name]
    again = RunConfig.from_dict(content)
    assert again == config
    assert again.settings.optimizer == "gradient_descent" != Settings().optimizer
    assert again.key() == config.key()


def test_the_keys_of_the_committed_records_are_those_of_their_configs():
    paths = sorted(RESULTS.rglob("*.jsonl"))
    assert paths
    for path in paths:
        for record in records.read(path):
            assert RunConfig.from_dict(record["config"]).key() == record["key"], path


def test_the_digest_tells_graphs_apart(path_graph):
    changes = {
        "features": np.array([[1, 0, 0.5], [0, 0, 2], [0, 0, 0], [-1, 0, 0], [0, 0, 4]]),
        "edges": [[0, 1], [1, 2], [2, 4]],
        "labels": [0, 0, 1, 1, 0],
        "train": [3, 0],
        "val": [4],
        "test": [],
    }
    changes["labels"][4] = 0
    graphs = [path_graph]
    for field, value in changes.items():
        also = {"labels": [0, 0, 1, 1, 0]} if field == "val" else {}
        graphs.append(dataclasses.replace(path_graph, **{field: value}, **also))
    digests = {graph_digest(graph) for graph in graphs}
    assert len(digests) == len(graphs)
    assert graph_digest(dataclasses.replace(path_graph, name="other")) in digests


def test_weights_and_directions_are_part_of_the_digest(path_graph):
    weights = ([1, 1, 1], [1, 1, 2])
    graphs = [path_graph, dataclasses.replace(path_graph, directed=True)]
    graphs += [dataclasses.replace(graph, edge_weights=w) for graph in graphs for w in weights]
    assert len({graph_digest(graph) for graph in graphs}) == 6


def test_the_digest_of_a_plain_graph_is_that_of_old_records(path_graph):
    assert graph_digest(path_graph) == "a728789e06e76b93"


def test_the_digest_is_the_same_for_a_graph_saved_and_loaded(tmp_path, path_graph):
    path_graph.save(tmp_path / "g.npz")
    assert graph_digest(datasets.load(tmp_path / "g.npz")) == graph_digest(path_graph)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("learning_rate", 0.0),
        ("learning_rate", float("nan")),
        ("learning_rate", float("inf")),
        ("decay_every", 0),
        ("decay_fraction", 1.5),
        ("decay_every", 10**30),
        ("max_steps", 0),
        ("max_steps", 3_000_000_000),
        ("patience", -1),
        ("l2", -1e-3),
        ("lasso", float("nan")),
        ("selection", "best"),
    ],
)
def test_settings_that_make_no_sense_are_refused_by_name(field, value):
    with pytest.raises(SettingError, match=f"`{field}` must"):
        dataclasses.replace(SETTINGS, **{field: value})


@pytest.mark.parametrize("split", ["train", "val"])
def test_a_graph_without_nodes_to_train_on_or_select_by_is_refused(path_graph, split):
    graph = dataclasses.replace(path_graph, **{split: []})
    with pytest.raises(SplitError, match=f"no {split} nodes; give it a split that has some"):
        RunConfig.of(DataConfig(dataset="path"), graph, Architecture.default(2), SETTINGS)


def test_the_leaky_rule_needs_test_nodes(path_graph):
    graph = dataclasses.replace(path_graph, test=[])
    leaky = dataclasses.replace(SETTINGS, selection="original")
    RunConfig.of(DataConfig(dataset="path"), graph, Architecture.default(2), SETTINGS)
    with pytest.raises(SplitError, match="no test nodes"):
        RunConfig.of(DataConfig(dataset="path"), graph, Architecture.default(2), leaky)


def test_a_folder_called_like_a_synthetic_graph_is_none():
    assert is_synthetic("synthetic-h0.3")
    assert is_synthetic("synthetic-h0.3-radial")
    assert not is_synthetic("synthetic-homes")
    assert not is_synthetic("synthetic-h0.3.npz")
