"""The REST API behind the real server, as its documentation has it, on the gazetteer: what the kernel is held against.

It is written from the API's pages and not from the kernel: it answers what the API answers, with all the members that
the server then leaves out or renames. https://lbs.amap.com/api/webservice/summary
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from farm.appkit.geography import addresses, places, transit, weather
from farm.appkit.geography.coordinates import Point, distance_m, is_shifted
from farm.appkit.geography.districts import bounds, district_at, find_locality, named_districts
from farm.appkit.geography.routes import Mode, NoRouteError, Route, Step, route
from farm.appkit.handler_api import Database
from tests.upstream.real import Asked, Reply

KEY = "a-key"
_OK = {"status": "1", "info": "OK", "infocode": "10000"}
_CODES = {
    "INVALID_USER_KEY": "10001",
    "INVALID_PARAMS": "20000",
    "MISSING_REQUIRED_PARAMS": "20001",
    "OUT_OF_SERVICE": "20800",
    "NO_ROADS_NEARBY": "20801",
    "OVER_DIRECTION_RANGE": "20803",
    "ENGINE_RESPONSE_DATA_ERROR": "30001",
}
_WINDS = ["北", "东北", "东", "东南", "南", "西南", "西", "西北"]
_GO = {"walking": ("步行", "行走"), "driving": ("行驶", "行驶"), "cycling": ("骑行", "骑行")}


class Refused(Exception):
    """The API refuses with this info."""


def backend(db: Database, now: datetime, key_of: Callable[[int], str], id_of: Callable[[str], int | None]) -> Any:
    """Return what answers requests.

    Args:
        key_of: a place's number → the id that the API shows.
        id_of: and back.
    """
    api = _Api(db, now, key_of, id_of)
    paths = {
        "/v3/geocode/regeo": api.regeo,
        "/v3/geocode/geo": api.geo,
        "/v3/ip": api.ip,
        "/v3/weather/weatherInfo": api.weather,
        "/v4/direction/bicycling": api.bicycling,
        "/v3/direction/walking": api.walking,
        "/v3/direction/driving": api.driving,
        "/v3/direction/transit/integrated": api.transit,
        "/v3/distance": api.distance,
        "/v3/place/text": api.text,
        "/v3/place/around": api.around,
        "/v3/place/detail": api.detail,
    }

    def answer(asked: Asked) -> Reply:
        is_v4 = asked.path.startswith("/v4")
        try:
            if asked.query.get("key") != KEY:
                raise Refused("INVALID_USER_KEY")
            body = paths[asked.path](asked.query)
        except Refused as refused:
            info = str(refused)
            body = {"status": "0", "info": info, "infocode": _CODES[info], "count": "0"}
            if is_v4:
                body = {"data": None, "errcode": int(_CODES[info]), "errdetail": None, "errmsg": info}
        return Reply(json.dumps(body, ensure_ascii=False).encode())

    return answer


class _Api:
    def __init__(
        self, db: Database, now: datetime, key_of: Callable[[int], str], id_of: Callable[[str], int | None]
    ) -> None:
        self._db, self._now, self._key_of, self._id_of = db, now, key_of, id_of

    def regeo(self, query: Mapping[str, str]) -> Any:
        district = district_at(self._db, _point(query["location"]))
        part: dict[str, Any] = {"country": [], "province": [], "city": [], "citycode": [], "district": [], "adcode": []}
        if district is not None:
            at = find_locality(self._db, district["adcode"])
            assert at is not None
            assert at.city is not None
            part = {
                "country": "中国",
                "province": at.province["name"],
                "city": [] if at.province["adcode"] == at.city["adcode"] else at.city["name"],
                "citycode": at.city["citycode"],
                "district": district["name"],
                "adcode": district["adcode"],
            }
        return {**_OK, "regeocode": {"formatted_address": "", "addressComponent": part}}

    def geo(self, query: Mapping[str, str]) -> Any:
        if not query["address"]:
            raise Refused("MISSING_REQUIRED_PARAMS")
        found = places.geocode(self._db, query["address"], query.get("city"))
        if not found:
            raise Refused("ENGINE_RESPONSE_DATA_ERROR")
        return {**_OK, "count": str(len(found)), "geocodes": [self._geocode(each) for each in found]}

    def _geocode(self, found: places.GeocodedPlace) -> Any:
        at = find_locality(self._db, found.adcode)
        assert at is not None
        names = {
            "number": "门址",
            "street": "道路",
            "place": "兴趣点",
            "district": "区县",
            "city": "市",
            "province": "省",
        }
        by_street = found.level in ("number", "street")
        level = "province" if found.level == "city" and at.is_municipality else found.level
        code = at.lowest["citycode"]
        return {
            "formatted_address": "",
            "country": "中国",
            "province": at.province["name"],
            "citycode": [] if code == "-" else code,
            "city": at.city["name"] if at.city else [],
            "district": at.district["name"] if at.district else [],
            "township": [],
            "street": (found.street if by_street else None) or [],
            "number": (found.number if by_street else None) or [],
            "adcode": found.adcode,
            "location": _six(found.point),
            "level": names[level],
        }

    def ip(self, query: Mapping[str, str]) -> Any:
        try:
            district = addresses.locate_ip(self._db, query["ip"])
        except ValueError:
            district = None
        if query["ip"].startswith(("10.", "192.168.")):
            return {**_OK, "province": "局域网", "city": [], "adcode": [], "rectangle": []}
        if district is None:
            return {**_OK, "province": [], "city": [], "adcode": [], "rectangle": []}
        at = find_locality(self._db, district["adcode"])
        assert at is not None
        corners = ";".join(map(_six, bounds(self._db, district["adcode"])))
        names = {"province": at.province["name"], "city": district["name"]}
        return {**_OK, **names, "adcode": district["adcode"], "rectangle": corners}

    def weather(self, query: Mapping[str, str]) -> Any:
        if not query["city"]:
            raise Refused("MISSING_REQUIRED_PARAMS")
        assert query["extensions"] == "all"
        named = named_districts(self._db, query["city"])
        if not named:
            return {**_OK, "count": "0", "forecasts": []}
        place = named[0]
        if place["level"] == "province":
            sql = "SELECT * FROM districts WHERE parent_adcode = ? ORDER BY adcode LIMIT 1"
            place = self._db.one(sql, place["adcode"]) or place
        casts = [
            {
                "date": str(day.date),
                "week": "1234567"[day.date.weekday()],
                "dayweather": day.day,
                "nightweather": day.night,
                "daytemp": f"{day.high}",
                "nighttemp": f"{day.low}",
                "daywind": day.wind,
                "nightwind": day.wind,
                "daypower": day.force,
                "nightpower": day.force,
                "daytemp_float": f"{day.high}.0",
                "nighttemp_float": f"{day.low}.0",
            }
            for day in weather.forecast(self._db, place["adcode"], self._now.date(), 4)
        ]
        told = {"city": place["name"], "adcode": place["adcode"], "province": "", "reporttime": "", "casts": casts}
        return {**_OK, "count": "1", "forecasts": [told]}

    def bicycling(self, query: Mapping[str, str]) -> Any:
        found = self._route("cycling", query, 500_000)
        steps = [
            {
                "instruction": f"{_along(step)}骑行{step.distance_m}米{_action('cycling', step)}",
                "road": step.road,
                "distance": step.distance_m,
                "orientation": _wind(step),
                "duration": step.duration_s,
                "polyline": "",
                "action": "",
                "assistant_action": "",
            }
            for step in found.steps
        ]
        path = {"distance": found.distance_m, "duration": found.duration_s, "steps": steps}
        ends = {"origin": query["origin"], "destination": query["destination"]}
        return {"data": {**ends, "paths": [path]}, "errcode": 0, "errdetail": None, "errmsg": "OK"}

    def walking(self, query: Mapping[str, str]) -> Any:
        return self._answered(query, self._route("walking", query, 100_000))

    def driving(self, query: Mapping[str, str]) -> Any:
        return self._answered(query, self._route("driving", query, float("inf")))

    def _answered(self, query: Mapping[str, str], found: Route) -> Any:
        path = {
            "distance": f"{found.distance_m}",
            "duration": f"{found.duration_s}",
            "strategy": "速度最快",
            "tolls": "0",
            "steps": [_step(found.mode, step) for step in found.steps],
        }
        ends = {"origin": query["origin"], "destination": query["destination"]}
        return {**_OK, "count": "1", "route": {**ends, "taxi_cost": "0", "paths": [path]}}

    def _route(self, mode: Mode, query: Mapping[str, str], most: float) -> Route:
        ends = _point(query["origin"]), _point(query["destination"])
        self._serve(ends)
        if distance_m(*ends) > most:
            raise Refused("OVER_DIRECTION_RANGE")
        try:
            found = route(self._db, mode, *ends)
        except NoRouteError:
            raise Refused("NO_ROADS_NEARBY") from None
        if found.distance_m > most:
            raise Refused("OVER_DIRECTION_RANGE")
        return found

    def _serve(self, points: Sequence[Point]) -> None:
        if any(not is_shifted(point) and district_at(self._db, point) is None for point in points):
            raise Refused("OUT_OF_SERVICE")

    def transit(self, query: Mapping[str, str]) -> Any:
        ends = _point(query["origin"]), _point(query["destination"])
        if not query["city"]:
            raise Refused("MISSING_REQUIRED_PARAMS")
        cities = []
        for name in (query["city"], query["cityd"] or query["city"]):
            named = named_districts(self._db, name)
            if not named:
                raise Refused("INVALID_PARAMS")
            at = find_locality(self._db, named[0]["adcode"])
            cities.append(at.city["adcode"] if at and at.city else None)
        self._serve(ends)
        if cities[0] == cities[1]:
            found = transit.journeys(self._db, *ends)
        else:
            found = transit.train_journeys(self._db, *ends, self._now)
        try:
            walked = route(self._db, "walking", *ends).distance_m
        except NoRouteError:
            walked = round(distance_m(*ends))
        body = {"origin": query["origin"], "destination": query["destination"], "distance": f"{walked}"}
        ways = [_transit(each) for each in found]
        return {**_OK, "count": f"{len(ways)}", "route": {**body, "taxi_cost": "0", "transits": ways}}

    def distance(self, query: Mapping[str, str]) -> Any:
        starts, end = [_point(each) for each in query["origins"].split("|")], _point(query["destination"])
        if query["type"] not in ("0", "1", "3") or len(starts) > 100:
            raise Refused("INVALID_PARAMS")
        self._serve((*starts, end))
        if query["type"] == "3" and max(distance_m(start, end) for start in starts) > 5000:
            raise Refused("OVER_DIRECTION_RANGE")
        return {
            **_OK,
            "results": [self._measured(place, each, end, query["type"]) for place, each in enumerate(starts)],
        }

    def _measured(self, place: int, start: Point, end: Point, kind: str) -> Any:
        ids = {"origin_id": f"{place + 1}", "dest_id": "1"}
        if kind == "0":
            return {**ids, "distance": f"{distance_m(start, end):.0f}", "duration": "0"}
        try:
            found = route(self._db, "driving" if kind == "1" else "walking", start, end)
        except NoRouteError:
            return {**ids, "info": "NO_ROADS_NEARBY", "code": "2"}
        return {**ids, "distance": f"{found.distance_m}", "duration": f"{found.duration_s}"}

    def text(self, query: Mapping[str, str]) -> Any:
        if not query["keywords"].strip():
            raise Refused("MISSING_REQUIRED_PARAMS")
        named = named_districts(self._db, query["city"])
        found = places.search_places(self._db, query["keywords"], within=named[0]["adcode"] if named else None)
        cities: dict[str, int] = {}
        if named and not found:
            for row in places.search_places(self._db, query["keywords"]):
                at = find_locality(self._db, row["adcode"])
                assert at is not None
                assert at.city is not None
                cities[at.city["name"]] = cities.get(at.city["name"], 0) + 1
        ordered = sorted(cities.items(), key=lambda each: -each[1])[:10]
        suggestion = {"keywords": [], "cities": [{"name": name, "num": f"{count}"} for name, count in ordered]}
        return {**_OK, "count": f"{len(found)}", "suggestion": suggestion, "pois": self._listed(found)}

    def around(self, query: Mapping[str, str]) -> Any:
        point = _point(query["location"])
        if not re.fullmatch(r"\d+", query["radius"]):
            raise Refused("INVALID_PARAMS")
        radius = int(query["radius"])
        usual = () if query["keywords"] else ("050000", "070000", "120000")
        found = places.places_near(self._db, point, radius if radius <= 50_000 else 5000, query["keywords"], usual)
        return {**_OK, "count": f"{len(found)}", "pois": self._listed([row for _, row in found])}

    def detail(self, query: Mapping[str, str]) -> Any:
        if not query["id"]:
            raise Refused("INVALID_PARAMS")
        number = self._id_of(query["id"])
        row = None if number is None else places.find_place(self._db, number)
        return {**_OK, "count": "1" if row else "0", "pois": self._listed([row] if row else [])}

    def _listed(self, rows: list[Any]) -> list[Any]:
        return [self._poi(row) for row in rows[:20]]

    def _poi(self, row: Any) -> Any:
        at = find_locality(self._db, row["adcode"])
        assert at is not None
        assert at.city is not None
        business: dict[str, Any] = {
            "rating": f"{row['rating']:.1f}" if row["rating"] else [],
            "cost": f"{row['cost']:.2f}" if row["cost"] else [],
        }
        if row["opening"]:
            business["open_time"] = row["opening"]
        orders = {"05": "meal_ordering", "08": "seat_ordering", "10": "hotel_ordering", "11": "ticket_ordering"}
        if row["category"][:2] in orders:
            business[orders[row["category"][:2]]] = "0"
        return {
            "id": self._key_of(row["place_id"]),
            "name": row["name"],
            "alias": row["alias"].replace("|", ";") if row["alias"] else [],
            "type": ";".join((row["large"], row["middle"], row["small"])),
            "typecode": row["category"],
            "biz_ext": business,
            "address": row["address"] or [],
            "location": _six(Point(row["longitude"], row["latitude"])),
            "tel": row["telephone"] or [],
            "pname": at.province["name"],
            "cityname": at.city["name"],
            "adname": at.district["name"] if at.district else [],
            "business_area": row["business_area"] or [],
        }


def _point(text: str) -> Point:
    """Return a point as the API reads it."""
    match = re.fullmatch(r"(-?\d{1,3}(?:\.\d+)?),(-?\d{1,2}(?:\.\d+)?)", text)
    if match is None or abs(float(match[1])) > 180 or abs(float(match[2])) > 90:
        raise Refused("INVALID_PARAMS")
    return Point(float(match[1]), float(match[2]))


def _six(point: Point) -> str:
    return f"{point[0]:.6f},{point[1]:.6f}"


def _wind(step: Step) -> str:
    return _WINDS[round(step.bearing / 45) % 8]


def _along(step: Step) -> str:
    return f"沿{step.road}" if step.road else ""


def _action(mode: str, step: Step) -> str:
    """Return what to do at the end of a step."""
    ahead = _GO[mode][1]
    return {
        "left": "左转",
        "right": "右转",
        "straight": "直行",
        "back": "左转调头",
        "slight left": f"向左前方{ahead}",
        "slight right": f"向右前方{ahead}",
        "arrive": "到达目的地",
    }[step.turn]


def _step(mode: str, step: Step) -> Any:
    arrives = step.turn == "arrive"
    return {
        "instruction": f"{_along(step)}向{_wind(step)}{_GO[mode][0]}{step.distance_m}米{_action(mode, step)}",
        "orientation": _wind(step),
        "road": step.road or [],
        "distance": f"{step.distance_m}",
        "duration": f"{step.duration_s}",
        "polyline": "",
        "action": [] if arrives else _action(mode, step),
        "assistant_action": "到达目的地" if arrives else [],
    }


def _transit(journey: transit.Journey) -> Any:
    """Return a way: each segment has a walk, then a line or a train; what it lacks is an empty list."""
    segments: list[dict[str, Any]] = []
    fresh = True
    for part in journey.parts:
        if isinstance(part, Route) or fresh:
            segments.append(
                {"walking": [], "bus": {"buslines": []}, "entrance": [], "exit": [], "railway": {"spaces": []}}
            )
        if isinstance(part, Route):
            fresh = False
            if part.mode == "driving":
                segments[-1]["taxi"] = {"distance": f"{part.distance_m}", "drivetime": f"{part.duration_s}"}
                continue
            segments[-1]["walking"] = {
                "origin": _six(part.origin),
                "destination": _six(part.destination),
                "distance": f"{part.distance_m}",
                "duration": f"{part.duration_s}",
                "steps": [_step(part.mode, step) for step in part.steps],
            }
            continue
        fresh = True
        if isinstance(part, transit.Ride):
            stops = [{"name": name} for name in part.stops]
            segments[-1]["bus"]["buslines"] = [
                {
                    "name": transit.line_title(part),
                    "type": "地铁线路",
                    "departure_stop": stops[0],
                    "arrival_stop": stops[-1],
                    "distance": f"{part.distance_m}",
                    "duration": f"{part.duration_s}",
                    "via_num": f"{len(stops) - 2}",
                    "via_stops": stops[1:-1],
                }
            ]
        else:
            first, last = (each.removesuffix("站") for each in part.ends)
            segments[-1]["railway"] = {"name": f"{part.trip}({first}-{last})", "trip": part.trip, "type": part.kind}
    walks = [part for part in journey.parts if isinstance(part, Route) and part.mode == "walking"]
    walked = sum(part.distance_m for part in walks)
    return {
        "cost": [],
        "duration": f"{journey.duration_s}",
        "nightflag": "0",
        "walking_distance": f"{walked}",
        "segments": segments,
    }
