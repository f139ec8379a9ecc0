"""Commands that are killed and started again end as if never killed; see `kill`."""

import pytest
from kill import COMMANDS, Killer


@pytest.mark.parametrize(
    ("what", "num_kills"),
    [
        ("train", 3),
        *[pytest.param(what, 25, marks=pytest.mark.slow) for what in COMMANDS if what != "quick"],
        pytest.param("quick", 25, marks=[pytest.mark.slow, pytest.mark.network]),
    ],
)
def test_kills_leave_no_trace(tmp_path, what, num_kills):
    tester = Killer(what, tmp_path)
    tester.run(num_kills)
    assert tester.num_kills == num_kills
    assert tester.num_ends
