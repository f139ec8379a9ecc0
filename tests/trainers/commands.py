"""Command lines, run as a user would."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_command(module, *arguments, cwd=ROOT, **environment):
    return subprocess.run(
        [sys.executable, "-m", f"trainers.{module}", *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
    )


def assert_one_clear_sentence(answer, *parts):
    assert answer.returncode != 0
    assert "Traceback" not in answer.stderr
    complaint = answer.stderr.strip().splitlines()[-1]
    assert complaint.startswith("error: ")
    for part in parts:
        assert part in complaint
