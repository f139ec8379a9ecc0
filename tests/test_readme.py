"""What the README shows is what the code does."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def python_blocks():
    return re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.network
def test_the_first_example_trains_exports_and_is_served_by_the_second(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, second = python_blocks()[:2]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(first, {})
        exec(second, {})
    lines = printed.getvalue().splitlines()
    assert "\n".join(lines[:3]) in README
    assert float(lines[3]) == pytest.approx(0.812, abs=0.02)
    assert lines[4] == "(3, 7)"


def test_the_table_of_speed_is_the_one_that_was_measured():
    assert (ROOT / "results/benchmarks/step.md").read_text(encoding="utf-8").strip() in README
