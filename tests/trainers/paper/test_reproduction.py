"""A whole reproduction, of a small graph: real runs, real searches, in workers."""

import dataclasses
import json

import pytest
from small_learning import learn_settings

from trainers.paper import plan, reproduction, study
from trainers.paper.learn_settings import DEFAULT_WAY
from trainers.paper.plan import ArchitecturePlan, Plan
from trainers.sweeps.cell import Cell
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError

SIZE = plan.Size(learn_seeds=1, learn_runs=2)


@dataclasses.dataclass(frozen=True, kw_only=True)
class SmallPlan(Plan):
    """One cell, and an architecture to learn on each of two splits."""

    cell_of_table: Cell
    to_learn: tuple[ArchitecturePlan, ...]

    def jobs(self):
        yield self.cell_of_table, range(2)

    def architectures(self):
        return list(self.to_learn)


@pytest.fixture(scope="module")
def make_plan(small_file, make_config):
    def make(folder, parts=plan.PARTS):
        given = DataConfig(dataset=str(small_file))
        other = dataclasses.replace(given, split="stratified")
        return SmallPlan(
            SIZE,
            folder / "records",
            parts=parts,
            cell_of_table=Cell(make_config(), folder / "records" / "t" / "c.jsonl", "t/c/m"),
            to_learn=(
                ArchitecturePlan(given, learn_settings()),
                ArchitecturePlan(other, learn_settings(lasso=50.0)),  # nothing survives
            ),
        )

    return make


@pytest.fixture(scope="module")
def done(make_plan, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reproduction")
    chosen, told = make_plan(folder), []
    found = reproduction.run(chosen, folder / "wide", 1, lambda: told.append(1))
    return chosen, folder, found, told


def test_every_run_is_made_and_told(done):
    chosen, _, (jobs, _), told = done
    (cell, seeds), *retrainings = jobs
    assert cell == chosen.cell_of_table
    assert len(cell.records(seeds)) == 2
    assert [len(seeds) for _, seeds in retrainings] == [SIZE.learn_runs] * 3
    assert all(len(cell.records(seeds)) == 2 for cell, seeds in retrainings)
    assert len(told) == 2 + sum(len(seeds) for _, seeds in retrainings)


def test_architectures_are_learned_on_both_splits_and_what_fails_is_told(done):
    chosen, folder, (_, entries), _ = done
    ways = [(entry["search"], "error" in entry) for entry in entries]
    default = (study.DEFAULT_ENTRY, False)
    assert ways == [default, (DEFAULT_WAY, False), default, (DEFAULT_WAY, True)]
    stems = [each.data.file_stem for each in chosen.to_learn]
    assert len(set(stems)) == 2
    for stem, some in zip(stems, (entries[:2], entries[2:]), strict=True):
        assert json.loads((chosen.records_dir / "search" / f"{stem}.json").read_text()) == some
        assert len(list((folder / "wide" / stem).iterdir())) == 1
    with pytest.raises(RunError, match=r"1 searches failed; .*: The lasso 50 is too strong"):
        study.check_all_learned(entries)


def test_retrainings_are_of_what_was_learned_and_of_the_default_one(done):
    _, _, (jobs, entries), _ = done
    learned = [entry["architecture"] for entry in entries if "error" not in entry]
    assert [cell.config.architecture for cell, _ in jobs[1:]] == learned
    names = [cell.experiment.rpartition("/")[2] for cell, _ in jobs[1:]]
    assert names == ["even-0", f"{DEFAULT_WAY}-0", "even-0"]


def test_a_second_start_makes_only_what_failed_and_parts_may_be_left_out(done, make_plan):
    _, folder, (jobs, _), _ = done
    again, told = make_plan(folder, parts=("table1",)), []
    assert reproduction.run(again, folder / "wide", 1, lambda: told.append(1)) == (jobs[:1], [])
    assert told == []
