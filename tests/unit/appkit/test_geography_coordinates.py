"""Coordinate systems, distances and bearings."""

from __future__ import annotations

import pytest

from farm.appkit.geography.coordinates import (
    Point,
    bd09_to_gcj02,
    bearing,
    distance_m,
    gcj02_to_bd09,
    wgs84_to_gcj02,
)

SHANGHAI, URUMQI, TAIPEI, BERLIN = (
    Point(121.4737, 31.2304),
    Point(87.6177, 43.7928),
    Point(121.5654, 25.0330),
    Point(13.4050, 52.5200),
)


@pytest.mark.parametrize("point", [SHANGHAI, URUMQI])
def test_maps_of_the_mainland_are_some_hundred_metres_beside_the_earth(point: Point) -> None:
    assert 100 < distance_m(point, wgs84_to_gcj02(point)) < 1000


@pytest.mark.parametrize("point", [TAIPEI, BERLIN])
def test_elsewhere_nothing_is_shifted(point: Point) -> None:
    assert wgs84_to_gcj02(point) == point


def test_the_formula_gives_the_published_pair() -> None:
    # The example that implementations of the formula are commonly checked with.
    assert wgs84_to_gcj02(Point(116.404, 39.915)) == pytest.approx((116.41024449916938, 39.91640428150164), abs=1e-9)
    assert gcj02_to_bd09(Point(116.404, 39.915)) == pytest.approx((116.41036949371029, 39.92133699351022), abs=1e-9)


def test_the_third_system_goes_there_and_back() -> None:
    assert 500 < distance_m(SHANGHAI, gcj02_to_bd09(SHANGHAI)) < 1500
    assert distance_m(bd09_to_gcj02(gcj02_to_bd09(SHANGHAI)), SHANGHAI) < 0.01


def test_a_degree_of_latitude_is_111_kilometres() -> None:
    assert distance_m(Point(121, 31), Point(121, 32)) == pytest.approx(111_195, rel=0.001)


@pytest.mark.parametrize(("east", "north", "degrees"), [(0, 1, 0), (1, 0, 90), (0, -1, 180), (-1, 0, 270)])
def test_bearings_go_clockwise_from_north(east: int, north: int, degrees: int) -> None:
    there = Point(SHANGHAI.longitude + east * 0.01, SHANGHAI.latitude + north * 0.01)

    assert bearing(SHANGHAI, there) == pytest.approx(degrees)
