"""Fills tables and single values in the README and in docs/.

A comment names the source; the table or the value after it is replaced:

    <!-- results: Figure 4 -->                    the first table below this heading of the report
    <!-- results: Table 3, table 2 -->            the second table there
    <!-- results: Table 1, rows MixHop -->        only the rows that contain a word
    <!-- benchmark: step -->                      the table in results/benchmarks/step.md
    <!-- study: search -->                        the comparison in results/records/search
    <!-- = Table 1 | cora · GCN | runs -->100<!-- / -->    a cell: heading, row, column
    <!-- = mixhop_tf.Settings.patience -->200<!-- / -->    a constant of the code

Headings and columns are named by their beginning, rows in full.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterable
from pathlib import Path

from datasets.atomic import replacing
from trainers.reporting import study_tables
from trainers.sweeps.errors import RunError

_TABLE = r"(?:^\|.*\n)+"
_TABLE_MARK = re.compile(
    r"^(<!-- (?P<kind>results|benchmark|study): (?P<name>.+?)(?:, table (?P<number>\d+))?"
    rf"(?:, rows (?P<rows>.+?))? -->\n\n?){_TABLE}",
    re.MULTILINE,
)
_VALUE_MARK = re.compile(r"(<!-- = (?P<name>[^>]+?) -->)[^<]*(<!-- / -->)")


class Sources:
    """The tables and values that a page may show.

    Args:
        results: Folder with the report `README.md`, `benchmarks/` and `records/`.
    """

    def __init__(self, results: Path) -> None:
        self._results = results
        self._report = (results / "README.md").read_text(encoding="utf-8")

    def table(self, kind: str, name: str, number: int = 1, rows: str | None = None) -> str:
        """Markdown of a table, with a line break at its end."""
        if kind == "results":
            tables = self._tables(name)
            if not 1 <= number <= len(tables):
                raise RunError(
                    f"The report has no table {number} below {name!r}; correct the page."
                )
            text = tables[number - 1]
        elif kind == "benchmark":
            text = self._benchmark(name)
        else:
            text = study_tables.report(self._results / "records" / name).split("\n\n")[0] + "\n"
        return text if rows is None else _only_rows(text, rows)

    def value(self, name: str) -> str:
        """A cell of the report, `heading | row | column`, or a constant, `package.module.NAME`."""
        place = [part.strip() for part in name.split("|")]
        if len(place) == 1:
            return _constant(name)
        if len(place) == 3:
            heading, row, column = place
            for table in self._tables(heading):
                cell = _cell(table, row, column)
                if cell is not None:
                    return cell
        raise RunError(f"The report has no value {name!r}; correct the page.")

    def _tables(self, heading: str) -> list[str]:
        """All tables below a heading, down to the next of the same rank."""
        sections = re.split(r"^## ", self._report, flags=re.MULTILINE)
        matching = [section for section in sections[1:] if section.startswith(heading)]
        return re.findall(_TABLE, matching[0], re.MULTILINE) if len(matching) == 1 else []

    def _benchmark(self, name: str) -> str:
        path = self._results / "benchmarks" / f"{name}.md"
        if not path.is_file():
            raise RunError(f"There is no measurement {path}; correct the page.")
        return path.read_text(encoding="utf-8").strip() + "\n"


def pages(root: Path) -> list[Path]:
    """The pages of a checkout that show results."""
    return [
        path for path in (root / "README.md", *sorted(root.glob("docs/*.md"))) if path.is_file()
    ]


def filled(page: str, sources: Sources) -> str:
    """The page with the tables and values of today."""

    def table(match: re.Match[str]) -> str:
        number = int(match["number"] or 1)
        return match[1] + sources.table(match["kind"], match["name"], number, match["rows"])

    page = _TABLE_MARK.sub(table, page)
    return _VALUE_MARK.sub(lambda match: match[1] + sources.value(match["name"]) + match[3], page)


def fill(paths: Iterable[Path], sources: Sources) -> list[Path]:
    """Fills pages in place, and returns those that changed."""
    changed = []
    for path in paths:
        before = path.read_text(encoding="utf-8")
        after = filled(before, sources)
        if after != before:
            with replacing(path) as temporary:
                temporary.write_text(after, encoding="utf-8")
            changed.append(path)
    return changed


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _cell(table: str, row: str, column: str) -> str | None:
    header, _, *lines = table.splitlines()
    columns = [i for i, name in enumerate(_cells(header)) if name.startswith(column)]
    for cells in map(_cells, lines):
        if columns and cells[0] == row:
            return cells[columns[0]]
    return None


def _only_rows(table: str, word: str) -> str:
    header, rule, *lines = table.splitlines(keepends=True)
    kept = [line for line in lines if word in _cells(line)[0]]
    if not kept:
        raise RunError(f"No row of the table contains {word!r}; correct the page.")
    return "".join([header, rule, *kept])


def _constant(name: str) -> str:
    try:
        value = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError):
        raise RunError(f"The code has no {name!r}; correct the page.") from None
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
