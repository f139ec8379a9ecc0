"""Which worker a process is, from the environment."""

import json

import pytest

from mixhop_tf.distributed.place import Place
from mixhop_tf.errors import WorkerError


def config(cluster, **task):
    return {"TF_CONFIG": json.dumps({"cluster": cluster, "task": task})}


def test_a_chief_of_its_own_job_comes_first():
    cluster = {"chief": ["a:1"], "worker": ["b:1", "c:1"]}
    assert Place.of(config(cluster, type="worker", index=1)) == Place(("a:1", "b:1", "c:1"), 2)
    assert Place.of(config(cluster, type="chief", index=0)).rank == 0


@pytest.mark.parametrize(
    "environment",
    [
        {"TF_CONFIG": "no JSON"},
        {"TF_CONFIG": "[]"},
        {"TF_CONFIG": "null"},
        config({"worker": ["a:1"]}),
        config({"worker": ["a:1"]}, index="x"),
        config({"worker": ["a:1"]}, index=1),
        config({"worker": ["a:1"]}, index=-1),
        config({"worker": ["a"]}, index=0),
        config({"worker": ["a:99999"]}, index=0),
        config({"worker": ["a:1", "a:1"]}, index=0),
        config({"worker": "a:1"}, index=0),
        config({"worker": [7]}, index=0),
        config({"worker": ["a:1"], "ps": ["b:1"]}, index=0),
        config({"worker": ["a:1"]}, type="evaluator", index=0),
    ],
)
def test_a_broken_tf_config_gets_one_sentence(environment):
    with pytest.raises(WorkerError, match="TF_CONFIG does not describe a cluster of workers"):
        Place.of(environment)


def test_without_any_variable_the_message_names_both_ways():
    with pytest.raises(WorkerError, match="set TF_CONFIG, or start the workers with Slurm's srun"):
        Place.of({})


def test_the_variables_of_slurm(monkeypatch):
    variables = {
        "SLURM_JOB_ID": "12",
        "SLURM_PROCID": "2",
        "SLURM_STEP_NODELIST": "node[01-02]",
        "SLURM_STEP_NUM_TASKS": "3",
        "SLURM_STEP_TASKS_PER_NODE": "2,1",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    place = Place.of(variables)
    assert place.addresses == ("node01:20192", "node01:20193", "node02:20192")
    assert place.rank == 2
