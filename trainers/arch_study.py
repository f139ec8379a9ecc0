"""Compares ways to learn an architecture.

python -m trainers.arch_study --dataset cora                    every way, from five seeds each
python -m trainers.arch_study --dataset pubmed --only scaled-effect --runs 4
python -m trainers.arch_study --report                          prints the results of all graphs

Each way learns an architecture from several seeds. The architectures are retrained and compared by
validation accuracy. Test labels are not used. If the command is interrupted, run it again: it
continues where it stopped.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from mixhop_tf import SettingError
from mixhop_tf.cores import num_cores
from trainers.cli import app, data_flags, engine_flags, flag_help
from trainers.paper.learn_settings import STUDY_RUNS, STUDY_SEEDS, WAYS, ways_to_learn
from trainers.paper.study import Study, check_all_learned, outcomes
from trainers.reporting import study_tables
from trainers.sweeps import protocol, records
from trainers.sweeps.sweep import sweep
from trainers.sweeps.tensorflow import start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    with flag_help.group("Study"):
        flags.DEFINE_list(
            "only",
            list(WAYS),
            f"Ways to compare: {', '.join(WAYS)}.",
        )
        flags.DEFINE_integer(
            "searches", STUDY_SEEDS, "Number of seeds, from 0 on, that each way starts from.", 1
        )
        flags.DEFINE_integer("runs", STUDY_RUNS, "Retrainings of each learned architecture.", 1)
        flags.DEFINE_integer("workers", None, "Processes; by default one per core.", 1)
        engine_flags.define()
        flags.DEFINE_string("records_dir", "results/records/search", "Folder of the records.")
        flags.DEFINE_bool("report", False, "Only print the results of all graphs.")
        flags.DEFINE_string("wide_dir", "runs/study", "Folder for the wide networks.")
    data_flags.define(default="cora", seed_flag=data_flags.SPLIT_SEED)


def main() -> None:
    """Learns and retrains architectures, and prints the tables."""
    values = flags.FLAGS
    folder = Path(values.records_dir)
    if values.report:
        print(study_tables.report(folder))
        return
    if not values.only or set(values.only) - set(WAYS):
        raise SettingError("only", f"takes {', '.join(WAYS)}", tuple(values.only))
    engine = engine_flags.engine()
    data = data_flags.config()
    path = folder / f"{data.file_stem}.json"
    ways = {name: ways_to_learn(data)[name] for name in values.only}
    graph = data.load(values.data_dir)
    wide_dir = Path(values.wide_dir) / path.stem
    study = Study(ways, data, graph, path, wide_dir, values.data_dir)
    start_tensorflow(num_cores())
    with records.exclusive(folder):
        entries = study.run(range(values.searches), values.workers, engine)
    cells, seeds = study.cells(entries), range(values.runs)
    sweep(cells, seeds, values.workers, engine)
    graphs = {data.dataset: outcomes(path)}
    print(study_tables.comparison(graphs, list(ways)))
    for name in ways:
        print(f"\n{name}\n{study_tables.details(graphs, name)}")
    check_all_learned(entries)
    protocol.check_all_done([record for cell in cells for record in cell.records(seeds)])


if __name__ == "__main__":
    app.run(main, define_flags)
