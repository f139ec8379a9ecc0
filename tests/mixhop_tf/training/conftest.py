"""Fixtures for short runs."""

import pytest
from small_trainers import trainer_of


@pytest.fixture
def trained(small_graph):
    """Returns a function that trains with changed settings."""

    def train(seed=0, graph=small_graph, **changes):
        return trainer_of(graph, **changes).run(seed)

    return train
