"""What the REST API answers by the episode's own rows, and what the server then shows of it.

Rows of ``answers`` come before the gazetteer: an API that refuses for want of quota, a way that takes an hour today, a
recording made in front of a stand-in. What the gazetteer knows is shown by the handlers themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from farm.appkit import Episode, Row, best_match

from . import errors

_GEOCODE = ("country", "province", "city", "citycode", "district", "street", "number", "adcode", "location", "level")
_STEP = ("instruction", "road", "distance", "orientation", "duration")
_WALK_STEP = ("instruction", "road", "distance", "action", "assistant_action")


def find_answer(ep: Episode, path: str, /, **query: str) -> Row | None:
    """Return what the API answers to a request, or None where the gazetteer is to say it.

    Args:
        path: of the REST API: /v3/geocode/geo.
        query: the request's parameters, but for the key.

    Raises:
        Refused: it refuses.
    """
    told = ep.db.all("SELECT query AS asked, body FROM answers WHERE path = ? ORDER BY query", path)
    answer: Row | None = best_match(told, query)
    if answer is None:
        return None
    # Version 4 refuses with a number, and has neither of the members that the server then looks for.
    if (answer.get("errcode") != 0) if path.startswith("/v4/") else (answer["status"] != "1"):
        raise errors.Refused(str(answer.get("info") or answer.get("infocode")))
    return answer


def district(answer: Row) -> Row:
    """Return what is shown of a point that was looked up."""
    return _only(answer["regeocode"]["addressComponent"], ("province", "city", "district"))


def geocodes(answer: Row) -> list[Row]:
    """Return what is shown of an address."""
    return [_only(each, _GEOCODE) for each in answer.get("geocodes", [])]


def ip_city(answer: Row) -> Row:
    """Return what is shown of an internet address."""
    return _only(answer, ("province", "city", "adcode", "rectangle"))


def forecast(answer: Row) -> Row:
    """Return what is shown of the weather: the first forecast's days, however many.

    Raises:
        NoForecast: there is none.
    """
    if not answer.get("forecasts"):
        raise errors.NoForecast
    first = answer["forecasts"][0]
    return {"city": first["city"], "forecasts": first["casts"]}


def route_to_json(said: Row, *more: str) -> Row:
    """Return what is shown of ``route``, or of ``data`` of a ride.

    Args:
        more: members of a path that are shown before its length.
    """
    paths = [
        {**_only(path, (*more, "distance", "duration")), "steps": [_only(step, _STEP) for step in path["steps"]]}
        for path in said["paths"]
    ]
    return {"origin": said["origin"], "destination": said["destination"], "paths": paths}


def journeys(answer: Row) -> Row:
    """Return what is shown of ways by public transport; what is of another type than it should be is as if absent.

    Raises:
        NoRoute: the answer has no route.
    """
    route = answer.get("route")
    if not isinstance(route, Mapping):
        raise errors.NoRoute
    transits = [
        {
            **_only(each, ("duration", "walking_distance")),
            "segments": [_segment(part) for part in _all(each, "segments")],
        }
        for each in _all(route, "transits")
    ]
    return {"route": {**_only(route, ("origin", "destination", "distance")), "transits": transits}}


def distances(answer: Row) -> Row:
    """Return what is shown of distances."""
    return {"results": [_only(each, ("origin_id", "dest_id", "distance", "duration")) for each in answer["results"]]}


def suggestion(answer: Row) -> Row:
    """Return what is shown of the suggestions beside the places that were found."""
    said = answer.get("suggestion", {})
    return {"keywords": said.get("keywords"), "cities": [_only(each, ("name",)) for each in said.get("cities") or ()]}


def places(answer: Row) -> list[Row]:
    """Return what is shown of the places that were found."""
    return [_only(each, ("id", "name", "address", "typecode")) for each in answer.get("pois", [])]


def place(answer: Row) -> Row:
    """Return what is shown of one place, all that is known of its business behind it.

    Raises:
        NoPlace: there is none.
    """
    if not answer.get("pois"):
        raise errors.NoPlace
    first = answer["pois"][0]
    shown = _only(first, ("id", "name", "location", "address", "business_area", "cityname", "type", "alias"))
    named = {("city" if name == "cityname" else name): value for name, value in shown.items()}
    return {**named, **(first.get("biz_ext") or {})}


def _only(said: Mapping[str, Any], names: Iterable[str]) -> Row:
    """Return these members in this order; null for what is absent, as the server has it."""
    return {name: said.get(name) for name in names}


def _all(said: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    each = said.get(name)
    return [item for item in each if isinstance(item, Mapping)] if isinstance(each, list) else []


def _part(said: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = said.get(name)
    return part if isinstance(part, Mapping) else {}


def _segment(said: Mapping[str, Any]) -> Row:
    walking = _part(said, "walking")
    return {
        "walking": {
            **_only(walking, ("origin", "destination", "distance", "duration")),
            "steps": [_only(step, _WALK_STEP) for step in _all(walking, "steps")],
        },
        "bus": {"buslines": [_busline(line) for line in _all(_part(said, "bus"), "buslines")]},
        "entrance": _only(_part(said, "entrance"), ("name",)),
        "exit": _only(_part(said, "exit"), ("name",)),
        "railway": _only(_part(said, "railway"), ("name", "trip")),
    }


def _busline(said: Mapping[str, Any]) -> Row:
    return {
        "name": said.get("name"),
        "departure_stop": _only(_part(said, "departure_stop"), ("name",)),
        "arrival_stop": _only(_part(said, "arrival_stop"), ("name",)),
        **_only(said, ("distance", "duration")),
        "via_stops": [_only(stop, ("name",)) for stop in _all(said, "via_stops")],
    }
