"""Functions for the workers of the tests, in their own module because workers import it."""

import atexit
import os
import signal
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
    print(os.getpid(), flush=True)
    time.sleep(task)


def touch_at_exit(path):
    atexit.register(path.touch)
