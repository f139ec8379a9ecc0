"""The demonstration of the theorem: what it claims, and the command line."""

import functools

import numpy as np
import pytest
from commands import assert_one_clear_sentence, run_command

from trainers import delta_fit

run = functools.partial(run_command, "theorem")


@pytest.fixture(scope="module")
def adjacencies():
    return delta_fit.random_adjacencies(40, 6, seed=1)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_a_gcn_of_any_depth_stays_away_from_the_target(adjacencies, depth):
    assert delta_fit.fit(delta_fit.gcn_layers(depth, 6), adjacencies, 400, seed=0)[-1] > 0.3


def test_mixhop_fits_the_target_and_the_seed_decides(adjacencies):
    first, again = (
        delta_fit.fit(delta_fit.mixhop_layers(6), adjacencies, 400, seed=0) for _ in range(2)
    )
    assert first[-1] < 0.02
    assert first[0] > 0.5
    np.testing.assert_allclose(first, again, rtol=0.05)


def test_the_command_line_prints_errors_and_draws_them(tmp_path):
    answer = run("--steps", 20, "--graphs", 3, "--depths", "1,2", "--out", "t", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ""
    lines = answer.stdout.splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:5]] == [
        "MixHop",
        "GCN, depth 1",
        "GCN, depth 2",
    ]
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")
    assert "GCN, depth 2" in (tmp_path / "t.svg").read_text()


def test_depths_that_are_none_are_refused(tmp_path):
    answer = run("--depths", "0", cwd=tmp_path)
    assert_one_clear_sentence(answer, "--depths takes positive whole numbers, not '0'")
