"""All presets by model, name and graph, and the choice of the default preset.

The values are in `mixhop_presets.py`, `baseline_presets.py`, `synthetic_presets.py` and
`tuned_values.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from datasets import splits
from mixhop_tf import SettingError
from trainers.paper import (
    attention_presets,
    baseline_presets,
    classical_presets,
    mixhop_presets,
    synthetic_presets,
    tuned_values,
)
from trainers.paper.mixhop_presets import Presets
from trainers.paper.preset import Preset
from trainers.sweeps.data_config import DataConfig, is_synthetic

CITATION = ("cora", "citeseer", "pubmed")
AUTO = "auto"

PRESET_HELP = {
    "original": "from the scripts of the original code",
    "paper": "from the text of the paper",
    "l2": "plain L2, which also retrains architectures learned on Planetoid's splits",
    AUTO: "found by a short search among a few settings for any graph, by validation data",
    "general": "for any graph, which also retrains architectures learned on your own graphs",
    "own": "from the baseline's own paper (use it with --raw_features); for MixHop with attention, "
    "chosen here",
    "equal": "like own, with MixHop's latent width of 60",
    "tuned": "found by trainers.tune on Planetoid's splits",
    "tuned-random": "found by trainers.tune on random splits with 100 nodes per class",
    "synthetic": "found by trainers.tune on a synthetic graph",
    "start": "where tuning starts, for manireg, semiemb, lp, deepwalk, ica and planetoid",
}


def _tuned(model: str, starts: Mapping[str | None, Preset]) -> Presets:
    """The presets that tuning found, starting from `starts`."""
    if model not in tuned_values.RANDOM_SPLITS:
        return {}
    random: Mapping[str | None, Preset] = {
        dataset: starts.get(dataset, starts[None]).tuned(*values)
        for dataset, values in tuned_values.RANDOM_SPLITS[model].items()
    }
    # Only tuned graphs have these presets.
    return {"tuned-random": random, **_synthetic(model)}


def _synthetic(model: str) -> Presets:
    return {"synthetic": {None: synthetic_presets.TUNED[model]}}


def _of_baseline(model: str) -> Presets:
    own = baseline_presets.OWN[model]
    equal = {dataset: baseline_presets.equal(model, preset) for dataset, preset in own.items()}
    return {"own": own, "equal": equal, **_tuned(model, equal)}


PRESETS: Mapping[str, Presets] = {
    "mixhop": {**mixhop_presets.MIXHOP, **_tuned("mixhop", mixhop_presets.ORIGINAL)},
    attention_presets.MODEL: {
        "own": attention_presets.OWN,
        **_synthetic(attention_presets.MODEL),
    },
    **{model: _of_baseline(model) for model in baseline_presets.OWN},
    **{
        model: {"start": {None: start}, **classical_presets.tuned(model)}
        for model, start in classical_presets.START.items()
    },
}
MODELS = tuple(PRESETS)
MIXHOPS = ("mixhop", attention_presets.MODEL)  # models whose architecture is an `Architecture`


def has_many_labels(data: DataConfig) -> bool:
    """Whether a citation graph has as many labels per class as in the paper's Table 3."""
    random = data.split == "random" and data.per_class >= splits.PER_CLASS
    return data.dataset in CITATION and random


def default_preset(model: str, data: DataConfig) -> str:
    """The default preset of a model for a graph: the one behind the tables of the report."""
    presets = PRESETS[model]
    if is_synthetic(data.dataset) and "synthetic" in presets:
        return "synthetic"
    if has_many_labels(data) and data.dataset in presets.get("tuned-random", {}):
        return "tuned-random"
    if model in classical_presets.START:
        return "tuned" if data.dataset in presets.get("tuned", {}) else "start"
    if model != "mixhop":
        return "own"
    return "l2" if data.dataset in CITATION else AUTO


def preset(name: str, dataset: str, model: str = "mixhop") -> Preset:
    """The preset of this name for a graph and a model."""
    if name not in PRESETS[model]:
        rule = f"for {model} must be one of {', '.join(PRESETS[model])}"
        raise SettingError("preset", rule, name)
    by_dataset = PRESETS[model][name]
    settings = by_dataset.get(dataset, by_dataset.get(None))
    if settings is None:
        known = ", ".join(map(str, by_dataset))
        rule = f"must fit {dataset} (this one is for {known}; trainers.tune finds another)"
        raise SettingError("preset", rule, name)
    return settings
