"""Explains the answers of a trained model: which nodes, hops and features decided them.

python -m trainers.explain --model runs/town --dataset town --node anna    one node, with a picture
python -m trainers.explain --model runs/town --dataset town                the model as a whole
python -m trainers.explain --model runs/town --dataset town --all          a table of all nodes

The contributions of an explanation and its constant add up to the logit of the answer. For one node
the command prints tables, and writes them as JSON with a picture of the neighbourhood. A table of
many nodes has a row for each node. If that command is interrupted, give it again: it continues.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from absl import flags

import mixhop_tf
from datasets.store.progress import Progress
from mixhop_tf import SettingError
from mixhop_tf.explaining.names import KINDS
from trainers.cli import app, explain_lines, trained_flags
from trainers.plots import style
from trainers.plots.explanation import explanation_figure
from trainers.runs import explaining
from trainers.runs.files import write_json
from trainers.runs.trained import Trained

_UNITS = 1_000


def define_flags() -> None:
    """Defines the flags of this command."""
    trained_flags.define()
    flags.DEFINE_string("node", None, "Id of the node to explain.")
    flags.DEFINE_string("ids", None, "File with the ids of nodes to explain, one in each line.")
    flags.DEFINE_bool("all", False, "Explain every node.")
    flags.DEFINE_string("why", None, "Class to explain; by default the answer of the model.")
    flags.DEFINE_string(
        "why_not",
        None,
        "Explain why it is not this class; runner_up stands for the most probable other one.",
    )
    flags.DEFINE_enum(
        "counterfactual",
        None,
        KINDS,
        "With --node, also look for a few edges or features without which the answer changes.",
    )
    flags.DEFINE_integer("top", 10, "Number of nodes, features and edges to list.", lower_bound=1)
    flags.DEFINE_integer("seed", 0, "Seed of the nodes that stand for a large graph.")
    flags.DEFINE_string(
        "out",
        None,
        "File to write: .json for one node or the model, .csv or .parquet for many nodes.",
    )


def main() -> None:
    """Loads the model and the graph, and explains a node, many nodes or the model."""
    values = flags.FLAGS
    trained_flags.check()
    given = [name for name in ("node", "ids", "all") if values[name].value]
    if len(given) > 1:
        raise SettingError(given[1], f"cannot be given with --{given[0]}")
    many = values.ids or values.all
    out = Path(values.out or _default_out(values)).expanduser()
    if many:
        explaining.check_table(out)
    elif out.suffix != ".json" or out.is_dir():
        raise SettingError("out", "must be a file that ends in .json", str(out))
    ids = explaining.read_ids(Path(values.ids).expanduser()) if values.ids else None
    found = trained_flags.load()
    if values.node is not None:
        _explain_node(found, explaining.node_index(found.graph, values.node), out)
    elif many:
        _explain_many(found, ids, out)
    else:
        _explain_model(found, out)


def _default_out(values: flags.FlagValues) -> str:
    if values.ids or values.all:
        return "explanations.csv"
    return "model_explanation.json" if values.node is None else "explanation.json"


def _explainer(found: Trained) -> mixhop_tf.Explainer:
    return mixhop_tf.Explainer(found.model, found.graph, features=found.features)


def _explain_node(found: Trained, node: int, out: Path) -> None:
    """Prints the explanation of one node, and writes JSON and pictures."""
    values = flags.FLAGS
    explainer = _explainer(found)
    explanation = explainer.explain(
        node, *explaining.classes(explainer, values.why, values.why_not)
    )
    content = explanation.to_dict(values.top)
    print("\n".join(explain_lines.explanation_lines(content)))
    if values.counterfactual:
        other = mixhop_tf.counterfactual(
            found.model, found.graph, node, values.counterfactual, features=found.features
        )
        content["counterfactual"] = other.to_dict()
        print(explain_lines.counterfactual_line(content["counterfactual"]))
    write_json(out, content)
    style.save(explanation_figure(explanation), out.with_suffix(""))
    print(f"wrote {out} and {out.with_suffix('')}.{', .'.join(style.KINDS)}")


def _explain_many(found: Trained, ids: list[str] | None, out: Path) -> None:
    """Writes a table with a row for each node."""
    values, graph = flags.FLAGS, found.graph
    nodes = (
        np.arange(graph.num_nodes) if ids is None else explaining.node_indices(graph, ids, "ids")
    )
    explainer = _explainer(found)
    asked = explaining.classes(explainer, values.why, values.why_not)
    explaining.TableOfExplanations(explainer, found, nodes, out, *asked).write()
    print(f"wrote {out}: {len(nodes):,} nodes")


def _explain_model(found: Trained, out: Path) -> None:
    """Prints what decides the answers of the model, and writes it as JSON."""
    with Progress("explaining", _UNITS, unit="‰") as progress:
        explanation = mixhop_tf.explain_model(
            found.model,
            found.graph,
            features=found.features,
            seed=flags.FLAGS.seed,
            on_progress=lambda share: progress.at(round(_UNITS * share)),
        )
    print("\n".join(explain_lines.model_lines(explanation)))
    write_json(out, explanation.to_dict())
    print(f"wrote {out}")


if __name__ == "__main__":
    app.run(main, define_flags)
