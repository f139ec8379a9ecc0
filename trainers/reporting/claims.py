"""The verdict on every claim of the paper, from the evidence, and the report's section on it."""

from __future__ import annotations

from trainers.reporting import comparisons, figure_claims, table_claims
from trainers.reporting.evidence import Evidence
from trainers.reporting.verdict import RULE, Claim, Verdict
from trainers.text.markdown import markdown_table, paragraphs
from trainers.text.numbers import NONE
from trainers.text.sentences import count_of


def claims(evidence: Evidence) -> list[Claim]:
    """Every claim, in the order of the report."""
    table_1, table_3 = evidence.table_1, evidence.table_3
    fixed = [row for row, _ in table_3]
    theorem = evidence.theorem
    return [
        table_claims.accuracy(table_1, "Table 1", "MixHop has the published accuracy"),
        table_claims.lead([*table_1, *evidence.comparison("own")]),
        table_claims.lead_over_cited(table_1),
        table_claims.learned_over_default(table_1, table_3),
        table_claims.accuracy(fixed, "Table 3, one split", "MixHop has the published accuracy"),
        table_claims.further_splits(table_3),
        table_claims.lead_on_splits(table_3),
        figure_claims.delta_operators(evidence.delta_shares),
        figure_claims.low_homophily(comparisons.low_homophily_leads(evidence)),
        figure_claims.rising(evidence.accuracies),
        figure_claims.gat_below_mlp(evidence.accuracies, evidence.ablations),
        figure_claims.architectures(_best_architectures(evidence)),
        figure_claims.theorem({} if theorem is None else theorem.final),
    ]


def _best_architectures(evidence: Evidence) -> dict[str, tuple[int, list[list[int]]]]:
    """Seed and widths of the best learned architecture of each graph, on Planetoid's splits."""
    best = {}
    for learned in evidence.plan.architectures():
        entry = evidence.best_entry(learned) if learned.data.split == "given" else None
        if entry is not None:
            widths = [layer["dims"] for layer in entry["architecture"]["layers"]]
            best[learned.data.dataset] = (entry["seed"], widths)
    return best


def section(evidence: Evidence) -> str:
    """The section of the report; empty if nothing was run, or only the quick version."""
    found = [] if evidence.plan.quick else claims(evidence)
    if all(claim.verdict is Verdict.UNKNOWN for claim in found):
        return ""
    rows = [
        [f"{claim.place}: {claim.text}", claim.verdict.value, _checks(claim)] for claim in found
    ]
    reasons = [
        f"- **{claim.place}: {claim.text}.** {claim.verdict.value.capitalize()}. {claim.why}"
        for claim in found
        if claim.verdict is not Verdict.UNKNOWN
    ]
    return paragraphs(
        "## Verdict",
        RULE,
        markdown_table(["claim of the paper", "verdict", "checks that hold"], rows),
        "\n".join(reasons),
    )


def _checks(claim: Claim) -> str:
    if not claim.checks:
        return NONE
    return f"{count_of(sum(claim.checks), len(claim.checks))} {claim.unit}"
