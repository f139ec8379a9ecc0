"""The landscape of divisions: what its rows mean, and its committed table."""

from pathlib import Path

from benchmarks import landscape
from mixhop_tf.pruning.comparison import DealScore

RESULTS = Path(__file__).parents[1] / "results" / "benchmarks"


def test_a_row_says_the_columns_of_each_power_and_the_powers_of_the_output():
    hidden, output = landscape.architecture_of("0,20 → 2,3", num_classes=4).layers
    assert dict(zip(hidden.powers, hidden.dims, strict=True)) == {0: 0, 1: 20, 2: 0, 3: 0}
    assert dict(zip(output.powers, output.dims, strict=True)) == {0: 0, 1: 0, 2: 4, 3: 4}


def test_a_difference_is_that_of_the_deals_that_both_have():
    far = "7,7,6 → 3"
    scores = [DealScore(landscape.DEFAULT, deal, 0.5, 1.0) for deal in (1, 2)]
    scores += [DealScore(far, deal, 0.5 + deal / 100, 1.0) for deal in (1, 2, 3)]
    last = landscape.table({"cora": scores}).splitlines()[-1]
    assert [cell.strip() for cell in last.strip("|").split("|")][:4] == ["cora", far, "3", "52.00"]
    assert "+1.50 ± 6.35" in last


def test_the_committed_table_is_made_of_the_committed_numbers():
    text = (RESULTS / "landscape.md").read_text(encoding="utf-8")
    assert landscape.table(landscape.read(RESULTS / "landscape.json")) == text.rstrip("\n")
