"""Command lines, run as a user would."""

import functools
from pathlib import Path

from fork_server import run_module

ROOT = Path(__file__).parents[2]


def run_command(module, *arguments, cwd=ROOT, pictures=None, **environment):
    words = without_search(module, [str(each) for each in arguments])
    environment = {"PYTHONPATH": str(ROOT)} | environment
    return run_module(
        [f"trainers.{module}", *words], cwd=cwd, environment=environment, pictures=pictures
    )


# For tests that look at no picture: each figure is still drawn, but written to one file, not three.
run_with_fewer_pictures = functools.partial(run_command, pictures=["svg"])


def without_search(module, words):
    """Adds the preset `general` where training would search for settings, which takes long."""
    chosen = {"--preset", "--search", "--model", "--help", "--shared_first_kernel"} & set(words)
    own = "--dataset" in words and "/" in words[words.index("--dataset") + 1 :][:1][0]
    return [*words, "--preset", "general"] if module == "train" and own and not chosen else words


def assert_one_clear_sentence(answer, *parts):
    assert answer.returncode != 0
    assert "Traceback" not in answer.stderr
    complaint = answer.stderr.strip().splitlines()[-1]
    assert complaint.startswith("error: ")
    for part in parts:
        assert part in complaint
