"""THE table of experiments: every hyper-parameter of the project stands here, with its source.

A preset is a way to set the hyper-parameters of a graph; an experiment is a cell of a table, under
the name `table/dataset/model`.
"""

from __future__ import annotations

import dataclasses
import fnmatch
from collections.abc import Iterable, Mapping
from typing import Any

from trainers.config import DataConfig, Preset, Settings
from trainers.errors import RunError
from trainers.learn_config import LearnConfig

# Section 5.2 of the paper: runs a cell, and the share of them, best by validation accuracy, whose
# test accuracy is reported.
RUNS = 100
BEST_SHARE = 0.5

CITATION = ("cora", "citeseer", "pubmed")


def _settings(learning_rate: float, l2: float, lasso: float = 0.0, **changes: Any) -> Settings:
    """Schedule and patience are those of the original's scripts, unless given."""
    schedule = {"decay_every": 40, "decay_fraction": 0.01, "max_steps": 400, "patience": 200}
    return Settings(learning_rate=learning_rate, l2=l2, lasso=lasso, **schedule | changes)


def _original(learning_rate: float, decay_every: int, penalty: float) -> Preset:
    """The original always adds the lasso, with the L2 coefficient."""
    settings = _settings(learning_rate, l2=penalty, lasso=penalty, decay_every=decay_every)
    return Preset(settings=settings, source="scripts of the original code")


_PAPER = Preset(
    settings=_settings(0.05, l2=5e-4, max_steps=2000, patience=40),
    source="Section 5.2 of the paper",
)

# The settings of each graph; those of `None` are for every other graph.
_ORIGINAL: Mapping[str | None, Preset] = {
    "cora": _original(1.0, 40, 5e-3),
    "citeseer": _original(0.25, 40, 5e-2),
    "pubmed": _original(0.5, 20, 5e-3),
    None: _original(1.0, 40, 5e-3),
}


def _tuned(
    dataset: str, learning_rate: float, l2: float, lasso: float, input_dropout: float, hidden: float
) -> Preset:
    """What `trainers.tune` found for a graph; schedule and patience are the original's."""
    original = _ORIGINAL[dataset]
    return dataclasses.replace(
        original,
        settings=dataclasses.replace(
            original.settings, learning_rate=learning_rate, l2=l2, lasso=lasso
        ),
        input_dropout=input_dropout,
        hidden_dropout=hidden,
        source="tuned here on validation accuracy, results/records/tuning",
    )


def _plain(l2: float, input_dropout: float) -> Preset:
    """Plain L2. The records of Pubmed are of the original's pace there, a drop every 20 steps."""
    return Preset(
        settings=_settings(2.0, l2=l2),
        input_dropout=input_dropout,
        hidden_dropout=0.9,
        source="plain L2, chosen here on validation accuracy, results/records/l2",
    )


# One setting for all graphs, but for the one on which another is clearly better.
_L2: Mapping[str | None, Preset] = {"citeseer": _plain(3e-2, 0.7), None: _plain(2e-2, 0.3)}

PRESETS: Mapping[str, Mapping[str | None, Preset]] = {
    "original": _ORIGINAL,
    "paper": {None: _PAPER},
    "tuned": {
        "cora": _tuned("cora", 1.0, 1e-3, 0.0, 0.8, 0.9),
        "citeseer": _tuned("citeseer", 1.0, 1e-2, 1e-2, 0.5, 0.9),
        "pubmed": _tuned("pubmed", 2.0, 1e-2, 1e-2, 0.3, 0.9),
        None: _tuned("cora", 1.0, 1e-3, 0.0, 0.8, 0.9),
    },
    "l2": _L2,
}
PRESET_HELP = {
    "original": "those of the original code's scripts",
    "paper": "those of the paper's text",
    "tuned": "found by trainers.tune",
    "l2": "plain L2; learned architectures are retrained with it",
}
DEFAULT_PRESET = "original"


def preset(name: str, dataset: str) -> Preset:
    """The preset of this name for a graph."""
    settings = PRESETS[name]
    return settings.get(dataset, settings[None])


# What `trainers.tune` draws from, each value as likely as the others; the penalties are multiples
# of each other as in the original (lasso = L2) or the paper (no lasso).
SEARCH_SPACE: Mapping[str, tuple[float, ...]] = {
    "learning_rate": (0.1, 0.25, 0.5, 1.0, 2.0),
    "l2": (5e-4, 1e-3, 5e-3, 1e-2, 5e-2),
    "lasso": (0.0, 1.0),  # times l2
    "input_dropout": (0.0, 0.3, 0.5, 0.7, 0.8),
    "hidden_dropout": (0.3, 0.5, 0.7, 0.8, 0.9),
}
# Rounds of a search: how many of the best trials go on, and the runs each then has.
SEARCH_ROUNDS = ((16, 2), (4, 6))


