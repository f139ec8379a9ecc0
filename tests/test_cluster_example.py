"""The try-out of a cluster: two nodes, a sweep, and a node that is killed meanwhile."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SMALL = ("--preset", "general", "--hidden_dims", "12", "--max_steps", "40", "--patience", "40")


@pytest.mark.ray
def test_a_killed_node_leaves_no_trace_in_the_records(tmp_path):
    answer = subprocess.run(
        [sys.executable, ROOT / "examples" / "cluster.py", "--runs", "4", *SMALL],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert answer.stdout.splitlines()[-1] == "all is well: 4 records are equal"
