"""Shows what the paper proves: MixHop learns differences of neighbourhoods, and a GCN cannot.

python -m trainers.theorem                         writes the figure results/figures/theorem
python -m trainers.theorem --depths 1,2,3,4,8      GCNs of other depths

The two-hop delta operator, the difference between a node's neighbours and the neighbours of these,
is fitted on random graphs by a MixHop network and by GCNs of growing depth. The figure shows the
error of each over the steps.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from absl import flags
from tqdm import tqdm

from trainers import command_line, figures
from trainers.errors import RunError
from trainers.start_tensorflow import num_cores, start_tensorflow
from trainers.text_table import markdown_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_list("depths", ["1", "2", "3", "4"], "Depths of the GCNs.")
    flags.DEFINE_integer("graphs", 40, "Random graphs to fit at once.", 1)
    flags.DEFINE_integer("nodes", 6, "Nodes of each graph.", 2)
    flags.DEFINE_integer("steps", 400, "Steps of each fit.", 1)
    flags.DEFINE_integer("seed", 0, "Seed of graphs and weights.", 0)
    flags.DEFINE_string("out", "results/figures/theorem", "Figure to write, without its ending.")


def draw(errors: dict[str, np.ndarray], num_graphs: int) -> Figure:
    """The error of each network over the steps."""
    figure, axes = figures.new_figure(1, 1, width=7.2, height=3.6)
    panel = axes[0, 0]
    greys = np.linspace(0.7, 0.3, len(errors))
    dashes = ("-", "--", "-.", ":")
    for i, (name, values) in enumerate(errors.items()):
        mixhop = {"color": figures.COLOURS["blue"], "linewidth": 2.4}
        gcn = {"color": str(greys[i]), "linewidth": 1.6, "linestyle": dashes[(i - 1) % 4]}
        panel.semilogy(np.arange(1, len(values) + 1), values, label=name, **(gcn if i else mixhop))
    panel.yaxis.set_major_formatter("{x:g}")
    panel.set_xlabel("step")
    panel.set_ylabel("squared error (1: predicting zero)")
    panel.set_title(f"The two-hop delta operator, fitted on {num_graphs} random graphs")
    panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return figure


def main() -> None:
    """Fits, prints the errors, and draws them."""
    values = flags.FLAGS
    if not values.depths or not all(text.isdecimal() and int(text) for text in values.depths):
        raise RunError(f"--depths takes positive whole numbers, not {','.join(values.depths)!r}.")
    start_tensorflow(num_cores())
    from trainers import delta_fit

    adjacency = delta_fit.random_graphs(values.graphs, values.nodes, values.seed)
    networks = {"MixHop": delta_fit.mixhop_layers(values.nodes)}
    for depth in map(int, values.depths):
        networks[f"GCN, depth {depth}"] = delta_fit.gcn_layers(depth, values.nodes)
    errors = {
        name: delta_fit.fit(layers, adjacency, values.nodes, values.steps, values.seed)
        for name, layers in tqdm(networks.items(), unit="fit", disable=None)
    }
    rows = [[name, f"{each[-1]:.4f}"] for name, each in errors.items()]
    print(markdown_table(["network", "squared error"], rows))
    stem = Path(values.out).expanduser()
    stem.parent.mkdir(parents=True, exist_ok=True)
    for path in figures.save(draw(errors, values.graphs), stem):
        print(f"wrote {path}")


if __name__ == "__main__":
    command_line.run(main, define_flags)
