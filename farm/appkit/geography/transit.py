"""Public transport: routes by a city's lines, with changes, and trains between cities."""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from math import inf

from farm.appkit.geography.coordinates import Point, distance_m
from farm.appkit.geography.districts import city_at
from farm.appkit.geography.places import point_of
from farm.appkit.geography.roads import is_over_water
from farm.appkit.geography.routes import NoRouteError, Route, route
from farm.appkit.handler_api import Database, Row

_RIDE_M_S = {"metro": 10.0, "bus": 5.0}
_DWELL_S = {"metro": 30, "bus": 25}
_CHANGE_S = 180
_WALK_M_S = 1.25
_WALK_M_MAX = 3000  # to the first stop and from the last
_STOPS_MAX = 8
_LINE_BEND = 1.1
_TRAINS_MAX = 3
_STATION_S = 1500  # from the street into a train


@dataclass(frozen=True, slots=True)
class Ride:
    """A ride on one line of a city.

    Attributes:
        line: its name.
        kind: metro or bus.
        ends: the line's first and last stop in the direction of the ride.
        stops: names of the stops, from boarding to alighting.
    """

    line: str
    kind: str
    ends: tuple[str, str]
    stops: tuple[str, ...]
    start: Point
    end: Point
    distance_m: int
    duration_s: int


@dataclass(frozen=True, slots=True)
class TrainRide:
    """A ride on a train between cities; minutes count from midnight."""

    trip: str
    kind: str
    ends: tuple[str, str]
    origin: Row
    destination: Row
    departs_minute: int
    arrives_minute: int
    distance_m: int

    @property
    def duration_s(self) -> int:
        """How long it takes."""
        return (self.arrives_minute - self.departs_minute) * 60


@dataclass(frozen=True, slots=True)
class Journey:
    """Alternating walks and rides between two points; it begins and ends with a walk, if only of a metre.

    A car covers the way to or from a station if no line serves it and it is too far to walk.
    """

    parts: tuple[Route | Ride | TrainRide, ...]
    waiting_s: int

    @property
    def duration_s(self) -> int:
        """The duration in seconds, including waiting."""
        return sum(part.duration_s for part in self.parts) + self.waiting_s

    @property
    def walking_m(self) -> int:
        """The walking distance in metres."""
        return sum(part.distance_m for part in self.parts if isinstance(part, Route) and part.mode == "walking")

    @property
    def distance_m(self) -> int:
        """How long it is."""
        return sum(part.distance_m for part in self.parts)


def journeys(db: Database, origin: Point, destination: Point, *, most: int = 3) -> list[Journey]:
    """Return journeys by the lines of one city, fastest first; each avoids the first line of those before."""
    city = city_at(db, origin)
    there = city_at(db, destination)
    if city is None or there is None:
        return []
    lines = _lines(db, sorted({city["adcode"], there["adcode"]}))
    found: list[Journey] = []
    shunned: set[int] = set()
    while len(found) < most:
        legs = _quickest(db, lines, origin, destination, shunned)
        if legs is None:
            break
        shunned.add(legs[0][0])
        try:
            found.append(_journey(db, lines, origin, destination, legs))
        except NoRouteError:
            continue
    return sorted(found, key=lambda each: each.duration_s)


def train_journeys(db: Database, origin: Point, destination: Point, at: datetime) -> list[Journey]:
    """Return journeys by train between two cities: the next trains that can be reached, else tomorrow's first.

    Args:
        db: the gazetteer.
        origin: the start.
        destination: the end.
        at: the time of departure, in local time.
    """
    here, there = city_at(db, origin), city_at(db, destination)
    if here is None or there is None or here["adcode"] == there["adcode"]:
        return []
    minute = at.hour * 60 + at.minute
    found: dict[str, tuple[int, int, Journey]] = {}  # by train: it may stop more than once in a city
    ways: dict[tuple[Point, Point], Journey] = {}
    for ride in train_rides(db, here["adcode"], there["adcode"]):
        ends = [(origin, point_of(ride.origin)), (point_of(ride.destination), destination)]
        try:
            before, after = (ways.get(each) or ways.setdefault(each, _to(db, *each)) for each in ends)
        except NoRouteError:
            continue
        ready = minute + (before.duration_s + _STATION_S) // 60
        waits = (ride.departs_minute - ready) % (24 * 60)
        waiting = waits * 60 + _STATION_S + before.waiting_s + after.waiting_s
        journey = Journey((*before.parts, ride, *after.parts), waiting)
        if ride.trip not in found or journey.duration_s < found[ride.trip][2].duration_s:
            found[ride.trip] = waits, ride.arrives_minute, journey
    return [journey for _, _, journey in sorted(found.values(), key=lambda each: each[:2])[:_TRAINS_MAX]]


