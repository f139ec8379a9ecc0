"""Turns a Markdown page into one HTML file that needs no other: its pictures are inside."""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path

from markdown_it import MarkdownIt

from trainers.reporting.contents import slug

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
thead th { border-bottom-width: 2px; white-space: normal; }
tbody tr:hover { background: var(--soft); }
td:first-child, th:first-child { position: sticky; left: 0; background: Canvas; }
img { max-width: 100%; height: auto; background: #fff; padding: .5rem; border-radius: 4px; }
@media (max-width: 40rem) { p:has(> img) { overflow-x: auto; } img { max-width: 44rem; }
  td:first-child, th:first-child { white-space: normal; min-width: 8rem; }
  table:not(:has(th:nth-child(4))) :is(td, th) { white-space: normal; padding: .3rem; } }
li { margin: .25rem 0; }
blockquote { margin: 1rem 0; padding: .5rem 1rem; border-left: 4px solid #e69f00;
  background: var(--soft); }
"""


def page(markdown: str, title: str, folder: Path) -> str:
    """Renders the page as HTML.

    Args:
        markdown: The page. Its headings get the addresses that a table of contents links to.
        title: The title of the window.
        folder: The folder that the addresses of the pictures start from.
    """
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    body = body.replace("<table>", '<div class="table"><table>').replace(
        "</table>", "</table></div>"
    )
    body = re.sub(
        r"<h([23])>(.*?)</h\1>",
        lambda match: f'<h{match[1]} id="{_address(match[2])}">{match[2]}</h{match[1]}>',
        body,
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


def _address(heading: str) -> str:
    """The address of a heading that is given as HTML."""
    return slug(html.unescape(re.sub(r"<[^>]+>", "", heading)))


def _inline(source: str, folder: Path) -> str:
    """The picture as a data URL: the SVG file if there is one, otherwise the PNG file."""
    path = folder / html.unescape(source)
    vectors = path.with_suffix(".svg")
    kind, path = ("svg+xml", vectors) if vectors.is_file() else ("png", path)
    if not path.is_file():
        return source
    return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
