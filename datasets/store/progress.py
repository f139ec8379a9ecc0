"""Shows how far long work is: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import logging
import sys
import time
from types import TracebackType

from tqdm import tqdm

log = logging.getLogger(__name__)

_SECONDS = 10  # between two lines


class Progress:
    """Counts up to a total.

    Args:
        what: What is being done.
        total: When it is done.
        done: How much of it an earlier process did.
        unit: `B` for bytes.
    """

    def __init__(self, what: str, total: int, done: int = 0, unit: str = "B"):
        self._what, self._total, self._done, self._first = what, total, done, done
        self._start = self._last = time.monotonic()
        on_terminal = sys.stderr.isatty()
        self._bar = tqdm(
            total=total,
            initial=done,
            desc=what,
            unit=unit,
            unit_scale=unit == "B",
            leave=False,
            disable=not on_terminal,
        )

    def at(self, done: int) -> None:
        """Says how much is done by now."""
        self._bar.update(done - self._done)
        self._done = done
        now = time.monotonic()
        if self._bar.disable and now - self._last >= _SECONDS and done > self._first:
            left = (now - self._start) / (done - self._first) * (self._total - done)
            share = done / max(1, self._total)
            log.info("%s: %.0f %%, about %.0f s left", self._what, 100 * share, left)
            self._last = now

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.close()
