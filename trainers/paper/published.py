"""The numbers that the paper published, for comparison."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any


@functools.cache
def paper_tables() -> dict[str, Any]:
    """The contents of `published.json`; its `source` says where they come from."""
    text = resources.files("trainers.paper").joinpath("published.json").read_text(encoding="utf-8")
    return json.loads(text)


def published_figure(
    row: tuple[str, str] | None, dataset: str
) -> tuple[float, float | None] | None:
    """Mean and standard deviation (None if there is none) of a table's row for a graph."""
    if row is None:
        return None
    table, name = row
    mean, deviation = paper_tables()[table][name][dataset]
    return mean, deviation
