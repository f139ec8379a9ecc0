"""Notebooks as Markdown: text cells as they are, code and its outputs as code blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def notebook_markdown(path: Path) -> str:
    """The notebook as one page, which begins with its first text cell."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts = [part for cell in cells for part in _parts(cell)]
    parts.insert(1, f"*This page shows the notebook `examples/{path.name}` with its outputs.*")
    return "\n\n".join(parts) + "\n"


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = _joined(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
    else:
        yield f"```python\n{source}\n```"
        for output in cell["outputs"]:
            yield _shown(output)


def _shown(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return f"```text\n{_joined(output['text']).rstrip()}\n```"
    data = output["data"]
    if "image/png" in data:
        return f"![Output](data:image/png;base64,{_joined(data['image/png']).strip()})"
    return f"```text\n{_joined(data['text/plain'])}\n```"


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)
