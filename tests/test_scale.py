"""What `benchmarks.scale` extrapolates."""

import numpy as np
import pytest

from benchmarks.scale import CostModel, halo_share

ONE = {"gb": 3.0, "cpu": 2.0, "columns": 0}
TWO = {"gb": 2.0, "cpu": 1.5, "columns": 100}


@pytest.fixture
def model():
    """A model of a million nodes."""
    return CostModel.fitted(1_000_000, 0.5, ONE, TWO)


def test_the_model_repeats_the_points_that_it_is_fitted_to(model):
    for workers, point in ((1, ONE), (2, TWO)):
        assert model.gigabytes(workers) == pytest.approx(point["gb"])
        assert model.cpu_seconds(workers) == pytest.approx(point["cpu"])


def test_many_workers_keep_what_every_worker_has_and_receive_everything(model):
    assert model.gigabytes(10**9) == pytest.approx(1.0)
    assert model.gigabytes_received(10**9) == pytest.approx(4 * 100 * 1e6 / 1e9)
    assert model.of(2_000_000).gigabytes(10**9) == pytest.approx(1.5)


def test_at_the_limit_network_and_computation_take_equally_long(model):
    speed = 1e9
    workers = model.workers_worthwhile(speed)
    computing = model.nodes * model.work / workers
    assert model.gigabytes_received(workers) * 1e9 / speed == pytest.approx(computing)


@pytest.mark.parametrize("workers", [2, 8, 40])
def test_the_halo_of_a_random_graph_is_as_simulated(workers):
    num_nodes, degree = 20_000, 20
    rng = np.random.default_rng(0)
    neighbours = rng.integers(num_nodes, size=num_nodes // workers * degree)
    share = len(np.unique(neighbours)) / num_nodes
    assert halo_share(degree, workers) == pytest.approx(share, abs=0.01)
