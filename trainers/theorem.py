"""Shows what the paper proves: MixHop can learn differences of neighbourhoods, and a GCN cannot.

python -m trainers.theorem                         writes the figure results/figures/theorem
python -m trainers.theorem --depths 1,2,3,4,8      GCNs of other depths

The two-hop delta operator is the difference between a node's neighbours and their neighbours. A
MixHop network and GCNs of several depths are fitted to it on random graphs. The figure shows the
error of each network at every step.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from mixhop_tf import SettingError
from mixhop_tf.cores import num_cores
from trainers.cli import app
from trainers.paper.delta_record import DeltaRecord, rounded, write
from trainers.plots import style
from trainers.plots.theorem import fit_errors
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_list("depths", ["1", "2", "3", "4"], "Depths of the GCNs.")
    flags.DEFINE_integer("graphs", 40, "Number of random graphs.", 1)
    flags.DEFINE_integer("nodes", 6, "Nodes of each graph.", 2)
    flags.DEFINE_integer("steps", 400, "Steps of each fit.", 1)
    flags.DEFINE_integer("seed", 0, "Seed of the graphs and the weights.", 0)
    flags.DEFINE_string("out", "results/figures/theorem", "Figure to write, without extension.")
    flags.DEFINE_string(
        "record", "results/records/theorem.json", "File of the errors, which the report reads."
    )


def main() -> None:
    """Fits the networks, prints their errors, and draws them."""
    values = flags.FLAGS
    if not values.depths or not all(text.isdecimal() and int(text) for text in values.depths):
        raise SettingError("depths", "takes positive whole numbers", tuple(values.depths))
    start_tensorflow(num_cores())
    from trainers.paper.delta_fit import fit_all  # it imports TensorFlow, which starts quietly

    depths = tuple(map(int, values.depths))
    errors = rounded(fit_all(depths, values.graphs, values.nodes, values.steps, values.seed))
    rows = [[name, f"{each[-1]:.4f}"] for name, each in errors.items()]
    print(markdown_table(["network", "squared error"], rows))
    path, stem = Path(values.record).expanduser(), Path(values.out).expanduser()
    for each in (path, stem):
        each.parent.mkdir(parents=True, exist_ok=True)
    write(path, DeltaRecord(values.graphs, values.nodes, values.seed, errors))
    for written in (path, *style.save(fit_errors(errors, values.graphs), stem)):
        print(f"wrote {written}")


if __name__ == "__main__":
    app.run(main, define_flags)
