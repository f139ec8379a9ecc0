"""Serves a trained model and a graph over HTTP.

python -m trainers.serve --model runs/mine --dataset my/folder --port 8501

The server keeps the graph in memory. It predicts and explains nodes by their ids, takes new nodes
and edges, and answers requests in the form of TensorFlow Serving. It has no authentication and
listens on this machine alone unless --host says otherwise. Ctrl-C stops it after the requests under
way are answered.
"""

from __future__ import annotations

from absl import flags

from mixhop_tf.cores import num_cores
from trainers.cli import app, serve_request, trained_flags
from trainers.sweeps import extras
from trainers.sweeps.tensorflow import start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    trained_flags.define()
    serve_request.define()


def main() -> None:
    """Loads the model and the graph, and serves them until the process is asked to stop."""
    trained_flags.check()
    request = serve_request.resolve(flags.FLAGS)
    extras.require("serve", "fastapi", "prometheus_client", "uvicorn")
    start_tensorflow(num_cores())
    from trainers.serving import server  # needs TensorFlow and the extra

    server.run(trained_flags.load, request)


if __name__ == "__main__":
    app.run(main, define_flags)
