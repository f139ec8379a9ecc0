"""Trains MixHop or a baseline on a graph, and saves the model and its record.

python -m trainers.train --dataset cora                one run: accuracies, curve, model
python -m trainers.train --dataset cora --runs 100     the paper's protocol: 100 seeds, best half
python -m trainers.train --dataset my/folder           your own graph
python -m trainers.train --dataset cora --model gat    a baseline: mlp, gcn, chebyshev, gat, ngcn
python -m trainers.train --dataset pubmed --architecture 0:30:3,1:30:6 --l2 1e-3 --out runs/mine

python -m trainers.train --dataset cora --workers 2    one run, made by two processes together

A single run prints the metrics of the test nodes. It writes config.json, record.json, curve.csv and
metrics.json with their pictures, model.keras, and saved_model/ for serving. Several runs write
records.jsonl, summary.json and a picture of the runs; the best run by validation accuracy, or by
the metric of --select_by, is in best/. If the command is interrupted, run it again: it continues
where it stopped.
"""

from __future__ import annotations

import sys

from absl import flags

from trainers.cli import app, auto_request, group_flags
from trainers.cli.lines import graph_line, print_verdict
from trainers.cli.train_request import TrainRequest, define_flags
from trainers.runs.training import accuracies, train_many, train_once
from trainers.sweeps import protocol


def main() -> None:
    """Trains a model, as the flags say."""
    if flags.FLAGS.runs == 1 and group_flags.start_workers("trainers.train"):
        return
    request = TrainRequest.from_flags()
    if request.candidates:
        print(graph_line(request.graph), flush=True)
        request, choice = request.searched()
        print(auto_request.lines(choice, sys.argv[1:], request.preset))
    if request.writes:
        request.open_folder()
    print(request, flush=True)
    if request.single:
        seed = request.seeds[0]
        run = train_once(
            request.graph, request.config, request.folder, seed, request.export, request.group
        )
        print(f"{accuracies(run)} of {run.num_steps} ({run.seconds:.1f} s)")
        if request.writes:
            print_verdict(request.folder, request.config.data)
    else:
        summary, best = train_many(
            request.graph,
            request.cell,
            request.folder,
            request.seeds,
            request.export,
            request.workers,
            request.engine,
        )
        print(summary)
        metric = request.config.settings.select_by.replace("_", " ")
        print(f"best/ holds the best run by validation {metric} (seed {best})")
        print_verdict(request.folder / "best", request.config.data)
        protocol.check_all_done(request.cell.records(request.seeds))
    print(f"wrote {request.folder}")


if __name__ == "__main__":
    app.run(main, define_flags)
