"""Explanations as text that can be read aloud."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mixhop_tf
from mixhop_tf.explaining.summary import distance_name
from trainers.text.markdown import markdown_table
from trainers.text.sentences import listed

_FEATURES = 3


def explanation_lines(content: dict[str, Any]) -> list[str]:
    """The lines for one node.

    Args:
        content: What `Explanation.to_dict` returned.
    """
    lines = [_answer(content), _sum(content), ""]
    rows = [
        [distance_name(row["distance"]), f"{row['nodes']:,}", _signed(row["contribution"])]
        for row in content["by_distance"]
    ]
    lines += [markdown_table(["where", "nodes", "contribution"], rows), ""]
    rows = [[_powers(row["powers"]), _signed(row["contribution"])] for row in content["by_powers"]]
    lines += [markdown_table(["powers, first layer to last", "contribution"], rows), ""]
    rows = [
        [row["id"], str(row["distance"]), _signed(row["contribution"]), _features(row["features"])]
        for row in content["by_node"]
    ]
    lines += [markdown_table(["node", "hops", "contribution", "strongest features"], rows)]
    lines += _others(content, "nodes")
    rows = [[row["name"], _signed(row["contribution"])] for row in content["by_feature"]]
    lines += ["", markdown_table(["feature, of all nodes", "contribution"], rows)]
    return [*lines, *_others(content, "features"), "", content["note"]]


def _answer(content: dict[str, Any]) -> str:
    shares = content["probabilities"]
    answer = content["answer"]
    known = content["label"]
    label = f" (known label: {known['name']})" if known else ""
    share = shares[answer["index"]]
    return f"{content['id']} is answered {answer['name']}, with probability {share:.1%}{label}."


def _sum(content: dict[str, Any]) -> str:
    what = f"The logit of {content['target']['name']}"
    if content["contrast"]:
        what = f"{what} minus that of {content['contrast']['name']}"
    features = content["logit"] - content["constant"] - content["rest"]
    parts = [f"{features:+.3f} from features", f"{content['constant']:+.3f} constant"]
    if content["rest"]:
        parts.append(f"{content['rest']:+.3f} that is not explained")
    return f"{what} is {content['logit']:.3f}: {listed(parts)}."


def _others(content: dict[str, Any], what: str) -> list[str]:
    others = content["others"][what]
    if not others["count"]:
        return []
    return [
        f"{others['count']:,} other {what} contribute {_signed(others['contribution'])} in all."
    ]


def counterfactual_line(content: dict[str, Any]) -> str:
    """The sentence about a counterfactual.

    Args:
        content: What `Counterfactual.to_dict` returned.
    """
    before, after = content["before"], content["after"]
    if content["kind"] == "edges":
        removed = [f"{row['from_id']} – {row['to_id']}" for row in content["removed"]]
        what = f"the edge{'s' if len(removed) > 1 else ''} {listed(removed)}"
    else:
        removed = [f"{row['name']} of {row['id']}" for row in content["removed"]]
        what = f"the feature{'s' if len(removed) > 1 else ''} {listed(removed)}"
    name, share = before["answer"]["name"], f"{before['probability']:.1%}"
    if not content["found"]:
        return (
            f"Taking away {len(removed)} {content['kind']} does not change the answer {name}; its "
            f"probability goes from {share} to {after['probability']:.1%}."
        )
    new = after["answer"]["name"]
    return (
        f"Without {what} the answer is {new}; the probability of {name} goes from {share} to "
        f"{after['probability']:.1%}."
    )


def model_lines(found: mixhop_tf.ModelExplanation) -> list[str]:
    """The lines about a whole model."""
    lines = [f"{found.nodes:,} nodes explained: the answer against the runner-up.", ""]
    for i, layer in enumerate(found.layers, start=1):
        rows = [
            [
                f"power {each.power}",
                f"{each.columns:,}",
                f"{each.column_share:.0%}",
                "–" if each.contribution_share is None else f"{each.contribution_share:.0%}",
            ]
            for each in layer
        ]
        header = [f"layer {i}", "columns", "share of columns", "share of contributions"]
        lines += [markdown_table(header, rows), ""]
    distances = [distance_name(i) for i in range(len(found.classes[0].shares))]
    rows = [
        [each.name, f"{each.nodes:,}", *(f"{share:.0%}" for share in each.shares)]
        for each in found.classes
    ]
    lines += [markdown_table(["answer", "nodes", *distances], rows), ""]
    return [*lines, *found.sentences(), *_delta_lines(found.deltas)]


def _delta_lines(deltas: Any) -> list[str]:
    lines = [
        f"{deltas.difference_share:.0%} of the answers rest on a difference between powers of the "
        "first layer: one speaks for the answer and another against it."
    ]
    if deltas.count is not None:
        lines.append(
            f"{deltas.count:,} of {deltas.total:,} pairs in the weights are delta operators; "
            f"{deltas.used_share:.0%} of the contributions pass through them."
        )
    return lines


def _powers(powers: Sequence[int | None]) -> str:
    return ", ".join("skipped" if power is None else str(power) for power in powers)


def _features(features: Sequence[dict[str, Any]]) -> str:
    shown = features[:_FEATURES]
    return ", ".join(f"{row['name']} {_signed(row['contribution'])}" for row in shown) or "none"


def _signed(value: float) -> str:
    return f"{value:+.3f}"
