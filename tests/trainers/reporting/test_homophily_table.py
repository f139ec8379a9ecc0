"""The table over homophily."""

import math

from trainers.reporting import homophily_table
from trainers.sweeps.statistics import Point


def test_the_table_has_a_row_a_level_and_a_dash_where_nothing_is_known():
    table = homophily_table.table(
        {"a": [Point(0.0, 0.5, 0.012, 9)], "b": [Point(0.9, 1.0, math.nan, 1)]}
    )
    assert table.splitlines()[2:] == [
        "| 0.0       | 50.0 ± 1.2 |         – |",
        "| 0.9       |          – | 100.0 (1) |",
    ]
