"""Learns which powers of the adjacency deserve how many columns, then trains what it found.

python -m trainers.learn_arch --dataset cora                   the five stages of the paper
python -m trainers.learn_arch --dataset my/folder              the same for your own graph
python -m trainers.learn_arch --dataset cora --lasso auto      tries several lasso coefficients
python -m trainers.learn_arch --dataset cora --budget columns=30,14 --width 100

1 a wide network; 2 trained under a group lasso; 3 the importance of each column measured at the
peak of validation accuracy; 4 what matters least removed; 5 the rest trained again with plain L2,
or on a random split with the settings that were tuned for it.
The folder holds architecture.json and its picture, norms.npz and their picture, a record of each
stage, and the trained model as model.keras and saved_model/. If the command is killed, give it
again: it goes on at the stage it was in.
"""

from __future__ import annotations

import mixhop_tf
from trainers.cli import app
from trainers.cli.learn_lines import Printer, coefficients_table
from trainers.cli.learn_request import LearnRequest, define_flags
from trainers.cli.lines import graph_line
from trainers.runs import learn_folder
from trainers.runs.learn_store import LearnStore
from trainers.sweeps import records


def main() -> None:
    """Learns what the flags ask for."""
    request = LearnRequest.from_flags()
    with records.exclusive(request.folder):
        learn_folder.open_folder(request.folder, request.content)
        print(graph_line(request.graph), flush=True)
        learned = mixhop_tf.learn_architecture(
            request.graph,
            request.settings,
            seed=request.seed,
            scaling=request.data.scaling_of(request.graph),
            store=LearnStore(request.folder, request.graph, request.data, request.seed),
            observer=Printer(request.settings, request.graph.num_classes),
        )
        learn_folder.write(request.folder, learned, request.settings, request.data, request.export)
    if len(learned.candidates) > 1:
        print(coefficients_table(learned))
    print(f"wrote {request.folder}")


if __name__ == "__main__":
    app.run(main, define_flags)
