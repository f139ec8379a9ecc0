"""Runs functions in several workers: forks of one process that has imported TensorFlow.

Importing TensorFlow takes most of the time of a short training, and a fork does not need it again.
"""

import importlib
import json
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

HERE = Path(__file__).parent


def run_workers(size, function, *arguments):
    """Calls `function(group, *arguments)` in each worker; returns the results in their order.

    Args:
        size: Number of workers.
        function: A function at the top level of a module in this folder or below it.
        arguments: Arguments that can be pickled.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "arguments").write_bytes(pickle.dumps(arguments))
        names = function.__module__, function.__name__
        places = [str(HERE.parent), *sys.path]
        done = subprocess.run(
            [sys.executable, __file__, str(size), folder, *names],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(places)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return [pickle.loads(Path(folder, str(rank)).read_bytes()) for rank in range(size)]


def free_addresses(count):
    """Finds free ports of this machine."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    addresses = [f"127.0.0.1:{each.getsockname()[1]}" for each in sockets]
    for each in sockets:
        each.close()
    return addresses


def _work(rank, addresses, folder, module, name):
    config = {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": rank}}
    os.environ["TF_CONFIG"] = json.dumps(config)
    from mixhop_tf.distributed.group import Group

    group = Group.join(seconds=60)
    function = getattr(importlib.import_module(module), name)
    result = function(group, *pickle.loads(Path(folder, "arguments").read_bytes()))
    group.barrier()
    Path(folder, str(rank)).write_bytes(pickle.dumps(result))


def _main(size, folder, module, name):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    importlib.import_module("mixhop_tf.pruning.learn")
    addresses, children = free_addresses(size), []
    for rank in range(size):
        child = os.fork()
        if not child:
            try:
                _work(rank, addresses, folder, module, name)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        children.append(child)
    codes = [os.waitpid(child, 0)[1] for child in children]
    sys.exit(int(any(codes)))


if __name__ == "__main__":
    _main(int(sys.argv[1]), *sys.argv[2:])
