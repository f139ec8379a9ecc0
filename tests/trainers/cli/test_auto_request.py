"""The command that repeats a choice can be given as it is printed."""

import dataclasses
import shlex

import pytest
from absl import flags

from mixhop_tf import Settings
from mixhop_tf.training.auto import Choice, Score, candidates
from trainers.cli import auto_request, train_request
from trainers.paper import presets


@pytest.fixture
def _flags():
    before = set(flags.FLAGS)
    train_request.define_flags()
    yield
    for name in set(flags.FLAGS) - before:
        delattr(flags.FLAGS, name)
    flags.FLAGS.unparse_flags()


@pytest.mark.usefixtures("_flags")
@pytest.mark.parametrize(
    "arguments", [["--dataset", "my town", "--preset=auto", "--search", "2"], []]
)
def test_the_command_parses_to_the_chosen_settings(arguments):
    settings = Settings(
        select_by="pr_auc", class_weight="balanced", calibrate=True, threshold="auto"
    )
    chosen = dataclasses.replace(candidates(2, settings)[1], dropout=0.8)
    flags.FLAGS(["train", *arguments])
    choice = Choice(candidate=chosen, scores={"own": Score(0.9, -0.1, 0.0)}, num_rounds=2)
    preset = presets.preset("general", "town")
    text = auto_request.lines(choice, arguments, preset)
    assert "auto: own is best by validation pr auc, the mean of 2 splits: own 0.900" in text
    words = shlex.split(text.split("python -m ")[1])
    flags.FLAGS.unparse_flags()
    assert flags.FLAGS(words) == ["trainers.train"]  # nothing is left over
    values = flags.FLAGS
    assert (values.preset, values.architecture) == ("general", chosen.notation)
    assert (values.input_dropout, values.hidden_dropout) == (0.8, 0.8)
    assert values.calibrate is True
    assert values.l2 == chosen.settings.l2
    assert values.dataset == ("my town" if arguments else "cora")
