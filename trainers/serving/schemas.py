"""What requests and answers look like; the OpenAPI description is made from this."""

from __future__ import annotations

from types import NoneType
from typing import Annotated, Any, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StrictBool,
    StrictStr,
    WithJsonSchema,
)

MAX_EDGES = 1_000  # of one request
MAX_COLUMNS = 100_000
MAX_NAME = 1_000  # characters


def _number(value: Any) -> float | int:
    if type(value) not in (int, float) or not abs(value) < float("inf"):
        raise ValueError("must be a finite number")
    return value


def _weight(value: Any) -> float | int:
    if _number(value) <= 0:
        raise ValueError("must be positive")
    return value


def _cell(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _MAX_CELL:
        raise ValueError(f"must have {_MAX_CELL:,} characters at most")
    return value if isinstance(value, (bool, str, NoneType)) else _number(value)


def _features(value: Any) -> Any:
    if not isinstance(value, (list, dict)) or len(value) > MAX_COLUMNS:
        raise ValueError(f"must be a list or an object of at most {MAX_COLUMNS:,} numbers")
    for each in value.values() if isinstance(value, dict) else value:
        _number(each)
    return value


_NUMBER = {"type": "number"}
_MAX_CELL = 10 * MAX_NAME  # characters
Number: TypeAlias = Annotated[Any, PlainValidator(_number), WithJsonSchema(_NUMBER)]
Cell: TypeAlias = Annotated[
    Any,
    PlainValidator(_cell),
    WithJsonSchema(
        {
            "anyOf": [{"type": kind} for kind in ("boolean", "number", "null")]
            + [{"type": "string", "maxLength": _MAX_CELL}]
        }
    ),
]
Features: TypeAlias = Annotated[
    Any,
    PlainValidator(_features),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "items": _NUMBER, "maxItems": MAX_COLUMNS},
                {"type": "object", "additionalProperties": _NUMBER, "maxProperties": MAX_COLUMNS},
            ]
        }
    ),
]
Name: TypeAlias = Annotated[StrictStr, Field(min_length=1, max_length=MAX_NAME)]
Weight: TypeAlias = Annotated[
    Any, PlainValidator(_weight), WithJsonSchema({**_NUMBER, "exclusiveMinimum": 0})
]


class _Request(BaseModel):
    """A request; unknown fields are errors, because they may be mistyped."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Neighbor(_Request):
    """A node at the other end of an edge."""

    id: Name
    weight: Weight | None = Field(None, description="Needed by a model with edge weights alone.")
    incoming: StrictBool = Field(
        False, description="Whether the edge leads from this neighbour, in a directed graph."
    )


class NodeRequest(_Request):
    """A node to add, or to change if there is one with this id."""

    id: Name
    columns: Annotated[dict[str, Cell], Field(max_length=MAX_COLUMNS)] | None = Field(
        None, description="Cells of a table like the one that the model was trained on."
    )
    features: Features | None = Field(
        None, description="Features in the model's columns: all, or by name or number."
    )
    neighbors: Annotated[list[Neighbor], Field(max_length=MAX_EDGES)] = Field(
        default=[], description="Edges to add."
    )


class Edge(_Request):
    """An edge; in a directed graph it leads from `source` to `target`."""

    source: Name
    target: Name
    weight: Weight | None = Field(None, description="Needed by a model with edge weights alone.")


class EdgesRequest(_Request):
    """Edges to add; the weights of those that are there are set."""

    edges: Annotated[list[Edge], Field(min_length=1, max_length=MAX_EDGES)]


class Node(BaseModel):
    """What the model says about a node."""

    id: str
    label: str = Field(description="The class that the model answers.")
    probabilities: dict[str, float] = Field(description="By class.")
    logits: list[float] = Field(description="In the order of the classes.")
    field_size: int = Field(description="Number of nodes that the answer depends on.")


class NodeWithNeighbors(Node):
    """A node, and some of those that it is joined to."""

    degree: int
    neighbors: list[str] = Field(description="The first hundred, in the order of the graph.")


class NodeChanged(Node):
    """A node after a change."""

    created: bool = Field(description="Whether the node is new.")


class EdgesChanged(BaseModel):
    """The answers for both ends of the edges, after the change."""

    nodes: list[Node]


class Removed(BaseModel):
    """Whether there was something to remove."""

    removed: bool


class PredictRequest(BaseModel):
    """A request of TensorFlow Serving: `instances` are rows, `inputs` are columns.

    Ids of nodes of the served graph may be instances, or the input `nodes`.
    """

    model_config = ConfigDict(extra="allow")

    signature_name: str | None = None
    instances: list[Any] | None = None
    inputs: dict[str, Any] | list[Any] | None = None


class PredictAnswer(BaseModel):
    """An answer of TensorFlow Serving: `predictions` are rows, `outputs` are columns."""

    predictions: list[Any] | None = None
    outputs: dict[str, Any] | list[Any] | None = None


class Error(BaseModel):
    """Why a request cannot be answered, in one sentence."""

    error: str
