"""The files that cases start from: a folder a kind, in it a file or a folder an example."""

from __future__ import annotations

from pathlib import Path

Files = dict[str, bytes]
CORPUS = Path(__file__).parent / "corpus"


def examples(kind: str, corpus: Path = CORPUS) -> list[Files]:
    """The examples of a kind, each its files by name, in the order of their names."""
    return [read(path) for path in sorted((corpus / kind).iterdir())]


def read(path: Path) -> Files:
    """A file, or the files in a folder."""
    if path.is_file():
        return {path.name: path.read_bytes()}
    found = sorted(each for each in path.rglob("*") if each.is_file())
    return {str(each.relative_to(path)): each.read_bytes() for each in found}


def write(files: Files, folder: Path) -> None:
    """Puts files into an empty folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
