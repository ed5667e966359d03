"""Roads as a graph: lines on the map, joined where they cross or end at each other."""

from __future__ import annotations

import heapq
import itertools
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, floor, inf, radians
from typing import NamedTuple

from farm.appkit.geography.coordinates import Point, between, distance_m, nearest_share
from farm.appkit.handler_api import Database

# A road that ends within this distance of another is joined to it: roads are drawn with few points.
_JOINED_M = 2500
_JOINED_DEG = 0.038  # of longitude, as far north as China goes
_CELL_DEG = 0.1  # size of the grid squares that index pieces of road
_BEND = 1.06  # roads are longer than the few points they are drawn with


class Road(NamedTuple):
    """One road of the gazetteer. ``kind`` is motorway, ring, avenue or street."""

    adcode: str
    name: str
    kind: str
    points: tuple[Point, ...]


class Edge(NamedTuple):
    """A piece of road between two junctions."""

    start: int
    end: int
    length_m: float
    name: str
    kind: str


@dataclass(slots=True)
class Graph:
    """Junctions and the pieces of road between them; each piece is stored once, for both directions."""

    points: list[Point] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    at: list[list[int]] = field(default_factory=list)

    def add_point(self, point: Point) -> int:
        """Add a junction and return its number."""
        self.points.append(point)
        self.at.append([])
        return len(self.points) - 1

    def add_edge(self, start: int, end: int, name: str, kind: str) -> None:
        """Add a piece of road."""
        length = distance_m(self.points[start], self.points[end]) * _BEND
        self.edges.append(Edge(start, end, length, name, kind))
        self.at[start].append(len(self.edges) - 1)
        self.at[end].append(len(self.edges) - 1)


# A road's number, and the start and end of one straight piece of it.
_Piece = tuple[int, Point, Point]


class Snapped(NamedTuple):
    """The point of a road that is nearest to a place."""

    edge: int
    share: float
    point: Point
    away_m: float


def roads_of(db: Database, cities: Sequence[str] | None) -> tuple[Road, ...]:
    """Return the roads of some cities, by adcode (100000: those between cities), or all."""
    return _roads_of(db, None if cities is None else tuple(cities))


@lru_cache(maxsize=1024)
def _roads_of(db: Database, cities: tuple[str, ...] | None) -> tuple[Road, ...]:
    rows = db.all(
        "SELECT adcode, name, kind, points FROM roads"
        " WHERE :cities IS NULL OR adcode IN (SELECT value FROM json_each(:cities)) ORDER BY road_id",
        cities=None if cities is None else json.dumps(list(cities)),
    )
    return tuple(Road(row["adcode"], row["name"], row["kind"], _points(row["points"])) for row in rows)


def _points(text: str) -> tuple[Point, ...]:
    return tuple(Point(*each) for each in json.loads(text))


@lru_cache(maxsize=256)
def road_graph(db: Database, city: str | None) -> Graph:
    """Return the graph of a city's roads, by adcode, or of all roads, which routes between cities need."""
    return graph_of(roads_of(db, None if city is None else (city,)))


def graph_of(roads: Sequence[Road]) -> Graph:
    """Return the graph of some roads."""
    graph = Graph()
    cuts: list[
        list[tuple[float, int]]
    ] = []  # for each drawn piece: the shares at which it is split, and the junctions there
    pieces: list[_Piece] = []
    for number, road in enumerate(roads):
        junctions = [graph.add_point(point) for point in road.points]
        for place, (one, other) in enumerate(zip(road.points, road.points[1:], strict=False)):
            pieces.append((number, one, other))
            cuts.append([(0.0, junctions[place]), (1.0, junctions[place + 1])])
    near = _Near(pieces)
    for first, (road_number, one, other) in enumerate(pieces):
        for second in near.found(one, other):
            crossed_number, third, fourth = pieces[second]
            crossing = None if second < first or crossed_number == road_number else _crossing(one, other, third, fourth)
            if crossing is not None:
                junction = graph.add_point(between(one, other, crossing[0]))
                cuts[first].append((crossing[0], junction))
                cuts[second].append((crossing[1], junction))
    joins = _joins(pieces, near, cuts, graph)
    for (road_number, _, _), places in zip(pieces, cuts, strict=True):
        road = roads[road_number]
        ordered = sorted(places)
        for (_, start), (_, end) in itertools.pairwise(ordered):
            graph.add_edge(start, end, road.name, road.kind)
    for start, end, road_number in joins:
        graph.add_edge(start, end, "", roads[road_number].kind)
    return graph


