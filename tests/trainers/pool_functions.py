"""Functions for the workers of the tests, in their own module because workers import it."""

import atexit
import os
import signal
import sys
import time


def square(task):
    return task * task


def die_at_three(task):
    if task == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def exit_at_three(task):
    if task == 3:
        os._exit(7)
    return task


def process_id(task):
    time.sleep(0.1)
    return os.getpid()


def sleep(task):
    time.sleep(task)
    return task


def announce_and_sleep(task):
    os.write(sys.stdout.fileno(), f"{os.getpid()}\n".encode())  # at once: two processes write
    time.sleep(task)


def touch_at_exit(path):
    atexit.register(path.touch)


def die_once(path):
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path
