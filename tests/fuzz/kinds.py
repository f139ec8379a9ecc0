"""The kinds of input; each kind makes cases and reads them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.fuzz import (
    mutate,
    nasty,
    structured_csv,
    structured_json,
    structured_npz,
    structured_pickle,
    table_kinds,
)
from tests.fuzz.corpus import Files
from tests.fuzz.kind import GraphKind, Kind
from tests.fuzz.outcome import Outcome, outcome_of


class Csv(GraphKind):
    name = "csv"

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        if rng.random() < 0.6:
            try:
                return structured_csv.mutated(rng, data)
            except ValueError:
                return data
        return mutate.mutated(rng, data, text=True, other=other)


class Npz(GraphKind):
    name = "npz"
    file = "graph.npz"

    def case(self, rng: random.Random) -> Files:
        data = next(iter(rng.choice(self._examples).values()))
        other = next(iter(rng.choice(self._examples).values()))
        return {"graph.npz": self.mutated(rng, "graph.npz", data, other)}

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        if rng.random() < 0.75:
            return structured_npz.mutated(rng, data)
        return mutate.mutated(rng, data, text=False, other=other)


class GraphMl(GraphKind):
    name = "graphml"
    file = "graph.graphml"

    def case(self, rng: random.Random) -> Files:
        data = next(iter(rng.choice(self._examples).values()))
        other = next(iter(rng.choice(self._examples).values()))
        return {"graph.graphml": self.mutated(rng, "graph.graphml", data, other)}

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        return mutate.mutated(rng, data, text=True, other=other)


class Planetoid(GraphKind):
    name = "planetoid"
    has_directions = False

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        if name.endswith("index"):
            return mutate.mutated(rng, data, text=True, other=other)
        choice = rng.random()
        if choice < 0.25:
            import pickle

            return pickle.dumps(structured_pickle.any_object(rng), rng.randrange(6))
        if choice < 0.7:
            others = sorted(rng.choice(self._examples).values())
            return structured_pickle.mutated(rng, data, others)
        return mutate.mutated(rng, data, text=False, other=other)


class Pickle(Kind):
    name = "pickle"
    memory = 2**30 + 2**29  # the libraries take half a gigabyte of it

    def start(self) -> None:
        super().start()
        self._programs = [next(iter(files.values())) for files in self._examples]
        import datasets.formats.unpickle  # noqa: F401

    def case(self, rng: random.Random) -> Files:
        return {"file": self.mutated(rng, "file", rng.choice(self._programs), b"")}

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        if rng.random() < 0.65:
            return structured_pickle.mutated(rng, data, self._programs)
        return mutate.mutated(rng, data, text=False, other=rng.choice(self._programs))

    def outcome(self, folder: Path) -> Outcome:
        from datasets.formats.unpickle import load_pickle

        return outcome_of(lambda: load_pickle(folder / "file"))


class Architecture(Kind):
    name = "architecture"

    def start(self) -> None:
        super().start()
        from trainers.paper import architectures, presets  # noqa: F401

    def case(self, rng: random.Random) -> Files:
        if rng.random() < 0.2:
            text = rng.choice((b"0:24:0,1:18:7,2:18:7", b"0,1,2", b"1:3:3:3,0:1:2:3"))
            return {"notation": mutate.mutated(rng, text, text=True)}
        data = next(iter(rng.choice(self._examples).values()))
        return {"architecture.json": self.mutated(rng, "", data, b"")}

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        if rng.random() < 0.8:
            return structured_json.mutated(rng, data)
        return mutate.mutated(rng, data, text=True)

    def outcome(self, folder: Path) -> Outcome:
        notation = folder / "notation"
        if notation.is_file():
            text = notation.read_bytes().decode("utf-8", "surrogateescape")
            outcome = outcome_of(lambda: _describe(_from_notation(text)))
            return outcome if outcome.is_finding else outcome_of(lambda: _resolve(text))
        path = folder / "architecture.json"
        outcome = outcome_of(lambda: _describe(_from_file(path)))
        return outcome if outcome.is_finding else outcome_of(lambda: _resolve(str(path)))


def _from_notation(text: str) -> Any:
    from mixhop_tf import Architecture as MixHop

    return MixHop.from_notation(text, num_classes=7)


def _from_file(path: Path) -> Any:
    from mixhop_tf.architecture_json import architecture_from_dict, architecture_from_json

    text = path.read_bytes().decode("utf-8", "surrogateescape")
    architecture = architecture_from_json(text)
    assert architecture_from_dict(json.loads(architecture.to_json())) == architecture
    return architecture


def _describe(architecture: Any) -> None:
    str(architecture)
    architecture.num_parameters(1433, 7)
    if hasattr(architecture, "num_multiply_adds"):
        architecture.num_multiply_adds(1433, 7, num_nodes=2708, adjacency_non_zeros=13264)


def _resolve(name: str) -> None:
    from trainers.paper import presets
    from trainers.paper.architectures import ArchitectureRequest

    preset = presets.preset("l2", "cora", "mixhop")
    ArchitectureRequest(name=name).resolve("cora", 7, preset, lambda: 2.0)


class Records(Kind):
    name = "records"

    def start(self) -> None:
        super().start()
        from trainers.paper import study
        from trainers.sweeps import protocol

        del study, protocol

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        if rng.random() < 0.3:
            return mutate.mutated(rng, data, text=True, other=other)
        if name.endswith(".json"):
            return structured_json.mutated(rng, data)
        lines = data.split(b"\n")
        where = rng.randrange(max(1, len(lines) - 1))
        lines[where] = structured_json.mutated(rng, lines[where])
        if rng.random() < 0.05:
            lines[where] = rng.choice(nasty.JSON_TEXTS)
        return b"\n".join(lines)

    def outcome(self, folder: Path) -> Outcome:
        outcome = outcome_of(lambda: _summarize(folder / "study.jsonl"))
        return outcome if outcome.is_finding else outcome_of(lambda: _study(folder / "study.json"))


def _summarize(path: Path) -> None:
    from trainers.sweeps import protocol, records

    found = records.read(path)
    records.put_in_order(path)
    done = protocol.ranked(found)
    if done:
        str(protocol.summarize(found))
        json.dumps(protocol.summarize(found).to_dict(), allow_nan=False)
    for record in done:
        if {"train_accuracy", "best_step", "num_steps"} <= set(record):
            _ = records.result_of(record).rank
    for record in found:
        ", ".join(f"{name} {text}" for name, text in record.get("versions", {}).items())


def _study(path: Path) -> None:
    from trainers.paper import study

    study.outcomes(path)


def _tensorflow_kinds() -> Sequence[Callable[[], Kind]]:
    from tests.fuzz import served

    return served.SavedModel, served.Requests


def kinds() -> dict[str, Kind]:
    """Makes every kind, by name."""
    makers = (Csv, Npz, GraphMl, Planetoid, Pickle, Architecture, Records)
    makers += (*table_kinds.KINDS, *_tensorflow_kinds())
    return {kind.name: kind for kind in (make() for make in makers)}
