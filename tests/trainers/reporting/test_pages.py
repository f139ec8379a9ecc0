import pytest

from trainers.reporting import pages
from trainers.sweeps.errors import RunError

REPORT = """# Report

## Table 1: graphs

| graph | mean ± sd |
|---|---|
| cora · GCN | 81.5 ± 0.3 |
| cora · MixHop | 82.6 |

## Figure 4: curves

| b |
|---|
| 2 |

### Closer

| c | seed |
|---|---|
| 3 | 7 |
"""
TABLE_1 = REPORT.split("\n\n")[2] + "\n"


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "README.md").write_text(REPORT, encoding="utf-8")
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "step.md").write_text("| ms |\n|---|\n| 4 |\n")
    return pages.Sources(tmp_path)


@pytest.mark.parametrize(
    ("mark", "table"),
    [
        ("results: Table 1", TABLE_1),
        ("results: Figure 4", "| b |\n|---|\n| 2 |\n"),
        ("results: Figure 4, table 2", "| c | seed |\n|---|---|\n| 3 | 7 |\n"),
        ("results: Table 1, rows MixHop", TABLE_1.replace("| cora · GCN | 81.5 ± 0.3 |\n", "")),
        ("benchmark: step", "| ms |\n|---|\n| 4 |\n"),
    ],
)
def test_a_mark_gets_the_table_that_it_names(mark, table, sources):
    page = f"Text.\n\n<!-- {mark} -->\n\n| old |\n|---|\n\n| another |\n"
    expected = f"Text.\n\n<!-- {mark} -->\n\n{table}\n| another |\n"
    assert pages.filled(page, sources) == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Table 1 | cora · GCN | mean", "81.5 ± 0.3"),
        ("Figure 4 | 3 | seed", "7"),
        ("mixhop_tf.Settings.patience", "200"),
        ("mixhop_tf.Settings.learning_rate", "0.01"),
    ],
)
def test_a_mark_in_prose_gets_its_value(name, value, sources):
    page = f"It is <!-- = {name} -->old<!-- / -->, they say."
    assert pages.filled(page, sources) == f"It is <!-- = {name} -->{value}<!-- / -->, they say."


@pytest.mark.parametrize(
    "mark",
    [
        "results: Table 9",
        "results: Table 1, table 2",
        "results: Table 1, rows GAT",
        "benchmark: none",
    ],
)
def test_a_table_that_does_not_exist_is_an_error(mark, sources):
    with pytest.raises(RunError, match="correct the page"):
        pages.filled(f"<!-- {mark} -->\n| old |\n", sources)


@pytest.mark.parametrize(
    "name",
    ["Table 1 | cora · GAT | mean", "Table 1 | cora · GCN | median", "Table 1 | x", "datasets.X"],
)
def test_a_value_that_does_not_exist_is_an_error(name, sources):
    with pytest.raises(RunError, match="correct the page"):
        pages.filled(f"<!-- = {name} -->1<!-- / -->", sources)


def test_only_pages_that_change_are_written(tmp_path, sources):
    (tmp_path / "docs").mkdir()
    plain, marked = tmp_path / "docs" / "plain.md", tmp_path / "docs" / "marked.md"
    plain.write_text("| mine |\n")
    marked.write_text("<!-- results: Table 1 -->\n\n| old |\n")
    found = pages.pages(tmp_path)
    assert found == [tmp_path / "README.md", marked, plain]
    assert pages.fill(found, sources) == [marked]
    assert marked.read_text(encoding="utf-8") == f"<!-- results: Table 1 -->\n\n{TABLE_1}"
    assert pages.fill(found, sources) == []
