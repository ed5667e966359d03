"""Pictures by rule: a sky, a sun or moon, hills. Coarse squares, as JPEG, the same bytes for the same request.

A baseline JPEG whose blocks have one colour each, so a block is a difference to the one before it and an end mark. The
code tables are made for that: what stays the same takes one bit.
"""

from __future__ import annotations

import struct
from itertools import groupby, pairwise

Colour = tuple[int, int, int]

SIDE_DEFAULT, _SIDE_MAX, _PIXELS_MAX = 1024, 4096, 2048 * 2048
_BLOCK, _CELLS = 8, 64
# Lengths of the codes of the twelve sizes of differences: 0 takes one bit, 1 to 7 four, the others five to eight.
_COUNTS = (1, 0, 0, 7, 1, 1, 1, 1) + (0,) * 8
_CODES = ("0", *(f"{code:04b}" for code in range(8, 15)), "11110", "111110", "1111110", "11111110")
_END = "0"


def size(width: int, height: int) -> tuple[int, int]:
    """Return the size of the picture that the service makes: what is asked, made smaller where it is too large."""
    ratio = min(1.0, (_PIXELS_MAX / (width * height)) ** 0.5, _SIDE_MAX / max(width, height))
    return max(1, int(width * ratio)), max(1, int(height * ratio))


def picture(width: int, height: int, number: int, colours: tuple[Colour, ...]) -> bytes:
    """Draw a picture.

    Args:
        number: decides what there is to see where.
        colours: those that the prompt names; the number chooses others.
    """
    columns, rows = min(_CELLS, -(-width // _BLOCK)), min(_CELLS, -(-height // _BLOCK))
    grid = _scene(columns, rows, number, colours)
    across, down = -(-width // _BLOCK), -(-height // _BLOCK)
    drawn = [tuple(_ycc(grid[y * rows // down][x * columns // across]) for x in range(across)) for y in range(down)]
    return _jpeg(width, height, drawn)


def _draw(number: int, step: int, below: int) -> int:
    """Return a number below another that depends on the picture's and on the step."""
    mixed = (number ^ (step * 0x9E3779B97F4A7C15)) * 0xBF58476D1CE4E5B9 % 2**64
    return (mixed >> 24) % below


def _scene(columns: int, rows: int, number: int, named: tuple[Colour, ...]) -> list[list[Colour]]:
    others = [tuple(40 + _draw(number, 3 * each + part, 190) for part in range(3)) for each in range(4)]
    sky, far, near, disc = [*named[:4], *others][:4]
    horizon = rows * (4 + _draw(number, 20, 3)) // 10
    hills = [_hills(columns, number, 30 + layer * 5, rows) for layer in range(2)]
    centre = (_draw(number, 21, columns), _draw(number, 22, max(1, horizon)))
    radius = max(1, min(columns, rows) * (6 + _draw(number, 23, 6)) // 80)
    grid = []
    for y in range(rows):
        line: list[Colour] = []
        for x in range(columns):
            if y >= horizon + hills[1][x] + rows // 5:
                line.append(_shade(near, y, rows))
            elif y >= horizon + hills[0][x]:
                line.append(_shade(far, y, rows))
            elif (x - centre[0]) ** 2 + (y - centre[1]) ** 2 <= radius**2:
                line.append(_shade(disc, 0, rows))
            else:
                line.append(_shade(sky, rows - y, rows))
        grid.append(line)
    return grid


def _hills(columns: int, number: int, step: int, rows: int) -> list[int]:
    """Return how high the ground is in each column: lines between five points."""
    points = [_draw(number, step + each, max(1, rows // 4)) - rows // 8 for each in range(5)]
    heights = []
    for x in range(columns):
        at, part = divmod(x * 4, columns)
        heights.append(points[at] + (points[at + 1] - points[at]) * part // columns)
    return heights


def _shade(colour: tuple[int, ...], y: int, rows: int) -> Colour:
    """Return a colour a little darker the further down, in eight steps."""
    light = 100 - y * 8 // max(rows, 1) * 4
    red, green, blue = (part * light // 100 for part in colour)
    return red, green, blue


def _ycc(colour: Colour) -> Colour:
    """Return brightness and two colour differences, from -128 on."""
    red, green, blue = colour
    light = (299 * red + 587 * green + 114 * blue) // 1000
    return light - 128, (blue - light) * 564 // 1000, (red - light) * 713 // 1000


def _jpeg(width: int, height: int, drawn: list[tuple[Colour, ...]]) -> bytes:
    """Return the file. A quantum of 8 makes the one coefficient of a flat block its value."""
    frame = struct.pack(">BHHB", 8, height, width, 3) + bytes((1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0))
    head = [
        _segment(0xE0, b"JFIF\0" + bytes((1, 1, 0, 0, 1, 0, 1, 0, 0))),
        _segment(0xDB, bytes((0,)) + bytes((8,)) * 64),
        _segment(0xC0, frame),
        _segment(0xC4, bytes((0, *_COUNTS)) + bytes(range(12))),
        _segment(0xC4, bytes((0x10, 1)) + bytes(15) + bytes(1)),
        _segment(0xDA, bytes((3, 1, 0, 2, 0, 3, 0, 0, 63, 0))),
    ]
    bits = []
    before = (0, 0, 0)
    for line, same in groupby(drawn):
        inner = "".join(map(_difference, pairwise(line)))
        first = _difference((before, line[0])) + inner
        again = _difference((line[-1], line[0])) + inner
        bits.append(first + again * (len([*same]) - 1))
        before = line[-1]
    scan = "".join(bits)
    scan += "1" * (-len(scan) % 8)
    data = int(scan, 2).to_bytes(len(scan) // 8, "big").replace(b"\xff", b"\xff\0")
    return b"\xff\xd8" + b"".join(head) + data + b"\xff\xd9"


def _segment(kind: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, kind, len(data) + 2) + data


def _difference(pair: tuple[Colour, Colour]) -> str:
    before, after = pair
    return _CODED[after[0] - before[0]] + _CODED[after[1] - before[1]] + _CODED[after[2] - before[2]]


def _coded(difference: int) -> str:
    """Return the bits of a block: how long the difference is, the difference, and that nothing else follows."""
    length = abs(difference).bit_length()
    # A negative one is told by its complement.
    value = difference if difference > 0 else difference + (1 << length) - 1
    return _CODES[length] + (f"{value:0{length}b}" if length else "") + _END


# More than two brightnesses, or two colour differences, can lie apart.
_CODED = {difference: _coded(difference) for difference in range(-300, 301)}
