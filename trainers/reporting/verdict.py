"""When a claim of the paper counts as reproduced: one rule for all claims."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Sequence

RULE = """\
Each claim is broken down into checks that the records answer with yes or no. A claim is
*reproduced* if all of its checks hold, *partly reproduced* if some do, and *not reproduced* if none
does. A lead or a gain holds if its 95 % interval is above 0. Two points of a figure differ if their
intervals do not meet. An accuracy holds unless it is more than one standard deviation below the
paper's."""


class Verdict(enum.StrEnum):
    """What the records say about a claim."""

    REPRODUCED = "reproduced"
    PARTLY = "partly reproduced"
    NOT = "not reproduced"
    UNKNOWN = "not run yet"


def verdict(checks: Sequence[bool]) -> Verdict:
    """The verdict on a claim, from the answers to its checks.

    >>> verdict([True, True]).value, verdict([True, False]).value, verdict([False]).value
    ('reproduced', 'partly reproduced', 'not reproduced')
    """
    if not checks:
        return Verdict.UNKNOWN
    if all(checks):
        return Verdict.REPRODUCED
    return Verdict.PARTLY if any(checks) else Verdict.NOT


@dataclasses.dataclass(frozen=True)
class Claim:
    """A claim of the paper, and what the records say about it.

    Attributes:
        place: Table, figure or section of the paper.
        text: The claim, in a few words.
        unit: The plural of the things that are checked, such as rows.
        checks: Whether each of its checks holds; empty if nothing was run.
        why: One or two sentences with the numbers behind the verdict.
    """

    place: str
    text: str
    unit: str
    checks: Sequence[bool]
    why: str

    @property
    def verdict(self) -> Verdict:
        """The verdict, by the rule for all claims."""
        return verdict(self.checks)


def beyond_chance(difference: tuple[float, float]) -> bool:
    """Whether a difference, given with half its 95 % interval, is above 0 beyond chance.

    >>> beyond_chance((0.5, 0.4)), beyond_chance((0.5, 0.6)), beyond_chance((0.5, float("nan")))
    (True, False, False)
    """
    mean, interval = difference
    return mean - interval > 0
