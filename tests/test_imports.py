"""Checks the contracts in pyproject.toml, which say which package may import which."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def lint(root):
    return subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", "--config", "pyproject.toml"],
        cwd=root,
        capture_output=True,
        text=True,
    )


def test_the_contracts_of_who_imports_whom_are_kept():
    answer = lint(ROOT)
    assert answer.returncode == 0, answer.stdout
    assert "4 kept, 0 broken" in answer.stdout
