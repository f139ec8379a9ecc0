"""Tuning: the drawn presets, the rounds, and the command at the end."""

import dataclasses

import pytest

from trainers.cli.train_command import train_command
from trainers.paper import synthetic_presets
from trainers.paper.presets import preset
from trainers.paper.tuning import SPACES, draw, tune, tuning_starts
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.records import DIVERGED, DONE

START = preset("original", "cora")


class FakeCell:
    """A cell whose runs all have the validation accuracy that `quality` gives the preset."""

    def __init__(self, chosen, quality):
        self.accuracy, self.seeds = quality(chosen), set()

    def records(self, seeds):
        if self.accuracy is None:
            return [{"seed": seed, "status": DIVERGED} for seed in seeds]
        assert set(seeds) <= self.seeds
        return [
            {
                "seed": seed,
                "status": DONE,
                "val_accuracy": self.accuracy,
                "val_loss": 1.0,
                "test_accuracy": 1.0 - self.accuracy,  # who looks at it is led astray
            }
            for seed in seeds
        ]


def run_tuning(presets, quality, rounds):
    cells, made = {}, []

    def cell_of(chosen):
        return cells.setdefault(repr(chosen), FakeCell(chosen, quality))

    def sweep(some, seeds):
        made.append((len(some), len(seeds)))
        for cell in some:
            cell.seeds |= set(seeds)

    return tune(presets, cell_of, sweep, rounds), made


def test_the_draw_starts_with_the_original_and_stays_within_the_space():
    presets = draw([START], "gradient_descent", 24, seed=0)
    assert presets[0] == START
    assert len({repr(each) for each in presets}) == 24
    assert (
        presets
        == draw([START], "gradient_descent", 24, seed=0)
        != draw([START], "gradient_descent", 24, seed=1)
    )
    for each in presets[1:]:
        space = SPACES["gradient_descent"]
        assert each.settings.learning_rate in space["learning_rate"]
        assert each.settings.lasso in (0.0, each.settings.l2)
        assert each.hidden_dropout in space["hidden_dropout"]
        assert each.settings.max_steps == START.settings.max_steps


def test_mixhops_settings_of_table_1_are_tried_on_random_splits_among_as_many_as_others_have():
    data = DataConfig(dataset="citeseer", split="random")
    starts, space = tuning_starts("mixhop", data)
    presets = draw(list(starts.values()), space, 16, seed=0)
    assert presets[:2] == [preset("original", "citeseer"), preset("l2", "citeseer")]
    around = draw([preset("original", "citeseer")], space, 15, seed=0)
    assert presets[2:] == around[1:]
    assert list(tuning_starts("mixhop", DataConfig(dataset="citeseer"))[0]) == ["original"]
    assert list(tuning_starts("gcn", data)[0]) == ["equal"]


def test_a_baseline_is_searched_for_around_its_own_preset():
    start = preset("equal", "pubmed", "gat")
    for each in draw([start], "adam", 24, seed=0)[1:]:
        space = SPACES["adam"]
        assert each.settings.learning_rate in space["learning_rate"]
        assert each.settings.l2 in space["l2"]
        assert each.settings.lasso == 0.0
        assert each.settings.optimizer == "adam"
        assert each.architecture == {
            **start.architecture,
            "attention_dropout": each.hidden_dropout,
        }


def test_all_optimisers_are_searched_with_as_many_values():
    first, second = (
        {name: len(values) for name, values in space.items() if name != "lasso"}
        for space in (SPACES["gradient_descent"], SPACES["adam"])
    )
    assert first == second


@pytest.mark.parametrize("model", synthetic_presets.START)
def test_on_synthetic_graphs_all_models_are_searched_for_alike(model):
    def told(presets):
        return [
            (dataclasses.asdict(each.settings), each.input_dropout, each.hidden_dropout)
            for each in presets
        ]

    def drawn(of_model):
        starts, space = tuning_starts(of_model, DataConfig(dataset="synthetic-h0.2"))
        return draw(list(starts.values()), space, 16, seed=0)

    mine, of_mixhop = drawn(model), drawn("mixhop")
    assert told(mine) == told(of_mixhop)
    assert all(
        each.architecture.get("attention_dropout", each.hidden_dropout) == each.hidden_dropout
        for each in mine
    )


def test_the_best_by_validation_go_on_and_win():
    presets = draw([START], "gradient_descent", 12, seed=0)
    ranking = {repr(each): (7 * i) % 12 / 12 for i, each in enumerate(presets)}
    trials, made = run_tuning(presets, lambda each: ranking[repr(each)], [(12, 2), (3, 5)])
    assert made == [(12, 2), (3, 5)]
    assert [trial.val_score for trial in trials] == [11 / 12, 10 / 12, 9 / 12]
    assert trials[0].num_runs == 5


def test_what_diverges_comes_last():
    bad = dataclasses.replace(START, input_dropout=0.1)
    trials, _ = run_tuning([bad, START], lambda each: None if each == bad else 0.4, [(2, 3)])
    assert [trial.preset for trial in trials] == [START, bad]
    assert trials[1].val_score == pytest.approx(0.0)


def test_the_search_ends_with_the_command_to_train_with():
    equal = preset("equal", "cora", "gat")
    found = equal.tuned(0.02, 1e-3, 0.0, 0.3, 0.7)
    data = DataConfig(dataset="my graph", split="random", per_class=5, seed=3)
    assert train_command(found, data, "gat", "default", {"equal": equal}) == (
        "python -m trainers.train --dataset='my graph' --model=gat --preset=equal "
        "--learning_rate=0.02 --l2=0.001 --lasso=0.0 --input_dropout=0.3 --hidden_dropout=0.7 "
        "--attention_dropout=0.7 --split=random --per_class=5 --split_seed=3"
    )
    # Of two presets that a search starts from, the one whose schedule it is.
    starts = {"original": preset("original", "pubmed"), "general": preset("general", "g")}
    found = starts["general"].tuned(0.02, 1e-3, 0.0, 0.3, 0.7)
    assert train_command(found, DataConfig(dataset="g"), "mixhop", "default", starts) == (
        "python -m trainers.train --dataset=g --model=mixhop --preset=general "
        "--architecture=default --learning_rate=0.02 --l2=0.001 --lasso=0.0 --input_dropout=0.3 "
        "--hidden_dropout=0.7"
    )
