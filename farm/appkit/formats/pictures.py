"""The format and size of a picture, read from its first bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# Markers of JPEG frames, which hold the size; the gaps are other markers.
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's ``format`` (``png``, ``gif``, ``jpeg`` or ``webp``), and its size in pixels."""

    format: str
    width: int
    height: int


def read_picture(content: bytes) -> Picture | None:
    """Return the format and size of a PNG, GIF, JPEG or WebP picture; None for anything else."""
    if content[:8] == b"\x89PNG\r\n\x1a\n" and len(content) >= 24:
        return Picture("png", int.from_bytes(content[16:20]), int.from_bytes(content[20:24]))
    if content[:6] in (b"GIF87a", b"GIF89a") and len(content) >= 10:
        return Picture("gif", int.from_bytes(content[6:8], "little"), int.from_bytes(content[8:10], "little"))
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return _webp(content)
    return next(_jpeg(content), None) if content[:2] == b"\xff\xd8" else None


def is_picture(content: bytes) -> bool:
    """Return whether a file is such a picture."""
    return read_picture(content) is not None


def _jpeg(content: bytes) -> Iterator[Picture]:
    at = 2
    while at + 9 <= len(content) and content[at] == 0xFF:
        if content[at + 1] in _FRAMES:
            height, width = int.from_bytes(content[at + 5 : at + 7]), int.from_bytes(content[at + 7 : at + 9])
            yield Picture("jpeg", width, height)
        at += 2 + int.from_bytes(content[at + 2 : at + 4])


def _webp(content: bytes) -> Picture | None:
    if len(content) < 30:
        return None
    match content[12:16]:
        case b"VP8 ":
            width, height = (int.from_bytes(content[at : at + 2], "little") & 0x3FFF for at in (26, 28))
        case b"VP8L":
            bits = int.from_bytes(content[21:25], "little")
            width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            width, height = (int.from_bytes(content[at : at + 3], "little") + 1 for at in (24, 27))
        case _:
            return None
    return Picture("webp", width, height)
