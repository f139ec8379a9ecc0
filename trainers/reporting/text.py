"""The report as Markdown: every table and figure of the paper, ours beside the paper's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from trainers.paper import plan
from trainers.paper.presets import CITATION
from trainers.reporting import figure_text, summary, tables
from trainers.reporting.cost import cost_of
from trainers.reporting.evidence import Evidence
from trainers.reporting.results import OverSplits, Result
from trainers.reporting.table_2 import TABLE_2_NOTE, table_2
from trainers.sweeps.data_config import DataConfig
from trainers.text.markdown import paragraphs

_QUICK = """\
> **This is the quick version**: {runs} runs a cell of at most {steps} steps each, where the full
> protocol has {full}. It shows that everything works; its figures are not results."""

_HOW_TO_READ = """\
Test accuracy in percent. *Best half* is the paper's protocol: of 100 runs the 50 with the best
validation accuracy, mean and standard deviation of their test accuracy. *All* is the mean over all
runs with its 95 % interval, which flatters nobody. Each run's best step is chosen by validation
data alone. *Difference*: ours, by the protocol of the paper's figure, less that figure. ✓: ours is
within one standard deviation (the paper's; ours where the paper has none) of the paper's mean, or
better; ✗: it is not. *Settings* names the preset in `trainers/paper/presets.py`."""


def report(evidence: Evidence) -> str:
    """The whole page."""
    sections: Mapping[str, Callable[[Evidence], str]] = {
        "table1": _table_1,
        "table2": _table_2,
        "table3": _table_3,
        "figure3": figure_text.figure_3,
        "figure4": figure_text.figure_4,
        "figure5": figure_text.figure_5,
    }
    quick = ""
    if evidence.plan.quick:
        quick = _QUICK.format(
            runs=evidence.plan.size.runs, steps=evidence.plan.size.max_steps, full=plan.FULL.runs
        )
    parts = [
        "# MixHop, reproduced",
        quick,
        "Written by `python -m trainers.report` from the records in `records/`. The same records "
        "give the same page.",
        _in_short(evidence),
        *(sections[part](evidence) for part in evidence.plan.parts),
        _others(evidence),
        _how(evidence),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _in_short(evidence: Evidence) -> str:
    if evidence.plan.quick:
        return ""
    lines = summary.in_short(evidence.table_1, evidence.table_3, evidence.accuracies)
    return paragraphs("## In short", "\n".join(lines)) if lines else ""


def _table_1(evidence: Evidence) -> str:
    rows = evidence.table_1
    return paragraphs(
        "## Table 1: Planetoid's splits, 20 labelled nodes a class",
        _HOW_TO_READ,
        tables.table(rows),
        _picture("Table 1", "table1", rows),
        "The paper learned the default architecture on Citeseer. *Learned here* is the best by "
        "validation of five searches with `trainers.learn_arch` and of the default architecture. "
        "The GCN has the settings of its own paper, whose figure is a mean over all runs.",
        _significance(evidence, [*rows, *evidence.comparison("own")]),
        "The paper cites these rows from others; they were not run, here or there:",
        tables.cited_table(),
    )


def _table_2(evidence: Evidence) -> str:
    graphs = [evidence.plan.load(DataConfig(dataset=each)) for each in CITATION]
    return paragraphs("## Table 2: the graphs", table_2(graphs), TABLE_2_NOTE)


def _table_3(evidence: Evidence) -> str:
    rows = evidence.table_3
    fixed = [each for each, _ in rows]
    split = plan.table_rows("table3")[0].data
    return paragraphs(
        "## Table 3: a random split, 100 labelled nodes a class",
        f"One split a graph (seed {split.seed}). All models have a latent width of 60, and the "
        "settings that a search of the same size found for each by validation accuracy on that "
        "split (`python -m trainers.tune --split random`). Each search starts from settings that "
        "are known, the baselines' from their papers', MixHop's from the original's and from those "
        "of Table 1, which were searched for on Planetoid's split. *Learned here* is the best by "
        "validation of five searches on this split and of the default architecture, and has no "
        "row where it is the latter. *Learned by the authors* is what they published for Table 1; "
        "what they learned for this one is not known.",
        tables.table(fixed),
        _picture("Table 3", "table3", fixed),
        _significance(evidence, fixed),
        "### The same on further splits",
        f"Seeds of the splits: {', '.join(map(str, evidence.plan.size.further_splits))}; runs on "
        f"each: {len(evidence.plan.further_seeds)}, with the settings and the architecture of the "
        "fixed one. "
        "Means over all runs; the interval is over splits. The paper's figures are of a split that "
        "was not published. *One more split*: where in 95 % of the cases the mean of as many runs "
        "on a further split lies, and whether the paper's mean is within. That interval is wide, "
        "and the rows of a graph share their splits: it tells what a single split is worth, and "
        "is no proof.",
        tables.split_table(rows),
        _split_differences(rows),
    )


def _split_differences(rows: Sequence[tuple[Result, OverSplits | None]]) -> str:
    """The lead of MixHop on the further splits that were run."""
    lines = tables.split_differences(rows)
    if not lines:
        return ""
    start = "On the same splits, the best of MixHop, by validation, against the best other model:"
    return paragraphs(start, "\n".join(lines))


def _others(evidence: Evidence) -> str:
    if evidence.plan.quick:
        return ""
    original, own = (evidence.comparison(name) for name in ("original", "own"))
    if not original and not own:
        return ""
    return paragraphs(
        "## Planetoid's splits under other settings",
        "Made by `python -m trainers.reproduce --only 'original/*,own/*'`.",
        "MixHop with the settings of the original code's scripts:" if original else "",
        tables.table(original) if original else "",
        "The baselines with the settings of their own papers, whose figures are means over all "
        "runs:"
        if own
        else "",
        tables.table(own) if own else "",
    )


def _how(evidence: Evidence) -> str:
    recorded = evidence.records
    hours = sum(record.get("seconds", 0.0) for record in recorded) / 3600
    if not recorded:
        return ""
    machines = sorted({record.get("hardware", "not recorded") for record in recorded})
    versions = sorted(
        {
            ", ".join(
                f"{name} {text}" for name, text in record["versions"].items() if name != "mixhop"
            )
            for record in recorded
            if "versions" in record
        }
    )
    commits = sorted({record["versions"]["mixhop"] for record in recorded if "versions" in record})
    return paragraphs(
        "## How it was made",
        f"- {len(recorded):,} runs on record, {hours:.1f} hours of training one run after the "
        "other.",
        _cost(evidence),
        f"- Machine: {'; '.join(machines)}.",
        f"- {'; '.join(versions)}.",
        f"- Commits of this project: {', '.join(commits)}.",
    ).replace("\n\n- ", "\n- ")


def _cost(evidence: Evidence) -> str:
    cost = cost_of(evidence.plan)
    return (
        f"- Of them {cost.num_done:,} of the {cost.num_planned:,} that `./run_all.sh` makes, "
        f"{cost.hours:.1f} hours, or {cost.hours / 2:.1f} on two cores. The others are searches "
        "for settings, comparisons and ablations."
    )


def _significance(evidence: Evidence, rows: Sequence[Result]) -> str:
    lines = [] if evidence.plan.quick else tables.significance(rows)
    if not lines:
        return ""
    return (
        "Welch's test of the best of MixHop, by validation, against the best other model that was "
        "run here. It is over seeds, on this one split:\n\n"
    ) + "\n".join(lines)


def _picture(what: str, name: str, rows: Sequence[Result]) -> str:
    """A table's picture, if there is anything in it."""
    return f"![{what}](figures/{name}.png)" if any(each.runs for each in rows) else ""