def train_rides(db: Database, here: str, there: str) -> list[TrainRide]:
    """Return the trains from one city to another, by adcode, in order of departure."""
    rows = db.all(
        "SELECT t.*, a.place_id AS from_id, b.place_id AS to_id, a.minute AS departs, b.minute AS arrives"
        " FROM trains t JOIN train_stops a USING (trip) JOIN train_stops b USING (trip)"
        " WHERE a.position < b.position ORDER BY a.minute, t.trip"
    )
    stations = {row["place_id"]: row for row in db.all("SELECT * FROM places WHERE category = '150200'")}
    cities = {place_id: _city(db, row["adcode"]) for place_id, row in stations.items()}
    return [
        TrainRide(
            trip=row["trip"],
            kind=row["kind"],
            ends=(row["first"], row["last"]),
            origin=stations[row["from_id"]],
            destination=stations[row["to_id"]],
            departs_minute=row["departs"],
            arrives_minute=row["arrives"],
            distance_m=round(
                distance_m(point_of(stations[row["from_id"]]), point_of(stations[row["to_id"]])) * _LINE_BEND
            ),
        )
        for row in rows
        if (cities[row["from_id"]], cities[row["to_id"]]) == (here, there)
    ]


def _city(db: Database, adcode: str) -> str | None:
    parent: str | None = db.scalar(
        "SELECT CASE level WHEN 'district' THEN parent_adcode ELSE adcode END FROM districts WHERE adcode = ?", adcode
    )
    return parent


def _to(db: Database, origin: Point, destination: Point) -> Journey:
    """Return the fastest journey within a city: by its lines, else on foot or by car."""
    if distance_m(origin, destination) > 1500 and (found := journeys(db, origin, destination, most=1)):
        return found[0]
    walked = distance_m(origin, destination) <= 5000
    return Journey((route(db, "walking" if walked else "driving", origin, destination),), 0)


# -- the lines of a city ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Lines:
    stops: dict[int, Row]
    lines: dict[int, Row]
    at: dict[int, tuple[int, ...]]  # line → its stops in order
    through: dict[int, tuple[int, ...]]  # stop → its lines


def _lines(db: Database, cities: Collection[str]) -> _Lines:
    stops = {
        row["stop_id"]: row
        for city in cities
        for row in db.all("SELECT * FROM stops WHERE adcode = ? ORDER BY stop_id", city)
    }
    lines = {
        row["line_id"]: row
        for city in cities
        for row in db.all("SELECT * FROM lines WHERE adcode = ? ORDER BY line_id", city)
    }
    at: dict[int, list[int]] = {}
    through: dict[int, list[int]] = {}
    for row in db.all("SELECT * FROM line_stops ORDER BY line_id, position"):
        if row["line_id"] in lines:
            at.setdefault(row["line_id"], []).append(row["stop_id"])
            through.setdefault(row["stop_id"], []).append(row["line_id"])
    return _Lines(
        stops,
        lines,
        {key: tuple(each) for key, each in at.items()},
        {key: tuple(each) for key, each in through.items()},
    )


# A leg: line, index of the stop to get on, index of the stop to get off.
_Leg = tuple[int, int, int]
_Node = tuple[int, int]  # line and index of the stop; line 0: at the stop itself, whose number is the index


def _quickest(
    db: Database, lines: _Lines, origin: Point, destination: Point, shunned: Collection[int]
) -> list[_Leg] | None:
    """Return the rides of the fastest journey, or None if walking is as fast or no line goes."""
    starts, ends = _near(db, lines, origin), _near(db, lines, destination)
    # A river is crossed by a ride, however near the other bank is.
    is_far = is_over_water(db, origin, destination)
    walking_s = inf if is_far else distance_m(origin, destination) * 1.3 / _WALK_M_S
    queue: list[tuple[float, _Node, _Node | None]] = [
        (away / _WALK_M_S, (0, stop), None) for stop, away in starts.items()
    ]
    heapq.heapify(queue)
    came: dict[_Node, _Node | None] = {}
    best, best_node = walking_s, None
    first = {(0, stop) for stop in starts}
    while queue:
        cost, node, before = heapq.heappop(queue)
        if cost >= best:
            break
        if node in came:
            continue
        came[node] = before
        line, index = node
        if line == 0:
            if index in ends and before is not None and cost + ends[index] / _WALK_M_S < best:
                best, best_node = cost + ends[index] / _WALK_M_S, node
            for through in lines.through.get(index, ()):
                if through in shunned and node in first:
                    continue
                wait = lines.lines[through]["headway_s"] / 2 + (0 if before is None else _CHANGE_S)
                for place, stop in enumerate(lines.at[through]):
                    if stop == index:
                        heapq.heappush(queue, (cost + wait, (through, place), node))
            continue
        heapq.heappush(queue, (cost, (0, lines.at[line][index]), node))
        for after in _next(lines, line, index):
            heapq.heappush(queue, (cost + _hop_s(lines, line, index, after), (line, after), node))
    return None if best_node is None else _legs(came, best_node)


