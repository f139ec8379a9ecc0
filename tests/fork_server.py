"""Runs `python -m …` in forks of a process that has already imported TensorFlow.

Importing TensorFlow takes most of the time of a short command, and tests run hundreds of them. A
fork begins where a new process would be after its imports: nothing of TensorFlow has started.
"""

import atexit
import contextlib
import functools
import importlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

# What commands import, except their own modules: these would run twice.
_IMPORTED = (
    *("tensorflow", "keras", "sklearn.metrics", "scipy.sparse.linalg", "networkx", "pyarrow.csv"),
    *("matplotlib.figure", "matplotlib.backends.backend_agg", "mixhop_tf.pruning.learn"),
)
# Variables that are read while Python starts or while these modules are imported.
_EARLY = ("PYTHON", "TF_", "OMP_", "CUDA_")


def run_module(words, *, cwd, environment, pictures=None):
    """Runs `python -m words`; like `subprocess.run` with text captured.

    Args:
        words: Name of the module, and arguments.
        cwd: Folder to run in.
        environment: Variables that differ from those of this process.
        pictures: The kinds of files that figures are written to; None for all. Writing every
            figure in three kinds takes most of the time of a short training.
    """
    if any(name.startswith(_EARLY) and name != "PYTHONPATH" for name in environment):
        command = [sys.executable, "-m", *words]
        variables = os.environ | environment
        return subprocess.run(command, cwd=cwd, env=variables, capture_output=True, text=True)
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("out", "err")]
        request = {"words": words, "cwd": str(cwd), "paths": paths, "pictures": pictures}
        code = _ask(request | {"environment": dict(os.environ) | environment})
        printed = [Path(path).read_bytes().decode(errors="replace") for path in paths]
    return subprocess.CompletedProcess(words, code, *printed)


def _ask(request):
    server = _server()
    server.stdin.write(f"{json.dumps(request)}\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())


@functools.cache
def _server():
    """The server of this process; it ends when this process does."""
    server = subprocess.Popen(
        [sys.executable, __file__],
        # The level of messages is that of the commands; TensorFlow reads it when it is imported.
        env=os.environ
        | {"PYTHONPATH": str(Path(__file__).parents[1]), "TF_CPP_MIN_LOG_LEVEL": "3"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    atexit.register(_end, server)
    return server


def _end(server):
    with server:
        server.kill()


def import_modules():
    """Imports what takes long to import; nothing of TensorFlow starts."""
    for name in _IMPORTED:
        importlib.import_module(name)


def _serve():
    import_modules()
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child:
            _run(request)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run(request):
    """Becomes the command; never returns."""
    code = 1
    os.setsid()
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    for number, path in enumerate(request["paths"], start=1):
        with open(path, "wb") as file:
            os.dup2(file.fileno(), number)
    try:
        os.environ.clear()
        os.environ.update(request["environment"])
        os.chdir(request["cwd"])
        sys.argv = request["words"]
        sys.path[:0] = [request["cwd"], *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        if request["pictures"] is not None:
            style = importlib.import_module("trainers.plots.style")
            style.KINDS = tuple(request["pictures"])
        runpy.run_module(request["words"][0], run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        if isinstance(stop.code, str):
            print(stop.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve()
