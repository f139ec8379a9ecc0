"""Ray on a busy machine may need several starts; a cluster that refuses is asked once."""

import sys
import types

import pytest

from trainers.sweeps import ray_cluster
from trainers.sweeps.errors import RunError

_VARIABLES = (
    "RAY_task_oom_retries",
    "RAY_USAGE_STATS_ENABLED",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER",
    "RAY_gcs_server_port_wait_time_s",
)


@pytest.fixture
def ray(monkeypatch):
    """A module `ray` whose first starts fail; it counts them."""
    module = types.ModuleType("ray")
    module.starts, module.ends, module.failing = 0, 0, 0

    def init(**_options):
        module.starts += 1
        if module.starts <= module.failing:
            raise RuntimeError("The current node timed out during startup.")

    def shutdown():
        module.ends += 1

    module.init, module.shutdown = init, shutdown
    monkeypatch.setitem(sys.modules, "ray", module)
    monkeypatch.setattr(ray_cluster, "installed", lambda: None)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    for name in (*ray_cluster._TOKENS, *_VARIABLES):
        monkeypatch.setenv(name, "kept by this test")
    ray_cluster._connected.cache_clear()
    yield module
    ray_cluster._connected.cache_clear()


def test_a_slow_start_is_tried_again(ray):
    ray.failing = 2
    assert ray_cluster.connect() is ray
    assert (ray.starts, ray.ends) == (3, 2)


def test_a_start_that_always_fails_is_a_sentence(ray):
    ray.failing = 100
    with pytest.raises(RunError, match=r"does not start on this machine \(The current node timed"):
        ray_cluster.connect()
    assert ray.starts == 3


def test_a_cluster_that_refuses_is_asked_once(ray):
    ray.failing = 1
    with pytest.raises(RunError, match="Ray cannot connect to auto"):
        ray_cluster.connect("auto")
    assert ray.starts == 1