def _next(lines: _Lines, line: int, index: int) -> list[int]:
    count = len(lines.at[line])
    if lines.lines[line]["is_ring"]:
        return [(index - 1) % count, (index + 1) % count]
    return [each for each in (index - 1, index + 1) if 0 <= each < count]


def _hop_m(lines: _Lines, line: int, index: int, after: int) -> float:
    one, other = (lines.stops[lines.at[line][each]] for each in (index, after))
    return distance_m(point_of(one), point_of(other)) * _LINE_BEND


def _hop_s(lines: _Lines, line: int, index: int, after: int) -> float:
    kind = lines.lines[line]["kind"]
    return _hop_m(lines, line, index, after) / _RIDE_M_S[kind] + _DWELL_S[kind]


def _near(db: Database, lines: _Lines, point: Point) -> dict[int, float]:
    away = sorted((distance_m(point, point_of(row)) * 1.3, stop) for stop, row in lines.stops.items())
    return {
        stop: metres
        for metres, stop in away[:_STOPS_MAX]
        if metres <= _WALK_M_MAX and not is_over_water(db, point, point_of(lines.stops[stop]))
    }


def _legs(came: dict[_Node, _Node | None], end: _Node) -> list[_Leg]:
    nodes: list[_Node] = []
    node: _Node | None = end
    while node is not None:
        nodes.append(node)
        node = came[node]
    nodes.reverse()
    legs: list[_Leg] = []
    for one, other in itertools.pairwise(nodes):
        if one[0] == 0:
            legs.append((other[0], other[1], other[1]))
        elif other[0] != 0:
            legs[-1] = (legs[-1][0], legs[-1][1], other[1])
    return [leg for leg in legs if leg[1] != leg[2]]


def _journey(db: Database, lines: _Lines, origin: Point, destination: Point, legs: list[_Leg]) -> Journey:
    parts: list[Route | Ride] = []
    here, waiting = origin, 0.0
    for number, (line, on, off) in enumerate(legs):
        ride = _ride(lines, line, on, off)
        if number == 0:
            parts.append(route(db, "walking", here, ride.start))
        parts.append(ride)
        waiting += lines.lines[line]["headway_s"] / 2 + (_CHANGE_S if number else 0)
        here = ride.end
    parts.append(route(db, "walking", here, destination))
    return Journey(tuple(parts), round(waiting))


def _ride(lines: _Lines, line: int, on: int, off: int) -> Ride:
    row, at = lines.lines[line], lines.at[line]
    forward = _goes_forward(row, len(at), on, off)
    count = (off - on if forward else on - off) % len(at)
    indices = [(on + (each if forward else -each)) % len(at) for each in range(count + 1)]
    hops = list(itertools.pairwise(indices))
    names = [lines.stops[stop]["name"] for stop in at]
    return Ride(
        line=row["name"],
        kind=row["kind"],
        ends=(names[0], names[-1]) if forward else (names[-1], names[0]),
        stops=tuple(names[each] for each in indices),
        start=point_of(lines.stops[at[on]]),
        end=point_of(lines.stops[at[off]]),
        distance_m=round(sum(_hop_m(lines, line, one, other) for one, other in hops)),
        duration_s=round(sum(_hop_s(lines, line, one, other) for one, other in hops)),
    )


def _goes_forward(line: Row, count: int, on: int, off: int) -> bool:
    return (off - on) % count <= (on - off) % count if line["is_ring"] else off > on


def line_title(ride: Ride) -> str:
    """Return a line's name with the direction: 地铁11号线(嘉定北--迪士尼)."""
    return f"{re.sub(r'[()（）]', '', ride.line)}({ride.ends[0]}--{ride.ends[1]})"
