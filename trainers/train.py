"""Trains MixHop, or a model to compare it with, on a graph and keeps what comes of it.

python -m trainers.train --dataset cora                one run: accuracies, curve, model
python -m trainers.train --dataset cora --runs 100     the paper's protocol: 100 seeds, best half
python -m trainers.train --dataset my/folder           your own graph
python -m trainers.train --dataset cora --model gat    a baseline: mlp, gcn, chebyshev, gat, ngcn
python -m trainers.train --dataset pubmed --architecture 0:30:3,1:30:6 --l2 1e-3 --out runs/mine

A run's folder holds config.json, record.json, curve.csv and its picture, model.keras, and
saved_model/ for serving. The folder of many runs holds records.jsonl, summary.json, their picture,
and the best run by validation accuracy in best/. A command that was killed goes on where it was
when given again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from absl import flags

from trainers import (
    command_line,
    dataset_flags,
    figures,
    flag_help,
    protocol,
    run_figures,
    run_folder,
    settings_flags,
)
from trainers.cell import Cell
from trainers.config import Architecture, RunConfig, told
from trainers.data_config import file_stem
from trainers.errors import RunError
from trainers.runs import accuracies, graph_line, one_run
from trainers.selection import RULES
from trainers.start_tensorflow import num_cores, start_tensorflow

if TYPE_CHECKING:
    import datasets


def define_flags() -> None:
    """Defines the flags of this command."""
    with flag_help.group("Runs"):
        flags.DEFINE_integer("seed", 0, "Seed of the weights and of dropout.", 0)
        flags.DEFINE_integer("runs", 1, "Runs, from --seed on.", 1)
        flags.DEFINE_integer(
            "workers", None, "Processes for several runs; one a core by default.", 1
        )
        flags.DEFINE_string("out", None, "Folder to write; by default a new one in runs/.")
        flags.DEFINE_bool("save_model", True, "Write model.keras and saved_model/.")
    dataset_flags.define(default="cora", seed_flag=dataset_flags.SPLIT_SEED)
    settings_flags.define()


def many_runs(graph: datasets.Graph, config: RunConfig, folder: Path, seeds: range) -> None:
    """Trains from each seed, prints the summary, and keeps the best run by validation."""
    from trainers.sweep import sweep

    cell = Cell(config, folder / run_folder.RECORDS, data_dir=flags.FLAGS.data_dir)
    sweep([cell], seeds, flags.FLAGS.workers)
    found = cell.records(seeds)
    ranked = protocol.ranked(found)
    if ranked:
        summary = protocol.summarize(found)
        run_folder.write_json(folder / run_folder.SUMMARY, summary.to_dict())
        if summary.has_test:
            figures.save(run_figures.many_runs(found, graph.name), folder / "runs")
        print(summary)
        best = ranked[0]["seed"]
        if not run_folder.holds(folder / "best", best, flags.FLAGS.save_model):
            # Again, bit for bit, for its model.
            one_run(graph, config, folder / "best", best, flags.FLAGS.save_model)
        print(f"the best run by validation accuracy, that of seed {best}, is kept in best/")
    protocol.see_all_done(found)


def main() -> None:
    """Turns the flags into a config, and trains."""
    if flags.FLAGS.workers and flags.FLAGS.runs == 1:
        raise RunError("--workers goes with --runs: one run is made in this process.")
    data = dataset_flags.config()
    settings = settings_flags.settings(data.dataset)
    graph = data.load(flags.FLAGS.data_dir)
    start_tensorflow(num_cores())
    architecture = settings_flags.architecture(data.dataset, graph)
    shared = settings_flags.shared_first_kernel(architecture)
    config = RunConfig.of(data, graph, architecture, settings, shared)
    folder = Path(flags.FLAGS.out or _default_folder(config)).expanduser()
    run_folder.open_folder(folder, config, flags.FLAGS.seed if flags.FLAGS.runs == 1 else None)
    print(_header(graph, config, architecture), flush=True)
    if flags.FLAGS.runs == 1:
        run = one_run(graph, config, folder, flags.FLAGS.seed, flags.FLAGS.save_model)
        print(f"{accuracies(run)} of {run.num_steps} ({run.seconds:.1f} s)")
    else:
        many_runs(
            graph, config, folder, range(flags.FLAGS.seed, flags.FLAGS.seed + flags.FLAGS.runs)
        )
    print(f"wrote {folder}")


def _default_folder(config: RunConfig) -> str:
    model = "" if flags.FLAGS.model == "mixhop" else f"{flags.FLAGS.model}-"
    stem = file_stem(config.data.dataset)
    name = f"{stem}-{model}{settings_flags.preset_name(config.data.dataset)}-{config.key()[:8]}"
    return f"runs/{name}" + (f"-seed{flags.FLAGS.seed}" if flags.FLAGS.runs == 1 else "")


def _header(graph: datasets.Graph, config: RunConfig, architecture: Architecture) -> str:
    preset = settings_flags.preset(config.data.dataset)
    settings = ", ".join(f"{name} {value}" for name, value in told(config.settings).items())
    parameters = architecture.num_parameters(graph.num_features, graph.num_classes)
    lines = [
        graph_line(graph),
        f"preset {settings_flags.preset_name(config.data.dataset)} ({preset.source}): {settings}",
        f"{architecture}",
        f"{parameters:,} parameters",
    ]
    if RULES[config.settings.selection].looks_at_test:
        lines.append(
            f"selection {config.settings.selection} looks at the test labels: for comparison only"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    command_line.run(main, define_flags)
