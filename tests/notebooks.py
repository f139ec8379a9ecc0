"""Runs the notebooks of `examples/` and writes their outputs back.

python -m tests.notebooks                     all of them
python -m tests.notebooks own_graph.ipynb     one of them

Only what a reader needs is kept: no times, and ids that do not change.
"""

import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def executed(path):
    """The notebook, run from top to bottom in its own folder."""
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(path.parent)}}
    nbclient.NotebookClient(
        notebook, timeout=600, resources=resources, record_timing=False, coalesce_streams=True
    ).execute()
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def main(names):
    """Runs these notebooks, or all."""
    import nbformat

    for path in [EXAMPLES / name for name in names] or sorted(EXAMPLES.glob("*.ipynb")):
        nbformat.write(executed(path), path)
        print(f"wrote {path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
