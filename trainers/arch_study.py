"""Compares ways to learn an architecture by the validation accuracy of what they find, retrained.

python -m trainers.arch_study --dataset cora                    five searches each way
python -m trainers.arch_study --dataset pubmed --only scaled-effect --runs 4
python -m trainers.arch_study --report                          what the records of all graphs say

What was found is kept beside the records of the retrainings; a study that was killed goes on when
given again. Test labels play no part.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from trainers import (
    command_line,
    dataset_flags,
    experiments,
    flag_help,
    protocol,
    records,
    study,
)
from trainers.errors import RunError
from trainers.start_tensorflow import num_cores, start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    with flag_help.group("Study"):
        flags.DEFINE_list(
            "only",
            list(experiments.SEARCHES),
            f"Ways to search: {', '.join(experiments.SEARCHES)}.",
        )
        flags.DEFINE_integer(
            "searches", experiments.STUDY_SEARCHES, "Searches each way, with seeds from 0 on.", 1
        )
        flags.DEFINE_integer(
            "runs", experiments.STUDY_RUNS, "Retrainings of each architecture found.", 1
        )
        flags.DEFINE_integer("workers", None, "Processes; one a core by default.", 1)
        flags.DEFINE_string("records_dir", "results/records/search", "Folder of the records.")
        flags.DEFINE_bool("report", False, "Only print what the records of all graphs say.")
        flags.DEFINE_string("wide_dir", "runs/study", "Folder of the wide networks.")
    dataset_flags.define(default="cora", seed_flag=dataset_flags.SPLIT_SEED)


def report(folder: Path) -> str:
    """Validation accuracy in percent: all ways to search, then the default one.

    Planetoid's splits come first, then all others.
    """
    stems = {path.stem for path in folder.glob("*.json")}
    if not stems:
        raise RunError(f"There is no study in {folder}; make one, or name another --records_dir.")
    known = [name for name in experiments.CITATION if name in stems]
    tables = []
    for names in (known, sorted(stems - set(known))):
        graphs = {name: study.outcomes(folder / f"{name}.json") for name in names}
        if graphs:
            tables.append(study.comparison(graphs, list(experiments.SEARCHES)))
            tables.append(study.details(graphs, experiments.DEFAULT_SEARCH))
    return "\n\n".join(tables)


def main() -> None:
    """Searches, retrains, and prints the tables."""
    values = flags.FLAGS
    folder = Path(values.records_dir)
    if values.report:
        print(report(folder))
        return
    unknown = [name for name in values.only if name not in experiments.SEARCHES]
    if unknown or not values.only:
        raise RunError(
            f"--only takes {', '.join(experiments.SEARCHES)}, not {','.join(values.only)!r}."
        )
    data = dataset_flags.config()
    graph = data.load(values.data_dir)
    path = folder / f"{data.file_stem}.json"
    ways = experiments.ways_to_search(data.dataset, data.many_labels)
    searches = {name: ways[name] for name in values.only}
    start_tensorflow(num_cores())
    from trainers.sweep import sweep

    with records.exclusive(folder):
        found = study.search_all(
            searches,
            range(values.searches),
            graph,
            data,
            path,
            Path(values.wide_dir) / path.stem,
            values.data_dir,
            values.workers,
        )
    chosen = [each for each in found if each["search"] in (study.EVEN, *searches)]
    config = searches[values.only[0]]
    cells = study.cells_of(chosen, graph, data, config, path.with_suffix(".jsonl"), values.data_dir)
    sweep(cells, range(values.runs), values.workers)
    graphs = {data.dataset: study.outcomes(path)}
    print(study.comparison(graphs, list(searches)))
    for name in searches:
        print(f"\n{name}\n{study.details(graphs, name)}")
    failed = [each for each in chosen if "error" in each]
    if failed:
        first = failed[0]
        raise RunError(
            f"{len(failed)} searches failed; the first, {first['search']} with seed "
            f"{first['seed']}: {first['error']}"
        )
    protocol.see_all_done([record for cell in cells for record in cell.records(range(values.runs))])


if __name__ == "__main__":
    command_line.run(main, define_flags)
