"""The notebooks of `examples/` run from top to bottom, and their outputs are current."""

import json
import re

import pytest

from tests import notebooks

for tool in ("nbclient", "nbformat", "ipykernel", "pandas"):
    pytest.importorskip(tool, reason="the notebooks' tools are in requirements-dev.lock")

PATHS = {path.stem: path for path in notebooks.EXAMPLES.glob("*.ipynb")}
LARGEST = 150_000  # bytes of a notebook with its outputs


def outputs(notebook):
    """What each cell prints or shows, without its numbers: processors differ in the last digits."""
    return [
        [_masked(output) for output in cell["outputs"]]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def _masked(output):
    if output["output_type"] == "stream":
        kind, text = output["name"], output["text"]
    else:
        kind, text = sorted(output["data"]), output["data"]["text/plain"]
    words = re.sub(r"-?\d[\d.,]*(e[-+]\d+)?", "#", "".join(text)).split()
    return kind, [word.strip("[]") for word in words if word.strip("[]")]


def test_numbers_alone_may_differ():
    def stream(text):
        return {"output_type": "stream", "name": "stdout", "text": text}

    assert _masked(stream("test 81.5%, at 1e-08")) == _masked(stream("test 82.3%, at 3e-09"))
    assert _masked(stream("test 81.5%")) != _masked(stream("validation 81.5%"))


@pytest.mark.parametrize("name", ["delta_operators", "own_graph"])
def test_notebook(name):
    check(name)


@pytest.mark.network
def test_notebook_of_cora():
    check("table1_row")


def check(name):
    stored = json.loads(PATHS[name].read_text(encoding="utf-8"))
    fresh = notebooks.executed(PATHS[name])
    assert outputs(fresh) == outputs(stored), f"run python -m tests.notebooks {name}.ipynb"


def test_these_are_all():
    assert sorted(PATHS) == ["delta_operators", "own_graph", "table1_row"]


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_outputs_are_small_and_free_of_messages_and_local_paths(path):
    text = path.read_text(encoding="utf-8")
    assert len(text) < LARGEST
    assert '"stderr"' not in text
    assert not re.search(r"/(tmp|home|root|Users)/", text)
