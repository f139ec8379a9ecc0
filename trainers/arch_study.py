"""Compares ways to learn an architecture by the validation accuracy of what they find, retrained.

python -m trainers.arch_study --dataset cora                    five searches each way
python -m trainers.arch_study --dataset pubmed --only scaled-effect --runs 4

What was found is kept beside the records of the retrainings; a study that was killed goes on when
given again. Test labels play no part.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from trainers import command_line, dataset_flags, experiments, figures, flag_help, study
from trainers.errors import RunError
from trainers.start_tensorflow import num_cores, start_tensorflow
from trainers.text_table import markdown_table

HEADER = ["search", "seeds", "wide", "retrained ± sd", "widths of powers 0, 1, 2, layer by layer"]


def define_flags() -> None:
    """Defines the flags of this command."""
    with flag_help.group("Study"):
        flags.DEFINE_list(
            "only",
            list(experiments.SEARCHES),
            f"Ways to search: {', '.join(experiments.SEARCHES)}.",
        )
        flags.DEFINE_integer("searches", 5, "Searches each way, with seeds from 0 on.", 1)
        flags.DEFINE_integer("runs", 8, "Retrainings of each architecture found.", 1)
        flags.DEFINE_integer("workers", None, "Processes; one a core by default.", 1)
        flags.DEFINE_string("records_dir", "results/records/search", "Folder of the records.")
        flags.DEFINE_string("wide_dir", "runs/study", "Folder of the wide networks.")
    dataset_flags.define(default="cora", seed_flag=dataset_flags.SPLIT_SEED)


def main() -> None:
    """Searches, retrains, and prints the table."""
    values = flags.FLAGS
    unknown = [name for name in values.only if name not in experiments.SEARCHES]
    if unknown or not values.only:
        raise RunError(
            f"--only takes {', '.join(experiments.SEARCHES)}, not {','.join(values.only)!r}."
        )
    searches = {name: experiments.SEARCHES[name] for name in values.only}
    data = dataset_flags.config()
    graph = data.load(values.data_dir)
    stem = Path(values.records_dir) / figures.file_stem(data.dataset)
    found = study.search_all(
        searches,
        range(values.searches),
        data,
        stem.with_suffix(".json"),
        Path(values.wide_dir) / stem.name,
        values.data_dir,
        values.workers,
    )
    start_tensorflow(num_cores())
    from trainers.sweep import sweep

    found = [each for each in found if each["search"] in searches]
    cells = study.cells_of(
        found, graph, data, searches, stem.with_suffix(".jsonl"), values.data_dir
    )
    sweep(list(cells.values()), range(values.runs), values.workers)
    print(markdown_table(HEADER, study.rows(found, cells, values.runs)))


if __name__ == "__main__":
    command_line.run(main, define_flags)
