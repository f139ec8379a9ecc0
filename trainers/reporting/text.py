"""The report as Markdown: verdicts, and every table and figure with the paper's beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from trainers.paper import plan
from trainers.paper.cells import CLASSICAL, COMPACT
from trainers.paper.presets import CITATION
from trainers.reporting import claims, figure_text, tables
from trainers.reporting.compact_table import compact_table
from trainers.reporting.contents import contents
from trainers.reporting.cost import cost_of
from trainers.reporting.evidence import Evidence
from trainers.reporting.results import OverSplits, Result
from trainers.reporting.table_2 import TABLE_2_NOTE, table_2
from trainers.sweeps.data_config import DataConfig
from trainers.text.markdown import paragraphs
from trainers.text.sentences import listed

_QUICK = """\
> **This is the quick version**: each cell has {runs} runs of at most {steps} steps. The full
> protocol has {full} runs. This version shows that everything works. Its numbers are no results."""

_HOW_TO_READ = """\
All numbers are test accuracies in percent.

- *Best half* is the paper's protocol. It takes the 50 runs of 100 with the best validation
  accuracy, and reports mean and standard deviation of their test accuracy.
- *All* is the mean over all runs with its 95 % interval. No run is left out.
- *Difference* is ours, by the protocol of the published number, minus the published number.
- *Against the paper*: *better* and *below* mean that ours is above or below the published mean by
  more than one standard deviation. *As good* means that it is within one. The deviation is the
  paper's, or ours where the paper has none.
- *Settings* names the preset in `trainers/paper/presets.py`.

Validation accuracy alone chooses the best step of each run."""


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
    body = paragraphs(
        claims.section(evidence),
        *(sections[part](evidence) for part in evidence.plan.parts),
        figure_text.theorem(evidence),
        _compact(evidence),
        _others(evidence),
        _how(evidence),
    )
    page = paragraphs(
        "# MixHop, reproduced",
        quick,
        "`python -m trainers.report` writes this page from the records in `records/`. The same "
        "records give the same page.",
        "## Contents",
        contents(body),
        body,
    )
    return page + "\n"


def _table_1(evidence: Evidence) -> str:
    rows = evidence.table_1
    return paragraphs(
        "## Table 1: Planetoid's splits, 20 labelled nodes per class",
        _HOW_TO_READ,
        tables.table(rows),
        _picture("Table 1", "table1", rows),
        "On Citeseer the paper's search found the default architecture. *Learned here* is the best "
        "of six architectures by validation accuracy: five from searches with "
        "`trainers.learn_arch`, and the default one. The GCN has the settings of its own paper. "
        "Its published number and those of the six classical methods are means over all runs.",
        _significance(evidence, [*rows, *evidence.comparison("own")]),
        "The paper cites these rows from other papers. *Ours* is the mean over all runs:",
        tables.cited_table(rows),
    )


def _table_2(evidence: Evidence) -> str:
    graphs = [evidence.plan.load(DataConfig(dataset=each)) for each in CITATION]
    return paragraphs("## Table 2: the graphs", table_2(graphs), TABLE_2_NOTE)


def _table_3(evidence: Evidence) -> str:
    rows = evidence.table_3
    fixed = [each for each, _ in rows]
    split = plan.table_rows("table3")[0].data
    cited = [name for row, name in CLASSICAL.items() if any(row == each.row for each in fixed)]
    return paragraphs(
        "## Table 3: a random split, 100 labelled nodes per class",
        f"Each graph has one split (seed {split.seed}). All networks have a latent width of 60. "
        "Their settings come from searches of the same size, by validation accuracy on that split "
        "(`python -m trainers.tune --split random`). A baseline's search starts from the settings "
        "of its paper. MixHop's starts from the original's settings and from those of Table 1, "
        "which were searched for on Planetoid's split.",
        "*Learned here* is the best of six architectures by validation accuracy: five from "
        "searches on this split, and the default one. If the default one wins, there is no such "
        "row. *Learned by the authors* is the architecture that they published for Table 1. They "
        "did not publish the one that they learned for this table.",
        f"{listed(cited)} are methods that Table 1 cites. The paper's Table 3 does not have them. "
        "They are tuned like the baselines, starting from what is known of them.",
        tables.table(fixed),
        _picture("Table 3", "table3", fixed),
        _significance(evidence, fixed),
        "### The same on further splits",
        f"The splits have the seeds {listed(list(map(str, evidence.plan.size.further_splits)))}, "
        f"with {len(evidence.plan.further_seeds)} runs on each. Settings and architectures are "
        "those of the fixed split. The means are over all runs, and the intervals are over splits. "
        "The split behind the paper's numbers was not published.",
        "*One more split* is the range in which the mean of as many runs on another split lies in "
        "95 % of the cases. *Paper* says where the paper's mean lies: within that range, above it "
        "or below it. The range is wide, and the rows of a graph share their splits. So it shows "
        "how much a single split can be off, and proves nothing more.",
        tables.split_table(rows),
        _split_differences(rows),
    )


def _split_differences(rows: Sequence[tuple[Result, OverSplits | None]]) -> str:
    """MixHop's lead on the further splits that were run."""
    lines = tables.split_differences(rows)
    if not lines:
        return ""
    start = "On the same splits, the best of MixHop by validation against the best other model:"
    return paragraphs(start, "\n".join(lines))


