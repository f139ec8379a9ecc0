"""The files that cases start from; each kind has a folder with a file or folder per example."""

from __future__ import annotations

from pathlib import Path

Files = dict[str, bytes]
CORPUS = Path(__file__).parent / "corpus"


def examples(kind: str, corpus: Path = CORPUS) -> list[Files]:
    """Reads the examples of a kind, sorted by name; each maps file names to contents."""
    return [read(path) for path in sorted((corpus / kind).iterdir())]


def read(path: Path) -> Files:
    """Reads a file, or all files in a folder."""
    if path.is_file():
        return {path.name: path.read_bytes()}
    found = sorted(each for each in path.rglob("*") if each.is_file())
    return {str(each.relative_to(path)): each.read_bytes() for each in found}


def write(files: Files, folder: Path) -> None:
    """Writes files into an empty folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
