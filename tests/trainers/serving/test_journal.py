"""Changes survive in a journal, and a journal that does not fit is refused."""

import errno

import numpy as np
import pytest
from small_server import make_served

from trainers.serving.errors import RequestError
from trainers.serving.journal import Journal
from trainers.sweeps import records
from trainers.sweeps.errors import RunError

COLUMNS = {"age": 31, "job": "smith", "owner": True}
CHANGES = [
    {"do": "node", "id": "dora", "columns": COLUMNS, "neighbors": [{"id": "p3"}]},
    {"do": "edges", "edges": [{"source": "dora", "target": "p5"}]},
    {"do": "node", "id": "p5", "columns": COLUMNS | {"age": 70}},
    {"do": "remove_edges", "edges": [{"source": "dora", "target": "p3"}]},
    {"do": "remove_node", "id": "p9"},
]


@pytest.fixture
def path(tmp_path, loaded):
    """A journal with all changes, and the answers after them."""
    served = make_served(loaded)
    journal = Journal(tmp_path / "logs" / "journal.jsonl", "graph")
    assert served.use_journal(journal) == 0
    for change in CHANGES:
        served.change(change)
    journal.close()
    return tmp_path / "logs" / "journal.jsonl", served.answers(["dora", "p3", "p5"])["logits"]


def reopened(path, loaded):
    journal = Journal(path, "graph")
    try:
        served = make_served(loaded)
        return served, served.use_journal(journal)
    finally:
        journal.close()


def test_a_restarted_server_answers_as_before(path, loaded):
    served, count = reopened(path[0], loaded)
    assert count == len(CHANGES)
    np.testing.assert_array_equal(served.answers(["dora", "p3", "p5"])["logits"], path[1])
    with pytest.raises(RequestError, match="p9"):
        served.answers(["p9"])


def test_a_line_that_a_kill_cut_off_is_left_out(path, loaded):
    whole = path[0].read_bytes()
    path[0].write_bytes(whole[:-20])
    served, count = reopened(path[0], loaded)
    assert count == len(CHANGES) - 1
    served.answers(["p9"])
    journal = Journal(path[0], "graph")
    journal.append(CHANGES[-1])  # in place of the rest
    journal.close()
    assert path[0].read_bytes() == whole


def test_a_refused_change_is_not_written(path, loaded):
    before = path[0].read_bytes()
    served = make_served(loaded)
    journal = Journal(path[0], "graph")
    served.use_journal(journal)
    with pytest.raises(RequestError):
        served.change({"do": "edges", "edges": [{"source": "p1", "target": "nobody"}]})
    journal.close()
    assert path[0].read_bytes() == before


def test_a_full_disk_changes_nothing(path, loaded, monkeypatch):
    served = make_served(loaded)
    journal = Journal(path[0], "graph")
    served.use_journal(journal)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(records, "append", full)
    with pytest.raises(RequestError, match="No space left"):
        served.change({"do": "node", "id": "emil", "columns": COLUMNS})
    journal.close()
    assert served.num_nodes == 60  # dora came, p9 went
    with pytest.raises(RequestError, match="emil"):
        served.answers(["emil"])


def damaged(content):
    return content.replace(b'"age": 31', b'"age": 32', 1)


@pytest.mark.parametrize(
    ("graph", "edit", "says"),
    [
        ("another", lambda content: content, "another graph"),
        ("graph", damaged, ":2: this line is damaged"),
        ("graph", lambda content: b"[1]\n" + content, ":1: this line is damaged"),
        ("graph", lambda content: content.split(b"\n", 1)[1], "no journal"),
    ],
)
def test_a_journal_that_does_not_fit_is_refused(path, graph, edit, says):
    path[0].write_bytes(edit(path[0].read_bytes()))
    before = path[0].read_bytes()
    with pytest.raises(RunError, match=says):
        Journal(path[0], graph)
    assert path[0].read_bytes() == before


def test_changes_that_do_not_fit_the_graph_are_refused(path, loaded):
    journal = Journal(path[0], "graph")
    journal.append({"do": "remove_node", "id": "nobody"})
    journal.close()
    with pytest.raises(RunError, match="Change 6 of the journal"):
        reopened(path[0], loaded)


def test_two_servers_cannot_share_a_journal(path):
    first = Journal(path[0], "graph")
    with pytest.raises(RunError, match="Another server"):
        Journal(path[0], "graph")
    first.close()
    Journal(path[0], "graph").close()
