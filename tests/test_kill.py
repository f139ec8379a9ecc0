"""Commands that are killed and started again end as if never killed; see `kill`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from kill import COMMANDS

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("what", "num_kills"),
    [
        ("train", 3),
        *[pytest.param(what, 25, marks=pytest.mark.slow) for what in COMMANDS if what != "quick"],
        pytest.param("quick", 25, marks=[pytest.mark.slow, pytest.mark.network]),
    ],
)
def test_kills_leave_no_trace(what, num_kills):
    """In another process, which imports TensorFlow once and forks for every start."""
    answer = subprocess.run(
        [sys.executable, "-m", "tests.kill", "--what", what, "--kills", str(num_kills)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    last = answer.stdout.splitlines()[-1]
    found = re.match(rf"{what}: (\d+) kills, .*; (\d+) times to the end", last)
    assert found, last
    assert int(found[1]) == num_kills
    assert int(found[2]) >= 1
