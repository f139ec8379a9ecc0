"""The description of batches goes through text and JSON, and refuses what cannot be."""

import dataclasses
import json

import pytest

from mixhop_tf import Batches, SettingError, Settings

TEXTS = [
    "clusters",
    "clusters:size=2000,parts=4,partition=grown,precompute=yes",
    "walks:size=500,length=2,updates=7",
    "fields:depth=1,fanout=3",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_notation_comes_back(text):
    batches = Batches.parse(text)
    assert str(batches) == text
    assert Batches(**json.loads(json.dumps(batches.to_dict()))) == batches


def test_a_default_is_left_out_and_settings_hold_the_notation():
    assert str(Batches.parse("walks:length=3,size=7")) == "walks:size=7"
    settings = Settings(batches=Batches(kind="walks", size=7))
    assert settings.batches == "walks:size=7"
    assert Settings(**json.loads(json.dumps(dataclasses.asdict(settings)))) == settings


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("stars", "one of clusters, walks, fields"),
        ("walks:size=0", "from 1 to"),
        ("walks:size=many", "whole number as size"),
        ("walks:size", "options such as size=5000"),
        ("walks:size=1,size=2", "each once"),
        ("walks:colour=red", "options such as size=5000"),
        ("walks:parts=3", "do not have parts; only clusters do"),
        ("clusters:partition=best", "metis, grown"),
        ("clusters:precompute=maybe", "yes or no"),
        (3, "must be text"),
    ],
)
def test_a_bad_description_is_refused_with_its_rule(text, rule):
    with pytest.raises(SettingError, match=rule):
        Settings(batches=text)


def test_the_original_rule_needs_the_whole_graph():
    with pytest.raises(SettingError, match="must be strict with batches"):
        Settings(batches="walks", selection="original")
