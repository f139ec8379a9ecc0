"""Tries a Ray cluster on this machine: two nodes, a sweep, and a node that is killed meanwhile.

    python examples/cluster.py              a sweep over a small generated graph
    python examples/cluster.py --runs 100 --dataset cora

Both nodes listen on the loopback interface alone and share a token of their own. The sweep runs on
both. As soon as it has a record, one node is killed (SIGKILL), with all of its processes. Ray makes
the interrupted run again on the other node. The same sweep then runs without Ray, and the records
are compared: they may differ in the seconds and in the hardware alone.
"""

import argparse
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What may differ between two runs of the same seed: times, and the checksum of the line.
VARYING = ("seconds", "hardware", "crc")


class Node:
    """A node of a cluster: the process that starts Ray, and all that it starts."""

    def __init__(self, options, environment):
        command = [sys.executable, "-c", "from ray.scripts.scripts import main; main()", "start"]
        self._process = subprocess.Popen(
            [*command, "--block", "--disable-usage-stats", *options],
            env=environment,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def processes(self):
        """The process ids of all processes of this node, its workers included."""
        parents = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                    parents.setdefault(int(fields[1]), []).append(int(entry.name))
        found = [self._process.pid]
        for process in found:
            found.extend(parents.get(process, []))
        return found

    def workers(self):
        """The process ids of the workers."""
        names = ("ray::IDLE", "ray::call")  # the other names belong to Ray's own agents
        return [pid for pid in self.processes() if _command_of(pid).startswith(names)]

    def kill(self):
        """Kills all processes of the node at once, as if its machine lost power."""
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait()


class Cluster:
    """Nodes on the loopback interface, each with one processor; they end with the `with` block."""

    def __init__(self, num_nodes=2):
        self.folder = tempfile.mkdtemp(prefix="ray")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{probe.getsockname()[1]}"
        self.environment = os.environ | {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # loopback only
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        }
        port = self.address.rpartition(":")[2]
        head = ("--head", "--port", port, "--include-dashboard=False", "--temp-dir", self.folder)
        self.nodes = [self._node(*head)]
        self._wait_for_head()
        for _ in range(num_nodes - 1):
            self.add()

    def _node(self, *options):
        memory = ("--object-store-memory", str(100 * 2**20))
        return Node([*options, "--num-cpus", "1", *memory], self.environment)

    def _wait_for_head(self):
        host, _, port = self.address.rpartition(":")
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection((host, int(port)), 1):
                return
            time.sleep(0.2)
        raise TimeoutError(f"no Ray at {self.address}")

    def add(self):
        """Adds a node."""
        self.nodes.append(self._node("--address", self.address))
        return self.nodes[-1]

    def kill(self, node):
        """Kills a node and forgets it."""
        self.nodes.remove(node)
        node.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        while self.nodes:
            self.kill(self.nodes[-1])
        subprocess.run(["rm", "-rf", "--", self.folder], check=False)  # noqa: S607


def records(folder):
    """The records in a folder, without what may differ."""
    found = []
    for path in sorted(Path(folder).rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            found.append({key: value for key, value in record.items() if key not in VARYING})
    return found


def _command_of(process):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    return ""


def _sweep(arguments, out, environment=None):
    command = [sys.executable, "-m", "trainers.train", *arguments, "--out", str(out)]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


def _small_graph(folder):
    sys.path.insert(0, str(ROOT))
    import datasets

    path = Path(folder) / "small.npz"
    datasets.generate(0.2, num_nodes=150, num_classes=6, edges_per_node=3, seed=0).save(path)
    return str(path)


def main():
    """Makes the cluster, runs the sweep twice, and compares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--dataset", help="a graph; by default a small one is generated")
    values, further = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder, Cluster() as cluster:
        out = Path(folder)
        dataset = values.dataset or _small_graph(folder)
        arguments = ["--dataset", dataset, "--runs", str(values.runs), "--nosave_model", *further]
        print(f"two nodes on {cluster.address}; a sweep of {values.runs} runs starts", flush=True)
        ray = ["--engine", "ray", "--address", cluster.address]
        process = _sweep([*arguments, *ray], out / "ray", cluster.environment)
        while process.poll() is None and not records(out / "ray"):
            time.sleep(0.1)
        cluster.kill(cluster.nodes[-1])
        print(f"a node was killed after {len(records(out / 'ray'))} records", flush=True)
        if process.wait() != 0:
            sys.exit("error: the sweep failed")
        print("the sweep has ended; now the same without Ray", flush=True)
        if _sweep([*arguments, "--workers", "1"], out / "pool").wait() != 0:
            sys.exit("error: the sweep without Ray failed")
        ours, theirs = records(out / "ray"), records(out / "pool")
        if ours != theirs or len(ours) != values.runs:
            sys.exit(f"error: the records differ; there are {len(ours)} and {len(theirs)}")
        print(f"all is well: {len(ours)} records are equal")


if __name__ == "__main__":
    main()
