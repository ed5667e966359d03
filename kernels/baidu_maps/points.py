"""Points: read and shown in Baidu's own system, BD-09; the gazetteer's are in GCJ-02."""

from __future__ import annotations

import re

from farm.appkit import Row
from farm.appkit.geography.coordinates import Point, bd09_to_gcj02, bearing, compass, gcj02_to_bd09

_NUMBER = r"([+-]?\d+(?:\.\d+)?)"
_PAIR = re.compile(rf"\s*{_NUMBER}\s*,\s*{_NUMBER}\s*\Z")
# The plane of Baidu's tiles, in metres: for each belt of latitudes from which on it holds, the published coefficients.
_BELTS = (
    (
        30.0,
        (0.00220636496208, 111320.7020209128),
        (51751.86112841131, 3796837.749470245, 992013.7397791013, -1221952.21711287),
        (1340652.697009075, -620943.6990984312, 144416.9293806241),
        37.5,
    ),
    (
        15.0,
        (-0.0003441963504368392, 111320.7020576856),
        (278.2353980772752, 2485758.690035394, 6070.750963243378, 54821.18345352118),
        (9540.606633304236, -2710.55326746645, 1405.483844121726),
        22.5,
    ),
)


def read_point(text: str, *, lng_first: bool = False) -> Point | None:
    """Return the point of two numbers, latitude first, or None where there is none on the earth."""
    match = _PAIR.match(text)
    if match is None:
        return None
    first, second = float(match[1]), float(match[2])
    latitude, longitude = (second, first) if lng_first else (first, second)
    if abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return bd09_to_gcj02(Point(longitude, latitude))


def read_points(text: str, separator: str) -> list[Point] | None:
    """Return points between separators, or None where one is none."""
    found = [read_point(each) for each in text.split(separator)]
    points = [point for point in found if point is not None]
    return points if len(points) == len(found) else None


def show_point(point: Point, digits: int = 6) -> Row:
    """Return a point as most answers have it."""
    shown = gcj02_to_bd09(point)
    return {"lng": round(shown.longitude, digits), "lat": round(shown.latitude, digits)}


def show_place_point(point: Point) -> Row:
    """Return a point as the search of places has it, latitude first."""
    shown = show_point(point)
    return {"lat": shown["lat"], "lng": shown["lng"]}


def show_text_point(point: Point) -> Row:
    """Return a point as the steps of routes have it, in texts."""
    return {name: f"{value:.6f}" for name, value in show_point(point).items()}


def show_pair(point: Point) -> str:
    """Return a point as paths have it: longitude, comma, latitude."""
    shown = gcj02_to_bd09(point)
    return f"{shown.longitude:.6f},{shown.latitude:.6f}"


def show_metres(point: Point) -> Row:
    """Return a point on the plane of Baidu's tiles, BD-09 MC, as texts."""
    shown = gcj02_to_bd09(point)
    _, across, low, high, scale = next(each for each in _BELTS if shown.latitude >= each[0])
    share = shown.latitude / scale
    north = sum(factor * share**power for power, factor in enumerate(low + high))
    return {"x": f"{across[0] + across[1] * shown.longitude:.2f}", "y": f"{north:.2f}"}


def direction(one: Point, other: Point) -> str:
    """Return one of eight directions in which the other point lies."""
    return compass(bearing(one, other))
