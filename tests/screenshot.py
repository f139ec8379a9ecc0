"""Makes the picture of docs/explore.md from a page of `trainers.explore`.

    python -m trainers.train --dataset cora --out runs/cora
    python -m trainers.explore --model runs/cora --dataset cora
    python -m tests.screenshot explore.html 175291

It needs playwright (requirements-dev.lock) and Chromium.
"""

import io
import shutil
import sys
from pathlib import Path
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parents[1] / "docs" / "assets" / "explore.png"
COLOURS = 256


def main(page: str, node: str) -> None:
    """Opens the page at a node and writes what a laptop shows."""
    address = f"{Path(page).resolve().as_uri()}#node={quote(node)}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        shown = browser.new_page(viewport={"width": 1280, "height": 1000})
        shown.goto(address)
        shown.wait_for_selector("#node svg")
        picture = Image.open(io.BytesIO(shown.screenshot()))
        browser.close()
    picture.convert("RGB").quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"wrote {PICTURE}")


if __name__ == "__main__":
    main(*sys.argv[1:])
