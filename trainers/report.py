"""Writes the report from the records: README.md, a self-contained report.html, and figures.

python -m trainers.report            writes results/README.md and results/report.html

The command also fills the tables and values that the README.md and docs/ beside that folder show;
see `reporting/pages.py`. The same records give the same report, byte for byte. Experiments without
records are marked as missing.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from mixhop_tf.cores import num_cores
from trainers.cli import app
from trainers.paper import plan
from trainers.paper.plan import Plan
from trainers.reporting import files, pages
from trainers.sweeps.errors import RunError
from trainers.sweeps.tensorflow import start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_string("out", "results", "Folder that holds the records and gets the report.")
    flags.DEFINE_bool("quick", False, "Report on the small version, in the subfolder quick.")
    flags.DEFINE_string("data_dir", None, "Folder with files of the graphs.")


def main() -> None:
    """Writes the report."""
    folder, size = Path(flags.FLAGS.out), plan.FULL
    if flags.FLAGS.quick:
        folder, size = folder / "quick", plan.QUICK
    if not (folder / "records").is_dir():
        raise RunError(f"{folder} has no records to report on; name the folder with --out.")
    start_tensorflow(num_cores())
    reported = Plan(size, folder / "records", flags.FLAGS.data_dir, trust_records=True)
    written = files.write(reported, folder)
    for path in written:
        print(f"wrote {path}")
    if not flags.FLAGS.quick:
        for path in pages.fill(pages.pages(folder.resolve().parent), pages.Sources(folder)):
            print(f"wrote {path.name}")


if __name__ == "__main__":
    app.run(main, define_flags)
