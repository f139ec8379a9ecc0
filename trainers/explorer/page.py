"""Writes a page: one HTML file that needs no other, and that may not ask the network."""

from __future__ import annotations

import base64
import hashlib
import html
from pathlib import Path
from typing import Any

from datasets.atomic import replacing
from trainers.explorer.packing import packed

_ASSETS = Path(__file__).parent / "assets"
# In this order: each uses names of those before it.
SCRIPTS = ("data", "elements", "overview", "quality", "map", "drawing", "node", "search", "main")


def write(path: Path, contents: dict[str, Any]) -> None:
    """Writes the page completely or not at all.

    Args:
        path: The file.
        contents: What `trainers.explorer.contents` collected.
    """
    text = page(contents)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def page(contents: dict[str, Any]) -> str:
    """Renders the page as HTML.

    User data are compressed, so that no browser can read them as HTML. Scripts and styles run only
    if they have the hashes of ours, and nothing else may be loaded.
    """
    style = _asset("page.css")
    script = "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    values = {
        "POLICY": policy,
        "TITLE": html.escape(contents["graph"]),
        "STYLE": style,
        "DATA": packed(contents),
        "SCRIPT": script,
    }
    parts = _asset("page.html").split("@@")
    return "".join(values[part] if i % 2 else part for i, part in enumerate(parts))


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The hash of an inline script or style in a Content-Security-Policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
