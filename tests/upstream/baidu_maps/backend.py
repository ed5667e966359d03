"""A stand-in for Baidu's web services: the gazetteer's rows in the shape of the services' answers.

It is written from the services' pages and from published bodies, and not from the kernel: it knows what they are asked
with, what they answer and with which status they refuse. Two things it is given: the ids of places, which are the
vendor's to choose, and how congested each road is, which our app draws; how that is told is written here anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import Any
from urllib.parse import parse_qsl

from farm.appkit.geography import addresses, places, transit, weather
from farm.appkit.geography.coordinates import Point, bd09_to_gcj02, bearing, distance_m, gcj02_to_bd09
from farm.appkit.geography.districts import district_at, find_district, find_locality, named_districts, short_name
from farm.appkit.geography.routes import Mode, NoRouteError, Route, route
from farm.appkit.handler_api import Database
from tests.upstream.real import Asked, Reply

KEY = "a-key-of-nobody-0000"
Given = Mapping[str, str]
_ABROAD = ("/api_geocoding_abroad/", "/place_abroad/", "/direction_abroad/", "/weather_abroad/")
_COMPASS = ["北", "东北", "东", "东南", "南", "西南", "西", "西北"]
_MODES: dict[str, Mode] = {"driving": "driving", "riding": "cycling", "walking": "walking"}
_GOES: dict[Mode, str] = {"driving": "行驶", "cycling": "骑行", "walking": "步行"}
_TURNS = {
    "left": "左转",
    "right": "右转",
    "slight left": "靠左",
    "slight right": "靠右",
    "straight": "直行",
    "back": "掉头",
}
_TOLD = ["未知路况", "畅通", "缓行", "拥堵", "严重拥堵"]


class Refused(Exception):
    """A service answers with a status and words; ``key`` is the member that the words stand in."""

    def __init__(self, status: int, said: str, key: str = "message") -> None:
        super().__init__(said)
        self.body = {"status": status, key: said}


_INVALID = Refused(2, "Parameter Invalid")
_WRONG = Refused(2, "参数错误")
_UNKNOWN = Refused(260, "服务不存在")


class Backend:
    """The services. ``uid`` makes a place's id, ``congestion`` says how congested the roads asked for are."""

    def __init__(
        self,
        db: Database,
        now: datetime,
        uid: Callable[[int], str],
        congestion: Callable[[dict[str, Any]], list[dict[str, Any]] | None],
    ) -> None:
        self._db, self._now, self._uid, self._congestion = db, now, uid, congestion
        self._texts: list[str] = []

    def __call__(self, asked: Asked) -> Reply:
        """Answer a request."""
        given = dict(parse_qsl(asked.body.decode())) if asked.body else dict(asked.query)
        assert (given["ak"], given["from"]) == (KEY, "py_mcp"), "every service is told the key, and who asks"
        try:
            body = self._answer(asked.path, given)
        except Refused as refused:
            body = refused.body
        return Reply(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())

    def _answer(self, path: str, given: Given) -> dict[str, Any]:
        if path.startswith(_ABROAD):
            raise Refused(240, "APP 服务被禁用")
        head, _, model = path.rpartition("/")
        if head in ("/directionlite/v1", "/routematrix/v2", "/traffic/v1"):
            assert given["output"] == "json"
            service = {"directionlite": self._directions, "routematrix": self._matrix, "traffic": self._traffic}
            return service[head.split("/")[1]](model, given)
        services: dict[str, Callable[[Given], dict[str, Any]]] = {
            "/geocoding/v3/": self._geocode,
            "/reverse_geocoding/v3/": self._reverse,
            "/place/v3/region": self._region,
            "/place/v3/around": self._around,
            "/place/v2/detail": self._detail,
            "/weather/v1/": self._weather,
            "/location/ip": self._ip,
            "/api_mark/v1/submit": self._submit,
            "/api_mark/v1/result": self._result,
        }
        assert path in services, f"the server asks for {path}, which nobody knew of"
        return services[path](given)

    # -- addresses ----------------------------------------------------------------------------------------------------

    def _geocode(self, given: Given) -> dict[str, Any]:
        address = given["address"]
        if not address.strip() or len(address.encode()) > 84:
            raise Refused(2, "Request Parameter Error: lack address or location", "msg")
        results = places.geocode(self._db, address)
        if not results:
            raise Refused(1, "Internal Service Error:无相关结果", "msg")
        best = results[0]
        at = gcj02_to_bd09(best.point)
        worth: dict[str, tuple[int, int, str]] = {
            "province": (0, 10, "省"),
            "city": (0, 20, "城市"),
            "district": (0, 40, "区县"),
            "street": (0, 30, "道路"),
            "number": (1, 80, "门址"),
            "place": (1, 80, self._kind(best.place)["level"] if best.place else ""),
        }
        precise, confidence, level = worth[best.level]
        result: dict[str, Any] = {"location": {"lng": round(at.longitude, 12), "lat": round(at.latitude, 12)}}
        result |= {"precise": precise, "confidence": confidence, "comprehension": 100, "level": level}
        return {"status": 0, "result": result}

    def _reverse(self, given: Given) -> dict[str, Any]:
        assert (given["extensions_road"], given["extensions_poi"]) == ("true", "1")
        latitude, longitude = map(json.loads, given["location"].split(","))
        nothing = Refused(1, "Internal Service Error:无相关结果", "msg")
        if abs(latitude) > 90 or abs(longitude) > 180:
            raise nothing
        point = bd09_to_gcj02(Point(longitude, latitude))
        district = district_at(self._db, point)
        if district is None:
            raise nothing
        above = self._above(district["adcode"])
        near = places.places_near(self._db, point, 1000)
        home = next((each for each in near if each[1]["street"] and each[1]["number"]), None)
        street, number = (home[1]["street"], home[1]["number"]) if home else ("", "")
        component = {"country": "中国", "country_code": 0, "country_code_iso": "CHN", "country_code_iso2": "CN"}
        component |= {"province": above["province"], "city": above["city"], "city_level": 2, "district": above["area"]}
        component |= {"town": "", "street": street, "street_number": number, "adcode": district["adcode"]}
        component |= {"distance": str(home[0]) if home else "", "direction": _side(point, *home) if home else ""}
        parts = dict.fromkeys([above["province"], above["city"], above["area"], street + number])
        result: dict[str, Any] = {"location": {"lng": longitude, "lat": latitude}}
        result |= {"formatted_address": "".join(parts)}
        areas = dict.fromkeys(row["business_area"] for _, row in near if row["business_area"])
        result |= {"business": ",".join([*areas][:3]), "addressComponent": component}
        result["pois"] = [self._near(point, *each) for each in near[:10]]
        roads = places.streets_near(self._db, point)[:3]
        result["roads"] = [{"name": name, "distance": str(away)} for away, name in roads]
        here = [row for away, row in near[:1] if away <= 30]
        result["poiRegions"] = [
            {"direction_desc": "内", **self._named(row), "distance": "0"} for row in here
        ]  # a place that one stands in
        result["sematic_description"] = ",".join(
            f"{row['name']}内" if away <= 30 and number == 0 else f"{row['name']}{_seen(row, away, point)}{away}米"
            for number, (away, row) in enumerate(near[:2])
        )
        city = find_locality(self._db, district["adcode"])
        assert city is not None
        assert city.city is not None
        result["cityCode"] = self._code(city.city["adcode"])
        return {"status": 0, "result": result}

    def _named(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {"name": row["name"], "tag": self._kind(row)["tag"], "uid": self._uid(row["place_id"])}

    def _near(self, point: Point, away: int, row: Mapping[str, Any]) -> dict[str, Any]:
        at = gcj02_to_bd09(places.point_of(dict(row)))
        return {
            "addr": self._address(row),
            "direction": _side(point, away, row),
            "distance": str(away),
            "name": row["name"],
            "point": {"x": round(at.longitude, 6), "y": round(at.latitude, 6)},
            "tag": self._kind(row)["tag"],
            "tel": row["telephone"] or "",
            "uid": self._uid(row["place_id"]),
        }

    def _ip(self, given: Given) -> dict[str, Any]:
        # Nobody's own address is known: a request without one comes from the first block of Shanghai.
        asked = given["ip"] or "101.80.0.0"
        try:
            found = addresses.locate_ip(self._db, asked)
        except ValueError:
            found = None
        if found is None:
            raise Refused(1, f"Internal Service Error:ip[{asked}] loc failed")
        above = self._above(found["adcode"])
        province, city = above["province"], above["city"]
        detail = {"adcode": found["adcode"], "city": city, "city_code": self._code(found["adcode"]), "district": ""}
        detail |= {"province": province, "street": "", "street_number": ""}
        content = {"address": "".join(dict.fromkeys([province, city])), "address_detail": detail}
        content["point"] = _metres(gcj02_to_bd09(Point(found["longitude"], found["latitude"])))
        return {"address": f"CN|{province}|{city}|None|None|100|100", "content": content, "status": 0}

    # -- places -------------------------------------------------------------------------------------------------------

    def _region(self, given: Given) -> dict[str, Any]:
        region = given["region"].strip()
        within = None
        if region not in ("全国", "中国", ""):
            codes = self._db.all("SELECT adcode, code FROM city_codes")
            numbered = {str(row["code"]): row["adcode"] for row in codes}
            named = [row["adcode"] for row in named_districts(self._db, region)] if not region.isdigit() else []
            known = [numbered.get(region, region)] if region.isdigit() else named
            if not known or find_district(self._db, known[0]) is None:
                raise _INVALID
            within = known[0]
        found = [(None, row) for row in self._match(given["query"], within)]
        return self._listed(found, given)

    def _around(self, given: Given) -> dict[str, Any]:
        point = _pair(given["location"])
        radius = float(given["radius"]) if given["radius"] else 1000
        if not [each for each in given["query"].split(",") if each.strip()] or point is None or radius <= 0:
            raise _INVALID
        kept = {row["place_id"] for row in self._match(given["query"], None)}
        near = places.places_near(self._db, point, min(radius, 50_000))
        return self._listed([each for each in near if each[1]["place_id"] in kept], given)

    def _match(self, query: str, within: str | None) -> list[dict[str, Any]]:
        words = [each.strip() for each in query.split(",") if each.strip()]
        if not 1 <= len(words) <= 10:
            raise _INVALID
        found: dict[int, dict[str, Any]] = {}
        for word in words:
            tagged = [row["category"] for row in self._db.all("SELECT * FROM tags") if word in row["tag"]]
            hits = places.search_places(self._db, word, within=within)
            if tagged:
                hits = [*hits, *places.search_places(self._db, "", within=within, categories=tagged)]
            found |= {row["place_id"]: row for row in hits if row["place_id"] not in found}
        return list(found.values())

    def _listed(self, found: Sequence[tuple[int | None, Mapping[str, Any]]], given: Given) -> dict[str, Any]:
        assert (given["scope"], given["region_limit"], given["output"]) == ("2", "true", "json")
        kinds = [each.strip() for each in given["type"].split(",") if each.strip()]
        kept = [each for each in found if not kinds or any(kind in self._kind(each[1])["tag"] for kind in kinds)]
        return {"status": 0, "message": "ok", "results": [self._place(row, away) for away, row in kept[:10]]}

    def _detail(self, given: Given) -> dict[str, Any]:
        assert given["scope"] == "2"
        for row in places.search_places(self._db, ""):
            if self._uid(row["place_id"]) == given["uid"]:
                return {"status": 0, "message": "ok", "result": self._place(row)}
        raise _INVALID

    def _place(self, row: Mapping[str, Any], away: int | None = None) -> dict[str, Any]:
        at = gcj02_to_bd09(places.point_of(dict(row)))
        shown: dict[str, Any] = {"uid": self._uid(row["place_id"]), "name": row["name"]}
        shown["location"] = {"lat": round(at.latitude, 6), "lng": round(at.longitude, 6)}
        shown |= {"address": self._address(row), **self._above(row["adcode"])}
        if row["telephone"]:
            shown["telephone"] = row["telephone"]
        about = {"tag": self._kind(row)["tag"], "overall_rating": row["rating"] and f"{row['rating']:.1f}"}
        about |= {"shop_hours": row["opening"], "price": row["cost"] and f"{row['cost']:.1f}", "distance": away}
        return shown | {"detail": 1, "detail_info": {key: each for key, each in about.items() if each is not None}}

    def _submit(self, given: Given) -> dict[str, Any]:
        if not given.get("text_content", "").strip():
            raise _INVALID
        self._texts.append(given["text_content"])
        return {"status": 0, "result": {"map_id": str(len(self._texts))}}

    def _result(self, given: Given) -> dict[str, Any]:
        text = self._texts[int(given["map_id"]) - 1]
        spoken = [(name, row) for row in places.search_places(self._db, "") for name in places.names(row)]
        found: dict[int, dict[str, Any]] = {}
        for name, row in sorted(spoken, key=lambda each: (-len(each[0]), each[1]["place_id"])):
            if len(name) > 1 and name in text:
                text = text.replace(name, "|")
                found.setdefault(row["place_id"], row)
        if not found:
            return {"status": 0, "result": None}
        names = [row["name"] for row in found.values()]
        poi = []
        for row in found.values():
            at = gcj02_to_bd09(places.point_of(row))
            shown = {"uid": self._uid(row["place_id"]), "name": row["name"], "addr": self._address(row)}
            shown |= {"tag": self._kind(row)["tag"]}
            poi.append(shown | {"location": {"lng": round(at.longitude, 6), "lat": round(at.latitude, 6)}})
        title = names[0] if len(names) == 1 else f"{names[0]}等{len(names)}个地点"
        link = {"title": title, "desc": "、".join(names), "jump_url": "", "image": "", "poi": poi}
        return {"status": 0, "message": "ok", "result": {"data": [{"link": link}]}}

    # -- ways ---------------------------------------------------------------------------------------------------------

    def _directions(self, model: str, given: Given) -> dict[str, Any]:
        start, end = _pair(given["origin"]), _pair(given["destination"])
        assert start is not None, "the server looks up what is no pair"
        assert end is not None
        if model == "transit":
            found = transit.journeys(self._db, start, end) or transit.train_journeys(self._db, start, end, self._now)
            if not found:
                raise Refused(1001, "没有公交方案")
            routes = [self._journey(each) for each in found]
        else:
            routes = [_way(self._route(model, start, end))]
        ends = {"origin": _at(start), "destination": _at(end)}
        return {"status": 0, "message": "成功", "result": {**ends, "routes": routes}}

    def _route(self, model: str, start: Point, end: Point) -> Route:
        if model not in _MODES:
            raise _UNKNOWN
        try:
            return route(self._db, _MODES[model], start, end)
        except NoRouteError:
            raise Refused(2001, "没有路线") from None

    def _matrix(self, model: str, given: Given) -> dict[str, Any]:
        if model not in _MODES:
            raise _UNKNOWN
        starts, ends = ([_pair(each) for each in given[key].split("|")] for key in ("origins", "destinations"))
        if None in starts or None in ends or len(starts) * len(ends) > 100:
            raise _WRONG
        pairs = [(start, end) for start in starts for end in ends if start and end]
        if model == "walking" and max(distance_m(*pair) for pair in pairs) > 200_000:
            raise _WRONG
        cells = []
        for way in (self._route(model, *pair) for pair in pairs):
            minutes = ceil(way.duration_s / 60)
            text = f"{minutes}分钟" if minutes < 60 else f"{minutes / 60:.1f}小时"
            length = {"text": _far(way.distance_m), "value": way.distance_m}
            cells.append({"distance": length, "duration": {"text": text, "value": way.duration_s}})
        return {"status": 0, "result": cells, "message": "成功"}

    def _journey(self, journey: transit.Journey) -> dict[str, Any]:
        steps = []
        for part in journey.parts:
            more: dict[str, Any] = {}
            if isinstance(part, Route):
                how, type_ = {"walking": ("步行", 5), "driving": ("驾车", 4)}[part.mode]
                said, ends = f"{how}{_far(part.distance_m)}", (part.origin, part.destination)
            elif isinstance(part, transit.Ride):
                way, count = f"开往{part.ends[1]}方向", len(part.stops) - 1
                said, type_, ends = f"乘{part.line}({way}),坐{count}站,在{part.stops[-1]}下", 3, (part.start, part.end)
                vehicle: dict[str, Any] = {"name": part.line, "type": int(part.kind == "metro"), "direct_text": way}
                vehicle |= {"start_name": part.stops[0], "end_name": part.stops[-1], "stop_num": count}
                more = {"vehicle": vehicle}
            else:
                names = [row["name"] for row in (part.origin, part.destination)]
                hours = [f"{each // 60:02d}:{each % 60:02d}" for each in (part.departs_minute, part.arrives_minute)]
                said, type_ = f"乘{part.trip},{hours[0]}从{names[0]}到{names[1]}", 1
                ends = (places.point_of(part.origin), places.point_of(part.destination))
                vehicle = {"name": part.trip, "direct_text": f"开往{part.ends[1]}方向"}
                vehicle |= {"start_name": names[0], "end_name": names[1], "start_time": hours[0], "end_time": hours[1]}
                more = {"vehicle": vehicle}
            step = {"distance": part.distance_m, "duration": part.duration_s, "instruction": said, "type": type_}
            steps.append([{**step, **_between(*ends), **more}])
        return {"distance": journey.distance_m, "duration": journey.duration_s, "steps": steps}

    # -- now ----------------------------------------------------------------------------------------------------------

    def _weather(self, given: Given) -> dict[str, Any]:
        assert given["data_type"] == "all"
        if "location" in given:
            first, _, second = given["location"].partition(",")
            point = _pair(f"{second},{first}")
            district = district_at(self._db, point) if point else None
        else:
            district = find_district(self._db, given["district_id"])
        days = weather.forecast(self._db, district["adcode"], self._now.date(), 5) if district else []
        if district is None or not days or district["level"] not in ("city", "district"):
            raise _INVALID
        above = self._above(district["adcode"])
        location = {"country": "中国", "province": above["province"], "city": above["city"]}
        location |= {"name": short_name(district["name"]), "id": district["adcode"]}
        today, hour = days[0], self._now.hour
        sky = today.day if 6 <= hour < 18 else today.night
        temperature = weather.hour_temperature(today, hour)
        quarter = self._now.replace(minute=self._now.minute // 15 * 15, second=0, microsecond=0)
        now = {"text": sky, "temp": temperature, "feels_like": temperature - (1 if today.force == "1-3" else 2)}
        now |= {
            "rh": {"晴": 45, "多云": 58, "阴": 70}.get(sky, 88),
            "wind_class": f"{today.force.replace('1-3', '2')}级",
        }
        now |= {"wind_dir": f"{today.wind}风", "uptime": f"{quarter:%Y%m%d%H%M%S}"}
        forecasts = []
        for number, day in enumerate(days):
            date = self._now.date() + timedelta(days=number)
            force = {"1-3": "<3级", "4": "3~4级"}[day.force]
            shown: dict[str, Any] = {"text_day": day.day, "text_night": day.night, "high": day.high, "low": day.low}
            shown |= {"wc_day": force, "wd_day": f"{day.wind}风", "wc_night": force, "wd_night": f"{day.wind}风"}
            forecasts.append(shown | {"date": str(date), "week": "星期" + "一二三四五六日"[date.weekday()]})
        result = {"location": location, "now": now, "forecasts": forecasts}
        return {"status": 0, "result": result, "message": "success"}

    def _traffic(self, model: str, given: Given) -> dict[str, Any]:
        needed = {"road": ["road_name", "city"], "bound": ["bounds"], "polygon": ["vertexes"]}
        needed["around"] = ["center", "radius"]
        if model not in needed:
            raise _UNKNOWN
        asked: dict[str, Any] = {key: given[key] for key in needed[model]}
        if asked.get("radius"):
            asked["radius"] = json.loads(asked["radius"])
        roads = self._congestion({"model": model, **asked}) if "" not in asked.values() else None
        if roads is None:
            raise _INVALID
        sections = [(road["road_name"], each) for road in roads for each in road.get("congestion_sections", ())]
        status = max((each["status"] for _, each in sections), default=1 if roads else 0)
        if model == "road":
            description = self._of_road(asked["road_name"], roads[0])
        elif not roads:
            description = "该区域路况未知。"
        else:
            pieces = [f"{name}:{each['section_desc']}{_TOLD[each['status']]}。" for name, each in sections]
            description = f"该区域整体{_TOLD[status]}。{''.join(pieces)}"
        told = {"status": status, "status_desc": _TOLD[status]}
        body = {"status": 0, "message": "成功", "description": description, "evaluation": told}
        return {**body, "road_traffic": roads}

    def _of_road(self, asked: str, road: Mapping[str, Any]) -> str:
        """Return what is said of a road: of both directions as one where they are alike."""
        sections = road.get("congestion_sections", [])
        statuses = {each["section_desc"].split(",")[0]: each["status"] for each in sections}
        ways = _directions(self._db, road["road_name"])
        ways = [asked.removeprefix(road["road_name"])] if asked != road["road_name"] else ways
        told = [statuses.get(way, 1) for way in ways]
        said = [f"{way}{_TOLD[status]}" for way, status in zip(ways, told, strict=True)]
        if len(ways) == 2 and told[0] == told[1]:
            said = [f"双向{_TOLD[told[0]]}"]
        said += [f"{each['section_desc']}{_TOLD[each['status']]}" for each in sections]
        return f"{road['road_name']}:{';'.join(said)}。"

    # -- rows ---------------------------------------------------------------------------------------------------------

    def _kind(self, row: Mapping[str, Any]) -> dict[str, Any]:
        kind = self._db.one("SELECT tag, level FROM tags WHERE category = ?", row["category"])
        assert kind is not None
        return kind

    def _code(self, adcode: str) -> int:
        return int(self._db.scalar("SELECT code FROM city_codes WHERE adcode = ?", adcode))

    def _above(self, adcode: str) -> dict[str, str]:
        at = find_locality(self._db, adcode)
        assert at is not None
        assert at.city is not None
        area = at.district["name"] if at.district else ""
        return {"province": at.province["name"], "city": at.city["name"], "area": area}

    def _address(self, row: Mapping[str, Any]) -> str:
        return "".join(dict.fromkeys([*self._above(row["adcode"]).values(), row["address"] or ""]))


def _pair(text: str) -> Point | None:
    try:
        latitude, longitude = map(float, text.split(","))
    except ValueError:
        return None
    if abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return bd09_to_gcj02(Point(longitude, latitude))


def _at(point: Point) -> dict[str, float]:
    there = gcj02_to_bd09(point)
    return {"lng": round(there.longitude, 6), "lat": round(there.latitude, 6)}


def _between(start: Point, end: Point) -> dict[str, Any]:
    shown = [
        {key: f"{value:.6f}" for key, value in zip(("lng", "lat"), gcj02_to_bd09(each), strict=True)}
        for each in (start, end)
    ]
    path = ";".join(f"{each['lng']},{each['lat']}" for each in shown)
    return {"start_location": shown[0], "end_location": shown[1], "path": path}


def _far(metres: int) -> str:
    return f"{metres}米" if metres < 1000 else f"{metres / 1000:.1f}公里"


def _side(point: Point, away: int, row: Mapping[str, Any]) -> str:
    """Return in which direction a place lies from a point."""
    if away <= 30:
        return "附近"
    return _COMPASS[round(bearing(point, Point(row["longitude"], row["latitude"])) / 45) % 8]


def _seen(row: Mapping[str, Any], away: int, point: Point) -> str:
    """Return in which direction a point lies from a place."""
    if away <= 30:
        return "附近"
    return _COMPASS[round(bearing(Point(row["longitude"], row["latitude"]), point) / 45) % 8]


def _way(found: Route) -> dict[str, Any]:
    steps = []
    for number, step in enumerate(found.steps):
        said = f"沿{step.road}" if step.road else ""
        said += f"{_GOES[found.mode]}{_far(step.distance_m)},"
        if number == 0:
            said = f"从起点向{_COMPASS[round(step.bearing / 45) % 8]}出发,{said}"
        after = found.steps[number + 1].road if step.turn != "arrive" else ""
        said += "到达终点" if step.turn == "arrive" else _TURNS[step.turn]
        said += f"进入{after}" if after else ""
        shown: dict[str, Any] = {"distance": step.distance_m, "duration": step.duration_s, "instruction": said}
        shown |= {"road_name": step.road} if step.road else {}
        steps.append(shown | _between(step.start, step.end))
    return {"distance": found.distance_m, "duration": found.duration_s, "steps": steps}


def _directions(db: Database, road: str) -> list[str]:
    points = json.loads(str(db.scalar("SELECT points FROM roads WHERE name = ? ORDER BY road_id", road)))
    if points[0] == points[-1]:
        return ["外圈", "内圈"]
    degrees = bearing(Point(*points[0]), Point(*points[-1]))
    ways = {0: "南向北", 90: "西向东", 180: "北向南", 270: "东向西"}
    nearest = min(ways, key=lambda each: abs((degrees - each + 180) % 360 - 180))
    return [ways[nearest], ways[(nearest + 180) % 360]]


def _metres(point: Point) -> dict[str, str]:
    """Return a point of a city in Baidu's metres, by the coefficients published for its belt of latitudes."""
    if point.latitude >= 30:
        across, scale = (0.00220636496208, 111320.7020209128), 37.5
        up = [51751.86112841131, 3796837.749470245, 992013.7397791013, -1221952.21711287]
        up += [1340652.697009075, -620943.6990984312, 144416.9293806241]
    else:
        across, scale = (-0.0003441963504368392, 111320.7020576856), 22.5
        up = [278.2353980772752, 2485758.690035394, 6070.750963243378, 54821.18345352118]
        up += [9540.606633304236, -2710.55326746645, 1405.483844121726]
    north = 0.0
    for factor in reversed(up):
        north = north * point.latitude / scale + factor
    return {"x": f"{across[0] + across[1] * point.longitude:.2f}", "y": f"{north:.2f}"}
