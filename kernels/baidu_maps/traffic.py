"""Traffic: how congested a road is by the episode's clock, or the roads of an area."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from farm.appkit import Episode, Result, Row
from farm.appkit.geography.coordinates import Point, bearing, between, distance_m
from farm.appkit.geography.districts import CHINA, COUNTRY, city_at, named_districts
from farm.appkit.geography.intersections import Section, sections_of
from farm.appkit.geography.roads import Road, roads_of

from . import errors
from .points import read_point, read_points
from .services import read_kind

_DIAGONAL_M_MAX = 2000
_RADIUS_M_MAX = 1000
_POINT_EVERY_M = 50
_WORDS = ("未知路况", "畅通", "缓行", "拥堵", "严重拥堵")
_TRENDS = ("持平", "缓解", "加重")
_DIRECTIONS = ("南向北", "北向南", "西向东", "东向西", "外圈", "内圈")
# Of a hundred roads, how many flow freely, are slow, are congested; the rest stands. By how busy the hour is.
_SHARES = {"quiet": (95, 100, 100), "day": (70, 92, 100), "rush": (25, 60, 90)}
_RUSH, _DAY = (7, 8, 9, 17, 18, 19), range(10, 21)
_RING_MORE = 15
_SPEEDS_KMH = {2: (22, 14), 3: (12, 8), 4: (5, 5)}  # the least, and how much more it may be


@dataclass(frozen=True, slots=True)
class Flow:
    """How one direction of a road is.

    Attributes:
        direction: 南向北.
        is_along: it runs as the road's points do.
        section: the piece that is congested, where one is.
        draw: what its speed and trend are drawn from.
    """

    direction: str
    is_along: bool
    status: int
    section: Section | None
    draw: int


def show(
    ep: Episode,
    *,
    model: str,
    road_name: str = "",
    city: str = "",
    bounds: str = "",
    vertexes: str = "",
    center: str = "",
    radius: int | str = "",
) -> Result:
    """Return how congested a road is, in both directions or the one that its name ends in, or the roads of an area.

    Raises:
        InvalidAddress: a kind that no address can hold.
        NoService: there is no such kind of question.
        InvalidParameter: what the kind needs is missing, is no area or too large a one, or names no road.

    Source: https://lbsyun.baidu.com/faq/api?title=webapi/traffic
    """
    match read_kind("/traffic/v1/", model):
        case "road":
            return _flows_on_road(ep, road_name, city)
        case "bound":
            return _flows_in_area(ep, *_rectangle(bounds))
        case "polygon":
            return _flows_in_area(ep, *_polygon(vertexes))
        case "around":
            return _flows_in_area(ep, *_circle(center, radius))
    raise errors.NoService


# -- one road ---------------------------------------------------------------------------------------------------------


def _flows_on_road(ep: Episode, road_name: str, city: str) -> Result:
    wanted = next((each for each in _DIRECTIONS if road_name.endswith(each)), None)
    name = road_name.removesuffix(wanted) if wanted else road_name
    cities = [row["adcode"] for row in named_districts(ep.reference, city) if row["level"] == "city"]
    road = next((each for each in roads_of(ep.reference, cities[:1]) if each.name == name), None)
    if road is None:
        raise errors.InvalidParameter
    flows = [flow for flow in _flows(ep, road) if wanted in (None, flow.direction)]
    if not flows:
        raise errors.InvalidParameter
    said = [f"{flow.direction}{_WORDS[flow.status]}" for flow in flows]
    if len({flow.status for flow in flows}) == 1 and len(flows) == 2:
        said = [f"双向{_WORDS[flows[0].status]}"]
    pieces = [f"{_section(flow)}{_WORDS[flow.status]}" for flow in flows if flow.section]
    return _answer(
        f"{road.name}:{';'.join((*said, *pieces))}。", max(flow.status for flow in flows), [_road_to_json(road, flows)]
    )


def _flows(ep: Episode, road: Road) -> list[Flow]:
    """Return both directions of a road, as they are in this hour."""
    now = ep.now.astimezone(CHINA)
    hour = f"{now:%Y-%m-%d %H}"
    busy = "day" if now.hour in _DAY else "quiet"
    if now.weekday() < 5 and now.hour in _RUSH:
        busy = "rush"
    pieces = sections_of(ep.reference, road)
    flows = []
    for direction, is_along in zip(_directions(road), (True, False), strict=True):
        lot = ep.hash("traffic", road.adcode, road.name, direction, hour)
        more = _RING_MORE if road.kind == "ring" and busy != "quiet" else 0
        status = 1 + sum(min(99, lot % 100 + more) >= share for share in _SHARES[busy])
        section = pieces[lot // 100 % len(pieces)] if status > 1 and pieces else None
        flows.append(Flow(direction, is_along, status, section, lot // 10_000))
    return flows


def _directions(road: Road) -> tuple[str, str]:
    """Return what the directions of a road are called, first that of its points."""
    if road.points[0] == road.points[-1]:
        return "外圈", "内圈"
    degrees = bearing(road.points[0], road.points[-1])
    ways = ("南向北", "西向东", "北向南", "东向西")
    quarter = round(degrees / 90) % 4
    return ways[quarter], ways[(quarter + 2) % 4]


def _section(flow: Flow) -> str:
    assert flow.section is not None
    ends = flow.section.start, flow.section.end
    start, end = ends if flow.is_along else ends[::-1]
    return f"{flow.direction},从{start}到{end}"


def _road_to_json(road: Road, flows: list[Flow]) -> Row:
    sections = [_congestion(flow) for flow in flows if flow.section]
    return {"road_name": road.name, **({"congestion_sections": sections} if sections else {})}


def _congestion(flow: Flow) -> Row:
    assert flow.section is not None
    least, more = _SPEEDS_KMH[flow.status]
    return {
        "congestion_distance": flow.section.length_m,
        "speed": round(least + flow.draw % (more * 100) / 100, 2),
        "status": flow.status,
        "congestion_trend": _TRENDS[flow.draw % len(_TRENDS)],
        "section_desc": _section(flow),
    }


def _answer(description: str, status: int, roads: list[Row], words: str | None = None) -> Result:
    return {
        "status": 0,
        "message": "成功",
        "description": description,
        "evaluation": {"status": status, "status_desc": words or _WORDS[status]},
        "road_traffic": roads,
    }


# -- an area ----------------------------------------------------------------------------------------------------------


def _rectangle(text: str) -> tuple[Point, Callable[[Point], bool]]:
    corners = read_points(text, ";")
    if corners is None or len(corners) != 2 or distance_m(*corners) > _DIAGONAL_M_MAX:
        raise errors.InvalidParameter
    (west, south), (east, north) = corners
    if west > east or south > north:
        raise errors.InvalidParameter
    return between(corners[0], corners[1], 0.5), lambda point: west <= point[0] <= east and south <= point[1] <= north


def _polygon(text: str) -> tuple[Point, Callable[[Point], bool]]:
    corners = read_points(text, ";")
    if corners is None or len(corners) < 3:
        raise errors.InvalidParameter
    west, south = (min(each[axis] for each in corners) for axis in (0, 1))
    east, north = (max(each[axis] for each in corners) for axis in (0, 1))
    diagonal = Point(west, south), Point(east, north)
    if distance_m(*diagonal) > _DIAGONAL_M_MAX:
        raise errors.InvalidParameter
    return between(*diagonal, 0.5), lambda point: _is_inside(point, corners)


def _circle(center: str, radius: int | str) -> tuple[Point, Callable[[Point], bool]]:
    middle = read_point(center)
    if middle is None or not isinstance(radius, int) or not 1 <= radius <= _RADIUS_M_MAX:
        raise errors.InvalidParameter
    return middle, lambda point: distance_m(middle, point) <= radius


def _is_inside(point: Point, corners: list[Point]) -> bool:
    """Return whether a ray to the east crosses the border an odd number of times."""
    crossed = 0
    for one, other in zip(corners, corners[1:] + corners[:1], strict=True):
        if (one[1] > point[1]) != (other[1] > point[1]):
            at = one[0] + (point[1] - one[1]) / (other[1] - one[1]) * (other[0] - one[0])
            crossed += at > point[0]
    return crossed % 2 == 1


def _flows_in_area(ep: Episode, middle: Point, holds: Callable[[Point], bool]) -> Result:
    city = city_at(ep.reference, middle)
    roads = roads_of(ep.reference, [COUNTRY, *([city["adcode"]] if city else [])])
    inside = [road for road in roads if any(holds(point) for point in _along(road, middle))]
    if not inside:
        return _answer("该区域路况未知。", 0, [])
    flows = {road: _flows(ep, road) for road in inside}
    status = max(flow.status for each in flows.values() for flow in each)
    pieces = [
        f"{road.name}:{_section(flow)}{_WORDS[flow.status]}。"
        for road, each in flows.items()
        for flow in each
        if flow.section
    ]
    shown = [_road_to_json(road, each) for road, each in flows.items()]
    return _answer(f"该区域整体{_WORDS[status]}。{''.join(pieces)}", status, shown)


def _along(road: Road, middle: Point) -> list[Point]:
    """Return points of a road near an area, one every fifty metres."""
    reach = 0.03  # more than any area's radius, in degrees
    points = []
    for one, other in itertools.pairwise(road.points):
        if (
            min(one[0], other[0]) - reach > middle[0]
            or max(one[0], other[0]) + reach < middle[0]
            or min(one[1], other[1]) - reach > middle[1]
            or max(one[1], other[1]) + reach < middle[1]
        ):
            continue
        count = max(1, round(distance_m(one, other) / _POINT_EVERY_M))
        points += [between(one, other, each / count) for each in range(count + 1)]
    return points
