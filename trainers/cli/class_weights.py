"""Reads the weights of classes from a file."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from mixhop_tf import SettingError
from mixhop_tf.training.settings import BALANCED, NONE

_FORM = 'a CSV file with the columns class,weight or a JSON file such as {"leaves": 10}'


def parse(text: str) -> str | dict[str, Any]:
    """Returns `none`, `balanced`, or the weights in the file of this name.

    Args:
        text: The value of --class_weight.

    Raises:
        SettingError: There is no such file, or it holds something else.
    """
    if text in (NONE, BALANCED):
        return text
    path = Path(text).expanduser()
    try:
        content = path.read_text(encoding="utf-8-sig")
        return _from_json(content) if path.suffix == ".json" else _from_csv(content)
    except OSError:
        rule = f"must be {BALANCED}, {NONE}, or the path of {_FORM}"
    except ValueError:
        rule = f"must be {_FORM}"
    raise SettingError("class_weight", rule, text)


def _from_json(content: str) -> dict[str, Any]:
    found = json.loads(content)
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


def _from_csv(content: str) -> dict[str, Any]:
    rows = [row for row in csv.reader(content.splitlines()) if row]
    if rows and [cell.strip().lower() for cell in rows[0]] == ["class", "weight"]:
        rows = rows[1:]
    found = {name.strip(): float(weight) for name, weight in rows}
    if len(found) != len(rows):
        raise ValueError("a class comes twice")
    return found
