"""The site builds without a warning and loads nothing from the net."""

import dataclasses
import html
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import mixhop_tf

pytest.importorskip("mkdocs", reason="the site's tools are in requirements-dev.lock")
pytest.importorskip("mkdocstrings", reason="the site's tools are in requirements-dev.lock")

ROOT = Path(__file__).parents[2]


def build(folder, *options, cwd=ROOT):
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder, *options],
        cwd=cwd,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    answer = build(folder)
    assert answer.returncode == 0, answer.stderr
    return folder


class Addresses(HTMLParser):
    """Collects what a page loads, and what it links to."""

    def __init__(self):
        super().__init__()
        self.loaded, self.linked = [], []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "a":
            self.linked.append(values.get("href") or "")
        elif "src" in values or tag == "link":
            self.loaded.append(values.get("src") or values.get("href") or "")


def addresses(page):
    parser = Addresses()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


def test_pages_load_nothing_from_the_net(site):
    pages = [page for page in site.rglob("*.html") if page.name != "report.html"]
    assert len(pages) > 5
    for page in pages:
        for address in addresses(page).loaded:
            assert not re.match(r"(https?:)?//", address), (page, address)


def test_every_local_link_leads_to_a_file(site):
    for page in site.rglob("*.html"):
        if page.name in {"404.html", "report.html"}:
            continue
        found = addresses(page)
        for address in [*found.loaded, *found.linked]:
            path = address.split("#")[0]
            if path and not re.match(r"[a-z]+:", path) and not path.startswith("//"):
                assert (page.parent / path).exists(), (page, address)


def test_doctests_are_code_and_not_quotations(site):
    text = (site / "api" / "layers.html").read_text(encoding="utf-8")
    assert "&gt;&gt;&gt; " in text
    assert "<blockquote" not in text
    assert "Call arguments:" not in text


def test_settings_show_their_defaults_and_their_help(site):
    text = (site / "api" / "training.html").read_text(encoding="utf-8")
    assert "_field" not in text
    (field, *_) = dataclasses.fields(mixhop_tf.Settings)
    assert field.metadata["help"] in html.unescape(text)


CONFIG = """
site_name: small
use_directory_urls: false
theme: {{name: mkdocs}}
plugins: []
hooks: [{hook}]
validation: {{links: {{not_found: warn, absolute_links: relative_to_docs}}}}
"""


@pytest.fixture
def small(tmp_path):
    """A project of one page; returns a function that writes the page and builds."""
    hook = ROOT / ".ci" / "site" / "repository_files.py"
    (tmp_path / "mkdocs.yml").write_text(CONFIG.format(hook=hook))
    (tmp_path / "docs").mkdir()

    def built(text):
        (tmp_path / "docs" / "index.md").write_text(text)
        return build(tmp_path / "site", cwd=tmp_path), tmp_path / "site"

    return built


def test_files_beside_the_docs_that_a_page_links_to_are_part_of_the_site(small, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "README.md").write_text(
        "# R\n\n[data](data.csv) ![p](p.png) [notes](notes.md)\n"
    )
    (tmp_path / "results" / "notes.md").write_text("# N\n\n[home](../docs/index.md#home)\n")
    (tmp_path / "results" / "data.csv").write_text("a,b\n")
    (tmp_path / "results" / "p.png").write_bytes(b"picture")
    (tmp_path / "unused.py").write_text("pass\n")
    answer, site = small("# Home\n\n[results](../results/README.md#r)\n")
    assert answer.returncode == 0, answer.stderr
    assert 'href="repository/results/README.html#r"' in (site / "index.html").read_text()
    page = (site / "repository" / "results" / "README.html").read_text()
    assert 'href="data.csv.txt"' in page
    assert 'src="p.png"' in page
    assert (site / "repository" / "results" / "data.csv.txt").is_file()
    notes = (site / "repository" / "results" / "notes.html").read_text()
    assert 'href="../../index.html#home"' in notes
    assert not list(site.rglob("unused*"))
    assert not (site / "repository" / "docs").exists()


def test_a_link_to_a_missing_file_fails_the_build(small):
    answer, _ = small("# Home\n\n[results](../results/README.md)\n")
    assert answer.returncode != 0
    assert "../results/README.md" in answer.stderr


def test_a_notebook_becomes_a_page_with_its_outputs(small, tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="it is in requirements-dev.lock")
    cell = nbformat.v4.new_code_cell("print(6 * 7)")
    cell.outputs = [nbformat.v4.new_output("stream", text="42\n")]
    cells = [nbformat.v4.new_markdown_cell("# Six by seven"), cell]
    (tmp_path / "examples").mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "examples" / "six.ipynb")
    answer, site = small("# Home\n\n[six](../examples/six.ipynb)\n")
    assert answer.returncode == 0, answer.stderr
    assert 'href="repository/examples/six.html"' in (site / "index.html").read_text()
    page = (site / "repository" / "examples" / "six.html").read_text()
    assert "Six by seven" in page
    assert "42" in page
