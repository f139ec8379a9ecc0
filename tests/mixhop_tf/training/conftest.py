"""Short runs."""

import pytest
from small_trainers import trainer_of


@pytest.fixture
def trained(small_graph):
    """A function from settings that differ to a run."""

    def train(seed=0, graph=small_graph, **changes):
        return trainer_of(graph, **changes).run(seed)

    return train
