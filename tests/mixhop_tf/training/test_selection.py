import pytest

from mixhop_tf.training.selection import RULES, Evaluation


def winner(rule, *evaluations):
    return max((Evaluation(*each) for each in evaluations), key=RULES[rule].score).step


@pytest.mark.parametrize(
    ("evaluations", "best"),
    [
        ([(1, 0.70, 0.5), (2, 0.80, 0.9), (3, 0.75, 0.1)], 2),  # accuracy goes first
        ([(1, 0.80, 0.5), (2, 0.80, 0.4), (3, 0.80, 0.6)], 2),  # then the lower loss
        ([(1, 0.80, 0.5), (2, 0.80, 0.5)], 1),  # then the earlier step
    ],
)
def test_strict_goes_by_accuracy_then_loss_then_step(evaluations, best):
    assert winner("strict", *evaluations) == best


def test_strict_is_blind_to_test_accuracy():
    assert winner("strict", (1, 0.8, 0.5, 0.1), (2, 0.8, 0.6, 0.9)) == 1
    assert not RULES["strict"].looks_at_test


def test_original_breaks_ties_by_test_accuracy_and_then_takes_the_later_step():
    assert winner("original", (1, 0.8, 0.5, 0.1), (2, 0.8, 0.6, 0.9), (3, 0.8, 0.4, 0.5)) == 2
    assert winner("original", (1, 0.8, 0.5, 0.9), (2, 0.8, 0.6, 0.9)) == 2
    assert winner("original", (1, 0.81, 0.5, 0.1), (2, 0.8, 0.6, 0.9)) == 1
    assert RULES["original"].looks_at_test