# Learning the architecture. The wide network wants a higher learning rate and lower penalties than
# the small one: its output is a mean over some hundred groups instead of three.
LEARNING = LearnConfig(
    powers=(0, 1, 2),
    num_hidden=1,
    width=200,
    wide=Preset(
        settings=_settings(4.0, l2=5e-4, lasso_kind="scaled", max_steps=300, patience=100),
        input_dropout=0.3,
        hidden_dropout=0.9,
        source="chosen here on the validation accuracy of retrained architectures",
    ),
    lassos=(1e-2,),
    importance="effect",
    budget="baseline",
    restart="fresh",
    retrain=_L2[None],
    runs=4,
)


def learning(dataset: str) -> LearnConfig:
    """How the architecture of a graph is learned."""
    return dataclasses.replace(LEARNING, retrain=preset("l2", dataset))


LASSO_PATH = (5e-3, 7e-3, 1e-2, 1.4e-2)


def _search(lasso_kind: str, importance: str) -> LearnConfig:
    settings = dataclasses.replace(LEARNING.wide.settings, lasso_kind=lasso_kind)
    wide = dataclasses.replace(LEARNING.wide, settings=settings)
    return dataclasses.replace(LEARNING, wide=wide, importance=importance)


# The best of what `trainers.learn_arch` finds from five seeds, by validation accuracy, retrained.
SEARCHED: Mapping[str, str] = {
    "cora": "0:0:0,1:29:0,2:31:21",
    "citeseer": "0:6:0,1:31:6,2:23:12",
    "pubmed": "0:11:0,1:25:3,2:24:0",
}

# Ways to search that `trainers.arch_study` compares. `naive` is the paper's text with the original
# code's settings for Cora.
SEARCHES: Mapping[str, LearnConfig] = {
    "naive": dataclasses.replace(
        LEARNING, wide=_ORIGINAL["cora"], lassos=(5e-3,), importance="norm"
    ),
    "proximal-norm": _search("proximal", "norm"),
    "scaled-norm": _search("scaled", "norm"),
    "scaled-effect": _search("scaled", "effect"),
    "scaled-loss": _search("scaled", "loss"),
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Experiment:
    """A cell of a table.

    Args:
        table: Of the paper, or a comparison of our own.
        data: The graph and its split.
        model: What is compared in the table.
        architecture: A name, see `architectures`, or the original's notation.
        preset: Name of the preset.
        paper: Table and row of `paper_tables.json` that this cell stands beside.
    """

    table: str
    data: DataConfig
    model: str
    architecture: str
    preset: str = DEFAULT_PRESET
    paper: tuple[str, str] | None = None

    @property
    def name(self) -> str:
        """`table/dataset/model`."""
        return f"{self.table}/{self.data.dataset}/{self.model}"


_MIXHOP = {
    "mixhop-p1": ("baseline", "MixHop P={1}"),
    "mixhop-default": ("default", "MixHop default"),
    "mixhop-learned": ("learned", "MixHop learned"),
}


def _mixhop_rows(
    table: str, paper_table: str, models: Iterable[str], **split: Any
) -> list[Experiment]:
    return [
        Experiment(
            table=table,
            data=DataConfig(dataset=dataset, **split),
            model=model,
            architecture=_MIXHOP[model][0],
            paper=(paper_table, _MIXHOP[model][1]),
        )
        for dataset in CITATION
        for model in models
        # The architecture that the paper learned on Citeseer is the default one.
        if (dataset, model) != ("citeseer", "mixhop-learned")
    ]


def _presets() -> list[Experiment]:
    """The learned architectures under other settings than the original's."""
    return [
        Experiment(
            table="presets",
            data=DataConfig(dataset=dataset),
            model=f"mixhop-learned-{name}",
            architecture="learned",
            preset=name,
        )
        for dataset in CITATION
        for name in ("paper", "tuned")
    ]


def _learned() -> list[Experiment]:
    """The architectures learned here beside the even ones of equal size and the published ones."""
    rows = {
        "even": dict.fromkeys(CITATION, "default"),
        "published": {"cora": "learned", "pubmed": "learned"},
        "searched": SEARCHED,
    }
    return [
        Experiment(
            table="learned",
            data=DataConfig(dataset=dataset),
            model=model,
            architecture=architecture,
            preset="l2",
        )
        for model, found in rows.items()
        for dataset, architecture in found.items()
    ]


EXPERIMENTS: Mapping[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        *_mixhop_rows("table1", "table1_planetoid_splits", _MIXHOP),
        *_mixhop_rows(
            "table3",
            "table3_random_splits",
            ("mixhop-default", "mixhop-learned"),
            split="random",
            per_class=100,
        ),
        *_presets(),
        *_learned(),
    )
}


def matching(patterns: list[str]) -> list[Experiment]:
    """The experiments whose names match one of the patterns (`table1/*`), in the table's order."""
    for pattern in patterns or [""]:
        if not fnmatch.filter(EXPERIMENTS, pattern):
            raise RunError(
                f"No experiment matches {pattern!r}; the names are {', '.join(EXPERIMENTS)}."
            )
    return [
        experiment
        for name, experiment in EXPERIMENTS.items()
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
    ]
