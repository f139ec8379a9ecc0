"""Writes the report from the records: README.md and a self-contained report.html, with figures.

python -m trainers.report            results/README.md and results/report.html

A README.md beside that folder gets the tables it asks for, see `reporting/readme.py`. The same
records give the same report, byte for byte. What has not been run yet is shown as such.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from trainers.cli import app
from trainers.paper import plan
from trainers.paper.plan import Plan
from trainers.reporting import files, readme
from trainers.sweeps.errors import RunError
from trainers.sweeps.tensorflow import num_cores, start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_string("out", "results", "Folder of the records, and of what is written.")
    flags.DEFINE_bool("quick", False, "Report on the small version, in the folder quick there.")
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
    page = folder.resolve().parent / "README.md"
    if flags.FLAGS.quick or not page.is_file():
        return
    if readme.fill(page, written[0].read_text(encoding="utf-8")):
        print(f"wrote {page.name}")


if __name__ == "__main__":
    app.run(main, define_flags)
