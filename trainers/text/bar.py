"""A progress bar, and lines in its place where there is no terminal."""

from __future__ import annotations

import logging
import time
from typing import Any

from tqdm import tqdm

log = logging.getLogger(__name__)

SECONDS = 60  # between two lines


class Bar(tqdm):
    """A progress bar that shows the time left; without a terminal, it logs a line now and then.

    Args:
        **options: Those of `tqdm`.
    """

    def __init__(self, **options: Any) -> None:
        # tqdm keeps neither the count nor the name of a bar that is not shown.
        self._first = self._count = options.get("initial", 0)
        self._what = options.get("desc") or options.get("unit", "done")
        self._start = self._said = time.monotonic()
        super().__init__(disable=None, **options)

    def update(self, n: float | None = 1) -> bool | None:
        """Counts what is done."""
        self._count += n or 0
        shown = super().update(n)
        self._say()
        return shown

    def refresh(self, *arguments: Any, **options: Any) -> None:
        """Shows the bar anew, or the next line if it is time."""
        super().refresh(*arguments, **options)
        self._say()

    def counted(self) -> str:
        """Says how many are done."""
        return f"{self._what}: {self._count:,}{f' of {self.total:,}' if self.total else ''}"

    def _say(self) -> None:
        now = time.monotonic()
        if not self.disable or now - self._said < SECONDS:
            return
        self._said = now
        done = self._count - self._first
        text = self.counted()
        if self.total and done > 0:
            left = (now - self._start) / done * (self.total - self._count)
            text += f", about {_duration(left)} left"
        log.info("%s", text)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
