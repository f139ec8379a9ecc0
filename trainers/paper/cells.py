"""Declares the cells of the paper's tables and of further comparisons.

An experiment is a cell of a table with the name `table/dataset/row`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from mixhop_tf.architecture import HIDDEN_WIDTH
from mixhop_tf.methods import METHODS
from mixhop_tf.training.scaling import AUTO
from trainers.paper import attention_presets
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.graphs import Graphs
from trainers.paper.learn_settings import FAR_POWERS, LEARNED_HERE, STABLE
from trainers.paper.presets import CITATION, PRESETS, preset
from trainers.sweeps.cell import Cell
from trainers.sweeps.data_config import DataConfig

# Table 3 has one split of each graph, which may favour a model. All its rows are therefore also run
# on ten other splits, with a few runs each.
FURTHER_SPLITS, FURTHER_RUNS = range(1, 11), 3


@dataclasses.dataclass(frozen=True, kw_only=True)
class Experiment:
    """A cell of a table.

    Args:
        table: Name of the paper's table or of a further comparison.
        data: The graph and its split.
        row: Name of the row.
        model: `mixhop` or a baseline.
        architecture: For MixHop, a name (see `ArchitectureRequest`) or the original's notation.
        hidden_dims: For MixHop, the widths of the hidden layers; None for those of the paper.
        preset: Name of the preset.
        paper: Table and row of `published.json` that this cell is compared with.
    """

    table: str
    data: DataConfig
    row: str
    model: str = "mixhop"
    architecture: str | None = None
    hidden_dims: tuple[int, ...] | None = None
    preset: str
    paper: tuple[str, str] | None = None

    @property
    def name(self) -> str:
        """`table/dataset/row`."""
        return f"{self.table}/{self.data.dataset}/{self.row}"

    def seeds(self, num_runs: int) -> range:
        """The seeds of this many runs; a method without randomness has one run."""
        method = METHODS.get(self.model)
        return range(min(num_runs, 1) if method and not method.is_random else num_runs)

    def cell(self, graphs: Graphs, records_dir: Path, data_dir: str | None = None) -> Cell:
        """The cell; its records are in `records_dir`, under the experiment's name."""
        request = ArchitectureRequest(
            model=self.model, name=self.architecture, hidden_dims=self.hidden_dims
        )
        settings = preset(self.preset, self.data.dataset, self.model)
        return Cell(
            graphs.config(self.data, request, settings),
            records_dir / f"{self.name}.jsonl",
            self.name,
            data_dir,
        )


ATTENTION_ROW = "mixhop-attention"
COMPACT = "compact"  # the table of architectures from stability selection

# Rows of MixHop: the architecture and the paper's row.
_MIXHOP = {
    "mixhop-p1": ("baseline", "MixHop P={1}"),
    "mixhop-default": ("default", "MixHop default"),
    "mixhop-learned": ("learned", "MixHop learned"),
    "mixhop-searched": ("searched", "MixHop learned"),  # the architecture that was learned here
}


def _planetoid_split(dataset: str) -> DataConfig:
    return DataConfig(dataset=dataset)


def random_split(dataset: str) -> DataConfig:
    """The split of a graph in Table 3."""
    return DataConfig(dataset=dataset, split="random", per_class=100)


def _mixhop_rows(
    table: str,
    paper_table: str,
    rows: Iterable[str],
    preset: str,
    split: Callable[[str], DataConfig] = _planetoid_split,
) -> list[Experiment]:
    experiments = []
    for dataset in CITATION:
        # For Citeseer the published learned architecture of Table 1 is the default one. Graphs
        # that are not in `LEARNED_HERE` also have the default one.
        architectures = {"baseline": "baseline", "default": "default"}
        if dataset != "citeseer":
            architectures["learned"] = "learned"
        if dataset in LEARNED_HERE.get(table, {}):
            architectures["searched"] = LEARNED_HERE[table][dataset]
        for row in rows:
            name, paper_row = _MIXHOP[row]
            if name in architectures:
                experiments.append(
                    Experiment(
                        table=table,
                        data=split(dataset),
                        row=row,
                        architecture=architectures[name],
                        preset=preset,
                        paper=(paper_table, paper_row),
                    )
                )
    return experiments


# The models that the paper's authors ran, with their rows in Table 3.
_TABLE3 = {"mlp": "2-Layer MLP", "chebyshev": "Chebyshev", "gcn": "Vanilla GCN", "gat": "GAT"}


