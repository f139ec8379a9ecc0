"""The record of the fits to the two-hop delta operator, from which the report draws them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from datasets.atomic import replacing
from trainers.sweeps.errors import RunError

NAME = "theorem.json"  # in the folder of the records
_DIGITS = 4  # significant ones of an error: more would differ from machine to machine


@dataclasses.dataclass(frozen=True)
class DeltaRecord:
    """Errors of networks fitted to the two-hop delta operator.

    Attributes:
        num_graphs: Number of random graphs that were fitted at once.
        num_nodes: Nodes of each graph.
        seed: Seed of graphs and weights.
        errors: By network, MixHop's first, the error after each step; see `delta_fit.fit`.
    """

    num_graphs: int
    num_nodes: int
    seed: int
    errors: Mapping[str, np.ndarray]

    @property
    def final(self) -> dict[str, float]:
        """The error of each network after the last step."""
        return {name: float(values[-1]) for name, values in self.errors.items()}


def rounded(errors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The errors as they are written: with four significant digits."""
    return {
        name: np.array([float(f"{value:.{_DIGITS}g}") for value in values])
        for name, values in errors.items()
    }


def write(path: Path, record: DeltaRecord) -> None:
    """Writes a record as JSON, whole or not at all."""
    errors = {name: values.tolist() for name, values in rounded(record.errors).items()}
    content = {**dataclasses.asdict(record), "errors": errors}
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(content) + "\n", encoding="utf-8")


def read(path: Path) -> DeltaRecord | None:
    """Reads a record; None if there is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        errors = {name: np.array(values, float) for name, values in content["errors"].items()}
        if not errors or not all(len(values) for values in errors.values()):
            raise ValueError("it has no errors")
        graphs, nodes, seed = (int(content[name]) for name in ("num_graphs", "num_nodes", "seed"))
        return DeltaRecord(graphs, nodes, seed, errors)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise RunError(
            f"{path} is not a record of `python -m trainers.theorem` ({str(error)[:100]}); remove "
            "it, and run that command again."
        ) from None
