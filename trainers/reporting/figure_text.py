"""The report's sections on Figures 3 to 5 and on the theorem, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trainers.paper import series
from trainers.paper.learn_settings import DEFAULT_WAY
from trainers.paper.series import ABLATION_HELP, LABELS
from trainers.reporting import figures, homophily_table, study_tables
from trainers.reporting.comparisons import low_homophily_leads
from trainers.reporting.evidence import Evidence
from trainers.reporting.figure_claims import PAPER_RATIO
from trainers.sweeps.statistics import Point
from trainers.text.markdown import markdown_table, paragraphs
from trainers.text.numbers import NONE, plus_minus


def figure_4(evidence: Evidence) -> str:
    """The section of Figure 4."""
    curves = evidence.accuracies
    return paragraphs(
        "## Figure 4: accuracy against homophily",
        "![Accuracy against homophily](figures/figure4.png)" if any(curves.values()) else "",
        _low_homophily(evidence),
        homophily_table.table(curves) if any(curves.values()) else "Not run yet.",
        _published(evidence),
        _ablations(evidence),
        _cited(evidence),
    )


def _cited(evidence: Evidence) -> str:
    """The methods that Table 1 cites, on the same graphs, if they were run."""
    curves = evidence.cited_accuracies
    if not curves:
        return ""
    return paragraphs(
        "### Methods that Table 1 cites",
        "LP and DeepWalk read the edges alone. ICA also reads the features. The paper's Figure 4 "
        "does not have them. `python -m trainers.synthetic --only lp,deepwalk,ica` makes them.",
        "![Accuracy of older methods against homophily](figures/figure4_cited.png)",
        homophily_table.table(curves),
    )


def _published(evidence: Evidence) -> str:
    """The same on the authors' graphs, if it was run."""
    if not evidence.published or evidence.plan.quick:
        return ""
    return paragraphs(
        "### On the published graphs",
        "The hollow marks are runs on the ten graphs that the authors published, on several random "
        "splits of each. The lines are the generated graphs, as above.",
        "![Accuracy on generated and on published graphs](figures/figure4_published.png)",
    )


def _ablations(evidence: Evidence) -> str:
    """A table of the ablations: in each, one thing is changed."""
    ablations = evidence.ablations
    if evidence.plan.quick or not any(ablations.values()):
        return ""
    lines = []
    for name in ABLATION_HELP:
        of = {
            key.split("/")[1]: points
            for key, points in ablations.items()
            if key.startswith(f"{name}/")
        }
        for level in series.ABLATION_LEVELS:
            cells = [
                _cell(point for point in of.get(model, ()) if point.level == level)
                for model in LABELS
            ]
            if set(cells) != {NONE}:
                lines.append([f"{name}, homophily {level}", *cells])
    meanings = [
        f"- *{name}*: {text}."
        for name, text in ABLATION_HELP.items()
        if any(key.startswith(f"{name}/") for key in ablations)
    ]
    return paragraphs(
        "### One thing changed",
        f"These are means over {series.ABLATION_GRAPHS} of the graphs, in percent. "
        "`python -m trainers.synthetic --only 'untuned/*'` makes the first, and so on.",
        markdown_table(["", *LABELS], lines),
        "\n".join(meanings),
    )


def _cell(points: Iterable[Point]) -> str:
    return next((f"{100 * point.mean:.1f}" for point in points), NONE)


def _low_homophily(evidence: Evidence) -> str:
    """MixHop against the best other model, where neighbours rarely share a class."""
    return "\n".join(
        f"- At homophily {each.mixhop.level} MixHop has {_percent(each.mixhop)}. The best other "
        f"model, {each.label}, has {_percent(each.best)}."
        + (
            ""
            if each.lead is None
            else f" On the same graphs, MixHop's lead is {_points(*each.lead)}."
        )
        for each in low_homophily_leads(evidence)
    )


def _points(mean: float, interval: float) -> str:
    return f"{plus_minus(100 * mean, 100 * interval, 1, sign=True)} points"


def _percent(point: Point) -> str:
    return f"{plus_minus(100 * point.mean, 100 * point.interval, 1)} %"


def figure_3(evidence: Evidence) -> str:
    """The section of Figure 3."""
    shares = evidence.delta_shares
    return paragraphs(
        "## Figure 3: capacity that goes into delta operators",
        "![Share of delta operators against homophily](figures/figure3.png)"
        if any(shares.values())
        else "",
        "A feature of the second layer counts as a delta operator if it gets large weights of "
        "opposite signs in different powers (Section 6.1 of the paper). In the paper their share "
        f"at low homophily is about {PAPER_RATIO} times that at high homophily. The dashed line is "
        "the share in untrained weights.",
        *(_ratio(name, points) for name, points in shares.items()),
        homophily_table.table(shares) if any(shares.values()) else "Not run yet.",
    )


def _ratio(name: str, points: Sequence[Point]) -> str:
    if len(points) < 2:
        return ""
    first, last = points[0], points[-1]
    return (
        f"With the settings `{name}` the share is {_percent(first)} at homophily {first.level} and "
        f"{_percent(last)} at {last.level}. The ratio is {first.mean / last.mean:.1f}."
        if last.mean
        else ""
    )


def figure_5(evidence: Evidence) -> str:
    """The section of Figure 5."""
    sections = []
    for split, labels in figures.SPLITS.items():
        plans = [each for each in evidence.plan.architectures() if each.data.split == split]
        pictures = [
            f"![Learned on {data.dataset}, {labels}](figures/figure5_{data.file_stem}.png)"
            for data in (each.data for each in plans if evidence.best_entry(each) is not None)
        ]
        graphs = {each.data.dataset: evidence.outcomes(each) for each in plans}
        sections += [
            f"### {labels[0].upper()}{labels[1:]}",
            "\n".join(pictures),
            study_tables.details(graphs, DEFAULT_WAY) if pictures else "Not run yet.",
        ]
    return paragraphs(
        "## Figure 5: learned architectures",
        "These architectures come from group lasso, shrinking and retraining "
        "(`python -m trainers.learn_arch`). The pictures show the best search of each graph by "
        "validation accuracy, with its seed. The tables list all searches, after the default "
        "architecture, which needs no search. *Wide* is the validation accuracy of the wide "
        "network. *Alive* counts the units that the lasso left: columns in the first layer, groups "
        "of columns in the second. *Retrained* is the mean validation accuracy of the learned "
        "architecture, trained anew.",
        *sections,
    )


def theorem(evidence: Evidence) -> str:
    """The section of the theorem, if its networks were fitted."""
    record = evidence.theorem
    if record is None or evidence.plan.quick:
        return ""
    rows = [[name, f"{error:.4f}"] for name, error in record.final.items()]
    return paragraphs(
        "## Theorems 1 and 2: the two-hop delta operator",
        "The operator takes the difference between a node's neighbours and their neighbours. The "
        "paper proves that MixHop can represent it and that no GCN can. "
        f"`python -m trainers.theorem` fits both to it, on {record.num_graphs} random graphs. An "
        "error of 1 is what predicting zero gives.",
        "![Squared error of each network over the steps](figures/theorem.png)",
        markdown_table(["network", "squared error"], rows),
    )
