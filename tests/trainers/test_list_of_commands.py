"""`python -m trainers` lists the commands and runs them."""

import subprocess
import sys
from pathlib import Path

from trainers import __main__ as trainers_main

ROOT = Path(__file__).parents[2]


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "trainers", *arguments], cwd=ROOT, capture_output=True, text=True
    )


def test_every_command_has_a_line():
    answer = run()
    assert answer.returncode == 0, answer.stderr
    lines = answer.stdout.splitlines()[2:]
    names = {path.stem for path in (ROOT / "trainers").glob("*.py")} - {"__init__", "__main__"}
    assert {line.split()[0] for line in lines} == names
    assert all(len(line.split()) > 3 for line in lines)


def test_the_list_needs_no_tensorflow():
    code = "import sys, trainers.__main__ as m; m.main([]); sys.exit('tensorflow' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout


def test_a_mistyped_command_gets_a_sentence_with_the_nearest_name():
    answer = run("trian")
    assert answer.returncode == 1
    assert answer.stderr.strip() == (
        "error: there is no command 'trian'; did you mean train? `python -m trainers` lists them "
        "all."
    )
    assert "did you mean" not in trainers_main.unknown("zzz")


def test_a_command_runs_by_its_name():
    answer = run("train", "--help")
    assert answer.returncode == 0, answer.stderr
    assert "--learning_rate" in answer.stdout
    assert run("trainers.train", "--rnus", "3").stderr.startswith(
        "error: Unknown command line flag"
    )
