"""README.md and docs/ are short, filled from the records, and linked."""

import re
from pathlib import Path

import pytest

from trainers.reporting import pages

ROOT = Path(__file__).parents[1]
PAGES = pages.pages(ROOT)
NAMES = [path.name for path in PAGES]
LONGEST_LINE, MOST_LINES = 120, 200

# Decimals and percentages that are not results: versions, conventions, limits.
ALLOWED = {
    "Python 3.11",
    "3.12 or 3.13",
    "100 times",
    "Section 4.2",
    "Section 6.1",
    "95 %",
    "60, 20 and 20 %",
    "60 %",
    "20 %",
    "0 to 0.9",
    "`7.0`",
}


def read(path):
    return path.read_text(encoding="utf-8")


def prose(text):
    """The text without code blocks, tables and pictures; code spans and links stay."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join(line for line in text.splitlines() if not line.startswith(("|", "![")))


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_a_page_is_short(path):
    text = read(path)
    assert len(text.splitlines()) <= MOST_LINES
    assert max(map(len, prose(text).splitlines())) <= LONGEST_LINE


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_tables_and_values_are_those_of_the_records(path):
    text = read(path)
    assert pages.filled(text, pages.Sources(ROOT / "results")) == text


def test_pages_ask_for_tables_and_values():
    text = "".join(map(read, PAGES))
    assert len(re.findall(r"^<!-- results: ", text, re.MULTILINE)) >= 9
    assert len(re.findall(r"^<!-- benchmark: ", text, re.MULTILINE)) == 17
    assert "<!-- = " in text


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_no_line_of_prose_begins_with_a_mark(path):
    """Markdown ends a paragraph where a line begins with a comment."""
    assert not re.search(r"^\s*<!-- (=|/)", read(path), re.MULTILINE)


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_no_result_is_typed_into_prose(path):
    text = re.sub(r"<!-- = .*?<!-- / -->", "", prose(read(path)))
    text = re.sub(r"\]\([^)]*\)|<!--.*?-->|`[^`]*`", "", text)
    for phrase in ALLOWED:
        text = text.replace(phrase, "")
    typed = re.findall(r"\S*\d+\.\d+\S*|\d+ ?%|\d+ (?:ms|GB|MB|minutes|seconds|points|times)", text)
    assert not typed


@pytest.mark.parametrize("path", [*PAGES, ROOT / "BUILD.md", ROOT / "CONTRIBUTING.md"])
def test_links_lead_somewhere(path):
    for label, target in re.findall(r"\[([^\]]*)\]\(([^)\s]+)\)", read(path)):
        if target.startswith("http"):
            continue
        name, _, anchor = target.partition("#")
        goal = (path.parent / name).resolve() if name else path
        assert goal.exists(), f"{label}: {target}"
        if anchor:
            assert anchor in anchors(goal), f"{label}: {target}"


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", read(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def test_the_readme_links_to_what_people_look_for():
    top = read(ROOT / "README.md")[:1200]
    for name in ("docs/index.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"):
        assert f"({name})" in top
    assert "#install" in top
    assert "#citation" in top


def test_the_index_names_every_page():
    index = read(ROOT / "docs" / "index.md")
    for path in (ROOT / "docs").glob("*.md"):
        assert path.name == "index.md" or f"]({path.name}" in index, path.name
