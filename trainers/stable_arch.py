"""Learns an architecture that does not depend on the seed, and compares it with the default one.

python -m trainers.stable_arch --dataset cora                      60 columns in the hidden layer
python -m trainers.stable_arch --dataset cora --budget columns=20  a compact network
python -m trainers.stable_arch --dataset cora --budget smallest    the smallest that is good enough
python -m trainers.stable_arch --dataset my/folder                 the same for your own graph

Many narrow networks are trained on different deals of the labelled nodes while a group lasso grows.
The columns that survive longest decide how many columns each power gets. Then the learned and the
default architecture are compared on further deals. The answer may be that nothing is better than
the default. Test labels are not used.

The output folder holds architecture.json, a picture of the path, and all results. If the command is
interrupted, run it again: it continues where it stopped.
"""

from __future__ import annotations

from trainers.cli import app
from trainers.cli.lines import graph_line
from trainers.cli.stable_lines import choice_lines, scores_table, shares_table
from trainers.cli.stable_request import StableRequest, define_flags
from trainers.runs.stable_folder import StableFolder
from trainers.runs.stable_run import learn
from trainers.sweeps import records


def main() -> None:
    """Learns a stable architecture, as the flags say."""
    request = StableRequest.from_flags()
    print(graph_line(request.graph), flush=True)
    with records.exclusive(request.folder):
        learned = learn(
            StableFolder(request.folder, request.content),
            request.graph,
            request.settings,
            request.stability,
            request.sizes,
            seed=request.seed,
            scaling=request.data.scaling_of(request.graph),
        )
    for columns in request.sizes:
        print(f"\n{columns} columns\n{shares_table(learned, columns)}")
    print(f"\n{scores_table(learned)}\n")
    print("\n".join(choice_lines(learned, request.data, request.folder)))


if __name__ == "__main__":
    app.run(main, define_flags)
