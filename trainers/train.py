"""Trains MixHop, or a model to compare it with, on a graph and keeps what comes of it.

python -m trainers.train --dataset cora                one run: accuracies, curve, model
python -m trainers.train --dataset cora --runs 100     the paper's protocol: 100 seeds, best half
python -m trainers.train --dataset my/folder           your own graph
python -m trainers.train --dataset cora --model gat    a baseline: mlp, gcn, chebyshev, gat, ngcn
python -m trainers.train --dataset pubmed --architecture 0:30:3,1:30:6 --l2 1e-3 --out runs/mine

A run's folder holds config.json, record.json, curve.csv and its picture, model.keras, and
saved_model/ for serving. The folder of many runs holds records.jsonl, summary.json, their picture,
and the best run by validation accuracy in best/. If the command is killed, give it again: it goes
on where it was.
"""

from __future__ import annotations

from trainers.cli import app
from trainers.cli.train_request import TrainRequest, define_flags
from trainers.runs.training import accuracies, train_many, train_once
from trainers.sweeps import protocol


def main() -> None:
    """Trains what the flags ask for."""
    request = TrainRequest.from_flags()
    request.open_folder()
    print(request, flush=True)
    if request.single:
        seed = request.seeds[0]
        run = train_once(request.graph, request.config, request.folder, seed, request.export)
        print(f"{accuracies(run)} of {run.num_steps} ({run.seconds:.1f} s)")
    else:
        summary, best = train_many(
            request.graph,
            request.cell,
            request.folder,
            request.seeds,
            request.export,
            request.workers,
        )
        print(summary)
        print(f"the best run by validation accuracy, that of seed {best}, is kept in best/")
        protocol.check_all_done(request.cell.records(request.seeds))
    print(f"wrote {request.folder}")


if __name__ == "__main__":
    app.run(main, define_flags)
