"""Writes the report from the records: README.md and a self-contained report.html, with figures.

python -m trainers.report            results/README.md and results/report.html

A README.md beside that folder gets the tables it asks for, see `report_readme.py`. The same records
give the same report, byte for byte. What has not been run yet is shown as such.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from trainers import command_line, plan, report_files, report_readme
from trainers.errors import RunError
from trainers.start_tensorflow import num_cores, start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_string("out", "results", "Folder of the records, and of what is written.")
    flags.DEFINE_bool("quick", False, "Report on the small version, in the folder quick there.")
    flags.DEFINE_string("data_dir", None, "Folder with files of the graphs.")


def main() -> None:
    """Writes the report."""
    folder = Path(flags.FLAGS.out)
    size = plan.FULL
    if flags.FLAGS.quick:
        folder, size = folder / "quick", plan.QUICK
    start_tensorflow(num_cores())
    if not (folder / "records").is_dir():
        raise RunError(f"{folder} has no records to report on; name the folder with --out.")
    written = report_files.write(plan.Plan(size, folder / "records", flags.FLAGS.data_dir), folder)
    for path in written:
        print(f"wrote {path}")
    readme = folder.resolve().parent / "README.md"
    if flags.FLAGS.quick or not readme.is_file():
        return
    if report_readme.fill(readme, written[0].read_text(encoding="utf-8")):
        print(f"wrote {readme.name}")


if __name__ == "__main__":
    command_line.run(main, define_flags)
