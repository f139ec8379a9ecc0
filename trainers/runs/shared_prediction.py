"""Predictions for a large graph by several processes, which share files.

Every task computes some rows of the next array of the network, and the last tasks write parts of
the output. All machines must see the model, the graph and the folder of the output. The result has
the bits of `BlockPrediction`.
"""

from __future__ import annotations

import dataclasses
import functools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import mixhop_tf
from datasets.atomic import replacing
from datasets.store.progress import Progress
from mixhop_tf.inference.blocks import BlockOptions, compute_part
from mixhop_tf.inference.layers import ALL_ROWS
from mixhop_tf.inference.parts import Parts
from mixhop_tf.inference.scratch import Scratch
from trainers.runs import trained
from trainers.runs.block_prediction import BlockPrediction, header, write_rows
from trainers.runs.question import Question
from trainers.sweeps.engine import Engine
from trainers.sweeps.errors import RunError, explain
from trainers.sweeps.pool import Death
from trainers.sweeps.tensorflow import start_tensorflow

_UNITS = 1_000


@dataclasses.dataclass(frozen=True)
class Part:
    """A task: a part of the next array, or of the output.

    Args:
        question: The model and the graph.
        parts: Which part, and which arrays are complete.
        hidden: Whether the last hidden layer is computed.
        output: The file for this part of the output, in place of an array.
    """

    question: Question
    parts: Parts
    hidden: bool = False
    output: Path | None = None


# The name of the array of which a part was written, None at the end, and the share that is done.
Answer = tuple[str | None, float]


class Failure(str):
    """The answer of a task that failed: one sentence."""

    __slots__ = ()


def execute(task: Part) -> Answer | Failure:
    """Computes a part in a worker."""
    shares = [0.0]
    try:
        start_tensorflow(1)
        found = _loaded(task.question)
        if task.output is not None:
            _write_part(task.output, task.parts, found)
            return None, 1.0
        name = compute_part(
            found.model.model,  # type: ignore[arg-type]  # see `BlockPrediction.suits`
            found.graph,
            task.parts,
            BlockOptions(num_threads=1, on_progress=shares.append),
            features=found.features,
            hidden=task.hidden,
        )
    except Exception as error:
        return Failure(explain(error) or f"{type(error).__name__}: {error}".splitlines()[0])
    return name, shares[-1]


@functools.lru_cache(maxsize=1)
def _loaded(question: Question) -> trained.Trained:
    return question.load()


def _write_part(path: Path, parts: Parts, found: trained.Trained) -> None:
    n, model = found.graph.num_nodes, found.model
    start, stop = (n * (parts.index + i) // parts.count for i in (0, 1))
    shares = model.decision.probabilities(parts.find(ALL_ROWS)[start:stop])
    answer = {"probabilities": shares, "labels": model.decision.labels(shares)}
    rows = start, stop
    write_rows(path, found.graph, answer, model.class_names, found.same_split, rows)


class SharedPrediction(BlockPrediction):
    """Predicts in parts that an engine computes; see `Predictor`.

    Args:
        found: The model and the graph.
        question: How the workers load them.
        out: The file that will be written.
        engine: Where the parts are computed.
        num_parts: Number of parts.
    """

    def __init__(
        self, found: trained.Trained, question: Question, out: Path, engine: Engine, num_parts: int
    ) -> None:
        super().__init__(found.graph, found.features, found.model, out.resolve())
        self._question, self._engine, self._num_parts = question, engine, num_parts

    def write(self, answer: dict[str, np.ndarray], same_split: bool) -> None:
        """Writes parts of the output side by side, and joins them."""
        del answer, same_split  # the workers have both
        folder = self._scratch / "logits"
        outputs = [folder / f"part{index}.csv" for index in range(self._num_parts)]
        parts = self._all_parts(folder, frozenset([ALL_ROWS]))
        tasks = [
            Part(self._question, each, output=output)
            for each, output in zip(parts, outputs, strict=True)
        ]
        for _ in self._answers(tasks):
            pass
        self._out.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self._out) as temporary, open(temporary, "wb") as file:
            file.write(header(self._model.class_names))
            for output in outputs:
                with open(output, "rb") as part:
                    shutil.copyfileobj(part, file)

    def _computed(self, what: str, function: Any) -> np.ndarray:
        hidden = function is mixhop_tf.block_embeddings
        folder = self._scratch / ("hidden" if hidden else "logits")
        # A killed command finds its arrays, if it divides them in the same way.
        fingerprint = f"{self._fingerprint()} in {self._num_parts} parts"
        with Scratch(folder, fingerprint), Progress(what, _UNITS, unit="‰") as progress:
            while True:
                done = Parts(folder, 0, self._num_parts, frozenset()).complete()
                parts = list(self._all_parts(folder, done))
                tasks = [Part(self._question, each, hidden) for each in parts]
                answers = [answer for _, answer in self._answers(tasks)]
                names = {name for name, _ in answers}
                if names == {None}:
                    return np.asarray(parts[0].find(ALL_ROWS))
                if len(names) > 1:
                    raise RunError(
                        f"The parts in {folder} do not fit together; remove the folder and start "
                        "again."
                    )
                progress.at(round(_UNITS * max(share for _, share in answers)))

    def _all_parts(self, folder: Path, done: frozenset[str]) -> Iterator[Parts]:
        for index in range(self._num_parts):
            yield Parts(folder, index, self._num_parts, done)

    def _answers(self, tasks: list[Part]) -> Iterator[tuple[Part, Any]]:
        for task, answer in self._engine.run_tasks(execute, tasks, self._num_parts):
            if isinstance(answer, Death):
                raise RunError(
                    f"Part {task.parts.index} of the prediction failed: "
                    f"{answer.cause or 'its process died'}; start again: finished parts are kept."
                )
            if isinstance(answer, Failure):
                raise RunError(str(answer))
            yield task, answer