def _table1() -> list[Experiment]:
    """MixHop's rows of Table 1, with the settings of the best validation accuracy.

    MixHop with attention is not in the paper, which suggests it in its last sentence.
    """
    attention = [
        Experiment(
            table="table1",
            data=_planetoid_split(dataset),
            row=ATTENTION_ROW,
            model=attention_presets.MODEL,
            preset="own",
        )
        for dataset in CITATION
    ]
    return [*_mixhop_rows("table1", "table1_planetoid_splits", _MIXHOP, "l2"), *attention]


# The rows of Table 1 that the paper cites from others.
CLASSICAL = {
    "manireg": "ManiReg",
    "semiemb": "SemiEmb",
    "lp": "LP",
    "deepwalk": "DeepWalk",
    "ica": "ICA",
    "planetoid": "Planetoid",
}


# ICA and Planetoid read words as they are, there or not, as in their authors' code.
_UNSCALED = ("ica", "planetoid")


def _classical_rows(
    table: str,
    preset: str,
    split: Callable[[str], DataConfig] = _planetoid_split,
    paper_table: str | None = None,
) -> list[Experiment]:
    """The rows of Table 1 that the paper cites from others, where they are tuned."""
    return [
        Experiment(
            table=table,
            data=dataclasses.replace(
                split(dataset), scaling="none" if model in _UNSCALED else AUTO
            ),
            row=model,
            model=model,
            preset=preset,
            paper=None if paper_table is None else (paper_table, row),
        )
        for dataset in CITATION
        for model, row in CLASSICAL.items()
        if dataset in PRESETS[model].get(preset, {})
    ]


def _original() -> list[Experiment]:
    """MixHop's rows of Table 1, with the settings of the original's scripts."""
    rows = ("mixhop-p1", "mixhop-default", "mixhop-learned")
    return _mixhop_rows("original", "table1_planetoid_splits", rows, "original")


def _table3() -> list[Experiment]:
    """All rows of Table 3, at equal capacity: latent width 60.

    The paper's Table 3 does not have the methods that Table 1 cites.
    """
    baselines = [
        Experiment(
            table="table3",
            data=random_split(dataset),
            row=model,
            model=model,
            preset="tuned-random",
            paper=("table3_random_splits", row),
        )
        for dataset in CITATION
        for model, row in _TABLE3.items()
    ]
    classical = _classical_rows("table3", "tuned-random", random_split)
    rows = ("mixhop-default", "mixhop-learned", "mixhop-searched")
    mixhop = _mixhop_rows("table3", "table3_random_splits", rows, "tuned-random", random_split)
    return [*classical, *baselines, *mixhop]


def _own() -> list[Experiment]:
    """Baselines with the settings of their own papers, on Planetoid's splits."""
    cells = [(dataset, model) for dataset in CITATION for model in _TABLE3]
    return [
        Experiment(
            table="own",
            data=DataConfig(dataset=dataset, raw_features=True),
            row=model,
            model=model,
            preset="own",
            paper=("own_papers", model) if model in _TABLE3 else None,
        )
        for dataset, model in [*cells, ("cora", "ngcn")]
    ]


def _compact() -> list[Experiment]:
    """Architectures from stability selection beside even ones of the same width.

    The even one of 60 columns is the default architecture of Table 1. `far` gives an equal share to
    all powers that stability selection searches.
    """
    return [
        Experiment(
            table=COMPACT,
            data=_planetoid_split(dataset),
            row=f"{row}-{columns}",
            architecture=architecture,
            hidden_dims=(columns,),
            preset="l2",
        )
        for dataset, widths in STABLE.items()
        for columns, learned in widths.items()
        for row, architecture in (("even", "default"), ("far", FAR_POWERS), ("stable", learned))
        if (row, columns) != ("even", HIDDEN_WIDTH)
    ]


EXPERIMENTS: Mapping[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        *_classical_rows("table1", "tuned", paper_table="table1_planetoid_splits"),
        *_table1(),
        *_table3(),
        *_own(),
        *_original(),
        *_compact(),
    )
}


def on_further_splits(experiment: Experiment) -> list[Experiment]:
    """A cell of Table 3 on other splits; they share a name and thus the file of their records."""
    return [
        dataclasses.replace(
            experiment,
            table="splits",
            data=dataclasses.replace(experiment.data, seed=seed),
            paper=None,
        )
        for seed in FURTHER_SPLITS
    ]
