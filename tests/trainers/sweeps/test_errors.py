import errno

import tensorflow as tf

from datasets import DataError
from mixhop_tf import SettingError
from trainers.sweeps.errors import RunError, explain


def test_what_a_user_can_mend_is_said_in_a_sentence():
    assert explain(DataError("Bad file.")) == "Bad file."
    assert explain(RunError("Bad flag.")) == "Bad flag."
    rate = SettingError("learning_rate", "must be positive", -1.0)
    assert explain(rate) == "`learning_rate` must be positive. Received: -1.0"
    assert explain(rate, "--{}".format) == "--learning_rate must be positive. Received: -1.0"
    assert explain(MemoryError()).startswith("out of memory; close other programs")
    assert explain(OSError(errno.EACCES, "Permission denied", "x")) == "x: Permission denied"
    full = explain(OSError(errno.ENOSPC, "No space left on device", "x"))
    assert full == (
        "x: No space left on device; free some space and run the same command again: finished work "
        "is kept"
    )


def test_tensorflow_runs_out_of_memory_and_of_disk():
    memory = tf.errors.ResourceExhaustedError(None, None, "OOM when allocating tensor")
    disk = tf.errors.ResourceExhaustedError(None, None, "v.index; No space left on device")
    assert explain(memory).startswith("out of memory;")
    assert explain(disk).startswith("No space left on device; free some space")


def test_a_fault_of_the_program_is_not_explained_away():
    assert explain(KeyError("x")) is None