def _compact(evidence: Evidence) -> str:
    table = ""
    if not evidence.plan.quick:
        table = compact_table(evidence.comparison(COMPACT), evidence.table_1)
    if not table:
        return ""
    return paragraphs(
        "## Compact networks: learned and even widths",
        "`python -m trainers.stable_arch` learned these architectures on Planetoid's splits from "
        "seed 0, without test data; see docs/stable-architectures.md. *Even* is the default "
        "architecture of as many hidden columns, with powers 0, 1 and 2. *Even far* gives an equal "
        "share to powers 0 to 4, which the searches have, too. All have the settings of Table 1. "
        "`python -m trainers.reproduce --only 'compact/*'` makes these runs.",
        table,
    )


def _others(evidence: Evidence) -> str:
    if evidence.plan.quick:
        return ""
    original, own = (evidence.comparison(name) for name in ("original", "own"))
    if not original and not own:
        return ""
    return paragraphs(
        "## Planetoid's splits under other settings",
        "`python -m trainers.reproduce --only 'original/*,own/*'` makes these runs.",
        "MixHop with the settings of the original code's scripts:" if original else "",
        tables.table(original) if original else "",
        "The baselines with the settings of their own papers, which report means over all runs:"
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
        f"- There are {len(recorded):,} runs on record. One after the other they took {hours:.1f} "
        "hours.",
        _cost(evidence),
        f"- Machines: {'; '.join(machines)}.",
        f"- Versions: {'; '.join(versions)}.",
        f"- Commits of this project: {', '.join(commits)}.",
    ).replace("\n\n- ", "\n- ")


def _cost(evidence: Evidence) -> str:
    cost = cost_of(evidence.plan)
    return (
        f"- `./run_all.sh` makes {cost.num_planned:,} runs, of which {cost.num_done:,} are on "
        f"record. They took {cost.hours:.1f} hours one after the other, or {cost.hours / 2:.1f} on "
        "two cores. The other runs are searches for settings, comparisons and ablations."
    )


def _significance(evidence: Evidence, rows: Sequence[Result]) -> str:
    lines = [] if evidence.plan.quick else tables.significance(rows)
    if not lines:
        return ""
    return (
        "Welch's test compares the best of MixHop by validation accuracy with the best other model "
        "that was run here, over seeds on this one split:\n\n"
    ) + "\n".join(lines)


def _picture(what: str, name: str, rows: Sequence[Result]) -> str:
    """A table's picture, if it has runs."""
    return f"![{what}](figures/{name}.png)" if any(each.runs for each in rows) else ""
