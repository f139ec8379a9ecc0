"""Selection of names by patterns."""

import pytest

from trainers.sweeps.errors import RunError
from trainers.sweeps.patterns import select

NAMED = {"table1/cora": 1, "own/cora": 2, "table1/pubmed": 3, "Own/x": 4}


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["*"], ["table1/cora", "own/cora", "table1/pubmed", "Own/x"]),
        (["table1/*"], ["table1/cora", "table1/pubmed"]),
        (["own/*", "table1/cora"], ["table1/cora", "own/cora"]),  # in their own order
        (["*/cora", "table1/cora"], ["table1/cora", "own/cora"]),  # each once
        (["own/*"], ["own/cora"]),  # letters as they are
        (["table[13]/pub*"], ["table1/pubmed"]),
    ],
)
def test_patterns_pick_in_the_order_of_the_names(patterns, names):
    assert select(NAMED, patterns, "experiment") == {name: NAMED[name] for name in names}


@pytest.mark.parametrize(
    ("patterns", "culprit"),
    [(["table9/*"], "table9/*"), (["table1/*", "gin"], "gin"), ([""], ""), ([], "")],
)
def test_every_pattern_must_match(patterns, culprit):
    with pytest.raises(RunError) as caught:
        select(NAMED, patterns, "series")
    assert str(caught.value) == (
        f"No series matches {culprit!r}; the names are {', '.join(NAMED)}."
    )