def is_over_water(db: Database, one: Point, other: Point) -> bool:
    """Return whether a river flows between two points."""
    return any(_crossing(one, other, *piece) is not None for piece in _river_pieces(db))


@lru_cache(maxsize=8)
def _river_pieces(db: Database) -> tuple[tuple[Point, Point], ...]:
    rivers = [_points(row["points"]) for row in db.all("SELECT points FROM rivers ORDER BY river_id")]
    return tuple(piece for points in rivers for piece in itertools.pairwise(points))


def snap(graph: Graph, point: Point, kinds: Collection[str]) -> Snapped | None:
    """Return the nearest point of a road of these kinds, or None."""
    best: tuple[float, int, float] | None = None
    scale = cos(radians(point.latitude))
    x, y = point.longitude * scale, point.latitude
    for number, edge in enumerate(graph.edges):
        if edge.kind in kinds:
            # Planar and inlined, as this runs for every piece of road of a city.
            one, other = graph.points[edge.start], graph.points[edge.end]
            west, south = one[0] * scale, one[1]
            east, north = other[0] * scale - west, other[1] - south
            length = east * east + north * north
            share = 0.0 if length == 0 else min(1.0, max(0.0, ((x - west) * east + (y - south) * north) / length))
            away = (x - west - share * east) ** 2 + (y - south - share * north) ** 2
            if best is None or away < best[0]:
                best = (away, number, share)
    if best is None:
        return None
    _, number, share = best
    edge = graph.edges[number]
    there = between(graph.points[edge.start], graph.points[edge.end], share)
    return Snapped(number, share, there, distance_m(point, there))


class Reached(NamedTuple):
    """The fastest routes from a point of a road to all junctions.

    Attributes:
        seconds: junction → duration of the fastest route.
        came: junction → the previous junction of that route, and the piece between; absent next to the origin.
    """

    seconds: dict[int, float]
    came: dict[int, tuple[int, int]]


def reach(graph: Graph, origin: Snapped, seconds: Callable[[Edge], float | None]) -> Reached:
    """Return the fastest routes from a point of a road to all junctions.

    Args:
        graph: the roads.
        origin: the point of a road.
        seconds: piece → duration of the whole piece, or None if it is not used.
    """
    first = graph.edges[origin.edge]
    costs = {first.start: _part(first, seconds, origin.share), first.end: _part(first, seconds, 1 - origin.share)}
    took = [seconds(edge) for edge in graph.edges]
    came: dict[int, tuple[int, int]] = {}
    queue = [(cost, node) for node, cost in costs.items()]
    heapq.heapify(queue)
    while queue:
        cost, node = heapq.heappop(queue)
        if cost > costs[node]:
            continue
        for number in graph.at[node]:
            edge, more = graph.edges[number], took[number]
            if more is None:
                continue
            other = edge.end if edge.start == node else edge.start
            if cost + more < costs.get(other, inf):
                costs[other] = cost + more
                came[other] = (node, number)
                heapq.heappush(queue, (cost + more, other))
    return Reached(costs, came)


def route_pieces(
    graph: Graph, origin: Snapped, reached: Reached, destination: Snapped, seconds: Callable[[Edge], float | None]
) -> list[tuple[Point, Point, float, str, str]] | None:
    """Return the fastest route from the origin of ``reached`` as pieces (start, end, metres, name, kind), or None."""
    first, last = graph.edges[origin.edge], graph.edges[destination.edge]
    if origin.edge == destination.edge:
        length = abs(origin.share - destination.share) * first.length_m
        return [(origin.point, destination.point, length, first.name, first.kind)]
    ends = {last.start: _part(last, seconds, destination.share), last.end: _part(last, seconds, 1 - destination.share)}
    best, node = min((reached.seconds.get(each, inf) + more, each) for each, more in ends.items())
    if best == inf:
        return None
    share = destination.share if node == last.start else 1 - destination.share
    way = [(graph.points[node], destination.point, share * last.length_m, last.name, last.kind)]
    while node in reached.came:
        node_before, number = reached.came[node]
        edge = graph.edges[number]
        way.append((graph.points[node_before], graph.points[node], edge.length_m, edge.name, edge.kind))
        node = node_before
    share = origin.share if node == first.start else 1 - origin.share
    way.append((origin.point, graph.points[node], share * first.length_m, first.name, first.kind))
    return way[::-1]


