"""The report as files: figures, Markdown, HTML."""

from __future__ import annotations

from pathlib import Path

from datasets.atomic import replacing
from trainers import report_figures, report_html, report_text
from trainers.plan import Plan


def write(chosen: Plan, folder: Path) -> list[Path]:
    """Draws the figures and writes both forms of the report; gives what a reader may open."""
    report_figures.draw(chosen, folder / "figures")
    markdown = report_text.report(chosen)
    pages = {
        folder / "README.md": markdown,
        folder / "report.html": report_html.page(markdown, "MixHop, reproduced", folder),
    }
    for path, text in pages.items():
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return list(pages)
