"""The record of the fits to the two-hop delta operator."""

import numpy as np
import pytest

from trainers.paper import delta_record
from trainers.paper.delta_record import DeltaRecord
from trainers.sweeps.errors import RunError


def test_a_record_comes_back_with_four_digits(tmp_path):
    errors = {"MixHop": np.array([1.234567, 0.00123456]), "GCN": np.array([12345.6, 1.0])}
    delta_record.write(tmp_path / "a.json", DeltaRecord(40, 6, 0, errors))
    record = delta_record.read(tmp_path / "a.json")
    assert list(record.errors) == ["MixHop", "GCN"]
    assert record.errors["MixHop"].tolist() == [1.235, 0.001235]
    assert record.final == {"MixHop": 0.001235, "GCN": 1.0}
    assert (record.num_graphs, record.num_nodes, record.seed) == (40, 6, 0)


def test_no_record_is_none(tmp_path):
    assert delta_record.read(tmp_path / "a.json") is None


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        '{"errors": {}}',
        '{"errors": {"a": []}}',
        '{"errors": {"a": ["x"]}}',
        '{"errors": {"a": [1]}}',
    ],
)
def test_a_broken_record_is_refused_in_one_sentence(tmp_path, text):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(RunError, match=r"a\.json is not a record of .*theorem.*run that command"):
        delta_record.read(tmp_path / "a.json")
