"""Lines of the figures over homophily: the models and how they are trained."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

NUM_GRAPHS = 10  # of each level of homophily
LOW_HOMOPHILY = 0.2  # where the paper finds MixHop ahead
QUICK_LEVELS, QUICK_GRAPHS = (0.0, 0.3, 0.6, 0.9), 1
ABLATION_LEVELS, ABLATION_GRAPHS = (0.0, 0.2), 3
_WIDE, _DEEP, _DEEPER = (240,), (60, 60), (60, 60, 60)  # hidden widths of ablations


@dataclasses.dataclass(frozen=True, kw_only=True)
class Series:
    """A line in a figure over homophily: a model, and how it is trained on every graph.

    Args:
        label: Label in the figure.
        model: `mixhop` or a baseline.
        preset: Name of the preset.
        hidden_dims: Widths of the hidden layers; None for those of the preset.
        features: Suffix of the graphs' names, see `datasets.synthetic.FEATURES`.
        split: `thirds` for random thirds, or `given` for thirds in node order.
        shared_first_kernel: Whether MixHop shares the first kernel, to count delta operators.
        jumping: Whether MixHop has jumping connections.
    """

    label: str
    model: str = "mixhop"
    preset: str = "synthetic"
    hidden_dims: tuple[int, ...] | None = None
    features: str = ""
    split: str = "thirds"
    shared_first_kernel: bool = False
    jumping: bool = False


# The models of the paper's figure.
LABELS = {
    "mixhop": "MixHop",
    "gcn": "GCN",
    "chebyshev": "Chebyshev",
    "gat": "GAT",
    "mlp": "MLP, no graph",
}
_ATTENTION = "mixhop_attention"

# Figure 4 of the paper and its ablations. The paper suggests attention and does not try it.
FIGURE_4: Mapping[str, Series] = {
    model: Series(label=label, model=model)
    for model, label in {**LABELS, _ATTENTION: "MixHop with attention"}.items()
}
# Methods that Table 1 cites, on the same graphs: two that read the edges alone, and ICA.
CITED: Mapping[str, Series] = {
    model: Series(label=label, model=model)
    for model, label in {"lp": "LP", "deepwalk": "DeepWalk", "ica": "ICA"}.items()
}
_ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "untuned": {},  # see below
    "summed": {"features": "-summed"},
    "radial": {"features": "-radial"},
    "wide": {"hidden_dims": _WIDE},
    "in-order": {"split": "given"},
}
ABLATION_HELP = {
    "untuned": "the settings of each model's authors, with a latent width of 60",
    "summed": "features divided by their sum, signs and all, as Kipf and Welling's loader does",
    "radial": "similarities to 50 points for features, as in Figure 3",
    "wide": "240 hidden columns",
    "in-order": "training on the first third of the nodes, the oldest and best connected",
    "deep": "two hidden layers of 60 columns",
    "deep-jumping": "the same, with jumping connections to the output",
    "deeper": "three hidden layers of 60 columns",
    "deeper-jumping": "the same, with jumping connections to the output",
}
ABLATIONS: Mapping[str, Series] = {
    f"{name}/{model}": dataclasses.replace(
        FIGURE_4[model],
        preset=("original" if model == "mixhop" else "equal")
        if name == "untuned"
        else FIGURE_4[model].preset,
        **changes,
    )
    for name, changes in _ABLATIONS.items()
    for model in LABELS
} | {
    f"{name}{'-jumping' if jumping else ''}/mixhop": Series(
        label=f"MixHop, {number} layers", hidden_dims=widths, jumping=jumping
    )
    for name, number, widths in (("deep", "three", _DEEP), ("deeper", "four", _DEEPER))
    for jumping in (False, True)
}

# Figure 3 of the paper. The paper's text gives one setting for all experiments.
FIGURE_3: Mapping[str, Series] = {
    name: Series(label=label, preset=name, features="-radial", shared_first_kernel=True)
    for name, label in {"paper": "the paper's settings", "synthetic": "tuned settings"}.items()
}
