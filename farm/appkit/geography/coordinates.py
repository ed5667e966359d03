"""The three coordinate systems of Chinese maps, and distances and bearings between points.

WGS-84 is the system of satellites. GCJ-02, prescribed for maps of the mainland, shifts it by some hundred metres by a
public formula; BD-09 shifts once more. Taiwan's maps are not shifted.
"""

from __future__ import annotations

from math import asin, atan2, cos, degrees, hypot, pi, radians, sin, sqrt
from typing import NamedTuple

EARTH_M = 6_371_008.8  # the mean radius
_MAJOR_M = 6_378_245.0  # of the ellipsoid of Krassowski, on which the shift is defined
_ECCENTRICITY = 0.00669342162296594323
_BD_PI = pi * 3000.0 / 180.0
_WINDS = ("北", "东北", "东", "东南", "南", "西南", "西", "西北")


class Point(NamedTuple):
    """A place on the earth, in degrees."""

    longitude: float
    latitude: float


def is_shifted(point: Point) -> bool:
    """Return whether maps are shifted here: a box around China, without Taiwan."""
    in_china = 72.004 < point.longitude < 137.8347 and 0.8293 < point.latitude < 55.8271
    in_taiwan = 119.9 < point.longitude < 122.2 and 21.8 < point.latitude < 25.4
    return in_china and not in_taiwan


def wgs84_to_gcj02(point: Point) -> Point:
    """Convert WGS-84 to GCJ-02; points outside the mainland are unchanged."""
    if not is_shifted(point):
        return point
    east, north = _shift(point)
    return Point(point.longitude + east, point.latitude + north)


def gcj02_to_bd09(point: Point) -> Point:
    """Convert GCJ-02 to BD-09."""
    z = hypot(*point) + 0.00002 * sin(point.latitude * _BD_PI)
    theta = atan2(point.latitude, point.longitude) + 0.000003 * cos(point.longitude * _BD_PI)
    return Point(z * cos(theta) + 0.0065, z * sin(theta) + 0.006)


def bd09_to_gcj02(point: Point) -> Point:
    """Convert BD-09 to GCJ-02, to a centimetre."""
    found = Point(point.longitude - 0.0065, point.latitude - 0.006)
    for _ in range(4):
        back = gcj02_to_bd09(found)
        found = Point(
            found.longitude + point.longitude - back.longitude, found.latitude + point.latitude - back.latitude
        )
    return found


def distance_m(one: Point, other: Point) -> float:
    """Return the length of the great circle between two points."""
    north, south = radians(one.latitude), radians(other.latitude)
    across = sin((south - north) / 2) ** 2
    along = cos(north) * cos(south) * sin(radians(other.longitude - one.longitude) / 2) ** 2
    return 2 * EARTH_M * asin(min(1.0, sqrt(across + along)))


def bearing(one: Point, other: Point) -> float:
    """Return the direction from one point to the other, in degrees clockwise from north."""
    east = (other.longitude - one.longitude) * cos(radians((one.latitude + other.latitude) / 2))
    return degrees(atan2(east, other.latitude - one.latitude)) % 360


def compass(bearing: float) -> str:
    """Return the nearest of eight directions in Chinese: 东北."""
    return _WINDS[round(bearing / 45) % 8]


def between(one: Point, other: Point, share: float) -> Point:
    """Return the point at a share of the straight line, from 0 to 1."""
    return Point(
        one.longitude + (other.longitude - one.longitude) * share,
        one.latitude + (other.latitude - one.latitude) * share,
    )


def nearest_share(point: Point, one: Point, other: Point) -> float:
    """Return the share of the straight line between two points at which a third point is nearest."""
    scale = cos(radians(point.latitude))
    east, north = (other.longitude - one.longitude) * scale, other.latitude - one.latitude
    length = east * east + north * north
    if length == 0:
        return 0.0
    along = (point.longitude - one.longitude) * scale * east + (point.latitude - one.latitude) * north
    return min(1.0, max(0.0, along / length))


def _shift(point: Point) -> tuple[float, float]:
    x, y = point.longitude - 105.0, point.latitude - 35.0
    waves = 20.0 * sin(6.0 * x * pi) + 20.0 * sin(2.0 * x * pi)
    north = -100.0 + 2.0 * x + 3.0 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * sqrt(abs(x))
    north += (waves + 20.0 * sin(y * pi) + 40.0 * sin(y / 3.0 * pi)) * 2.0 / 3.0
    north += (160.0 * sin(y / 12.0 * pi) + 320.0 * sin(y * pi / 30.0)) * 2.0 / 3.0
    east = 300.0 + x + 2.0 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * sqrt(abs(x))
    east += (waves + 20.0 * sin(x * pi) + 40.0 * sin(x / 3.0 * pi)) * 2.0 / 3.0
    east += (150.0 * sin(x / 12.0 * pi) + 300.0 * sin(x / 30.0 * pi)) * 2.0 / 3.0
    latitude = radians(point.latitude)
    bend = 1 - _ECCENTRICITY * sin(latitude) ** 2
    return (
        degrees(east / (_MAJOR_M / sqrt(bend) * cos(latitude))),
        degrees(north / (_MAJOR_M * (1 - _ECCENTRICITY) / (bend * sqrt(bend)))),
    )
