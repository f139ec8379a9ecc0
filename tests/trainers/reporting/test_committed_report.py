"""The committed report and its figures are what the committed records give."""

import importlib.metadata
import re
from pathlib import Path

import pytest

from trainers.paper import plan
from trainers.reporting import files

ROOT = Path(__file__).parents[3]
COMMITTED = ROOT / "results"


def is_pinned(package):
    """Whether the installed version is the one that the figures were drawn with."""
    pinned = re.search(
        rf"^{package}==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE
    )
    return pinned[1] == importlib.metadata.version(package)


PINNED = is_pinned("matplotlib") and is_pinned("pillow")


def structure(page):
    """The page without its pictures, whose bytes differ with matplotlib's version."""
    return re.sub(r"data:image/svg\+xml;base64,[\w+/=]+", "picture", page)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    (folder / "records").symlink_to(COMMITTED / "records")
    files.write(plan.Plan(plan.FULL, folder / "records", trust_records=True), folder)
    return folder


@pytest.mark.network
def test_the_report_is_what_the_records_say(written):
    for name in ("README.md", "report.html"):
        ours, committed = ((each / name).read_text() for each in (written, COMMITTED))
        if not PINNED:
            ours, committed = structure(ours), structure(committed)
        assert ours == committed, name


@pytest.mark.network
def test_the_figures_are_what_the_records_say(written):
    drawn = sorted((written / "figures").iterdir())
    assert {path.suffix for path in drawn} == {".png", ".svg", ".pdf"}
    for path in drawn:
        committed = COMMITTED / "figures" / path.name
        assert committed.is_file(), path.name
        if PINNED:
            assert path.read_bytes() == committed.read_bytes(), path.name


def test_the_structure_of_a_page_tells_all_but_the_pictures():
    page = '<h2 id="a">A</h2><img src="data:image/svg+xml;base64,{}" alt="b"><td>1</td>'
    assert structure(page.format("AB+/=")) == structure(page.format("Cd"))
    assert structure(page.format("AB")) != structure(page.format("AB").replace("1", "2"))
    assert structure(page.format("AB")) != structure(page.format("AB").replace('b"', 'c"'))
