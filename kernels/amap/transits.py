"""Public transport between two points or two addresses: the lines of a city, and trains between cities."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row
from farm.appkit.geography.coordinates import Point, distance_m
from farm.appkit.geography.districts import CHINA, Locality, find_locality, named_districts
from farm.appkit.geography.routes import NoRouteError, Route, route
from farm.appkit.geography.transit import Journey, Ride, TrainRide, journeys, line_title, train_journeys

from . import canned_responses, errors
from .directions import TURNS, by_address, instruction, require_service
from .formats import read_point, show_point

_NO_WALK: Row = {"origin": None, "destination": None, "distance": None, "duration": None, "steps": []}


def travel(ep: Episode, *, origin: str, destination: str, city: str, cityd: str) -> Result:
    """Return ways by public transport, best first; by train where the two cities differ. None: an empty list.

    Raises:
        InvalidParams: no point, or a city that is none.
        MissingRequiredParams: no city.
        OutOfService: a point is not in China.

    Source: https://lbs.amap.com/api/webservice/guide/api/direction
    """
    query = {"origin": origin, "destination": destination, "city": city, "cityd": cityd}
    if (answer := canned_responses.find_answer(ep, "/v3/direction/transit/integrated", **query)) is not None:
        return canned_responses.journeys(answer)
    ends = read_point(origin), read_point(destination)
    here = _require_city(ep, city)
    # Without a second city the API stays in the first.
    there = _require_city(ep, cityd) if cityd else here
    for end in ends:
        require_service(ep, end)
    same = here.city is not None and there.city is not None and here.city["adcode"] == there.city["adcode"]
    at = ep.now.astimezone(CHINA)
    found = journeys(ep.reference, *ends) if same else train_journeys(ep.reference, *ends, at)
    return {
        "route": {
            "origin": origin,
            "destination": destination,
            "distance": str(_walked(ep, *ends)),
            "transits": [_transit(each) for each in found],
        }
    }


def travel_by_address(
    ep: Episode, *, origin_address: str, destination_address: str, origin_city: str, destination_city: str
) -> Result:
    """Return ways by public transport between two addresses.

    Raises:
        AddressNotFound: one of them is unknown.
        InvalidParams, MissingRequiredParams, OutOfService: as ``travel``.
    """

    def between(ep: Episode, *, origin: str, destination: str) -> Result:
        return travel(ep, origin=origin, destination=destination, city=origin_city, cityd=destination_city)

    return by_address(ep, between, (origin_address, origin_city), (destination_address, destination_city))


def _require_city(ep: Episode, name: str) -> Locality:
    if not name:
        raise errors.MissingRequiredParams
    named = named_districts(ep.reference, name)
    found = find_locality(ep.reference, named[0]["adcode"]) if named else None
    if found is None:
        raise errors.InvalidParams
    return found


def _walked(ep: Episode, origin: Point, destination: Point) -> int:
    try:
        return route(ep.reference, "walking", origin, destination).distance_m
    except NoRouteError:
        return round(distance_m(origin, destination))


def _transit(journey: Journey) -> Row:
    segments: list[Row] = []
    way: Route | None = None
    for part in journey.parts:
        if isinstance(part, Route):
            way = part
        else:
            segments.append(_segment(way, part))
            way = None
    if way is not None:
        segments.append(_segment(way, None))
    return {
        "duration": str(journey.duration_s),
        "walking_distance": str(journey.walking_m),
        "segments": segments,
    }


def _segment(way: Route | None, ride: Ride | TrainRide | None) -> Row:
    """Return a walk and the ride after it; which entrance one takes is not simulated.

    A taxi to a station or from it is not told: the API has it in ``taxi``, which the server leaves out.
    """
    walk = way if way is not None and way.mode == "walking" else None
    train = ride if isinstance(ride, TrainRide) else None
    return {
        "walking": _NO_WALK if walk is None else _walking(walk),
        "bus": {"buslines": [_bus(ride)] if isinstance(ride, Ride) else []},
        "entrance": {"name": None},
        "exit": {"name": None},
        "railway": {"name": train and _train_title(train), "trip": train and train.trip},
    }


def _train_title(ride: TrainRide) -> str:
    first, last = (end.removesuffix("站") for end in ride.ends)
    return f"{ride.trip}({first}-{last})"


def _walking(walk: Route) -> Row:
    return {
        "origin": show_point(walk.origin),
        "destination": show_point(walk.destination),
        "distance": str(walk.distance_m),
        "duration": str(walk.duration_s),
        "steps": [
            {
                "instruction": instruction(walk.mode, step),
                "road": step.road or [],
                "distance": str(step.distance_m),
                "action": TURNS[step.turn] or [],
                "assistant_action": "到达目的地" if step.turn == "arrive" else [],
            }
            for step in walk.steps
        ],
    }


def _bus(ride: Ride) -> Row:
    return {
        "name": line_title(ride),
        "departure_stop": {"name": ride.stops[0]},
        "arrival_stop": {"name": ride.stops[-1]},
        "distance": str(ride.distance_m),
        "duration": str(ride.duration_s),
        "via_stops": [{"name": name} for name in ride.stops[1:-1]],
    }
