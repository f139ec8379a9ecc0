"""The page of the atlas, as Markdown and as one HTML file, from its records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.stats

from datasets.atomic import replacing
from mixhop_tf import SettingError
from trainers.paper import atlas
from trainers.plots.atlas import shapes
from trainers.plots.style import save
from trainers.reporting.html import page
from trainers.text.markdown import markdown_table
from trainers.text.numbers import NONE

_TITLE = "Atlas of learned architectures"


def write(records_dir: Path, folder: Path) -> Path:
    """Writes `atlas.md`, `atlas.html` and the picture; returns the path of the first."""
    found = atlas.read_all(records_dir)
    if not found:
        rule = "must hold records; run trainers.atlas without --report"
        raise SettingError("records_dir", rule, str(records_dir))
    save(shapes(found), folder / "figures" / "atlas")
    text = markdown(found)
    for name, content in (("atlas.md", text), ("atlas.html", page(text, _TITLE, folder))):
        with replacing(folder / name) as temporary:
            temporary.write_text(content, encoding="utf-8")
    return folder / "atlas.md"


def markdown(found: Sequence[Mapping[str, Any]]) -> str:
    """The page in Markdown."""
    parts = [
        f"# {_TITLE}",
        f"Stability selection learned a network with {found[0]['columns']} hidden columns for each "
        f"of {len(found)} graphs (see docs/stable-architectures.md). Homophily at a hop is the "
        "share of walks of so many steps, without an immediate turn back, whose ends are of one "
        "class. *Even* is the validation accuracy of the default architecture of that width, with "
        "powers 0, 1 and 2, the mean of its deals. *Even far* has an equal share of powers 0 to 4, "
        "which the searches have, too. The difference to even has a 95 % interval over deals and "
        "seeds. "
        "*Learned* is the better of the two learned candidates: with all powers at the output, or "
        "with those that survive there. "
        "Validation data alone were used.",
        "![Homophily, powers and gain of each graph](figures/atlas.png)",
        _table(found),
        "## What predicts the shape?",
        "\n".join(f"- {sentence}" for sentence in sentences(found)),
    ]
    return "\n\n".join(parts) + "\n"


def _table(found: Sequence[Mapping[str, Any]]) -> str:
    header = [
        "graph", "nodes", "degree", "labels a class", "homophily at hops 1, 2, 3",
        "learned widths", "even, %", "even far - even", "learned - even", "chosen",
    ]  # fmt: skip
    return markdown_table(header, [_row(each) for each in found])


def _row(each: Mapping[str, Any]) -> list[str]:
    graph = each["graph"]
    hops = [NONE if np.isnan(value) else f"{value:.2f}" for value in graph["homophily"]]
    return [
        each["name"],
        f"{graph['nodes']:,}",
        f"{graph['degree']:.1f}",
        f"{graph['labels_per_class']:.0f}",
        ", ".join(hops),
        " → ".join(",".join(map(str, dims)) for dims in each["widths"]),
        f"{100 * each['even']:.2f}",
        f"{100 * each['far']:+.2f}",
        f"{100 * each['gain']:+.2f} ± {100 * each['interval']:.2f}",
        each["chosen"],
    ]


def share_of(each: Mapping[str, Any], power: int) -> float:
    """The share of a power in the hidden layer."""
    return next(s["share"] for s in each["shares"] if (s["layer"], s["power"]) == (0, power))


def predictors(found: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Rank correlations between what a graph looks like and the shares of the powers."""
    alike = [_excess(each) for each in found]
    return {
        "power 0, edges tell": _rank_correlation(
            [max(map(abs, hops)) for hops in alike], [share_of(each, 0) for each in found]
        ),
        "farther powers, homophily": _rank_correlation(
            [hops[0] for hops in alike], [each["far"] for each in found]
        ),
        "power 2, second hop against the first": _rank_correlation(
            [abs(hops[1]) - abs(hops[0]) for hops in alike],
            [share_of(each, 2) - share_of(each, 1) for each in found],
        ),
    }


def _excess(each: Mapping[str, Any]) -> list[float]:
    """How far homophily at hops 1 and 2 is from chance, where chance is equal classes."""
    chance = 1 / each["graph"]["classes"]
    hops = np.nan_to_num(np.array(each["graph"]["homophily"][:2]), nan=chance)
    return list((hops - chance) / (1 - chance))


def _rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return 0.0  # all the same: nothing goes with anything
    return float(scipy.stats.spearmanr(first, second).statistic)


def sentences(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the records say, in sentences."""
    ahead = [each for each in found if each["gain"] - each["interval"] > 0]
    behind = [each for each in found if each["gain"] + each["interval"] < 0]
    chosen = sorted({each["chosen"] for each in found})
    counts = [f"{kind} {sum(each['chosen'] == kind for each in found)}" for kind in chosen]
    first, far, second = predictors(found).values()
    return [
        f"The learned architecture is ahead of the even one on {len(ahead)} of {len(found)} graphs "
        f"beyond its interval{_named(ahead)}, and behind on {len(behind)}{_named(behind)}.",
        f"The comparison chose {', '.join(counts)} times.",
        "The rank correlation between homophily at the first hop and what powers 3 and 4 gain "
        f"(even far - even) is {far:+.2f}.",
        f"The rank correlation between the distance of homophily from chance and the share of "
        f"power 0 is {first:+.2f}.",
        "The rank correlation between how much more the second hop tells than the first and how "
        f"much more columns power 2 has than power 1 is {second:+.2f}.",
    ]


def _named(found: Sequence[Mapping[str, Any]]) -> str:
    return f" ({', '.join(each['name'] for each in found)})" if found else ""
