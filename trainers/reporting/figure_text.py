"""The report's sections on Figures 3 to 5, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trainers.paper import homophily, series
from trainers.paper.learn_settings import DEFAULT_WAY
from trainers.paper.series import ABLATION_HELP, FIGURE_4
from trainers.reporting import figures, homophily_table, study_tables
from trainers.reporting.evidence import Evidence
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
        _ablations(evidence),
    )


def _ablations(evidence: Evidence) -> str:
    """What changes when one thing is changed."""
    ablations = evidence.ablations
    if evidence.plan.quick or not any(ablations.values()):
        return ""
    lines = []
    for name in ABLATION_HELP:
        of = {
            key.split("/")[1]: points for key, points in ablations.items() if key.startswith(name)
        }
        for level in series.ABLATION_LEVELS:
            cells = [
                _cell(point for point in of.get(model, ()) if point.level == level)
                for model in FIGURE_4
            ]
            if set(cells) != {NONE}:
                lines.append([f"{name}, homophily {level}", *cells])
    meanings = [
        f"- *{name}*: {text}."
        for name, text in ABLATION_HELP.items()
        if any(key.startswith(name) for key in ablations)
    ]
    return paragraphs(
        "### One thing changed",
        f"Means over {series.ABLATION_GRAPHS} of the graphs, in percent "
        "(`python -m trainers.synthetic --only 'untuned/*'` and the like):",
        markdown_table(["", *FIGURE_4], lines),
        "\n".join(meanings),
    )


def _cell(points: Iterable[Point]) -> str:
    return next((f"{100 * point.mean:.1f}" for point in points), NONE)


def _low_homophily(evidence: Evidence) -> str:
    """Who is ahead where neighbours differ."""
    jobs = evidence.plan.series("figure4")
    at = {
        name: {point.level: point for point in points}
        for name, points in evidence.accuracies.items()
    }
    lines = []
    for level in (level for level in evidence.plan.size.levels if level <= series.LOW_HOMOPHILY):
        others = {name: at[name][level] for name in at if name != "mixhop" and level in at[name]}
        if level not in at["mixhop"] or not others:
            continue
        best = max(others, key=lambda name: others[name].mean)
        lead = homophily.lead(jobs["mixhop"], jobs[best], level, homophily.ACCURACY)
        lines.append(
            f"- At homophily {level} MixHop has {_percent(at['mixhop'][level])}, the best other "
            f"model, {FIGURE_4[best].label}, {_percent(others[best])}"
            + ("." if lead is None else f"; on the same graphs {_points(*lead)}.")
        )
    return "\n".join(lines)


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
        "The share of the second layer's features that get large weights of opposite signs in "
        "different powers (Section 6.1 of the paper, which has about 2.5 times as many at low "
        "homophily as at high). The dashed line is where weights start.",
        *(_ratio(name, points) for name, points in shares.items()),
        homophily_table.table(shares) if any(shares.values()) else "Not run yet.",
    )


def _ratio(name: str, points: Sequence[Point]) -> str:
    if len(points) < 2:
        return ""
    first, last = points[0], points[-1]
    return (
        f"With the settings `{name}` it is {_percent(first)} at homophily {first.level} and "
        f"{_percent(last)} at {last.level}: {first.mean / last.mean:.1f} times."
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
        "What group lasso, shrinking and retraining find (`python -m trainers.learn_arch`). The "
        "best of the searches by validation accuracy is drawn, all are listed, beside them the "
        "default architecture, which takes no search. *Wide* and *retrained* are validation "
        "accuracies. *Alive*: columns of the first layer, and groups of columns of the second, "
        "that the lasso left.",
        *sections,
    )