def _part(edge: Edge, seconds: Callable[[Edge], float | None], share: float) -> float:
    took = seconds(edge)
    return inf if took is None else took * share


def _crossing(one: Point, other: Point, third: Point, fourth: Point) -> tuple[float, float] | None:
    """Return the shares of two straight pieces at which they cross, or None."""
    if max(one[0], other[0]) < min(third[0], fourth[0]) or max(third[0], fourth[0]) < min(one[0], other[0]):
        return None
    if max(one[1], other[1]) < min(third[1], fourth[1]) or max(third[1], fourth[1]) < min(one[1], other[1]):
        return None
    east, north = other[0] - one[0], other[1] - one[1]
    across, up = fourth[0] - third[0], fourth[1] - third[1]
    turn = east * up - north * across
    if turn == 0:
        return None
    first = ((third[0] - one[0]) * up - (third[1] - one[1]) * across) / turn
    second = ((third[0] - one[0]) * north - (third[1] - one[1]) * east) / turn
    return (first, second) if 0 <= first <= 1 and 0 <= second <= 1 else None


class _Near:
    """A grid index of the pieces of road that may be near a line."""

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self._by_cell: dict[tuple[int, int], list[int]] = {}
        for number, (_, one, other) in enumerate(pieces):
            for cell in _cells(one, other, 0.0):
                self._by_cell.setdefault(cell, []).append(number)

    def found(self, one: Point, other: Point, around: float = 0.0) -> list[int]:
        """Return the numbers of the pieces, in order: all near ones and some others."""
        return sorted({number for cell in _cells(one, other, around) for number in self._by_cell.get(cell, ())})


def _cells(one: Point, other: Point, around: float) -> Iterator[tuple[int, int]]:
    west, east = sorted((one[0], other[0]))
    south, north = sorted((one[1], other[1]))
    columns = range(floor((west - around) / _CELL_DEG), floor((east + around) / _CELL_DEG) + 1)
    rows = range(floor((south - around) / _CELL_DEG), floor((north + around) / _CELL_DEG) + 1)
    return itertools.product(columns, rows)


def _is_beside(point: Point, one: Point, other: Point) -> bool:
    """Return whether a point may be near enough to a piece of road to be joined; cheap, without false negatives."""
    return (
        min(one[0], other[0]) - _JOINED_DEG < point[0] < max(one[0], other[0]) + _JOINED_DEG
        and min(one[1], other[1]) - _JOINED_DEG < point[1] < max(one[1], other[1]) + _JOINED_DEG
    )


def _joins(
    pieces: Sequence[_Piece], near: _Near, cuts: list[list[tuple[float, int]]], graph: Graph
) -> list[tuple[int, int, int]]:
    """Join the ends of roads to the roads they end at; return the connecting pieces of road."""
    found = []
    ends = [
        (number, cuts[place][side][1])
        for place, (number, _, _) in enumerate(pieces)
        for side in (0, 1)
        if (side == 0 and (place == 0 or pieces[place - 1][0] != number))
        or (side == 1 and (place == len(pieces) - 1 or pieces[place + 1][0] != number))
    ]
    for number, junction in ends:
        point = graph.points[junction]
        best: tuple[float, int, float] | None = None
        for place in near.found(point, point, _JOINED_DEG):
            other_number, one, other = pieces[place]
            if other_number == number or not _is_beside(point, one, other):
                continue
            share = nearest_share(point, one, other)
            away = distance_m(point, between(one, other, share))
            if away <= _JOINED_M and (best is None or away < best[0]):
                best = (away, place, share)
        if best is not None:
            _, place, share = best
            _, one, other = pieces[place]
            there = graph.add_point(between(one, other, share))
            cuts[place].append((share, there))
            found.append((junction, there, number))
    return found
