"""Learns how many columns each power of the adjacency needs, and trains the result.

python -m trainers.learn_arch --dataset cora                   the five stages of the paper
python -m trainers.learn_arch --dataset my/folder              the same for your own graph
python -m trainers.learn_arch --dataset cora --lasso auto      tries several lasso coefficients
python -m trainers.learn_arch --dataset cora --budget columns=30,14 --width 100

The five stages:
  1. Build a wide network.
  2. Train it with a group lasso.
  3. Measure the importance of each column at the step with the best validation accuracy.
  4. Remove the least important columns.
  5. Train the remaining network again, with the settings of a preset.

The output folder holds architecture.json and norms.npz with their pictures, a record of each stage,
and the trained model as model.keras and saved_model/. If the command is interrupted, run it again:
it continues at the stage where it stopped.
"""

from __future__ import annotations

import mixhop_tf
from trainers.cli import app, group_flags
from trainers.cli.learn_lines import Printer, coefficients_table
from trainers.cli.learn_request import LearnRequest, define_flags
from trainers.cli.lines import graph_line, print_verdict
from trainers.runs.learn_store import LearnStore


def main() -> None:
    """Learns an architecture, as the flags say."""
    if group_flags.start_workers("trainers.learn_arch"):
        return
    request = LearnRequest.from_flags()
    with request.opened():
        print(graph_line(request.graph), flush=True)
        learned = mixhop_tf.learn_architecture(
            request.graph,
            request.settings,
            seed=request.seed,
            scaling=request.data.scaling_of(request.graph),
            store=LearnStore(request.folder, request.graph, request.data, request.seed),
            observer=Printer(request.settings, request.graph.num_classes),
            group=request.group,
        )
        request.write(learned)
    if len(learned.candidates) > 1:
        print(coefficients_table(learned))
    if request.writes:
        print_verdict(request.folder, request.data)
    print(f"wrote {request.folder}")


if __name__ == "__main__":
    app.run(main, define_flags)
