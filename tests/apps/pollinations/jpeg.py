"""A reader of baseline JPEG (ITU-T T.81, JFIF 1.02) for pictures whose blocks have one colour each."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

# Brightness and two colour differences, as the file has them: 0 to 255 and around 0.
Block = tuple[int, int, int]


@dataclass(frozen=True)
class Picture:
    """What a viewer finds in a file.

    Attributes:
        blocks: rows of blocks of 8 by 8 pixels.
        padding: the bits behind the last block.
    """

    width: int
    height: int
    jfif: bytes
    blocks: list[list[Block]]
    padding: str


def read(jpeg: bytes) -> Picture:
    """Read a file as a viewer does, and fail where it is not as the standard has it."""
    assert (jpeg[:2], jpeg[-2:]) == (b"\xff\xd8", b"\xff\xd9")
    segments, at = dict[int, list[bytes]](), 2
    while 0xDA not in segments:
        mark, kind, size = struct.unpack(">BBH", jpeg[at : at + 4])
        assert mark == 0xFF
        segments.setdefault(kind, []).append(jpeg[at + 4 : at + 2 + size])
        at += 2 + size
    assert [*segments] == [0xE0, 0xDB, 0xC0, 0xC4, 0xDA]
    precision, height, width, parts = struct.unpack(">BHHB", segments[0xC0][0][:6])
    # Three parts, one sample of each for a pixel, all with the first table of steps.
    assert (precision, parts, segments[0xC0][0][6:]) == (8, 3, bytes((1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)))
    (steps,) = segments[0xDB]
    assert (steps[0], len(steps)) == (0, 65)
    codes = {table[0]: _codes(table[1:]) for table in segments[0xC4]}
    assert segments[0xDA] == [bytes((3, 1, 0, 2, 0, 3, 0, 0, 63, 0))]
    bits = "".join(f"{byte:08b}" for byte in jpeg[at:-2].replace(b"\xff\0", b"\xff"))
    assert b"\xff" not in jpeg[at:-2].replace(b"\xff\0", b"")
    across, down = -(-width // 8), -(-height // 8)
    samples = _Samples(bits, codes[0x00], codes[0x10], steps[1])
    blocks = [[samples.block() for _ in range(across)] for _ in range(down)]
    return Picture(width, height, segments[0xE0][0], blocks, bits[samples.at :])


def _codes(table: bytes) -> dict[str, int]:
    """Return code → value (T.81, annex C): counts of each length, and the values in order."""
    counts, values = table[:16], iter(table[16:])
    assert sum(counts) == len(table) - 16
    codes, code = {}, 0
    for length, count in enumerate(counts, 1):
        for _ in range(count):
            codes[f"{code:0{length}b}"] = next(values)
            code += 1
        # No code may be all ones, so the next length starts inside.
        assert code < 1 << length
        code <<= 1
    return codes


class _Samples:
    def __init__(self, bits: str, lengths: dict[str, int], others: dict[str, int], step: int) -> None:
        self.bits, self.lengths, self.others, self.step = bits, lengths, others, step
        self.at, self.before = 0, [0, 0, 0]

    def block(self) -> Block:
        """Return the mean of each part, which is an eighth of its first coefficient."""
        for part in range(3):
            self.before[part] += self._difference()
            assert self._coded(self.others) == 0  # the end of the block: nothing but the mean
        light, blue, red = (each * self.step // 8 for each in self.before)
        return light + 128, blue, red

    def _difference(self) -> int:
        length = self._coded(self.lengths)
        taken = self._take(length)
        # What starts with 0 is negative (T.81, F.2.2.1).
        return int(taken, 2) - ((1 << length) - 1) * (taken[0] == "0") if taken else 0

    def _coded(self, codes: dict[str, int]) -> int:
        code = ""
        while code not in codes:
            assert len(code) < 16
            code += self._take(1)
        return codes[code]

    def _take(self, length: int) -> str:
        taken = self.bits[self.at : self.at + length]
        assert len(taken) == length
        self.at += length
        return taken


def in_order(blocks: list[list[Block]]) -> Iterator[tuple[int, int, Block]]:
    """Yield column, row and colour of each block."""
    for y, line in enumerate(blocks):
        for x, block in enumerate(line):
            yield x, y, block
