"""Routes for driving, walking and cycling: the fastest way over the gazetteer's roads, in steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from math import inf
from typing import Literal

from farm.appkit.geography.coordinates import Point, bearing, distance_m
from farm.appkit.geography.districts import city_at, district_at
from farm.appkit.geography.places import streets_near
from farm.appkit.geography.roads import Edge, Reached, Snapped, is_over_water, reach, road_graph, route_pieces, snap
from farm.appkit.handler_api import Database

Mode = Literal["driving", "walking", "cycling"]
Turn = Literal["left", "right", "slight left", "slight right", "straight", "back", "arrive"]

# Metres per second by kind of road; missing kinds are not used.
_SPEEDS: dict[str, dict[str, float]] = {
    "driving": {"motorway": 25.0, "ring": 15.0, "avenue": 9.0, "street": 6.5, "": 5.0},
    # Ring roads have parallel roads for walkers and cyclists.
    "walking": {"ring": 1.25, "avenue": 1.25, "street": 1.25, "": 1.25},
    "cycling": {"ring": 4.0, "avenue": 4.2, "street": 4.2, "": 3.6},
}
# Up to this distance a route need not follow the drawn roads.
_DIRECT_M = {"driving": 2500, "walking": 4000, "cycling": 4000}
# Nor for farther points, if the drawn roads are longer than the straight line by this factor.
_AROUND = 2.0
_AROUND_M = 10_000
_DETOUR = 1.3  # length of a route by undrawn streets, as a multiple of the straight line
_SLIP_M = 300
_STREET_M = 100
_ROAD_M_MAX = 60_000  # to the nearest drawn road
# The same outside of all known districts, where roads between cities pass: land and water are not distinguished there.
_OUTSIDE_M_MAX = 3_000
_CITY_M_MAX = 12_000  # to the nearest road of a city, for a route within it


class NoRouteError(Exception):
    """No road is near one of the points, or no road connects them."""


@dataclass(frozen=True, slots=True)
class Step:
    """A piece of a route along one road.

    Attributes:
        road: its name; empty for an undrawn road.
        turn: the action at its end.
        bearing: its direction, in degrees clockwise from north.
    """

    road: str
    distance_m: int
    duration_s: int
    bearing: float
    turn: Turn
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Route:
    """A route between two points; its length and duration are the sums over its steps."""

    mode: Mode
    origin: Point
    destination: Point
    steps: tuple[Step, ...]

    @property
    def distance_m(self) -> int:
        """The length in metres."""
        return sum(step.distance_m for step in self.steps)

    @property
    def duration_s(self) -> int:
        """The duration in seconds."""
        return sum(step.duration_s for step in self.steps)


@dataclass(frozen=True, slots=True)
class _Piece:
    start: Point
    end: Point
    length_m: float
    name: str
    kind: str


def route(db: Database, mode: Mode, origin: Point, destination: Point) -> Route:
    """Return the fastest route.

    Raises:
        NoRouteError: no road leads there.
    """
    direct = distance_m(origin, destination)
    by_road = None if direct < 30 else _by_road(db, mode, origin, destination)
    drawn_m = inf if by_road is None else sum(piece.length_m for piece in by_road)
    is_near = direct <= _DIRECT_M[mode] or (direct <= _AROUND_M and direct * _AROUND < drawn_m)
    is_known = is_near and district_at(db, origin) is not None and district_at(db, destination) is not None
    # Undrawn streets do not cross rivers.
    is_land = is_known and not is_over_water(db, origin, destination)
    nearby = _by_streets(db, origin, destination, direct) if is_land else None
    candidates = [way for way in (by_road, nearby) if way is not None]
    if not candidates:
        raise NoRouteError
    best = min(candidates, key=lambda way: sum(_seconds(mode, each) for each in way))
    return Route(mode, origin, destination, _steps(mode, best))


def _by_road(db: Database, mode: Mode, origin: Point, destination: Point) -> list[_Piece] | None:
    city = _city_of_both(db, mode, origin, destination)
    first, last = (_snapped(db, city, mode, end) for end in (origin, destination))
    if first is None or last is None or not _is_reached(db, origin, first) or not _is_reached(db, destination, last):
        return None
    way = route_pieces(
        road_graph(db, city), first, _reached(db, city, mode, origin), last, partial(_edge_seconds, mode)
    )
    if way is None:
        return None
    pieces = [_Piece(*each) for each in way]
    return [*_access(db, origin, first, to_road=True), *pieces, *_access(db, destination, last, to_road=False)]


def _is_reached(db: Database, point: Point, snapped: Snapped) -> bool:
    return snapped.away_m <= (_OUTSIDE_M_MAX if district_at(db, point) is None else _ROAD_M_MAX)


def _edge_seconds(mode: Mode, edge: Edge) -> float | None:
    speed = _SPEEDS[mode].get(edge.kind)
    return None if speed is None else edge.length_m / speed


@lru_cache(maxsize=4096)
def _snapped(db: Database, city: str | None, mode: Mode, point: Point) -> Snapped | None:
    return snap(road_graph(db, city), point, _SPEEDS[mode])


# A distance matrix needs many routes from one point, row by row; each entry takes a few hundred KB.
@lru_cache(maxsize=8)
def _reached(db: Database, city: str | None, mode: Mode, origin: Point) -> Reached:
    first = _snapped(db, city, mode, origin)
    assert first is not None, "asked for points beside a road only"
    return reach(road_graph(db, city), first, partial(_edge_seconds, mode))


def _city_of_both(db: Database, mode: Mode, origin: Point, destination: Point) -> str | None:
    """Return the city that contains the route, or None if all roads are needed."""
    here, there = city_at(db, origin), city_at(db, destination)
    if here is None or there is None or here["adcode"] != there["adcode"]:
        return None
    city: str = here["adcode"]
    found = [_snapped(db, city, mode, end) for end in (origin, destination)]
    return city if all(each is not None and each.away_m < _CITY_M_MAX for each in found) else None


def _access(db: Database, point: Point, snapped: Snapped, *, to_road: bool) -> list[_Piece]:
    """Return the way between a place and the road it was snapped to, along the street of the place."""
    if snapped.away_m < 10:
        return []
    name = _street(db, point)
    start, end = (point, snapped.point) if to_road else (snapped.point, point)
    return [_Piece(start, end, snapped.away_m * _DETOUR, name, "")]


@lru_cache(maxsize=4096)
def _street(db: Database, point: Point) -> str:
    """Return the street at a point, or an empty text."""
    near = streets_near(db, point)
    return near[0][1] if near and near[0][0] <= _STREET_M else ""


def _by_streets(db: Database, origin: Point, destination: Point, direct: float) -> list[_Piece]:
    """Return a way by undrawn streets: along one meridian and one parallel."""
    corner = Point(destination.longitude, origin.latitude)
    legs = [(origin, corner), (corner, destination)]
    whole = sum(distance_m(*leg) for leg in legs) or 1.0
    length = max(direct * _DETOUR, 1.0)
    pieces = []
    for start, end in legs:
        share = distance_m(start, end) / whole
        if share > 0.03 or whole <= 1.0:
            name = _street(db, start if start == origin else end)
            pieces.append(_Piece(start, end, length * share, name, ""))
    return pieces or [_Piece(origin, destination, length, "", "")]


def _seconds(mode: Mode, piece: _Piece) -> float:
    speeds = _SPEEDS[mode]
    return piece.length_m / speeds.get(piece.kind, speeds[""])


def _steps(mode: Mode, pieces: list[_Piece]) -> tuple[Step, ...]:
    merged: list[list[_Piece]] = []
    for piece in pieces:
        if piece.length_m < 1:
            continue
        # A slip road without a name belongs to the road before it.
        if merged and (merged[-1][0].name == piece.name or (not piece.name and piece.length_m < _SLIP_M)):
            merged[-1].append(piece)
        else:
            merged.append([piece])
    steps = []
    for number, run in enumerate(merged or [[pieces[-1]]]):
        after = merged[number + 1][0] if number + 1 < len(merged) else None
        steps.append(
            Step(
                road=run[0].name,
                distance_m=max(1, round(sum(piece.length_m for piece in run))),
                duration_s=max(1, round(sum(_seconds(mode, piece) for piece in run))),
                bearing=bearing(run[0].start, run[-1].end),
                turn="arrive" if after is None else _turn(run[-1], after),
                start=run[0].start,
                end=run[-1].end,
            )
        )
    return tuple(steps)


def _turn(before: _Piece, after: _Piece) -> Turn:
    change = (bearing(after.start, after.end) - bearing(before.start, before.end) + 180) % 360 - 180
    if abs(change) < 20:
        return "straight"
    if abs(change) > 160:
        return "back"
    side: Literal["left", "right"] = "right" if change > 0 else "left"
    if abs(change) < 50:
        return "slight right" if side == "right" else "slight left"
    return side
