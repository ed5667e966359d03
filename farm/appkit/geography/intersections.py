"""Sections of roads between crossings, as people name them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from farm.appkit.geography.roads import Graph, Road, road_graph
from farm.appkit.handler_api import Database


@dataclass(frozen=True, slots=True)
class Section:
    """A section of road from one crossing to the next, in the order of the road's points."""

    start: str
    end: str
    length_m: int


def sections_of(db: Database, road: Road) -> tuple[Section, ...]:
    """Return the sections of a road between its crossings; empty if fewer than two other roads cross it."""
    return _sections(db, road.adcode).get(road.name, ())


@lru_cache(maxsize=256)
def _sections(db: Database, adcode: str) -> dict[str, tuple[Section, ...]]:
    graph = road_graph(db, adcode)
    names = dict.fromkeys(edge.name for edge in graph.edges if edge.name)
    return {name: tuple(_pieces(graph, name)) for name in names}


def _pieces(graph: Graph, name: str) -> list[Section]:
    found = []
    begun, length = "", 0.0
    for edge in graph.edges:
        if edge.name != name:
            continue
        begun = begun or _crossing(graph, edge.start, name)
        length += edge.length_m
        ended = _crossing(graph, edge.end, name)
        # Two roads may cross it at one point.
        if ended and ended != begun and (round(length) > 0 or not begun):
            if begun:
                found.append(Section(begun, ended, round(length)))
            begun, length = ended, 0.0
    return found


def _crossing(graph: Graph, junction: int, name: str) -> str:
    """Return the road that crosses or joins another at a junction; an empty text if there is none."""
    edges = [graph.edges[number] for number in graph.at[junction]]
    joined = [each.end if each.start == junction else each.start for each in edges if not each.name]
    others = [each.name for each in edges] + [graph.edges[number].name for end in joined for number in graph.at[end]]
    return next((other for other in others if other and other != name), "")
