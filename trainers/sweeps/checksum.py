"""A checksum at the end of a line of JSON, which detects any flipped bit.

A line is `{…, "crc": "1f2e3d4c"}`: the last field is the CRC-32, in eight hexadecimal digits, of
the line's bytes without that field, `{…}`. Older lines have no checksum and stay valid.
"""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

_FIELD = re.compile(rb', "crc": "([0-9a-f]{8})"\}\Z')


class ChecksumError(ValueError):
    """The checksum does not match the line."""


def signed(line: bytes) -> bytes:
    """The line, a JSON object without a newline, with its checksum as the last field.

    >>> signed(b'{"seed": 1}')
    b'{"seed": 1, "crc": "12d1e005"}'
    """
    return line[:-1] + b', "crc": "%08x"}' % zlib.crc32(line)


def parsed(line: bytes) -> Any:
    """The content of a line without its checksum.

    >>> parsed(signed(b'{"seed": 1}'))
    {'seed': 1}

    Raises:
        ChecksumError: If the checksum does not match.
        ValueError: If the line is not JSON.
    """
    found = _FIELD.search(line)
    if found:
        line = line[: found.start()] + b"}"
        if zlib.crc32(line) != int(found[1], 16):
            raise ChecksumError
    content = json.loads(line)
    if isinstance(content, dict) and "crc" in content:  # in another place, or not eight digits
        raise ChecksumError
    return content
