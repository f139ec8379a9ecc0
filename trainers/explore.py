"""Writes a page to explore a trained model and its graph: one HTML file that works offline.

python -m trainers.explore --model runs/mine --dataset my/folder     writes explore.html
python -m trainers.explore --model runs/mine --dataset my/folder --map tsne

The page shows the graph, the architecture, the metrics, a map of the embeddings, and for each node
why the model answers as it does. It holds ids, labels and answers of the nodes, so share it only
with people who may see them.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from mixhop_tf import SettingError
from trainers.cli import app, trained_flags
from trainers.explorer.contents import contents
from trainers.explorer.options import MAPS, Options
from trainers.explorer.page import write
from trainers.runs.predictors import predictor

_MEGABYTE = 10**6


def define_flags() -> None:
    """Defines the flags of this command."""
    trained_flags.define()
    flags.DEFINE_string("out", "explore.html", "File to write.")
    flags.DEFINE_enum(
        "map",
        Options.map,
        MAPS,
        "How embeddings become a map: pca is fast; tsne separates groups better, and takes minutes "
        "for thousands of nodes.",
    )
    flags.DEFINE_integer("points", Options.points, "Largest number of nodes on the map.")
    flags.DEFINE_float(
        "explanation_mb",
        Options.explanation_mb,
        "Largest size of the explanations in megabytes, before compression. Mistakes are explained "
        "first, then the other scored nodes, then the rest.",
    )
    flags.DEFINE_integer("seed", Options.seed, "Seed of the samples and of the map.")


def main() -> None:
    """Loads the model and the graph, and writes the page."""
    values = flags.FLAGS
    trained_flags.check()
    out = Path(values.out).expanduser()
    if out.suffix not in (".html", ".htm") or out.is_dir():
        raise SettingError("out", "must be a file that ends in .html", str(out))
    options = Options(
        map=values.map,
        points=values.points,
        explanation_mb=values.explanation_mb,
        seed=values.seed,
    )
    trained = trained_flags.load()
    computing = predictor(trained.graph, trained.features, trained.model, out)
    write(out, contents(trained, computing, options))
    computing.end()
    print(f"wrote {out} ({out.stat().st_size / _MEGABYTE:.1f} MB)")


if __name__ == "__main__":
    app.run(main, define_flags)
