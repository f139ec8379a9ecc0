"""Writes the report: figures, Markdown and HTML."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from datasets import DataError
from datasets.atomic import replacing
from trainers.paper.plan import Plan
from trainers.reporting import figures, html, text
from trainers.reporting.evidence import Evidence
from trainers.sweeps.errors import RunError


def write(plan: Plan, folder: Path) -> list[Path]:
    """Draws the figures, writes the report as Markdown and HTML, and returns these two paths."""
    evidence = Evidence(plan)
    figures.draw(evidence, folder / "figures")
    markdown = text.report(evidence)
    pages = {
        folder / "README.md": markdown,
        folder / "report.html": html.page(markdown, "MixHop, reproduced", folder),
    }
    for path, content in pages.items():
        with replacing(path) as temporary:
            temporary.write_text(content, encoding="utf-8")
    return list(pages)


class GrowingReport:
    """Writes the report again and again while runs are made.

    Args:
        plan: The cells to report.
        folder: The folder to write to.
        every: Least number of seconds between two reports.
        clock: Returns the current time in seconds.
    """

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        every: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._plan = plan
        self._folder = folder
        self._every = every
        self._clock = clock
        self._next = clock() + every

    def grow(self) -> None:
        """Writes the report if the last one is old enough.

        If it cannot be written, the runs go on. `write`, at the end, raises the error.
        """
        if self._clock() >= self._next:
            with contextlib.suppress(DataError, RunError, OSError):
                self.write()
            self._next = self._clock() + self._every

    def write(self) -> list[Path]:
        """Writes the report, and returns its paths."""
        return write(self._plan, self._folder)
