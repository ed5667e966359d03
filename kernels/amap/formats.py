"""How the REST API writes and reads things: numbers as texts, points as texts, nothing as an empty list."""

from __future__ import annotations

import re

from farm.appkit import CAPS_36, in_base
from farm.appkit.geography.coordinates import Point

from . import errors

_POINT = re.compile(r"-?\d{1,3}(\.\d+)?,-?\d{1,2}(\.\d+)?", re.ASCII)
# "B0" and eight digits of base 36; the factor scatters neighbouring numbers and can be undone.
_MODULUS = 36**8
_FACTOR = 1_375_229_411_753


def read_point(text: str) -> Point:
    """Return the point of ``longitude,latitude``.

    Raises:
        InvalidParams: it is something else, or not on the earth.
    """
    if not _POINT.fullmatch(text):
        raise errors.InvalidParams
    longitude, latitude = map(float, text.split(","))
    if abs(longitude) > 180 or abs(latitude) > 90:
        raise errors.InvalidParams
    return Point(longitude, latitude)


def show_point(point: Point) -> str:
    """Return ``longitude,latitude`` with six decimals, as the API always has them."""
    return f"{point.longitude:.6f},{point.latitude:.6f}"


def or_nothing(text: str | None) -> str | list[str]:
    """Return a text, or the empty list that the API has in its place."""
    return text or []


def place_key(place_id: int) -> str:
    """Return the id of a place as the API has it: B0FFH3NVVG."""
    return f"B0{in_base(place_id * _FACTOR % _MODULUS, CAPS_36, 8)}"


def read_place_key(key: str) -> int | None:
    """Return the number of the place with this id, or None where no place can have it."""
    if not re.fullmatch(r"B0[0-9A-Z]{8}", key, re.ASCII):
        return None
    return int(key[2:], 36) * pow(_FACTOR, -1, _MODULUS) % _MODULUS
