"""Pieces of a road between the roads that cross it."""

from __future__ import annotations

import itertools

import pytest

from farm.appkit.geography.coordinates import distance_m
from farm.appkit.geography.intersections import sections_of
from farm.appkit.geography.roads import Road, roads_of
from farm.appkit.handler_api import Database
from farm.context.reference import load_reference


@pytest.fixture
def gazetteer() -> Database:
    """The one there is."""
    return load_reference("gazetteer")


def _road(gazetteer: Database, name: str) -> Road:
    return next(each for each in roads_of(gazetteer, None) if each.name == name)


def test_the_pieces_of_a_road_follow_one_another(gazetteer: Database) -> None:
    pieces = sections_of(gazetteer, _road(gazetteer, "延安高架路"))

    assert len(pieces) >= 3
    assert all(one.end == other.start for one, other in itertools.pairwise(pieces))
    ends = [pieces[0].start, *(piece.end for piece in pieces)]
    # From west to east: it is crossed by the inner ring before it comes to the road that runs north through the middle.
    assert ends.index("内环高架路") < ends.index("南北高架路")


def test_pieces_are_no_longer_than_their_road(gazetteer: Database) -> None:
    for road in roads_of(gazetteer, ("310000", "110000")):
        drawn = sum(distance_m(one, other) for one, other in itertools.pairwise(road.points))
        pieces = sections_of(gazetteer, road)
        assert sum(piece.length_m for piece in pieces) <= drawn * 1.1, road.name
        assert all(piece.start != piece.end and piece.length_m > 0 for piece in pieces), road.name


def test_a_road_that_nothing_crosses_has_no_pieces(gazetteer: Database) -> None:
    alone = Road("310000", "没有这条路", "street", ())

    assert sections_of(gazetteer, alone) == ()
