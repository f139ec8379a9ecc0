"""`python -m trainers.train` on a terminal, interrupted, killed."""

import contextlib
import fcntl
import functools
import os
import pty
import random
import re
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest
from commands import ROOT, assert_one_clear_sentence, run_command

from trainers.sweeps import records

run = functools.partial(run_command, "train")
FAST = ("--max_steps", "15", "--hidden_dims", "12")


TRAIN = (sys.executable, "-m", "trainers.train", "--preset", "general")


def test_ctrl_c_ends_in_a_line(small_file, tmp_path):
    hearing = (  # a job in the background of a script is started deaf to SIGINT
        "import runpy, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "runpy.run_module('trainers.train', run_name='__main__', alter_sys=True)"
    )
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", hearing, "--dataset", small_file),
            *("--max_steps", "100000", "--patience", "100000", "--out", "o"),
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert "nodes" in process.stdout.readline()  # training begins
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert errors == "interrupted; finished work is kept\n"


def test_when_every_run_fails_the_command_does_too(small_file, tmp_path):
    answer = run(
        *("--dataset", small_file, *FAST, "--runs", 2, "--learning_rate", 1e30, "--out", "bad"),
        cwd=tmp_path,
    )
    assert_one_clear_sentence(answer, "2 of 2 runs failed; the first, seed 0: The loss is")
    statuses = [record["status"] for record in records.read(tmp_path / "bad" / "records.jsonl")]
    assert statuses == [records.DIVERGED] * 2


def test_on_a_terminal_a_bar_shows_steps_and_time_left(small_file, tmp_path):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 40, 110, 0, 0))
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "trainers.train", "--dataset", small_file),
            *("--max_steps", "400", "--nosave_model", "--preset", "general"),
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal is an error
        while part := os.read(ours, 65536):
            shown += part
    assert process.wait() == 0
    frames = shown.decode().split("\r")
    pattern = r" *\d+%\|.*\| \d+/\d+ \[\d\d:\d\d<\d\d:\d\d, .*step/s, val .*%, best .*% at \d+\]"
    assert any(re.fullmatch(pattern, frame) for frame in frames), frames


@pytest.mark.slow
def test_fifty_kills_of_real_runs_lose_and_repeat_nothing(small_file, tmp_path):
    """`kill -9` at random moments of a small sweep, its start-up included."""
    dice, counts, seen = random.Random(0), [], {}
    arguments = ("--dataset", small_file, "--max_steps", 150, "--runs", 60, "--nosave_model")

    def timeless(folder):
        found = records.read(tmp_path / folder / "records.jsonl")
        return [record | {"seconds": 0} for record in found]

    assert run(*arguments, "--out", "calm", cwd=tmp_path).returncode == 0
    for _ in range(50):
        process = subprocess.Popen(
            [*TRAIN, *map(str, arguments), "--out", "killed"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
        )
        if dice.random() < 0.4:
            time.sleep(dice.uniform(0.0, 6.0))  # while it starts
        else:
            while len(timeless("killed")) == len(seen) and process.poll() is None:
                time.sleep(0.01)
            time.sleep(dice.uniform(0.0, 0.4))  # while it works
        process.kill()
        process.wait()
        found = {record["seed"]: record for record in timeless("killed")}
        assert {seed: found[seed] for seed in seen} == seen
        seen = found
        counts.append(len(found))
    assert run(*arguments, "--out", "killed", cwd=tmp_path).returncode == 0
    assert timeless("killed") == timeless("calm")
    assert len(set(counts)) > 5  # the kills fell into the work
