"""Settings that the pages name in words are those of the code."""

import inspect
import re

import pytest
from markdown_blocks import ROOT

from datasets import splits
from mixhop_tf import Budget, Checkpoint, LearnSettings
from trainers import __main__ as trainers_main
from trainers.paper import learn_settings, plan, series
from trainers.paper.presets import PRESET_HELP

PHRASES = [
    ("README.md", "the best half of 100 runs", plan.RUNS == 100),
    ("docs/training.md", "trains from 100 seeds", plan.RUNS == 100),
    ("docs/training.md", "60, 20 and 20 % of each class", splits.TRAIN_SHARE == 0.6),
    ("docs/formats.md", "20 % validate and 20 % test", splits.VAL_SHARE == 0.2),
    (
        "docs/training.md",
        "saves its state every minute",
        inspect.signature(Checkpoint).parameters["every"].default == 60,
    ),
    (
        "docs/architecture-learning.md",
        "`baseline` (60 columns in each hidden layer)",
        Budget.parse("baseline", 1).columns == (60,),
    ),
    ("docs/architecture-learning.md", "over five searches", learn_settings.STUDY_SEEDS == 5),
    ("docs/architecture-learning.md", "powers 0, 1 and 2", LearnSettings().powers == (0, 1, 2)),
    ("docs/learned-with-more-labels.md", "100 labels instead of 20", splits.PER_CLASS == 100),
    ("docs/homophily.md", "ten graphs for each level", series.NUM_GRAPHS == 10),
    ("docs/reproduction.md", "the best half of 100 runs", plan.RUNS == 100),
    ("docs/baselines.md", "and ten others", len(plan.FULL.further_splits) == 10),
]


def read(name):
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(("page", "phrase", "true"), PHRASES)
def test_a_setting_in_words_is_that_of_the_code(page, phrase, true):
    assert phrase in read(page)
    assert true


def test_python_versions_are_those_that_the_script_accepts():
    script = (ROOT / "run_all.sh").read_text(encoding="utf-8")
    (versions,) = set(re.findall(r"Python (3\.\d+, 3\.\d+ or 3\.\d+) is needed", script))
    assert f"Python {versions}" in read("README.md")


def test_the_readme_lists_every_command():
    listed = set(re.findall(r"`python -m trainers\.(\w+)` \|", read("README.md")))
    assert listed == set(trainers_main.commands())


def test_the_presets_of_mixhop_are_listed():
    listed = set(re.findall(r"^\| `([\w-]+)` \|", (ROOT / "docs/training.md").read_text(), re.M))
    assert set(PRESET_HELP) - {"own", "equal"} <= listed


def test_versions_agree():
    version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(r"^## \[(.+)\] - (\d{4}-\d\d-\d\d)$", changelog, re.MULTILINE)
    assert first
    assert first[1] == version
