"""The demonstration of the theorem: what it claims, and the command line."""

import functools

import numpy as np
import pytest
import tensorflow as tf
from commands import assert_one_clear_sentence, run_command

from trainers.paper import delta_fit, delta_record

run = functools.partial(run_command, "theorem")


@pytest.fixture(scope="module")
def adjacency():
    return delta_fit.random_graphs(40, 6, seed=1)


def test_the_graphs_stand_side_by_side(adjacency):
    dense = tf.sparse.to_dense(adjacency).numpy()
    assert dense.shape == (240, 240)
    outside = np.kron(np.eye(40), np.ones((6, 6))) == 0
    assert not dense[outside].any()
    blocks = [dense[i : i + 6, i : i + 6] for i in range(0, 240, 6)]
    assert len({block.tobytes() for block in blocks}) > 30


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_a_gcn_of_any_depth_stays_away_from_the_target(adjacency, depth):
    assert delta_fit.fit(delta_fit.gcn_layers(depth, 6), adjacency, 6, 400, seed=0)[-1] > 0.3


def test_mixhop_fits_the_target_and_the_seed_decides(adjacency):
    first, again = (
        delta_fit.fit(delta_fit.mixhop_layers(6), adjacency, 6, 400, seed=0) for _ in range(2)
    )
    assert first[-1] < 0.02
    assert first[0] > 0.5
    np.testing.assert_array_equal(first, again)


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
    record = delta_record.read(tmp_path / "results/records/theorem.json")
    assert (record.num_graphs, record.num_nodes, record.seed) == (3, 6, 0)
    assert [len(errors) for errors in record.errors.values()] == [20] * 3
    assert [f"{error:.4f}" for error in record.final.values()] == [
        line.split("|")[2].strip() for line in lines[2:5]
    ]


def test_depths_that_are_none_are_refused(tmp_path):
    answer = run("--depths", "0", cwd=tmp_path)
    assert_one_clear_sentence(answer, "--depths takes positive whole numbers. Received: 0")
