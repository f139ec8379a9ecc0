"""Errors name arguments in the way that the caller chooses."""

import pickle

import pytest

from mixhop_tf import ArgumentError, DivergedError, LassoError, SettingError, SplitError

ERRORS = {
    "setting": SettingError("learning_rate", "must be positive", -1.0),
    "several values": SettingError("powers", "must be distinct whole numbers", (1, 1)),
    "no value": SettingError("features", "must be numbers"),
    "split": SplitError("cora", "val"),
    "diverged": DivergedError(float("inf"), 7, {"learning_rate": 2.0}),
    "lasso": LassoError(0.3, 1, 4, 60, "columns"),
}
each_error = pytest.mark.parametrize("name", ERRORS)


def flag(name):
    return f"--{name}"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("setting", "`learning_rate` must be positive. Received: -1.0"),
        ("several values", "`powers` must be distinct whole numbers. Received: 1,1"),
        ("no value", "`features` must be numbers."),
        ("split", "cora has no val nodes; give it a split that has some."),
        (
            "diverged",
            "The loss is inf after 7 steps: training diverged; lower `learning_rate` (it is 2).",
        ),
        (
            "lasso",
            "The lasso 0.3 is too strong: in layer 1 it leaves 4 columns, but the budget asks for "
            "60; lower `lassos` or choose a smaller `budget`.",
        ),
    ],
)
def test_the_message_names_arguments_and_describe_takes_other_names(name, message):
    error = ERRORS[name]
    assert str(error) == message
    flags = message
    for argument in ("learning_rate", "powers", "features", "lassos", "budget"):
        flags = flags.replace(f"`{argument}`", f"--{argument}")
    assert error.describe(flag) == flags


def test_a_value_that_the_rule_shows_is_not_repeated():
    error = SettingError("width", "must fit (too wide. Received: 9)", 9)
    assert str(error) == "`width` must fit (too wide. Received: 9)."


@pytest.mark.parametrize("value", ["x" * 10**4, tuple(range(10**4)), {"key": "x" * 10**4}])
def test_a_long_value_is_cut(value):
    message = str(SettingError("powers", "must be short", value))
    assert len(message) < 200
    assert message.endswith("…")


def test_before_the_first_step_every_penalty_is_named():
    error = DivergedError(float("nan"), 0, {"l2": 1e38, "lasso": 0.5})
    assert str(error) == (
        "The loss is nan before the first step; lower `l2` (it is 1e+38) or `lasso` (it is 0.5)."
    )


def test_within_a_stage_the_arguments_are_those_of_the_stage():
    error = DivergedError(float("inf"), 7, {"learning_rate": 2.0})
    assert error.within("wide") is error
    assert "lower `wide.learning_rate` (it is 2)." in str(error)
    assert "lower --wide_learning_rate" in error.describe(lambda name: flag(name.replace(".", "_")))


@each_error
def test_an_error_can_be_caught_as_what_python_calls_it(name):
    error = ERRORS[name]
    assert isinstance(error, ArgumentError)
    assert isinstance(error, ArithmeticError if name == "diverged" else ValueError)


@each_error
@pytest.mark.parametrize("stage", [None, "wide"])
def test_an_error_survives_the_way_from_another_process(name, stage):
    error = pickle.loads(pickle.dumps(ERRORS[name]))
    if stage is not None:
        error = pickle.loads(pickle.dumps(error.within(stage)))
    assert type(error) is type(ERRORS[name])
    assert error.stage == stage
    assert error.__dict__ == ERRORS[name].__dict__ | ({"stage": stage} if stage else {})
    if stage is None:
        assert str(error) == str(ERRORS[name])
