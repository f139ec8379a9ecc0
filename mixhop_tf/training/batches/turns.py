"""Which batch each worker takes in each update."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Turns:
    """Divides the batches of a step among workers: in each update, each takes the next one.

    A step has the same batches for any number of workers, so that a run may go on with another
    number of them. If the last update of a step has fewer batches than workers, the others repeat
    the last batch, and it does not count.

    Args:
        count: Number of batches of a step.
        size: Number of workers.
        rank: Number of this worker.

    >>> turns = Turns(count=5, size=2, rank=1)
    >>> turns.updates, [turns.batch(update) for update in range(6)]
    (3, [1, 3, 4, 6, 8, 9])
    >>> [turns.share(update) for update in range(3)]
    [0.5, 0.5, 0.0]
    """

    count: int
    size: int = 1
    rank: int = 0

    @property
    def updates(self) -> int:
        """Number of updates of a step."""
        return -(-self.count // self.size)

    def batch(self, update: int) -> int:
        """Returns the number of this worker's batch in an update of the run."""
        step, place = divmod(update, self.updates)
        return step * self.count + min(place * self.size + self.rank, self.count - 1)

    def share(self, update: int) -> float:
        """Returns the share of this worker's batch in the gradient of an update."""
        first = update % self.updates * self.size
        counted = min(self.size, self.count - first)
        return 1 / counted if self.rank < counted else 0.0
