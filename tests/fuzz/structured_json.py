"""Changes values, keys and depths of JSON; the result is usually still JSON."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.fuzz import nasty

_MAX_PLACES = 2000


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Makes one to three changes to the content, and sometimes one to the text itself."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return data
    for _ in range(rng.choice((1, 1, 2, 3))):
        content = _changed(rng, content)
    text = _text(content)
    if rng.random() < 0.15:
        where = rng.randrange(len(text) + 1)
        text = text[:where] + rng.choice(nasty.JSON_TEXTS) + text[where:]
    return text


def _text(content: Any) -> bytes:
    try:
        return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except ValueError:  # an integer with more digits than Python converts to text
        return b"9" * 5000


def _changed(rng: random.Random, content: Any) -> Any:
    places: list[tuple[Any, Any]] = []
    _collect(content, places)
    if not places or rng.random() < 0.03:
        return rng.choice(nasty.JSON_VALUES)
    parent, key = rng.choice(places)
    choice = rng.random()
    if choice < 0.5:
        parent[key] = _copy(rng.choice(nasty.JSON_VALUES))
    elif choice < 0.65:
        del parent[key]
    elif choice < 0.75:
        other, where = rng.choice(places)
        value = other[where] if where in _keys(other) else None
        parent[key] = _copy(value)
    elif choice < 0.85:
        parent[key] = [parent[key]] if rng.random() < 0.5 else str(parent[key])
    elif isinstance(parent, dict):
        parent[rng.choice(("odd", "", "version", "model", "layers", "crc", "\ud800"))] = _copy(
            rng.choice(nasty.JSON_VALUES)
        )
    else:
        parent.extend(_copy(parent[key]) for _ in range(rng.choice((1, 5, 200))))
    return content


def _collect(content: Any, places: list[tuple[Any, Any]]) -> None:
    if len(places) > _MAX_PLACES:
        return
    for key in _keys(content):
        places.append((content, key))
        _collect(content[key], places)


def _keys(content: Any) -> Any:
    if isinstance(content, dict):
        return list(content)
    return range(len(content)) if isinstance(content, list) else ()


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, list) else value
