"""The files that the stages of learning write, so that an interrupted command can continue.

Each lasso coefficient has a folder, such as `lasso_0.01`, with

wide.npz             the wide network's weights at the peak of validation accuracy
wide.json            the record of its training; wide_curve.* draw it
architecture.json    the learned architecture; architecture.* draw it
norms.npz            norm and score of every unit at the peak, and the thresholds; norms.* draw them
records.jsonl        the retrainings
checkpoint.npz       the state of the current run; removed when the run is finished
"""

from __future__ import annotations

import dataclasses
import json
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import mixhop_tf
from datasets.atomic import replacing
from mixhop_tf import Architecture, Checkpoint, Peak, Pruning, Settings, Store
from mixhop_tf.models.weights import load_weights
from mixhop_tf.training.graph import Graph
from trainers.plots import learning, runs, style
from trainers.runs import files, run_folder
from trainers.sweeps import protocol, records
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError

ARCHITECTURE, NORMS = "architecture.json", "norms.npz"


class PeakStore(Store):
    """Stores only the peak of the wide network (stage 2).

    Args:
        folder: Parent of the coefficients' folders.
        graph: The graph.
        data: The source of the graph.
        seed: Seed of the wide network.
    """

    def __init__(self, folder: Path, graph: Graph, data: DataConfig, seed: int) -> None:
        self._folder, self._graph, self._data, self._seed = folder, graph, data, seed

    def load_peak(self, lasso: float, wide: Architecture, settings: Settings) -> Peak | None:
        """The result of stage 2 for this architecture and these settings; None if not done."""
        folder = self._of(lasso)
        files.remove_leftovers(folder)
        key = self._config(wide, settings).key()
        try:
            record = json.loads((folder / "wide.json").read_text(encoding="utf-8"))
            if (record["key"], record["seed"]) != (key, self._seed):
                return None
            with np.load(folder / "wide.npz") as content:
                peak = Peak(dict(content), records.result_of(record))
            self._check(peak, wide)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, LookupError, EOFError, zipfile.BadZipFile):
            raise RunError(
                f"{folder} is damaged; remove it and run the command again to repeat this part."
            ) from None
        return peak

    def keep_peak(self, peak: Peak, lasso: float, wide: Architecture, settings: Settings) -> None:
        """Stores the result of stage 2, its record last."""
        folder, run = self._of(lasso), peak.run
        if run is None:
            return
        (folder / "wide.json").unlink(missing_ok=True)
        files.write_curve(folder / "wide_curve.csv", run)
        accuracy = f"validation {run.best.val_accuracy:.1%}"
        title = f"{self._graph.name}, wide network under the lasso: {accuracy}"
        untested = dataclasses.replace(run, test_accuracy=None)
        style.save(runs.training_curve(untested, title), folder / "wide_curve")
        files.write_arrays(folder / "wide.npz", peak.weights)
        files.write_json(
            folder / "wide.json", records.of_run(self._config(wide, settings), untested)
        )
        files.checkpoint(folder).remove()

    def checkpoint(self, lasso: float) -> Checkpoint:
        """The checkpoint of the current run."""
        return files.checkpoint(self._of(lasso))

    def keep_retraining(
        self,
        run: mixhop_tf.Run,  # noqa: ARG002
        lasso: float,
        architecture: Architecture,  # noqa: ARG002
        settings: Settings,  # noqa: ARG002
    ) -> None:
        """Removes the checkpoint of a finished run of stage 5."""
        files.checkpoint(self._of(lasso)).remove()

    def _check(self, peak: Peak, wide: Architecture) -> None:
        """Raises a `ValueError` unless the weights are the wide network's."""
        scaling = self._data.scaling_of(self._graph)
        sizes = self._graph.num_features, self._graph.num_classes
        load_weights(mixhop_tf.build_model(wide, *sizes, scaling=scaling), peak.weights)

    def _of(self, lasso: float) -> Path:
        return self._folder / f"lasso_{lasso}"

    def _config(self, architecture: Architecture, settings: Settings) -> RunConfig:
        return RunConfig.of(self._data, self._graph, architecture, settings)


class LearnStore(PeakStore):
    """Stores the results of every stage; see `PeakStore` for the arguments."""

    def keep_pruning(self, pruning: Pruning) -> None:
        """Stores the results of stages 3 and 4."""
        write_pruning(self._of(pruning.lasso), pruning, self._graph)

    def load_retrainings(
        self, lasso: float, architecture: Architecture, settings: Settings, seeds: Iterable[int]
    ) -> Sequence[mixhop_tf.RunResult]:
        """The finished retrainings of stage 5."""
        cell = Cell(self._config(architecture, settings), self._of(lasso) / run_folder.RECORDS)
        return [records.result_of(record) for record in protocol.ranked(cell.records(seeds))]

    def keep_retraining(
        self, run: mixhop_tf.Run, lasso: float, architecture: Architecture, settings: Settings
    ) -> None:
        """Stores the record of a run of stage 5."""
        record = records.of_run(self._config(architecture, settings), run)
        records.append(self._of(lasso) / run_folder.RECORDS, record)
        super().keep_retraining(run, lasso, architecture, settings)


def write_pruning(folder: Path, pruning: Pruning, graph: Graph) -> None:
    """Writes an architecture and the scores that it was chosen by, with their pictures."""
    arrays: dict[str, Any] = {"thresholds": np.array(pruning.thresholds)}
    for kind, layers in (("norm", pruning.norms), ("score", pruning.scores)):
        for i, layer in enumerate(layers, start=1):
            arrays |= {f"{kind}_layer{i}_power{power}": each for power, each in layer.items()}
    files.write_arrays(folder / NORMS, arrays)
    with replacing(folder / ARCHITECTURE) as temporary:
        temporary.write_text(pruning.architecture.to_json(), encoding="utf-8")
    style.save(learning.unit_scores(pruning, graph), folder / "norms")
    style.save(
        learning.architecture(pruning.architecture, graph, f"lasso {pruning.lasso:g}"),
        folder / "architecture",
    )
