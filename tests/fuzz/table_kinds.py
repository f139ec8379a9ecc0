"""The kinds of input that hold tables, and the recipe of their columns."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, ClassVar

from tests.fuzz import mutate, structured_csv, structured_json
from tests.fuzz.kind import GraphKind, Kind, load
from tests.fuzz.outcome import Outcome, outcome_of

CRM = {"id": "mail", "label": "team", "source": "who", "target": "whom"}


class _Tables(GraphKind):
    """A graph whose columns are named by options."""

    options: ClassVar[dict[str, Any]] = {}

    def outcome(self, folder: Path) -> Outcome:
        path = folder / self.file if self.file else folder
        first = outcome_of(lambda: load(path, **self.options))
        if first.is_finding:
            return first
        known = {"class_names": ["a", "b"], "make_split": False, "stand_ins": "local"}
        return outcome_of(lambda: load(path, directed=True, **self.options, **known))


class Crm(_Tables):
    name = "crm"
    options = CRM

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        if rng.random() < 0.6:
            try:
                return structured_csv.mutated(rng, data.replace(b";", b","))
            except (ValueError, MemoryError):  # not UTF-8, or too large after all changes
                return data
        return mutate.mutated(rng, data, text=True, other=other)


class Parquet(_Tables):
    name = "parquet"
    options = CRM

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        return mutate.mutated(rng, data, text=False, other=other)


class Feather(Parquet):
    name = "feather"


class EdgeList(_Tables):
    name = "edge_list"
    file = "links.txt"
    options: ClassVar[dict[str, Any]] = {"nodes": "who.csv"}

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        return mutate.mutated(rng, data, text=True, other=other)


class _GraphFile(_Tables):
    options: ClassVar[dict[str, Any]] = {"label": "team"}

    def case(self, rng: random.Random) -> dict[str, bytes]:
        data, other = (next(iter(rng.choice(self._examples).values())) for _ in range(2))
        return {self.file or "": self.mutated(rng, self.file or "", data, other)}

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        return mutate.mutated(rng, data, text=True, other=other)


class Gexf(_GraphFile):
    name = "gexf"
    file = "graph.gexf"


class Gml(_GraphFile):
    name = "gml"
    file = "graph.gml"


class Recipe(Kind):
    name = "recipe"

    def start(self) -> None:
        super().start()
        import datasets  # noqa: F401

    def case(self, rng: random.Random) -> dict[str, bytes]:
        data = next(iter(rng.choice(self._examples).values()))
        return {"recipe.json": self.mutated(rng, "recipe.json", data, b"")}

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        if rng.random() < 0.8:
            return structured_json.mutated(rng, data)
        return mutate.mutated(rng, data, text=True)

    def outcome(self, folder: Path) -> Outcome:
        return outcome_of(lambda: _apply(folder / "recipe.json"))


def _apply(path: Path) -> None:
    import datasets

    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return
    recipe = datasets.Recipe.from_dict(content)
    again = datasets.Recipe.from_dict(json.loads(json.dumps(recipe.to_dict())))
    if again != recipe:
        raise AssertionError("the recipe does not survive JSON")
    for column in recipe.columns:
        str(column)
    people = {
        "id": list("abc"),
        "age": [None, "1", "2"],
        "news": ["yes", None, "no"],
        "town": ["x", "new", ""],
        "name": ["a", "b", "c"],
    }
    datasets.from_tables(people, {"from": ["a"], "to": ["b"]}, recipe=recipe, class_names=["a"])


KINDS = (Crm, Parquet, Feather, EdgeList, Gexf, Gml, Recipe)
