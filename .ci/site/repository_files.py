"""MkDocs hook: files outside `docs/` that a page links to become part of the site.

Pages link to them as on GitHub, `../results/README.md` or `../examples/serve.py`. MkDocs then
checks these links like any other. Markdown files and notebooks become pages, and pictures stay as
they are. Programs get the ending `.txt`, so that a browser shows them.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

sys.path.insert(0, str(Path(__file__).parent))  # MkDocs loads a hook by its path alone

from notebook_pages import notebook_markdown

_LINK = re.compile(r"(?P<before>\]\(|(?:src|href)=\")(?P<target>[^()\s#\"]+)")
_FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)
_SHOWN = {".html", ".jpg", ".pdf", ".png", ".svg", ".txt"}


class PageFile(File):
    """A file that MkDocs treats as a Markdown page, whatever its name ends in."""

    def is_documentation_page(self) -> bool:
        """A notebook is a page, too."""
        return True


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the files that pages link to, and those that added pages link to."""
    named = set(_paths(config.nav or []))
    waiting = [(file.src_uri, file.content_string) for file in files.documentation_pages()]
    waiting.append(("", "".join(f"]({path})" for path in named)))
    while waiting:
        page, text = waiting.pop()
        for uri in links(page, text):
            path = Path(config.docs_dir, uri)
            if not uri.startswith("../") or files.get_file_from_path(uri) or not path.is_file():
                continue
            inclusion = InclusionLevel.INCLUDED if uri in named else InclusionLevel.NOT_IN_NAV
            file = _added(config, uri, path, inclusion)
            files.append(file)
            if file.is_documentation_page():
                waiting.append((uri, file.content_string))
    return files


def links(page: str, text: str) -> Iterator[str]:
    """Local files that a page links to, as paths relative to `docs/`; code blocks have none."""
    for match in _LINK.finditer(_FENCE.sub("", text)):
        if _is_local(match["target"]):
            yield _resolved(page, match["target"])


def links_into_docs(page: str, text: str, docs: str) -> str:
    """The text of a page outside `docs/`, in which a link to `docs/x.md` becomes `/x.md`.

    MkDocs takes a link that begins with a slash as relative to `docs/`.
    """

    def replaced(match: re.Match[str]) -> str:
        uri = _resolved(page, match["target"])
        inside = _is_local(match["target"]) and uri.startswith(f"../{docs}/")
        return match["before"] + (uri.removeprefix(f"../{docs}") if inside else match["target"])

    parts = _FENCE.split(text)  # every second part is a code block
    parts[::2] = [_LINK.sub(replaced, part) for part in parts[::2]]
    return "".join(parts)


def _is_local(target: str) -> bool:
    return not re.match(r"[a-z]+:|/", target)


def _resolved(page: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target))


def _paths(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for each in nav.values() if isinstance(nav, dict) else nav:
            yield from _paths(each)


def _added(config: MkDocsConfig, uri: str, path: Path, inclusion: InclusionLevel) -> File:
    target = "repository/" + uri.removeprefix("../")
    if path.suffix not in {".md", ".ipynb"}:
        file = File(uri, config.docs_dir, config.site_dir, False, inclusion=inclusion)
        file.dest_uri = target if path.suffix in _SHOWN else f"{target}.txt"
        return file
    notebook = path.suffix == ".ipynb"
    text = notebook_markdown(path) if notebook else path.read_text(encoding="utf-8")
    file = PageFile(uri, None, config.site_dir, False, inclusion=inclusion)
    file.content_string = links_into_docs(uri, text, Path(config.docs_dir).name)
    file.generated_by = "repository_files"
    file.dest_uri = posixpath.splitext(target)[0] + ".html"
    return file
