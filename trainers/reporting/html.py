"""A Markdown page as one HTML file that needs nothing else: pictures inside, readable anywhere."""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path

from markdown_it import MarkdownIt

_STYLE = """
:root { color-scheme: light dark; --line: #8885; --soft: #8881; --link: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --link: #56b4e9; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem 1.25rem 4rem;
  font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
h1, h2 { line-height: 1.25; }
h2 { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
a { color: var(--link); }
code { font-size: .9em; background: var(--soft); padding: .1em .3em; border-radius: 3px; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { border-bottom-width: 2px; }
tbody tr:hover { background: var(--soft); }
td:first-child, th:first-child { position: sticky; left: 0; background: Canvas; }
img { max-width: 100%; height: auto; background: #fff; padding: .5rem; border-radius: 4px; }
@media (max-width: 40rem) { p:has(> img) { overflow-x: auto; } img { max-width: 44rem; }
  td:first-child, th:first-child { white-space: normal; min-width: 8rem; } }
blockquote { margin: 1rem 0; padding: .5rem 1rem; border-left: 4px solid #e69f00;
  background: var(--soft); }
"""


def page(markdown: str, title: str, folder: Path) -> str:
    """The page as HTML, with the pictures that are found from `folder`."""
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    body = body.replace("<table>", '<div class="table"><table>').replace(
        "</table>", "</table></div>"
    )
    body = re.sub(
        r'<img src="([^"]+)"', lambda match: f'<img src="{_inline(match[1], folder)}"', body
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def _inline(source: str, folder: Path) -> str:
    """The picture as a data address, in vectors where there is such a file."""
    path = folder / html.unescape(source)
    vectors = path.with_suffix(".svg")
    kind, path = ("svg+xml", vectors) if vectors.is_file() else ("png", path)
    if not path.is_file():
        return source
    return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
