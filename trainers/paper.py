"""The paper's own figures, to stand beside ours."""

import functools
import json
from importlib import resources
from typing import Any


@functools.cache
def paper_tables() -> dict[str, Any]:
    """The contents of `paper_tables.json`; its `source` says where they come from."""
    text = resources.files("trainers").joinpath("paper_tables.json").read_text(encoding="utf-8")
    return json.loads(text)
