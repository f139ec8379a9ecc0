import pytest

from trainers.reporting import readme
from trainers.sweeps.errors import RunError

REPORT = """# Report

## Table 1: graphs

| a |
|---|
| 1 |

## Figure 4: curves

| b |
|---|
| 2 |

### Closer

| c |
|---|
| 3 |
"""


@pytest.mark.parametrize(
    ("place", "table"),
    [
        ("Table 1", "| a |\n|---|\n| 1 |\n"),
        ("Figure 4", "| b |\n|---|\n| 2 |\n"),
        ("Figure 4, table 2", "| c |\n|---|\n| 3 |\n"),
    ],
)
def test_a_place_gets_the_table_that_it_names(place, table):
    page = f"Text.\n\n<!-- results: {place} -->\n\n| old |\n|---|\n\n| another |\n"
    expected = f"Text.\n\n<!-- results: {place} -->\n\n{table}\n| another |\n"
    assert readme.filled(page, REPORT) == expected


@pytest.mark.parametrize("place", ["Table 9", "Table 1, table 2"])
def test_a_table_that_is_not_there_is_refused(place):
    with pytest.raises(RunError, match=r"has no table \d below 'Table"):
        readme.filled(f"<!-- results: {place} -->\n| old |\n", REPORT)


def test_a_file_that_asks_for_nothing_is_left_alone(tmp_path):
    path = tmp_path / "README.md"
    path.write_text("| mine |\n")
    before = path.stat().st_mtime_ns
    assert not readme.fill(path, REPORT)
    assert path.stat().st_mtime_ns == before


def test_a_file_that_asks_for_a_table_gets_it_once(tmp_path):
    path = tmp_path / "README.md"
    path.write_text("<!-- results: Table 1 -->\n\n| old |\n")
    assert readme.fill(path, REPORT)
    assert path.read_text() == "<!-- results: Table 1 -->\n\n| a |\n|---|\n| 1 |\n"
    assert not readme.fill(path, REPORT)
