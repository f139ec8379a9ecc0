"""Runs the code whose output README.md and docs/ show, and writes the output into the pages.

    python -m tests.refresh_outputs              all pages; it takes some minutes
    python -m tests.refresh_outputs README.md    one page

A block that follows `<!-- output -->` is replaced if it differs in more than the seconds.
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # as pytest does

import markdown_blocks


def refreshed(page: str) -> str:
    """The page with the outputs of today."""
    before = None
    for block in markdown_blocks.blocks(page):
        if block.note == "output" and before is not None:
            printed = markdown_blocks.run(before, whole=True)
            if not markdown_blocks.same_output(block.code, printed):
                page = page.replace(f"```text\n{block.code}```", f"```text\n{printed}```")
        before = block
    return page


def main(names: list[str]) -> None:
    """Refreshes pages in place."""
    for path in markdown_blocks.PAGES:
        if names and path.name not in names:
            continue
        page = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            after = refreshed(page)
            os.chdir(markdown_blocks.ROOT)
        if after != page:
            path.write_text(after, encoding="utf-8")
            print(f"wrote {path.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
