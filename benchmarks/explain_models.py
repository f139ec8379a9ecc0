"""Checks that explanations of every model add up, for every node of several graphs.

    python -m benchmarks.explain_models --out results/benchmarks/explain_models.md

Each model is trained for a few steps on each graph. A column has the largest difference, over all
nodes, between the logit of the model's answer and the sum of its contributions, the constant and
what the explanation says that it leaves out. The last column has the largest share of the logit
that is left out.
"""

from pathlib import Path

from absl import flags

from datasets.atomic import replacing
from mixhop_tf import Architecture, Explainer, Settings, train
from mixhop_tf.baselines import GAT, GCN, MLP, NGCN, Chebyshev
from mixhop_tf.cores import num_cores
from trainers.cli import app
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table

GRAPHS = ("cora", "synthetic-h0.8")
STEPS = 20


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_string("graphs", ",".join(GRAPHS), "Graphs or folders, separated by commas.")
    flags.DEFINE_string("out", None, "File to write the table to.")


def models(num_classes):
    """The models by name."""
    return {
        "MixHop": Architecture.default(num_classes),
        "MixHop, three layers, jumping": Architecture.default(
            num_classes, hidden_dims=[20, 20], jumping=True
        ),
        "MixHop with attention": Architecture.default(num_classes, hidden_dims=[20], heads=2),
        "GCN": GCN(hidden_width=16),
        "Chebyshev": Chebyshev(hidden_width=16),
        "GAT": GAT(hidden_width=16, heads=4),
        "MLP": MLP(hidden_width=16),
        "N-GCN, dense head": NGCN(hidden_width=16, head="dense"),
        "N-GCN, psum head": NGCN(hidden_width=16, head="psum"),
    }


def measure(graph, spec):
    """Returns the method, the largest difference and the largest share that is left out."""
    run = train(graph, spec, Settings(max_steps=STEPS))
    explainer, largest, left_out = Explainer(run.model, graph), 0.0, 0.0
    for node in range(graph.num_nodes):
        found = explainer.explain(node)
        logit = float(run.logits[node, found.target])
        largest = max(largest, abs(found.total - logit))
        left_out = max(left_out, abs(found.rest) / max(1e-9, abs(logit)))
    return found.method, largest, left_out


def main():
    """Measures, prints the table and writes it."""
    start_tensorflow(num_cores())
    rows = []
    for name in flags.FLAGS.graphs.split(","):
        graph = DataConfig(dataset=name).load(None)
        for model, spec in models(graph.num_classes).items():
            method, largest, left_out = measure(graph, spec)
            share = f"{left_out:.0%}" if left_out else "nothing"
            row = [f"{graph.name}, {model}", method, f"{graph.num_nodes:,}", f"{largest:.0e}"]
            rows.append([*row, share])
            print(*rows[-1], sep=" | ", flush=True)
    header = ["graph, model", "method", "nodes", "largest error of the sum", "left out at most"]
    table = markdown_table(header, rows)
    print(table)
    if flags.FLAGS.out:
        with replacing(Path(flags.FLAGS.out)) as temporary:
            temporary.write_text(table + "\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
