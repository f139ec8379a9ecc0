"""The command that repeats a choice can be given as it is printed."""

import dataclasses
import math
import shlex

import pytest
from absl import flags

from mixhop_tf import AdjacencySpec, GraphData, Settings
from mixhop_tf.training.auto import Choice, Score, candidates
from trainers.cli import auto_request, model_flags, train_request
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
    chosen = candidates(2, settings)[1]
    chosen = dataclasses.replace(chosen, shape=chosen.shape._replace(dropout=0.8))
    flags.FLAGS(["train", *arguments])
    choice = Choice(candidate=chosen, scores={"own": Score(0.9, -0.1, 0.0)}, num_rounds=2)
    preset = presets.preset("general", "town")
    text = auto_request.lines(choice, arguments, preset)
    assert "auto: own is best by validation pr auc, the mean of 2 splits: own 0.900" in text
    words = shlex.split(text.split("python -m ")[1])
    flags.FLAGS.unparse_flags()
    assert flags.FLAGS(words) == ["trainers.train"]  # nothing is left over
    values = flags.FLAGS
    assert (values.preset, values.architecture) == ("general", chosen.shape.notation)
    assert (values.input_dropout, values.hidden_dropout) == (0.8, 0.8)
    assert values.calibrate is True
    assert values.l2 == chosen.settings.l2
    assert values.dataset == ("my town" if arguments else "cora")


@pytest.mark.usefixtures("_flags")
@pytest.mark.parametrize("arguments", [["--direction", "both"], ["--direction=both"]])
@pytest.mark.parametrize(
    ("name", "direction", "widths", "jumping", "normalization", "rate"),
    [
        ("dropout", "undirected", None, None, None, 0.01),
        ("deep", "both", ["60", "60"], True, None, 0.01),
        ("sums", "both", ["60", "60"], True, "none", 0.03),
    ],
)
def test_the_command_has_the_shape_of_the_choice(
    arguments, name, direction, widths, jumping, normalization, rate
):
    tried = candidates(2, adjacency=AdjacencySpec(direction="both"))
    chosen = next(each for each in tried if each.name == name)
    flags.FLAGS(["train", *arguments])
    choice = Choice(candidate=chosen, scores={chosen.name: Score(0.9, -0.1, 0.0)}, num_rounds=1)
    text = auto_request.lines(choice, arguments, presets.preset("general", "town"))
    words = shlex.split(text.split("python -m ")[1])
    assert sum("direction" in word for word in words) == 1
    flags.FLAGS.unparse_flags()
    flags.FLAGS(words)
    values = flags.FLAGS
    assert (values.direction, values.hidden_dims, values.jumping) == (direction, widths, jumping)
    assert values.normalization == normalization
    assert (values.learning_rate or 0.01) == pytest.approx(rate)
    assert values.hidden_dropout == 0.8


@pytest.mark.usefixtures("_flags")
@pytest.mark.parametrize(
    ("arguments", "normalization"),
    [
        ([], "none"),
        (["--normalization", "row"], "row"),
        (["--normalization=symmetric"], "symmetric"),
    ],
)
def test_a_normalization_that_was_asked_for_stays(arguments, normalization):
    flags.FLAGS(["train", "--direction", "both", *arguments])
    links = [(0, 1), (1, 2), (2, 3)]
    graph = GraphData(edges=links, labels=[0, 1, 0, 1], train=[0, 1], val=[2, 3], directed=True)
    request, preset = model_flags.architecture_request(), presets.preset("general", "town")
    tried = {x.name: x for x in auto_request.candidates(request, "town", graph, preset)}
    adjacency = tried["sums"].architecture.adjacency
    assert (adjacency.direction, adjacency.normalization) == ("both", normalization)
    usual = tried["deep"].architecture.adjacency.normalization
    assert usual == (normalization if arguments else "symmetric")


def test_a_candidate_that_diverged_is_called_so():
    assert auto_request._shown(-math.inf) == "diverged"
    assert auto_request._shown(-0.25) == "0.250"
