"""Records name the properties that change bits, and a summary reports different machines."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from trainers.sweeps import protocol, records
from trainers.sweeps.versions import cpu_kind

ROOT = Path(__file__).parents[3]
KIND = {"cpu": "A avx2", "onednn": True, "intra_op_threads": 1, "tensorflow_build": "cpu"}


def record(seed, **fields):
    numbers = dict.fromkeys(("val_accuracy", "val_loss", "test_accuracy", "seconds"), 0.5)
    return {"key": "k", "seed": seed, "status": records.DONE, **numbers, **fields}


@pytest.mark.parametrize(("setting", "expected"), [("0", False), ("1", True)])
def test_a_machine_says_whether_onednn_is_on(setting, expected):
    script = (
        "import json\n"
        "from trainers.sweeps import tensorflow, versions\n"
        "tensorflow.start_tensorflow(1)\n"
        "print(json.dumps(versions.machine()))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=os.environ | {"TF_ENABLE_ONEDNN_OPTS": setting},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    machine = json.loads(answer.stdout)
    assert set(machine) == set(KIND)
    assert machine["onednn"] == expected
    assert machine["intra_op_threads"] == 1


def test_a_record_has_the_machine_and_its_key_has_not(make_config, small_graph):
    config = make_config()
    run = config.trainer(small_graph).run(0)
    made = records.of_run(config, run)
    assert set(made["machine"]) == set(KIND)
    assert "machine" not in made["config"]
    assert made["key"] == config.key()


@pytest.mark.parametrize(
    ("info", "kind"),
    [
        ("vendor_id\t: AuthenticAMD\nflags\t\t: fpu avx avx2\n", "AuthenticAMD avx2"),
        (
            "vendor_id\t: GenuineIntel\nflags\t\t: avx avx2 avx512f\n",
            "GenuineIntel avx512",
        ),
        ("CPU implementer\t: 0x41\nFeatures\t: fp asimd sve\n", "0x41 sve"),
    ],
)
def test_processors_are_told_apart(info, kind):
    assert cpu_kind(info) == kind
    assert cpu_kind("")  # a system that does not tell


def test_a_summary_says_when_machines_are_mixed():
    old, first = record(0), record(1, machine=KIND)
    other = record(2, machine=KIND | {"onednn": False})
    same = protocol.summarize([old, first, record(3, machine=dict(KIND))])
    assert "machines" not in str(same)
    assert "machines" not in same.to_dict()
    mixed = protocol.summarize([old, first, other])
    line = str(mixed).splitlines()[-1]
    assert line.startswith("the runs come from 2 kinds of machines")
    assert "A avx2, oneDNN off, 1 thread an op, TensorFlow for cpu" in line
    assert len(mixed.to_dict()["machines"]) == 2
    assert str(same) == str(dataclasses.replace(mixed, machines=()))
