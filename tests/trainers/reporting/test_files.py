"""The report that grows while runs are made."""

import dataclasses

import pytest

from datasets import DataError
from trainers.paper import plan
from trainers.paper.plan import Plan
from trainers.reporting.files import GrowingReport


@pytest.fixture
def quick(tmp_path):
    return Plan(plan.QUICK, tmp_path / "records")


def test_a_report_that_cannot_be_written_yet_stops_no_run(quick, tmp_path):
    out_of_reach = dataclasses.replace(quick, data_dir=str(tmp_path / "nowhere"))
    growing = GrowingReport(out_of_reach, tmp_path, every=0.0)
    growing.grow()
    with pytest.raises(DataError, match="nowhere is not a folder"):
        growing.write()
    assert not (tmp_path / "README.md").exists()


def test_a_fault_of_the_program_is_not_hidden(quick, tmp_path):
    class Faulty(GrowingReport):
        def write(self):
            raise KeyError("a fault")

    with pytest.raises(KeyError, match="a fault"):
        Faulty(quick, tmp_path, every=0.0).grow()


def test_a_report_grows_now_and_then(quick, tmp_path):
    seconds, written = [0.0], []

    class Counted(GrowingReport):
        def write(self):
            written.append(seconds[0])
            seconds[0] += 10.0  # it takes a while
            return []

    growing = Counted(quick, tmp_path, every=60.0, clock=lambda: seconds[0])
    while seconds[0] < 300.0:
        growing.grow()
        seconds[0] += 1.0
    # A minute after the start, and after the end of the last.
    assert written == [60.0, 130.0, 200.0, 270.0]


@pytest.mark.network
def test_a_report_is_written_whole_with_what_a_reader_may_open(quick, tmp_path):
    growing = GrowingReport(quick, tmp_path, every=0.0)
    growing.grow()
    pages = growing.write()
    assert [path.name for path in pages] == ["README.md", "report.html"]
    assert pages[0].read_text(encoding="utf-8").startswith("# MixHop, reproduced\n")
    assert "Table 2: the graphs" in pages[1].read_text(encoding="utf-8")
