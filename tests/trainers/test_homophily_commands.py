"""`python -m trainers.synthetic` and `trainers.delta_ops`, from flags to records and figures."""

import functools

from commands import assert_one_clear_sentence, run_command

from trainers.sweeps import records

synthetic = functools.partial(run_command, "synthetic")
delta_ops = functools.partial(run_command, "delta_ops")


def test_a_sweep_is_recorded_drawn_and_not_repeated(tmp_path):
    arguments = ("--only", "mlp,gcn", "--levels", "0.9", "--graphs", 1)
    first = synthetic(*arguments, cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    assert lines[0].split() == ["|", "homophily", "|", "gcn", "|", "mlp", "|"]
    gcn, mlp = (float(cell) for cell in lines[2].split("|")[2:4])
    assert gcn > 90 > 60 > mlp > 30
    written = tmp_path / "results" / "records" / "synthetic" / "mlp.jsonl"
    (record,) = records.read(written)
    assert record["experiment"] == "mlp, h = 0.9"
    # What has not all lines, levels and graphs does not stand in the whole figure's place.
    assert "GCN" in (tmp_path / "results/figures/figure4_part.svg").read_text()
    assert not (tmp_path / "results/figures/figure4.svg").exists()
    before = written.read_bytes()
    again = synthetic(*arguments, cwd=tmp_path)
    assert again.stdout == first.stdout
    assert written.read_bytes() == before


def test_delta_operators_are_counted_and_drawn(tmp_path):
    answer = delta_ops("--only", "paper", "--levels", "0.0", "--graphs", 1, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    (record,) = records.read(tmp_path / "results/records/delta_ops/paper.jsonl")
    assert 0 < record["delta_share"] < 1
    assert record["config"]["shared_first_kernel"] is True
    shares, accuracies = answer.stdout.split("\n\n")
    assert f" {100 * record['delta_share']:.1f} |" in shares
    assert f" {100 * record['test_accuracy']:.1f} |" in accuracies
    assert "untrained weights" in (tmp_path / "results/figures/figure3_part.svg").read_text()


def test_what_cannot_be_swept_is_refused_in_one_sentence(tmp_path):
    assert_one_clear_sentence(
        synthetic("--levels", "0.25", cwd=tmp_path), "--levels takes 0.0, 0.1", "Received: 0.25"
    )
    assert_one_clear_sentence(
        synthetic("--quick", "--graphs", 3, cwd=tmp_path), "--graphs does not work with --quick"
    )
    assert_one_clear_sentence(synthetic("--only", "gin", cwd=tmp_path), "No series matches 'gin'")
    assert_one_clear_sentence(
        synthetic("--data_dir", tmp_path, cwd=tmp_path),
        "ind.n5000-h0.0-c10.allx is missing; name a folder with the published graphs",
    )
    assert_one_clear_sentence(
        synthetic("--data_dir", tmp_path, "--only", "in-order/gcn", cwd=tmp_path),
        "--only must name lines with random splits when --data_dir is given",
        "in-order/gcn",
    )
