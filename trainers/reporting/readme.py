"""The tables that the project's README shows are those of the report, put where a comment asks.

    <!-- results: Figure 4 -->                                           the first table there
    <!-- results: Planetoid's splits under other settings, table 2 -->   the second

names the heading in the report, by how it begins; the table that follows the comment is replaced.
"""

from __future__ import annotations

import re
from pathlib import Path

from datasets.atomic import replacing
from trainers.sweeps.errors import RunError

_TABLE = r"(?:^\|.*\n)+"
_PLACE = re.compile(
    rf"^(<!-- results: (?P<heading>.+?)(?:, table (?P<number>\d+))? -->\n\n?){_TABLE}", re.MULTILINE
)


def filled(readme: str, report: str) -> str:
    """The README with the tables of the report."""

    def place(match: re.Match[str]) -> str:
        number = int(match["number"] or 1)
        return match[1] + _table(report, match["heading"], number)

    return _PLACE.sub(place, readme)


def fill(path: Path, report: str) -> bool:
    """The same for a file, and whether it changed."""
    readme = path.read_text(encoding="utf-8")
    text = filled(readme, report)
    if text == readme:
        return False
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return True


def _table(report: str, heading: str, number: int) -> str:
    """The table of this number below the heading, down to the next of the same rank."""
    sections = re.split(r"^## ", report, flags=re.MULTILINE)
    matching = [section for section in sections if section.startswith(heading)]
    tables = re.findall(_TABLE, matching[0], re.MULTILINE) if matching else []
    if len(matching) != 1 or not 1 <= number <= len(tables):
        raise RunError(f"The report has no table {number} below {heading!r}; correct the README.")
    return tables[number - 1]
