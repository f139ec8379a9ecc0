"""Which model a command asks about which graph, for processes that load both themselves."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from trainers.runs import trained
from trainers.sweeps.data_config import DataConfig


@dataclasses.dataclass(frozen=True)
class Question:
    """The model and the graph, as the arguments of `trained.load`."""

    model: Path
    data: DataConfig
    data_dir: str | None = None
    given: tuple[tuple[str, Any], ...] = ()
    allow_changed_graph: bool = False

    def load(self) -> trained.Trained:
        """Loads both."""
        return trained.load(
            self.model,
            self.data,
            self.data_dir,
            dict(self.given),
            allow_changed_graph=self.allow_changed_graph,
        )
