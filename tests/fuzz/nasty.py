"""Values that often cause errors in programs."""

NUMBERS = (
    0, 1, -1, 2, 127, 255, 256, 65535, 2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64,
    -(2**31), -(2**63), 400_000_000, 10**10, 10**18, 10**30, 0.5, -0.0, 1e-45, 1e38, 1e39, 1e308,
)  # fmt: skip

TOKENS = (
    *map(str, NUMBERS),
    "nan", "NaN", "inf", "-Infinity", "1e999", "-1e999", "1_0", "0x10", "1,5", "٣", "1e", "+", "-",
    "", " ", "\t", "\0", "\ufeff", "\u202e", "é", "𝔸", "\x7f", "\x1b[31m", "a" * 1001, "9" * 4299,
    "9" * 5000, "9" * 20000, "true", "false", "null", "None", "train", "val", "test", "node", "\r",
    "label", "feature", "value", "source", "target", "-1", "[]", "{}", "()", '"', "'", ";", "%s",
    "{0}", "../../etc/passwd", "~", "~nobody", "con", "<!ENTITY a 'b'>", "&a;", "]]>", "\n", "\n\n",
)  # fmt: skip

# Values that JSON can hold, and further ones that Python's reader accepts.
JSON_VALUES = (
    None, True, False, 0, 1, -1, 2, 1.0, 0.5, -0.5, 1e308, float("nan"), float("inf"), 10**30,
    2**63, 10**400, 1_000_001, 200_000, 101, "", "1", "relu", "none", "psum", "dense", "x" * 2000,
    "\0", "\ud800", "a\nb", [], [[]], [None], [True], ["1"], [1, 1], [[1, 2]], [0.5], [10**400],
    [-1], [200_000], [10**9] * 3, {}, {"": 0}, {"a": {"b": []}}, [0] * 1000, [{}], {"version": 1},
)  # fmt: skip

# Text to insert into JSON.
JSON_TEXTS = (
    b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000, b"1e99999", b"-", b"\xff\xfe", b"\xed\xa0\x80",
    b'"\\ud800"', b"NaN", b"-Infinity", b"\x00", b"\xef\xbb\xbf", b'"key": 1,', b"]]", b"}",
)  # fmt: skip

BYTES = (
    b"", b"\0", b"\0" * 64, b"\xff" * 8, b"\x80", b"\n", b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY",
    b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff", b"\0\0\0\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf",
    b"A" * 5000,
)  # fmt: skip
