"""A picture that looks like a login code. It encodes nothing and cannot be scanned."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode

_MODULES = 29  # a version 3 code
_QUIET = 4
_SCALE = 4
_FINDER = ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111")


def picture(number: int) -> str:
    """Return a black and white PNG as base64 text; the same number gives the same bytes."""
    side = (_MODULES + 2 * _QUIET) * _SCALE
    blank = "0" * _QUIET
    rows = ["0" * (_MODULES + 2 * _QUIET)] * _QUIET
    rows += [blank + row + blank for row in _modules(number)]
    rows += rows[:_QUIET]
    lines = b"".join(_line(row, side) * _SCALE for row in rows)
    # Level 0 stores without compressing, so the bytes do not depend on the machine's zlib.
    chunks = (
        _chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)),
        _chunk(b"IDAT", zlib.compress(lines, 0)),
        _chunk(b"IEND", b""),
    )
    return b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(chunks)).decode()


def _modules(number: int) -> list[str]:
    """Return the code's rows, '1' for dark: noise from a linear congruence, with three finder squares on top."""
    rows = []
    for _ in range(_MODULES):
        number = (number * 6364136223846793005 + 1442695040888963407) % 2**64
        rows.append([*f"{number >> 20:044b}"[:_MODULES]])
    far = _MODULES - 8
    for top, left in ((0, 0), (0, far), (far, 0)):
        for y in range(8):
            rows[top + y][left : left + 8] = "0" * 8
        for y, pattern in enumerate(_FINDER):
            down, right = top + y + (top > 0), left + (left > 0)
            rows[down][right : right + 7] = pattern
    return ["".join(row) for row in rows]


def _line(row: str, side: int) -> bytes:
    # A PNG line: filter 0, then one bit a pixel, 1 for white.
    bits = "".join(("0" if dark == "1" else "1") * _SCALE for dark in row).ljust(-(-side // 8) * 8, "0")
    return b"\0" + int(bits, 2).to_bytes(len(bits) // 8, "big")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
