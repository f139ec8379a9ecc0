"""Batches are asked for or chosen if the whole graph does not fit into memory."""

import pytest
from absl import flags

from mixhop_tf import Architecture, GraphData, SettingError, Settings
from mixhop_tf.training.batches.memory import whole_graph_bytes
from trainers.cli import batch_flags
from trainers.sweeps.config import key_settings

GRAPH = GraphData(edges=[[0, 1], [1, 2]], labels=[0, 1, 0], train=[0], val=[1])
SMALL = Architecture.default(2)


@pytest.fixture
def given(monkeypatch):
    values = flags.FlagValues()
    monkeypatch.setattr(flags, "FLAGS", values)
    flags.DEFINE_string(batch_flags.NAME, None, "", flag_values=values)
    values.mark_as_parsed()

    def call(value, free):
        monkeypatch.setattr(batch_flags, "free_memory", lambda: free)
        values.batches = value
        return batch_flags.given(Settings(), GRAPH, SMALL)

    return call


def test_a_graph_that_fits_is_not_sampled(given):
    for value in (None, "auto", "none"):
        assert given(value, 10**9) == (Settings(), None)


def test_a_graph_that_does_not_fit_is_refused_with_the_remedy(given):
    with pytest.raises(SettingError, match=r"use --batches auto .* which is sampled"):
        given(None, 1)
    assert given("none", 1) == (Settings(), None)


def test_batches_are_chosen_with_a_word(given):
    settings, line = given("auto", 1)
    assert settings.batches.startswith("clusters:partition=")
    assert "so it is sampled: --batches clusters" in line
    assert "sampled" in batch_flags.note(settings, GRAPH)


def test_named_batches_are_taken_and_change_the_key(given):
    settings, line = given("walks:size=9", 10**9)
    assert (settings.batches, line) == ("walks:size=9", None)
    assert "batches" in key_settings(settings)
    assert "batches" not in key_settings(Settings())
    assert batch_flags.note(Settings(), GRAPH) is None


def test_as_many_runs_at_once_as_fit(monkeypatch):
    needed = whole_graph_bytes(GRAPH, SMALL)
    monkeypatch.setattr(batch_flags, "free_memory", lambda: 2.5 * needed)
    assert batch_flags.runs_at_once(Settings(), GRAPH, SMALL, 2) == (2, None)
    count, line = batch_flags.runs_at_once(Settings(), GRAPH, SMALL, 8)
    assert count == 2
    assert line.endswith("2 at once, not 8: --workers 2")
    sampled = Settings(batches="clusters")
    assert batch_flags.runs_at_once(sampled, GRAPH, SMALL, 8) == (8, None)
    monkeypatch.setattr(batch_flags, "free_memory", lambda: 0)
    assert batch_flags.runs_at_once(Settings(), GRAPH, SMALL, 8)[0] == 1
