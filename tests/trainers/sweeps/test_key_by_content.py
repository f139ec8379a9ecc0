"""A graph that is moved, or named in another way, is the same graph."""

import dataclasses
import json
import os

from trainers.sweeps import records
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig


def moved(config, path):
    return dataclasses.replace(config, data=dataclasses.replace(config.data, dataset=str(path)))


def test_the_path_of_a_graph_is_not_in_its_key_but_its_contents_are(make_config, tmp_path):
    config = make_config()
    assert moved(config, "elsewhere/town").key() == config.key()
    assert dataclasses.replace(config, digest="another").key() != config.key()


def test_a_known_graph_is_in_its_key_by_name(make_config):
    config = make_config()
    assert moved(config, "cora").key() != moved(config, "citeseer").key()
    assert moved(config, "cora").key() == moved(config, "cora").path_key()


def test_records_under_the_key_of_the_path_are_still_found(make_config, tmp_path):
    config = make_config()
    path = tmp_path / "records.jsonl"
    old = records.of_failure(config, 0, None, records.DIVERGED, "x") | {"key": config.path_key()}
    path.write_text(json.dumps(old) + "\n")
    assert [each["seed"] for each in Cell(config, path).records([0, 1])] == [0]
    assert Cell(config, path).missing([0, 1]) == [1]


def test_a_relative_path_goes_on_in_the_folder_of_an_absolute_one(make_config, small_file):
    config = make_config()
    relative = os.path.relpath(small_file)
    again = RunConfig.from_dict(moved(config, relative).to_dict())
    assert again.data == DataConfig(dataset=relative)
    assert again.key() == config.key()
