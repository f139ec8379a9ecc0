"""The report's sections on Figures 3 to 5, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from trainers import experiments, homophily, report_figures, study
from trainers.homophily import Point
from trainers.plan import Plan
from trainers.series import ABLATION_HELP, FIGURE_4
from trainers.text_table import markdown_table, paragraphs

_NONE = "–"


def figure_4(chosen: Plan) -> str:
    """The section of Figure 4."""
    curves = report_figures.accuracies(chosen)
    return paragraphs(
        "## Figure 4: accuracy against homophily",
        "![Accuracy against homophily](figures/figure4.png)" if any(curves.values()) else "",
        _low_homophily(chosen, curves),
        homophily.table(curves) if any(curves.values()) else "Not run yet.",
        _ablations(chosen),
    )


def _ablations(chosen: Plan) -> str:
    """What changes when one thing is changed."""
    found = homophily.curves(chosen.ablations(), "test_accuracy")
    if chosen.quick or not any(found.values()):
        return ""
    lines = []
    for name in ABLATION_HELP:
        of = {key.split("/")[1]: points for key, points in found.items() if key.startswith(name)}
        for level in experiments.ABLATION_LEVELS:
            cells = [
                _cell(point for point in of.get(model, ()) if point.level == level)
                for model in FIGURE_4
            ]
            if set(cells) != {_NONE}:
                lines.append([f"{name}, homophily {level}", *cells])
    meanings = [
        f"- *{name}*: {text}."
        for name, text in ABLATION_HELP.items()
        if any(key.startswith(name) for key in found)
    ]
    return paragraphs(
        "### One thing changed",
        f"Means over {experiments.ABLATION_GRAPHS} of the graphs, in percent "
        "(`python -m trainers.synthetic --only 'untuned/*'` and the like):",
        markdown_table(["", *FIGURE_4], lines),
        "\n".join(meanings),
    )


def _cell(points: Iterable[Point]) -> str:
    return next((f"{100 * point.mean:.1f}" for point in points), _NONE)


def _low_homophily(chosen: Plan, curves: Mapping[str, Sequence[Point]]) -> str:
    """Who is ahead where neighbours differ."""
    jobs = chosen.series("figure4")
    at = {name: {point.level: point for point in points} for name, points in curves.items()}
    lines = []
    for level in (level for level in chosen.size.levels if level <= experiments.LOW_HOMOPHILY):
        others = {name: at[name][level] for name in at if name != "mixhop" and level in at[name]}
        if level not in at["mixhop"] or not others:
            continue
        best = max(others, key=lambda name: others[name].mean)
        ahead = homophily.ahead(jobs["mixhop"], jobs[best], level, "test_accuracy")
        lines.append(
            f"- At homophily {level} MixHop has {_percent(at['mixhop'][level])}, the best other "
            f"model, {FIGURE_4[best].label}, {_percent(others[best])}"
            + ("." if ahead is None else f"; on the same graphs {_points(*ahead)}.")
        )
    return "\n".join(lines)


def _points(mean: float, interval: float) -> str:
    spread = "" if math.isnan(interval) else f" ± {100 * interval:.1f}"
    return f"{100 * mean:+.1f}{spread} points"


def _percent(point: Point) -> str:
    spread = "" if point.num_graphs < 2 else f" ± {100 * point.interval:.1f}"
    return f"{100 * point.mean:.1f}{spread} %"


def figure_3(chosen: Plan) -> str:
    """The section of Figure 3."""
    shares = report_figures.delta_shares(chosen)
    return paragraphs(
        "## Figure 3: capacity that goes into delta operators",
        "![Share of delta operators against homophily](figures/figure3.png)"
        if any(shares.values())
        else "",
        "The share of the second layer's features that get large weights of opposite signs in "
        "different powers (Section 6.1 of the paper, which has about 2.5 times as many at low "
        "homophily as at high). The dashed line is where weights start.",
        *(_ratio(name, points) for name, points in shares.items()),
        homophily.table(shares) if any(shares.values()) else "Not run yet.",
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


def figure_5(chosen: Plan) -> str:
    """The section of Figure 5."""
    learned = report_figures.learned(chosen)
    sections = []
    for split, labels in report_figures.SPLITS.items():
        searches = [each for each in chosen.searches() if each.data.split == split]
        pictures = [
            f"![Learned on {data.dataset}, {labels}](figures/figure5_{data.file_stem}.png)"
            for data in learned
            if data.split == split
        ]
        graphs = {
            each.data.dataset: study.outcomes(each.path(chosen.records_dir)) for each in searches
        }
        sections += [
            f"### {labels[0].upper()}{labels[1:]}",
            "\n".join(pictures),
            study.details(graphs, experiments.DEFAULT_SEARCH) if pictures else "Not run yet.",
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
