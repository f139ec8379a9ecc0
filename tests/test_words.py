"""Plain, present-day English: phrases that pages, docstrings and help texts do without."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = [
    path
    for package in ("mixhop_tf", "datasets", "trainers", "benchmarks", "examples")
    for path in sorted((ROOT / package).rglob("*.py"))
]
PHRASES = re.compile(
    r"\b(but for|(?:is|are|was|were) told|by way of|as far as|of what|for who(?:ever)? asks"
    r"|what there is|what comes of|what becomes of|was found to|seen to have|whence|thereof"
    r"|therein|hitherto|nor does|is asked for|are asked for)\b",
    re.IGNORECASE,
)
HEADING = re.compile(r"^#+ Of ", re.MULTILINE)


def found_in(text):
    """The phrases in a text, each with a few words around it."""
    flat = " ".join(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split())
    return [flat[max(0, m.start() - 30) : m.end() + 30] for m in PHRASES.finditer(flat)]


def strings(path):
    """Docstrings, and the other strings with several words: help texts and messages."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_are_in_plain_english(path):
    text = path.read_text(encoding="utf-8")
    assert found_in(text) == []
    assert not HEADING.search(text)


def test_docstrings_help_and_messages_are_in_plain_english():
    found = {
        str(path.relative_to(ROOT)): phrases
        for path in SOURCES
        if (phrases := [each for text in strings(path) for each in found_in(text)])
    }
    assert found == {}


def test_a_phrase_is_found_across_lines():
    assert found_in("All is well, but\nfor this.") == ["All is well, but for this."]
    assert found_in("It is not for him.") == []
