"""Directions between two points or addresses: by car, by bicycle, on foot, by public transport."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row
from farm.appkit.geography.coordinates import Point, compass
from farm.appkit.geography.districts import CHINA
from farm.appkit.geography.routes import Mode, NoRouteError, Route, Step, Turn, route
from farm.appkit.geography.transit import Journey, Ride, TrainRide, journeys, train_journeys

from . import errors
from .addresses import find_address, require_china
from .points import read_point, show_pair, show_point, show_text_point
from .services import read_kind

MODES: dict[str, Mode] = {"driving": "driving", "riding": "cycling", "walking": "walking"}
_VERBS: dict[Mode, str] = {"driving": "行驶", "cycling": "骑行", "walking": "步行"}
_TURNS: dict[Turn, str] = {
    "left": "左转",
    "right": "右转",
    "slight left": "靠左",
    "slight right": "靠右",
    "straight": "直行",
    "back": "掉头",
}
_WALK, _TRAIN, _LINE, _CAR = 5, 1, 3, 4  # types of the parts of a journey
_LINE_TYPES = {"metro": 1, "bus": 0}


def find(ep: Episode, *, origin: str, destination: str, model: str = "driving", is_china: str = "true") -> Result:
    """Return a way between two places. What is no point is looked up as an address first, the origin before.

    Raises:
        GeocodingFailed: an address is not found.
        InvalidAddress: a kind that no address can hold.
        ServiceOff: it is to be sought abroad, which takes a right that the key has not.
        NoService: there is no such kind of route.
        NoRoute, NoTransit: no way leads there.

    Source: https://lbsyun.baidu.com/faq/api?title=webapi/webservice-lwrouteplanapi/dirve
    """
    start, end = _end(ep, "origin", origin, is_china), _end(ep, "destination", destination, is_china)
    model = read_kind("/directionlite/v1/" if is_china == "true" else "/direction_abroad/v1/", model)
    require_china(is_china)
    if model == "transit":
        found = journeys(ep.reference, start, end) or train_journeys(ep.reference, start, end, ep.now.astimezone(CHINA))
        if not found:
            raise errors.NoTransit
        routes = [_journey(each) for each in found]
    else:
        routes = [_route(find_route(ep, model, start, end))]
    return {
        "status": 0,
        "message": "成功",
        "result": {"origin": show_point(start), "destination": show_point(end), "routes": routes},
    }


def find_route(ep: Episode, model: str, start: Point, end: Point) -> Route:
    """Return the way of a kind of route between two points.

    Raises:
        NoService: there is no such kind.
        NoRoute: no road leads there.
    """
    if model not in MODES:
        raise errors.NoService
    try:
        return route(ep.reference, MODES[model], start, end)
    except NoRouteError:
        raise errors.NoRoute from None


def _end(ep: Episode, name: str, text: str, is_china: str) -> Point:
    if point := read_point(text):
        return point
    try:
        return find_address(ep, text, is_china).point
    except errors.ApiError as refused:
        raise errors.GeocodingFailed(name, refused.said) from None


def _route(found: Route) -> Row:
    steps = [_step(found, number, step) for number, step in enumerate(found.steps)]
    return {"distance": found.distance_m, "duration": found.duration_s, "steps": steps}


def _step(found: Route, number: int, step: Step) -> Row:
    named = {"road_name": step.road} if step.road else {}
    return {
        "distance": step.distance_m,
        "duration": step.duration_s,
        "instruction": _instruction(found, number, step),
        **named,
        **_ends(step.start, step.end),
    }


def _ends(start: Point, end: Point) -> Row:
    return {
        "start_location": show_text_point(start),
        "end_location": show_text_point(end),
        "path": f"{show_pair(start)};{show_pair(end)}",
    }


def _instruction(found: Route, number: int, step: Step) -> str:
    """Return a step as a sentence: 从起点向南出发,沿龙腾大道行驶1.2公里,右转进入龙耀路."""
    begun = f"从起点向{compass(step.bearing)}出发," if number == 0 else ""
    along = f"沿{step.road}" if step.road else ""
    moved = f"{begun}{along}{_VERBS[found.mode]}{length(step.distance_m)}"
    if step.turn == "arrive":
        return f"{moved},到达终点"
    after = found.steps[number + 1].road
    return f"{moved},{_TURNS[step.turn]}{f'进入{after}' if after else ''}"


def length(metres: int) -> str:
    """Return a length as the API words it: 850米, 1.2公里."""
    return f"{metres}米" if metres < 1000 else f"{metres / 1000:.1f}公里"


def _journey(found: Journey) -> Row:
    return {
        "distance": found.distance_m,
        "duration": found.duration_s,
        "steps": [[_part(part)] for part in found.parts],
    }


def _part(part: Route | Ride | TrainRide) -> Row:
    if isinstance(part, Route):
        verb, type_ = ("驾车", _CAR) if part.mode == "driving" else ("步行", _WALK)
        said = f"{verb}{length(part.distance_m)}"
        return _moved(part.distance_m, part.duration_s, said, part.origin, part.destination, type_)
    if isinstance(part, Ride):
        towards = f"开往{part.ends[1]}方向"
        said = f"乘{part.line}({towards}),坐{len(part.stops) - 1}站,在{part.stops[-1]}下"
        vehicle: Row = {
            "name": part.line,
            "type": _LINE_TYPES[part.kind],
            "direct_text": towards,
            "start_name": part.stops[0],
            "end_name": part.stops[-1],
            "stop_num": len(part.stops) - 1,
        }
        return {**_moved(part.distance_m, part.duration_s, said, part.start, part.end, _LINE), "vehicle": vehicle}
    start, end = (Point(row["longitude"], row["latitude"]) for row in (part.origin, part.destination))
    times = {"start_time": _clock(part.departs_minute), "end_time": _clock(part.arrives_minute)}
    vehicle = {
        "name": part.trip,
        "direct_text": f"开往{part.ends[1]}方向",
        "start_name": part.origin["name"],
        "end_name": part.destination["name"],
        **times,
    }
    said = f"乘{part.trip},{times['start_time']}从{part.origin['name']}到{part.destination['name']}"
    return {**_moved(part.distance_m, part.duration_s, said, start, end, _TRAIN), "vehicle": vehicle}


def _moved(metres: int, seconds: int, said: str, start: Point, end: Point, type_: int) -> Row:
    return {"distance": metres, "duration": seconds, "instruction": said, "type": type_, **_ends(start, end)}


def _clock(minute: int) -> str:
    return f"{minute // 60 % 24:02d}:{minute % 60:02d}"
