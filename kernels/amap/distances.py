"""Distances from several points to one: as the crow flies, by car, on foot."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row
from farm.appkit.geography.coordinates import Point, distance_m
from farm.appkit.geography.routes import Mode, NoRouteError, route

from . import canned_responses, errors
from .directions import require_service
from .formats import read_point

_LINE = "0"
_MODES: dict[str, Mode] = {"1": "driving", "3": "walking"}
_ORIGINS_MAX = 100
_WALK_M_MAX = 5_000


def measure(ep: Episode, *, origins: str, destination: str, type: str = "1") -> Result:
    """Return how far it is from each of up to 100 points; walks of up to 5 km.

    Raises:
        InvalidParams: no points, too many of them, or no such type.
        OutOfService: a point is not in China.
        OverDirectionRange: too far to walk.

    Source: https://lbs.amap.com/api/webservice/guide/api/direction
    """
    query = {"origins": origins, "destination": destination, "type": type}
    if (answer := canned_responses.find_answer(ep, "/v3/distance", **query)) is not None:
        return canned_responses.distances(answer)
    starts, end = [read_point(each) for each in origins.split("|")], read_point(destination)
    if len(starts) > _ORIGINS_MAX or type not in (_LINE, *_MODES):
        raise errors.InvalidParams
    for each in (*starts, end):
        require_service(ep, each)
    if type == "3" and any(distance_m(start, end) > _WALK_M_MAX for start in starts):
        raise errors.OverDirectionRange
    return {"results": [_result(ep, number, start, end, type) for number, start in enumerate(starts, start=1)]}


def _result(ep: Episode, number: int, start: Point, end: Point, type_: str) -> Row:
    ids: Row = {"origin_id": str(number), "dest_id": "1"}
    if type_ == _LINE:
        return {**ids, "distance": str(round(distance_m(start, end))), "duration": "0"}
    try:
        found = route(ep.reference, _MODES[type_], start, end)
    except NoRouteError:
        # The API says so in two more keys, which the server leaves out.
        return {**ids, "distance": None, "duration": None}
    return {**ids, "distance": str(found.distance_m), "duration": str(found.duration_s)}
