"""The report as files: figures, Markdown, HTML."""

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
    """Draws the figures and writes both forms of the report; gives what a reader may open."""
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
    """Writes the report now and then.

    Args:
        plan: What is reported.
        folder: Where it goes.
        every: Seconds from one time to the next, at least.
        clock: Tells the seconds.
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
        """Writes the report if the last time is some while ago.

        If it cannot be written, the runs go on; the last time, the error is raised.
        """
        if self._clock() >= self._next:
            with contextlib.suppress(DataError, RunError, OSError):
                self.write()
            self._next = self._clock() + self._every

    def write(self) -> list[Path]:
        """Writes the report; gives what a reader may open."""
        return write(self._plan, self._folder)
