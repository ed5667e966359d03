"""Directions for one who walks, cycles or drives, between two points or two addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from farm.appkit import Episode, Result, Row, VendorError
from farm.appkit.geography.coordinates import Point, compass, distance_m, is_shifted
from farm.appkit.geography.districts import district_at
from farm.appkit.geography.routes import Mode, NoRouteError, Route, Step, Turn, route

from . import canned_responses, errors
from .addresses import find_address
from .formats import read_point

TURNS: dict[Turn, str | None] = {
    "left": "左转",
    "right": "右转",
    "slight left": "向左前方行走",
    "slight right": "向右前方行走",
    "straight": "直行",
    "back": "左转调头",
    "arrive": None,
}
_DRIVEN: dict[Turn, str] = {"slight left": "向左前方行驶", "slight right": "向右前方行驶"}
_CYCLED: dict[Turn, str] = {"slight left": "向左前方骑行", "slight right": "向右前方骑行"}
_VERBS: dict[Mode, str] = {"walking": "步行", "driving": "行驶", "cycling": "骑行"}
_RANGES_M: dict[Mode, float] = {"walking": 100_000, "cycling": 500_000}
_ARRIVED = "到达目的地"


def walk(ep: Episode, *, origin: str, destination: str) -> Result:
    """Return the way on foot, up to 100 km.

    Raises:
        InvalidParams, OutOfService, NoRoadsNearby, OverDirectionRange: as ``find_route``.

    Source: https://lbs.amap.com/api/webservice/guide/api/direction
    """
    query = {"origin": origin, "destination": destination}
    if (answer := canned_responses.find_answer(ep, "/v3/direction/walking", **query)) is not None:
        return {"route": canned_responses.route_to_json(answer["route"])}
    return _walked(origin, destination, find_route(ep, "walking", origin, destination))


def drive(ep: Episode, *, origin: str, destination: str) -> Result:
    """Return the way by car. ``path`` is always null: the server asks for a key that the API does not have.

    Raises:
        InvalidParams, OutOfService, NoRoadsNearby: as ``find_route``.

    Source: https://lbs.amap.com/api/webservice/guide/api/direction
    """
    query = {"origin": origin, "destination": destination}
    if (answer := canned_responses.find_answer(ep, "/v3/direction/driving", **query)) is not None:
        return {"route": canned_responses.route_to_json(answer["route"], "path")}
    return _driven(origin, destination, find_route(ep, "driving", origin, destination))


def cycle(ep: Episode, *, origin_coordinates: str, destination_coordinates: str) -> Result:
    """Return the way by bicycle, up to 500 km. Its numbers are numbers, as only this API has them.

    Raises:
        InvalidParams, OutOfService, NoRoadsNearby, OverDirectionRange: as ``find_route``.

    Source: https://lbs.amap.com/api/webservice/guide/api/direction
    """
    query = {"origin": origin_coordinates, "destination": destination_coordinates}
    if (answer := canned_responses.find_answer(ep, "/v4/direction/bicycling", **query)) is not None:
        return {"data": canned_responses.route_to_json(answer["data"])}
    found = find_route(ep, "cycling", origin_coordinates, destination_coordinates)
    return _cycled(origin_coordinates, destination_coordinates, found)


def _between_addresses(find: Callable[..., Result]) -> Callable[..., Result]:
    """Return the handler that finds the same way between two addresses."""

    def found(
        ep: Episode,
        *,
        origin_address: str,
        destination_address: str,
        origin_city: str | None = None,
        destination_city: str | None = None,
    ) -> Result:
        """Return the way between two addresses.

        Raises:
            AddressNotFound: one of them is unknown.
            OutOfService, NoRoadsNearby, OverDirectionRange: as ``find_route``.
        """
        return by_address(ep, find, (origin_address, origin_city), (destination_address, destination_city))

    return found


def _cycle_between(ep: Episode, *, origin: str, destination: str) -> Result:
    return cycle(ep, origin_coordinates=origin, destination_coordinates=destination)


walk_by_address = _between_addresses(walk)
drive_by_address = _between_addresses(drive)
cycle_by_address = _between_addresses(_cycle_between)


def find_route(ep: Episode, mode: Mode, origin: str, destination: str) -> Route:
    """Return the way between two points as the API was given them.

    Raises:
        InvalidParams: one is no point.
        OutOfService: one is not in China.
        OverDirectionRange: too far for this mode.
        NoRoadsNearby: no road leads there.
    """
    ends = read_point(origin), read_point(destination)
    for end in ends:
        require_service(ep, end)
    if distance_m(*ends) > _RANGES_M.get(mode, float("inf")):
        raise errors.OverDirectionRange
    try:
        found = route(ep.reference, mode, *ends)
    except NoRouteError:
        raise errors.NoRoadsNearby from None
    if found.distance_m > _RANGES_M.get(mode, float("inf")):
        raise errors.OverDirectionRange
    return found


def require_service(ep: Episode, point: Point) -> None:
    """Refuse points outside of China.

    Raises:
        OutOfService: it is one.
    """
    if not is_shifted(point) and district_at(ep.reference, point) is None:
        raise errors.OutOfService


def by_address(
    ep: Episode, find: Callable[..., Result], origin: tuple[str, str | None], destination: tuple[str, str | None]
) -> Result:
    """Return the way between the first points that two addresses are found at, and these.

    Raises:
        AddressNotFound: one of them is unknown.
    """
    ends = {}
    for name, (address, city) in (("origin", origin), ("destination", destination)):
        try:
            found = find_address(ep, address, city)
        except VendorError as refused:
            said = f"Failed to geocode {name} address: Geocoding failed: {refused.message}"
            raise errors.AddressNotFound(said) from None
        if not found:
            raise errors.AddressNotFound(f"No geocoding results found for {name} address")
        if not found[0]["location"]:
            raise errors.AddressNotFound(f"Could not extract coordinates from {name} geocoding result")
        ends[name] = {"address": address, "coordinates": found[0]["location"]}
    body: Any = find(ep, **{name: end["coordinates"] for name, end in ends.items()})
    return {**body, "addresses": ends}


# -- how the API words a route ----------------------------------------------------------------------------------------


def instruction(mode: Mode, step: Step) -> str:
    """Return a step as a sentence: 沿龙腾大道向南步行120米右转."""
    along = f"沿{step.road}" if step.road else ""
    if mode == "cycling":
        return f"{along}骑行{step.distance_m}米{_action(mode, step) or _ARRIVED}"
    return f"{along}向{compass(step.bearing)}{_VERBS[mode]}{step.distance_m}米{_action(mode, step) or _ARRIVED}"


def _action(mode: Mode, step: Step) -> str | None:
    words: dict[Turn, str] = {"driving": _DRIVEN, "cycling": _CYCLED}.get(mode, {})
    return words.get(step.turn, TURNS[step.turn])


def _steps(found: Route) -> list[Row]:
    return [
        {
            "instruction": instruction(found.mode, step),
            "road": step.road or [],
            "distance": str(step.distance_m),
            "orientation": compass(step.bearing),
            "duration": str(step.duration_s),
        }
        for step in found.steps
    ]


def _walked(origin: str, destination: str, found: Route) -> Row:
    path = {"distance": str(found.distance_m), "duration": str(found.duration_s), "steps": _steps(found)}
    return {"route": {"origin": origin, "destination": destination, "paths": [path]}}


def _driven(origin: str, destination: str, found: Route) -> Row:
    path = {"path": None, "distance": str(found.distance_m), "duration": str(found.duration_s), "steps": _steps(found)}
    return {"route": {"origin": origin, "destination": destination, "paths": [path]}}


def _cycled(origin: str, destination: str, found: Route) -> Row:
    steps = [
        {
            "instruction": instruction("cycling", step),
            "road": step.road,
            "distance": step.distance_m,
            "orientation": compass(step.bearing),
            "duration": step.duration_s,
        }
        for step in found.steps
    ]
    path = {"distance": found.distance_m, "duration": found.duration_s, "steps": steps}
    return {"data": {"origin": origin, "destination": destination, "paths": [path]}}
