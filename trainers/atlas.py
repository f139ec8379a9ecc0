"""Learns a compact architecture for each of many graphs, and writes a page about them.

python -m trainers.atlas                                all graphs, which takes hours
python -m trainers.atlas --only 'movies,synthetic-*'    some of them
python -m trainers.atlas --report                       only the page, from the records

The graphs are the citation graphs with few and with many labels, generated graphs of each
homophily, and small graphs whose classes follow a known pattern. Each gets an architecture by
stability selection (see trainers.stable_arch). If the command is interrupted, run it again: graphs
with a record are not repeated.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from mixhop_tf.cores import num_cores
from trainers.cli import app, flag_help
from trainers.paper import atlas_run
from trainers.paper.atlas import ATLAS
from trainers.reporting import atlas_page
from trainers.sweeps.patterns import select
from trainers.sweeps.tensorflow import start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    with flag_help.group("Atlas"):
        flags.DEFINE_list("only", ["*"], "Names or patterns of graphs.")
        flags.DEFINE_string("records_dir", "results/records/atlas", "Folder of the records.")
        flags.DEFINE_string("work_dir", "runs/atlas", "Keeps the results of unfinished graphs.")
        flags.DEFINE_string("data_dir", None, "Folder with files of the citation graphs.")
        flags.DEFINE_string("out", "results", "Folder of the page, atlas.md and atlas.html.")
        flags.DEFINE_bool("report", False, "Only write the page.")


def main() -> None:
    """Learns what is missing and writes the page."""
    values = flags.FLAGS
    records_dir = Path(values.records_dir)
    chosen = select(ATLAS, values.only, "graph")
    if not values.report:
        start_tensorflow(num_cores())
        for entry in chosen.values():
            line = atlas_run.run(entry, records_dir, Path(values.work_dir), values.data_dir)
            print(line, flush=True)
    print(f"wrote {atlas_page.write(records_dir, Path(values.out))}")


if __name__ == "__main__":
    app.run(main, define_flags)
