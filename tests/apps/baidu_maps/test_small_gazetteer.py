"""Whole answers on the small gazetteer."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from farm.appkit.geography.coordinates import Point, bd09_to_gcj02, distance_m, gcj02_to_bd09
from farm.appkit.handler_api import VendorError
from farm.testing import LocalApp
from tests.apps.small_gazetteer import (
    CAFE,
    FIRST,
    GARDEN,
    HOME,
    LAST,
    MIDDLE,
    OTHER_STATION,
    STATION,
    district,
    elbow,
    place,
    ride_of,
    start_on,
    walk_s,
)

Small = Callable[..., LocalApp]


@pytest.fixture
def small(start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch) -> Small:
    """Start Baidu Maps on the small gazetteer, and more rows."""
    return lambda *more, **options: start_on(start, monkeypatch, "baidu_maps", more, **options)


def lng_lat(point: Point, digits: int = 6) -> dict[str, float]:
    shown = gcj02_to_bd09(point)
    return {"lng": round(shown.longitude, digits), "lat": round(shown.latitude, digits)}


def pair(point: Point) -> str:
    """Return a point as most tools are given it: latitude first."""
    shown = gcj02_to_bd09(point)
    return f"{shown.latitude:.9f},{shown.longitude:.9f}"


def code(app: LocalApp, tool: str, **arguments: Any) -> object:
    with pytest.raises(VendorError) as refused:
        app.call(tool, **arguments)
    return refused.value.code


# -- addresses ---------------------------------------------------------------------------------------------------------


@pytest.mark.fact("geocode")
@pytest.mark.parametrize(
    ("address", "at", "precise", "confidence", "level"),
    [
        ("上海市徐汇区甲路1号", HOME, 1, 80, "门址"),
        ("甲路", HOME, 0, 30, "道路"),
        ("乙咖啡", CAFE, 1, 80, "餐饮"),
        ("苏园", GARDEN, 1, 80, "景点"),
        ("姑苏区", Point(120.62, 31.325), 0, 40, "区县"),
        ("苏州", Point(120.6, 31.3), 0, 20, "城市"),
        ("江苏省", Point(119, 33), 0, 10, "省"),
    ],
)
def test_an_address_is_told_whole(
    small: Small, address: str, at: Point, precise: int, confidence: int, level: str
) -> None:
    assert small().call("map_geocode", address=address) == {
        "status": 0,
        "result": {
            "location": lng_lat(at, 12), "precise": precise, "confidence": confidence, "comprehension": 100,
            "level": level,
        },
    }  # fmt: skip


def reverse(app: LocalApp, point: Point) -> dict[str, Any]:
    shown = gcj02_to_bd09(point)
    body = app.call("map_reverse_geocode", latitude=shown.latitude, longitude=shown.longitude)
    assert body["status"] == 0
    assert list(body) == ["status", "result"]
    return dict(body["result"])


def uid(app: LocalApp, name: str) -> str:
    return str(app.call("map_search_places", query=name)["results"][0]["uid"])


@pytest.mark.fact("reverse")
def test_a_point_is_told_with_all_that_is_near(small: Small) -> None:
    near = Point(121.4501, 31.2003)  # of HOME, to the north and a little east
    app = small(
        place(6, "丙亭", "110201", "310104", Point(121.4501, 31.2043), business_area="丙区"),
        place(7, "丁亭", "110201", "310104", Point(121.4501, 31.2053), business_area="甲区"),
    )
    away = [round(distance_m(near, point)) for point in (HOME, Point(121.4501, 31.2043), Point(121.4501, 31.2053))]

    def poi(name: str, address: str, side: str, metres: int, point: Point, tag: str, tel: str = "") -> dict[str, Any]:
        shown = lng_lat(point)
        return {
            "addr": f"上海市徐汇区{address}", "direction": side, "distance": str(metres), "name": name,
            "point": {"x": shown["lng"], "y": shown["lat"]}, "tag": tag, "tel": tel, "uid": uid(app, name),
        }  # fmt: skip

    shown = gcj02_to_bd09(near)
    assert reverse(app, near) == {
        "location": {"lng": shown.longitude, "lat": shown.latitude},
        "formatted_address": "上海市徐汇区甲路1号",
        "business": "甲区,丙区",
        "addressComponent": {
            "country": "中国", "country_code": 0, "country_code_iso": "CHN", "country_code_iso2": "CN",
            "province": "上海市", "city": "上海市", "city_level": 2, "district": "徐汇区", "town": "",
            "street": "甲路", "street_number": "1号", "adcode": "310104", "distance": str(away[0]), "direction": "南",
        },
        "pois": [
            poi("甲馆", "甲路1号", "南", away[0], HOME, "文化传媒;展览", "021-1"),
            poi("丙亭", "", "北", away[1], Point(121.4501, 31.2043), "旅游景点;公园"),
            poi("丁亭", "", "北", away[2], Point(121.4501, 31.2053), "旅游景点;公园"),
        ],
        "roads": [
            {"name": "甲路", "distance": str(away[0])},
            {"name": "乙路", "distance": str(round(distance_m(near, CAFE)))},
        ],
        "poiRegions": [],
        "sematic_description": f"甲馆北{away[0]}米,丙亭南{away[1]}米",
        "cityCode": 289,
    }  # fmt: skip


@pytest.mark.fact("reverse")
def test_within_thirty_metres_one_is_in_a_place_or_beside_it(small: Small) -> None:
    beside = Point(HOME.longitude, HOME.latitude + 0.0001)
    app = small(place(6, "丙亭", "110201", "310104", Point(HOME.longitude, HOME.latitude + 0.0003)))

    def at(metres: float) -> dict[str, Any]:
        return reverse(app, Point(HOME.longitude, HOME.latitude + metres / 111_195))

    here = reverse(app, beside)
    assert here["sematic_description"] == "甲馆内,丙亭附近22米"
    assert here["addressComponent"]["direction"] == here["pois"][0]["direction"] == "附近"
    region = {"direction_desc": "内", "name": "甲馆", "tag": "文化传媒;展览", "uid": uid(app, "甲馆"), "distance": "0"}
    assert here["poiRegions"] == [region]
    assert at(-30)["poiRegions"] == [region]
    assert at(-30)["sematic_description"] == "甲馆内,丙亭南63米"
    assert at(-31)["poiRegions"] == []
    assert at(-31)["sematic_description"] == "甲馆南31米,丙亭南64米"


@pytest.mark.fact("reverse")
def test_a_point_with_nothing_near_has_its_district_alone(small: Small) -> None:
    found = reverse(small(), Point(120.62, 31.29))

    assert found["formatted_address"] == "江苏省苏州市姑苏区"
    parts = found["addressComponent"]
    assert [parts[name] for name in ("province", "city", "district", "adcode")] == [
        "江苏省",
        "苏州市",
        "姑苏区",
        "320508",
    ]
    assert [parts[name] for name in ("street", "street_number", "distance", "direction")] == ["", "", "", ""]
    empty = ("business", "pois", "roads", "poiRegions", "sematic_description")
    assert [found[name] for name in empty] == ["", [], [], [], ""]
    assert found["cityCode"] == 224


@pytest.mark.fact("reverse")
def test_ten_places_three_roads_and_three_areas_are_the_most(small: Small) -> None:
    app = small(
        *(
            place(number, f"亭{number}", "110201", "310104", Point(121.45, 31.2 + number / 10_000),
                  street=f"{number}路", business_area=f"{number}区")
            for number in range(10, 22)
        )
    )  # fmt: skip
    found = reverse(app, HOME)

    assert [each["name"] for each in found["pois"]] == ["甲馆", *(f"亭{number}" for number in range(10, 19))]
    assert [each["name"] for each in found["roads"]] == ["甲路", "10路", "11路"]
    assert found["business"] == "甲区,10区,11区"
    # A street without a number is no address.
    assert found["formatted_address"].endswith("甲路1号")


@pytest.mark.fact("reverse")
@pytest.mark.parametrize(
    ("latitude", "longitude"), [(90.1, 121.45), (-90.1, 121.45), (31.2, 180.1), (31.2, -180.1), (90, 180), (-90, -180)]
)
def test_what_is_not_on_the_earth_or_in_no_district_has_no_address(
    small: Small, latitude: float, longitude: float
) -> None:
    assert code(small(), "map_reverse_geocode", latitude=latitude, longitude=longitude) == 1


# -- places ------------------------------------------------------------------------------------------------------------


def whole(
    app: LocalApp, name: str, at: Point, address: str, above: tuple[str, str, str], **more: Any
) -> dict[str, Any]:
    shown, known = lng_lat(at), {key: more.pop(key) for key in ("telephone",) if key in more}
    province, city, area = above
    return {
        "uid": uid(app, name), "name": name, "location": {"lat": shown["lat"], "lng": shown["lng"]}, "address": address,
        "province": province, "city": city, "area": area, **known, "detail": 1, "detail_info": more,
    }  # fmt: skip


@pytest.mark.fact("search")
def test_places_are_told_whole(small: Small) -> None:
    app = small()
    shanghai, suzhou = ("上海市", "上海市", "徐汇区"), ("江苏省", "苏州市", "姑苏区")
    hall = whole(
        app, "甲馆", HOME, "上海市徐汇区甲路1号", shanghai, telephone="021-1", tag="文化传媒;展览",
        overall_rating="4.8", shop_hours="10:00-22:00",
    )  # fmt: skip
    cafe = whole(
        app, "乙咖啡", CAFE, "上海市徐汇区乙路2号", shanghai, tag="美食;咖啡厅", overall_rating="4.0", price="38.0"
    )
    station = whole(app, "沪站", STATION, "上海市徐汇区", shanghai, tag="交通设施;火车站")
    garden = whole(app, "苏园", GARDEN, "江苏省苏州市姑苏区园路5号", suzhou, tag="旅游景点;公园", price="80.0")

    def results(**asked: Any) -> list[dict[str, Any]]:
        body = app.call("map_search_places", **asked)
        assert (body["status"], body["message"], list(body)) == (0, "ok", ["status", "message", "results"])
        return list(body["results"])

    assert results(query="甲馆, 乙咖啡 ,沪站,苏园") == [hall, cafe, station, garden]
    assert results(query="园", region="苏州市") == results(query="园", region=" 224 ") == [garden]
    assert (
        results(query="园", region="320508")
        == results(query="园", region="中国")
        == results(query="园", region="")
        == [garden]
    )
    assert results(query="园", region="上海") == []
    # By the service's own words for kinds, and by one of two kinds.
    assert results(query="美食") == results(query="咖啡厅") == [cafe]
    assert results(query="甲馆,乙咖啡,沪站", tag="火车站 , 展览") == [hall, station]
    near = results(query="甲馆,乙咖啡,沪站", location=pair(CAFE), radius=1464)
    assert near == [
        {**cafe, "detail_info": {**cafe["detail_info"], "distance": 0}},
        {**hall, "detail_info": {**hall["detail_info"], "distance": round(distance_m(HOME, CAFE))}},
    ]
    assert [each["name"] for each in results(query="甲馆,乙咖啡", location=pair(CAFE))] == ["乙咖啡"]
    assert [each["name"] for each in results(query="甲馆,乙咖啡", location=pair(CAFE), radius=1462)] == ["乙咖啡"]
    far = {"query": "沪站,苏站", "location": pair(CAFE)}
    assert [each["name"] for each in results(**far, radius=10**9)] == ["沪站"]  # 50 km at most
    assert results(query="甲馆", location=pair(CAFE), radius=1) == []
    assert app.call("map_place_details", uid=garden["uid"]) == {"status": 0, "message": "ok", "result": garden}


@pytest.mark.fact("search")
def test_ten_places_are_the_most(small: Small) -> None:
    app = small(*(place(number, f"塔{number}", "050500", "310104", CAFE) for number in range(10, 25)))

    names = [each["name"] for each in app.call("map_search_places", query="塔")["results"]]
    assert names == [f"塔{number}" for number in range(10, 20)]


@pytest.mark.fact("extract")
def test_places_that_a_text_names_are_told_whole(small: Small) -> None:
    app = small(place(6, "甲", "050500", "310104", CAFE), place(7, "甲馆咖啡", "050500", "310104", CAFE))

    def link(text: str) -> dict[str, Any]:
        body = app.call("map_poi_extract", text_content=text)
        assert {**body, "result": None} == {"status": 0, "message": "ok", "result": None}
        (data,) = body["result"]["data"]
        assert list(data) == ["link"]
        return dict(data["link"])

    poi = {
        "uid": uid(app, "甲馆"), "name": "甲馆", "addr": "上海市徐汇区甲路1号", "tag": "文化传媒;展览",
        "location": lng_lat(HOME),
    }  # fmt: skip
    one = {"title": "甲馆", "desc": "甲馆", "jump_url": "", "image": "", "poi": [poi]}
    assert link("去甲馆") == link("to Jia Hall") == link("甲馆和Jia Hall") == one
    both = link("苏园、沪站、甲馆咖啡、甲")
    assert (both["title"], both["desc"]) == ("甲馆咖啡等3个地点", "甲馆咖啡、沪站、苏园")
    twice = link("甲馆咖啡与甲馆")
    assert [each["name"] for each in twice["poi"]] == ["甲馆咖啡", "甲馆"]
    for none in ("甲", "jia hall"):
        assert code(app, "map_poi_extract", text_content=none) == "timeout"


# -- ways --------------------------------------------------------------------------------------------------------------

EAST, SOUTH = elbow(HOME, CAFE)
CORNER = Point(CAFE.longitude, HOME.latitude)


def ends(start: Point, end: Point) -> dict[str, Any]:
    one, other = ({name: f"{value:.6f}" for name, value in lng_lat(point).items()} for point in (start, end))
    path = f"{one['lng']},{one['lat']};{other['lng']},{other['lat']}"
    return {"start_location": one, "end_location": other, "path": path}


@pytest.mark.fact("directions")
@pytest.mark.parametrize(
    ("model", "verb", "speed"), [("driving", "行驶", 5.0), ("riding", "骑行", 3.6), ("walking", "步行", 1.25)]
)
def test_a_route_is_told_whole(small: Small, model: str, verb: str, speed: float) -> None:
    body = small().call("map_directions", origin="甲馆", destination="乙咖啡", model=model)

    times = round(EAST / speed), round(SOUTH / speed)
    assert body == {
        "status": 0,
        "message": "成功",
        "result": {
            "origin": lng_lat(HOME),
            "destination": lng_lat(CAFE),
            "routes": [
                {
                    "distance": EAST + SOUTH,
                    "duration": sum(times),
                    "steps": [
                        {
                            "distance": EAST, "duration": times[0],
                            "instruction": f"从起点向东出发,沿甲路{verb}{EAST}米,右转进入乙路",
                            "road_name": "甲路", **ends(HOME, CORNER),
                        },
                        {
                            "distance": SOUTH, "duration": times[1],
                            "instruction": f"沿乙路{verb}{SOUTH / 1000:.1f}公里,到达终点",
                            "road_name": "乙路", **ends(CORNER, CAFE),
                        },
                    ],
                }
            ],
        },
    }  # fmt: skip


@pytest.mark.fact("directions")
def test_a_street_without_a_name_is_left_out(small: Small) -> None:
    there = Point(121.46, 31.195)
    west, north = elbow(there, HOME)
    app = small()

    out = app.call("map_directions", origin=pair(there), destination="甲馆", model="walking")["result"]["routes"][0][
        "steps"
    ]
    back = app.call("map_directions", origin="甲馆", destination=pair(there), model="walking")["result"]["routes"][0][
        "steps"
    ]

    assert [step["instruction"] for step in out] == [
        f"从起点向西出发,步行{west}米,右转进入甲路",
        f"沿甲路步行{north}米,到达终点",
    ]
    assert [step.get("road_name") for step in out] == [None, "甲路"]
    assert [step["instruction"].rpartition(",")[2] for step in back] == ["右转", "到达终点"]


@pytest.mark.fact("matrix")
def test_a_matrix_is_told_whole(small: Small) -> None:
    app = small()
    metres, seconds = EAST + SOUTH, round(EAST / 1.25) + round(SOUTH / 1.25)

    body = app.call(
        "map_directions_matrix", origins=f"{pair(HOME)}|{pair(CAFE)}", destinations=pair(CAFE), model="walking"
    )

    assert body == {
        "status": 0,
        "result": [
            {
                "distance": {"text": f"{metres / 1000:.1f}公里", "value": metres},
                "duration": {"text": f"{-(-seconds // 60)}分钟", "value": seconds},
            },
            {"distance": {"text": "1米", "value": 1}, "duration": {"text": "1分钟", "value": 1}},
        ],
        "message": "成功",
    }
    assert code(app, "map_directions_matrix", origins=pair(GARDEN), destinations=pair(CAFE)) == 2001
    assert code(app, "map_directions", origin="苏园", destination="乙咖啡") == 2001
    # 199 km are not too far to walk, though no road leads there; 201 are.
    for kilometres, status in ((199, 2001), (201, 2)):
        far = pair(Point(HOME.longitude, HOME.latitude + kilometres / 111.195))
        asked = {"origins": pair(HOME), "destinations": far}
        assert code(app, "map_directions_matrix", **asked, model="walking") == status
        assert code(app, "map_directions_matrix", **asked, model="riding") == 2001


@pytest.mark.fact("matrix")
def test_an_hour_is_told_in_hours(small: Small) -> None:
    app = small()
    east = 0.0245  # 2.3 km
    there = Point(HOME.longitude + east, HOME.latitude)
    cell = app.call("map_directions_matrix", origins=pair(HOME), destinations=pair(there), model="walking")["result"][0]
    seconds = cell["duration"]["value"]

    assert 2280 < seconds < 2520
    assert cell["duration"]["text"] == f"{-(-seconds // 60)}分钟"
    hour = Point(HOME.longitude + 0.0365, HOME.latitude)
    cell = app.call("map_directions_matrix", origins=pair(HOME), destinations=pair(hour), model="walking")["result"][0]
    assert 3600 <= cell["duration"]["value"] < 3660
    assert cell["duration"]["text"] == "1.0小时"


@pytest.mark.fact("directions-transit")
def test_a_journey_by_metro_is_told_whole(small: Small) -> None:
    body = small().call("map_directions", origin="甲馆", destination="乙咖啡", model="transit")

    metres, seconds = ride_of(FIRST, MIDDLE, LAST)
    (route,) = body["result"].pop("routes")
    assert body == {
        "status": 0, "message": "成功", "result": {"origin": lng_lat(HOME), "destination": lng_lat(CAFE)},
    }  # fmt: skip
    (out,), (ride,), (back,) = route["steps"]
    assert ride == {
        "distance": metres, "duration": seconds, "instruction": "乘地铁1号线(开往三站方向),坐2站,在三站下", "type": 3,
        **ends(FIRST, LAST),
        "vehicle": {
            "name": "地铁1号线", "type": 1, "direct_text": "开往三站方向", "start_name": "一站", "end_name": "三站",
            "stop_num": 2,
        },
    }  # fmt: skip
    for walk, one, other in ((out, HOME, FIRST), (back, LAST, CAFE)):
        length = walk["distance"]
        assert length == pytest.approx(sum(elbow(one, other)), abs=1)
        assert walk == {
            "distance": length, "duration": walk["duration"], "instruction": f"步行{length}米", "type": 5,
            **ends(one, other),
        }  # fmt: skip
        assert walk["duration"] == pytest.approx(walk_s(length), abs=1)
    assert route["distance"] == metres + out["distance"] + back["distance"]
    # Half of the four minutes between two trains is waited for.
    assert route["duration"] == seconds + out["duration"] + back["duration"] + 120


@pytest.mark.fact("directions-transit")
def test_a_bus_is_of_another_type_and_goes_both_ways(small: Small) -> None:
    line = {"table": "lines", "line_id": 2, "adcode": "320500", "name": "1路", "kind": "bus", "headway_s": 300}
    stops = [
        {"table": "stops", "stop_id": 10 + n, "adcode": "320500", "name": f"{n}站", "longitude": 120.62, "latitude": at}
        for n, at in enumerate((31.33, 31.325, 31.32))
    ]
    at_stops = [{"table": "line_stops", "line_id": 2, "position": n, "stop_id": 10 + n} for n in range(3)]

    routes = small(line, *stops, *at_stops).call("map_directions", origin="苏园", destination="苏站", model="transit")

    (ride,) = routes["result"]["routes"][0]["steps"][1]
    assert ride["instruction"] == "乘1路(开往0站方向),坐2站,在0站下"
    assert (ride["vehicle"]["type"], ride["vehicle"]["start_name"], ride["vehicle"]["stop_num"]) == (0, "2站", 2)


@pytest.mark.fact("directions-transit")
def test_a_journey_by_train_is_told_whole(small: Small) -> None:
    body = small().call("map_directions", origin="沪站", destination="苏站", model="transit")

    rides = [part for way in body["result"]["routes"] for step in way["steps"] for part in step if part["type"] == 1]
    metres = round(1.1 * distance_m(STATION, OTHER_STATION))

    def ride(trip: str, minutes: int, leaves: str, arrives: str) -> dict[str, Any]:
        return {
            "distance": metres, "duration": minutes * 60, "instruction": f"乘{trip},{leaves}从沪站到苏站", "type": 1,
            **ends(STATION, OTHER_STATION),
            "vehicle": {
                "name": trip, "direct_text": "开往宁站方向", "start_name": "沪站", "end_name": "苏站",
                "start_time": leaves, "end_time": arrives,
            },
        }  # fmt: skip

    assert rides == [ride("G1", 55, "11:05", "12:00"), ride("G2", 31, "08:30", "09:01")]
    assert code(small(), "map_directions", origin="沪站", destination="39.9,116.4", model="transit") == 1001


@pytest.mark.fact("directions-names")
@pytest.mark.parametrize("text", ["31.2,121.4", " +31.2 , 121.4 ", "-0,0", "90,180", "-90,-180", "31,121"])
def test_two_numbers_on_the_earth_are_a_point(small: Small, text: str) -> None:
    assert code(small(), "map_directions", origin=text, destination="没有") == "geocoding_failed"
    said = small().result("map_directions", origin=text, destination="没有")["content"][0]["text"]
    assert "`destination`" in said


@pytest.mark.fact("directions-names")
@pytest.mark.parametrize("text", ["90.1,0", "-90.1,0", "0,180.1", "0,-180.1", "1,2,3", "1.,2", "a,b", "1;2"])
def test_what_is_no_point_is_looked_up(small: Small, text: str) -> None:
    said = small().result("map_directions", origin=text, destination="没有")["content"][0]["text"]

    assert said == "Geocoding API error: input `origin` invaild, please reinput more detail address"


@pytest.mark.fact("address")
@pytest.mark.parametrize("is_china", ["true", "false"])
def test_abroad_another_service_is_asked_for_the_way(small: Small, is_china: str) -> None:
    with pytest.raises(VendorError) as refused:
        small().call("map_directions", origin="1,1", destination="1,1", model="\x7f", is_china=is_china)

    path = "/directionlite/v1/" if is_china == "true" else "/direction_abroad/v1/"
    position = len(f"https://api.map.baidu.com{path}")
    assert refused.value.message == f"Invalid non-printable ASCII character in URL, '\\x7f' at position {position}."


# -- weather and internet addresses ------------------------------------------------------------------------------------


@pytest.mark.fact("weather")
def test_the_weather_of_a_district_is_told_whole(small: Small) -> None:
    app = small()

    def day(date: str, week: str, sky: str, night: str, force: str) -> dict[str, Any]:
        return {
            "text_day": sky, "text_night": night, "high": 12, "low": 3, "wc_day": force, "wd_day": "西北风",
            "wc_night": force, "wd_night": "西北风", "date": date, "week": week,
        }  # fmt: skip

    days = [
        day("2026-03-09", "星期一", "阴", "小雪", "3~4级"),
        *(
            day(f"2026-03-{10 + number}", f"星期{name}", "多云", "小雨", "4~5级")
            for number, name in enumerate("二三四五")
        ),
    ]
    assert app.call("map_weather", district_id="320508") == {
        "status": 0,
        "result": {
            "location": {"country": "中国", "province": "江苏省", "city": "苏州市", "name": "姑苏", "id": "320508"},
            "now": {
                # Of nine degrees between five and fourteen o'clock, at nine seven twelfths.
                "text": "阴", "temp": 8, "feels_like": 6, "rh": 70, "wind_class": "4级", "wind_dir": "西北风",
                "uptime": "20260309090000",
            },
            "forecasts": days,
        },
        "message": "success",
    }  # fmt: skip


@pytest.mark.fact("weather")
@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("05:59:59", {"text": "小雨", "rh": 88, "uptime": "20260309054500"}),
        ("06:00:00", {"text": "晴", "rh": 45, "uptime": "20260309060000"}),
        ("14:14:59", {"text": "晴", "temp": 9, "feels_like": 8, "uptime": "20260309140000"}),
        ("17:59:59", {"text": "晴", "uptime": "20260309174500", "wind_class": "2级"}),
        ("18:15:00", {"text": "小雨", "rh": 88, "uptime": "20260309181500"}),
    ],
)
def test_the_weather_of_now_is_the_hour_s(small: Small, now: str, told: dict[str, Any]) -> None:
    result = small(now=f"2026-03-09T{now}+08:00").call("map_weather", district_id="310000")["result"]

    assert {name: result["now"][name] for name in told} == told
    assert result["forecasts"][0]["wc_day"] == result["forecasts"][0]["wc_night"] == "<3级"
    assert result["location"]["name"] == "上海"


@pytest.mark.fact("weather-point")
def test_a_point_s_district_has_its_weather_and_a_province_has_none(small: Small) -> None:
    app = small()
    shown = gcj02_to_bd09(GARDEN)

    by_point = app.call("map_weather", location=f"{shown.longitude},{shown.latitude}", district_id="none")
    assert by_point == app.call("map_weather", district_id="320508")
    for none in ({"district_id": "320000"}, {"location": "x", "district_id": "320508"}, {"location": "100,40"}):
        assert code(app, "map_weather", **none) == 2
    assert code(small(now="2030-01-01T00:00:00+08:00"), "map_weather", district_id="310000") == 2


@pytest.mark.fact("ip-metres")
def test_a_city_of_an_internet_address_is_told_whole(small: Small) -> None:
    """The point is that of a body for Beijing that somebody published in May 2017."""
    beijing = bd09_to_gcj02(Point(116.40387397, 39.91488908))
    app = small(
        district("110000", "北京市", "city", "100000", "010", beijing, 60_000),
        {"table": "city_codes", "adcode": "110000", "code": 131},
        {"table": "ip_ranges", "first": 50_529_024, "last": 50_529_279, "adcode": "110000"},  # 3.3.3.0
    )

    def body(province: str, city: str, adcode: str, number: int, address: str, point: Any) -> dict[str, Any]:
        return {
            "address": f"CN|{province}|{city}|None|None|100|100",
            "content": {
                "address": address,
                "address_detail": {
                    "adcode": adcode, "city": city, "city_code": number, "district": "", "province": province,
                    "street": "", "street_number": "",
                },
                "point": point,
            },
            "status": 0,
        }  # fmt: skip

    shown = app.call("map_ip_location", ip="3.3.3.3")
    point = shown["content"]["point"]
    assert shown == body("北京市", "北京市", "110000", 131, "北京市", point)
    assert float(point["x"]) == pytest.approx(12958160.97, abs=0.02)
    assert float(point["y"]) == pytest.approx(4825907.72, abs=0.02)
    shown = app.call("map_ip_location", ip="1.2.3.4")
    assert shown == body("江苏省", "苏州市", "320500", 224, "江苏省苏州市", shown["content"]["point"])
    assert app.call("map_ip_location") == app.call("map_ip_location", ip="2.2.2.0")


@pytest.mark.fact("ip-metres")
def test_the_plane_of_metres_has_no_step_between_its_belts(small: Small) -> None:
    def y(latitude: float) -> float:
        city = district("440100", "广州市", "city", "100000", "020", bd09_to_gcj02(Point(113.3, latitude)), 60_000)
        app = small(
            city,
            {"table": "city_codes", "adcode": "440100", "code": 257},
            {"table": "ip_ranges", "first": 50_529_024, "last": 50_529_279, "adcode": "440100"},
        )
        return float(app.call("map_ip_location", ip="3.3.3.3")["content"]["point"]["y"])

    # A degree there has some 128 km, for a sphere's plane stretches towards the pole.
    assert y(30.00001) - y(29.99999) == pytest.approx(128_000 * 0.00002, abs=1.5)
    assert y(24.0) - y(23.0) == pytest.approx(121_000, rel=0.02)


# -- traffic -----------------------------------------------------------------------------------------------------------


def road(road_id: int, name: str, kind: str, *points: tuple[float, float]) -> dict[str, Any]:
    return {
        "table": "roads", "road_id": road_id, "adcode": "310000", "name": name, "kind": kind,
        "points": json.dumps(points),
    }  # fmt: skip


ALONG = road(1, "长路", "avenue", (121.40, 31.20), (121.50, 31.20))
CROSSING = [
    road(2 + number, f"横{number}路", "street", (121.40 + number / 50, 31.19), (121.40 + number / 50, 31.21))
    for number in range(4)
]
WORDS = {1: "畅通", 2: "缓行", 3: "拥堵", 4: "严重拥堵"}
SPEEDS = {2: (22, 36), 3: (12, 20), 4: (5, 10)}


def hours(app: LocalApp, first: str, count: int, **asked: Any) -> list[tuple[datetime, dict[str, Any]]]:
    """Ask in as many hours and return each with its answer."""
    begun, found = datetime.fromisoformat(first), []
    for number in range(count):
        at = begun + timedelta(hours=number)
        app.store.set_clock(app.id, int(at.timestamp() * 1000))
        found.append((at, app.call("map_road_traffic", **asked)))
    return found


@pytest.mark.fact("traffic")
def test_every_hour_of_a_road_is_told_in_words_and_in_pieces_that_fit_together(small: Small) -> None:
    app = small(ALONG, *CROSSING, now="2026-03-08T07:00:00+08:00")
    seen: dict[int, list[float]] = {2: [], 3: [], 4: []}
    trends, pieces, free = set(), set(), {"quiet": [], "day": [], "rush": []}  # type: ignore[var-annotated]
    ends = [f"横{number}路" for number in range(4)]
    between = dict(
        zip(
            [*pairwise(ends)],
            [round(1.06 * distance_m(Point(121.42, 31.2), Point(121.44, 31.2)))] * 3,
            strict=True,
        )
    )

    for at, body in hours(app, "2026-03-09T00:00:00+08:00", 24 * 28, model="road", road_name="长路", city="上海"):
        (told,) = body["road_traffic"]
        status = {"西向东": 1, "东向西": 1}
        said = []
        for section in told.get("congestion_sections", []):
            way, _, rest = section["section_desc"].partition(",从")
            start, end = rest.split("到")
            status[way] = section["status"]
            seen[section["status"]].append(section["speed"])
            trends.add(section["congestion_trend"])
            pieces.add((start, end))
            assert section["congestion_distance"] == between[(start, end) if way == "西向东" else (end, start)]
            said.append(f"{section['section_desc']}{WORDS[section['status']]}")
        both = [f"{way}{WORDS[each]}" for way, each in status.items()]
        first = [f"双向{WORDS[status['西向东']]}"] if len({*status.values()}) == 1 else both
        worst = max(status.values())
        assert body == {
            "status": 0,
            "message": "成功",
            "description": f"长路:{';'.join([*first, *said])}。",
            "evaluation": {"status": worst, "status_desc": WORDS[worst]},
            "road_traffic": [told],
        }
        busy = "day" if 10 <= at.hour <= 20 else "quiet"
        busy = "rush" if at.weekday() < 5 and at.hour in (7, 8, 9, 17, 18, 19) else busy
        free[busy] += [each == 1 for each in status.values()]
    for level, speeds in seen.items():
        least, most = SPEEDS[level]
        assert least <= min(speeds) < least + (most - least) / 3
        assert most - (most - least) / 3 < max(speeds) <= most
    assert trends == {"持平", "缓解", "加重"}
    assert len(pieces) == 6
    shares = {name: sum(each) / len(each) for name, each in free.items()}
    assert shares["quiet"] == pytest.approx(0.95, abs=0.05)
    assert shares["day"] == pytest.approx(0.7, abs=0.07)
    assert shares["rush"] == pytest.approx(0.25, abs=0.08)


@pytest.mark.fact("traffic")
@pytest.mark.parametrize(
    ("points", "ways"),
    [
        (((121.40, 31.20), (121.50, 31.20)), ("西向东", "东向西")),
        (((121.50, 31.20), (121.40, 31.20)), ("东向西", "西向东")),
        (((121.45, 31.15), (121.45, 31.25)), ("南向北", "北向南")),
        (((121.45, 31.25), (121.46, 31.15)), ("北向南", "南向北")),
        (((121.4, 31.2), (121.5, 31.2), (121.5, 31.3), (121.4, 31.2)), ("外圈", "内圈")),
    ],
)
def test_the_directions_of_a_road_are_named_by_where_it_leads(
    small: Small, points: tuple[tuple[float, float], ...], ways: tuple[str, str]
) -> None:
    app = small(road(1, "长路", "avenue", *points), now="2026-03-09T07:00:00+08:00")

    for way in ways:
        body = app.call("map_road_traffic", model="road", road_name=f"长路{way}", city="上海市")
        assert body["description"] == f"长路:{way}{body['evaluation']['status_desc']}。"
    other = {"南向北", "北向南", "西向东", "东向西", "外圈", "内圈"} - {*ways}
    for way in other:
        assert code(app, "map_road_traffic", model="road", road_name=f"长路{way}", city="上海市") == 2
    differing = [
        body["description"]
        for _, body in hours(app, "2026-03-09T08:00:00+08:00", 60, model="road", road_name="长路", city="310000")
        if "双向" not in body["description"]
    ]
    assert differing
    assert all(text.startswith(f"长路:{ways[0]}") and f";{ways[1]}" in text for text in differing)


@pytest.mark.fact("traffic")
def test_a_ring_is_busier_than_an_avenue_but_at_night(small: Small) -> None:
    def free(kind: str, hour: str) -> int:
        app = small(road(1, "长路", kind, (121.40, 31.20), (121.50, 31.20)), now="2026-01-31T07:00:00+08:00")
        found = 0
        for day in range(1, 29):
            app.store.set_clock(
                app.id, int(datetime.fromisoformat(f"2026-02-{day:02}T{hour}:00:00+08:00").timestamp() * 1000)
            )
            body = app.call("map_road_traffic", model="road", road_name="长路", city="上海")
            found += body["evaluation"]["status"] == 1
        return found

    assert free("ring", "12") < free("avenue", "12")
    assert free("ring", "02") == free("avenue", "02")


@pytest.mark.fact("traffic-areas")
def test_the_roads_of_an_area_are_told_as_each_is_by_itself(small: Small) -> None:
    country = {**road(9, "国道", "motorway", (121.44, 31.10), (121.44, 31.30)), "adcode": "100000"}
    app = small(ALONG, *CROSSING, country, now="2026-03-09T08:30:00+08:00")

    body = app.call("map_road_traffic", model="around", center=pair(Point(121.44, 31.2)), radius=1000)

    alone = {
        name: app.call("map_road_traffic", model="road", road_name=name, city="上海") for name in ("长路", "横2路")
    }
    shown = {each["road_name"]: each for each in body["road_traffic"]}
    assert {*shown} == {"国道", "长路", "横2路"}
    for name, each in alone.items():
        assert [shown[name]] == each["road_traffic"]
    pieces = [
        f"{each['road_name']}:{section['section_desc']}{WORDS[section['status']]}。"
        for each in body["road_traffic"]
        for section in each.get("congestion_sections", [])
    ]
    assert pieces
    worst = body["evaluation"]["status"]
    assert worst >= max(each["evaluation"]["status"] for each in alone.values())
    assert {**body, "road_traffic": None} == {
        "status": 0, "message": "成功", "description": f"该区域整体{WORDS[worst]}。{''.join(pieces)}",
        "evaluation": {"status": worst, "status_desc": WORDS[worst]}, "road_traffic": None,
    }  # fmt: skip
    nothing = app.call("map_road_traffic", model="around", center=pair(Point(121.6, 31.2)), radius=1000)
    assert nothing == {
        "status": 0, "message": "成功", "description": "该区域路况未知。",
        "evaluation": {"status": 0, "status_desc": "未知路况"}, "road_traffic": [],
    }  # fmt: skip


@pytest.mark.fact("traffic-areas")
@pytest.mark.parametrize(
    ("metres", "radius", "is_inside"), [(480, 500, True), (530, 500, False), (15, 30, True), (980, 1000, True)]
)
def test_a_circle_reaches_as_far_as_its_radius(small: Small, metres: float, radius: int, is_inside: bool) -> None:
    app = small(ALONG)
    center = pair(Point(121.45, 31.2 + metres / 111_195))

    body = app.call("map_road_traffic", model="around", center=center, radius=radius)

    assert bool(body["road_traffic"]) == is_inside


def corners(*offsets: tuple[float, float]) -> str:
    """Return points by how many metres they are east and north of a point on the road."""
    points = [Point(121.45 + east / 95_100, 31.2 + north / 111_195) for east, north in offsets]
    return ";".join(map(pair, points))


@pytest.mark.fact("traffic-areas")
@pytest.mark.parametrize(
    ("asked", "is_inside"),
    [
        ({"model": "bound", "bounds": corners((-400, -300), (400, 300))}, True),
        ({"model": "bound", "bounds": corners((-400, 50), (400, 650))}, False),
        ({"model": "bound", "bounds": corners((-400, -650), (400, -50))}, False),
        ({"model": "bound", "bounds": corners((-30, -30), (30, 30))}, True),
        # A wedge whose point lies over the road: what is left and right of it is outside.
        ({"model": "polygon", "vertexes": corners((-400, 100), (400, 100), (0, -200))}, True),
        ({"model": "polygon", "vertexes": corners((-400, 100), (400, 100), (0, 30))}, False),
        ({"model": "polygon", "vertexes": corners((-400, -100), (-400, 300), (400, 300), (400, -100), (0, 200))}, True),
        ({"model": "polygon", "vertexes": corners((-400, 40), (-400, 300), (400, 300), (400, 40), (0, 200))}, False),
    ],
)
def test_a_road_is_in_an_area_where_one_of_its_points_is(small: Small, asked: dict[str, str], is_inside: bool) -> None:
    body = small(ALONG).call("map_road_traffic", **asked)

    assert bool(body["road_traffic"]) == is_inside


@pytest.mark.fact("traffic-areas")
@pytest.mark.parametrize(
    ("asked", "is_taken"),
    [
        ({"model": "bound", "bounds": corners((-700, -700), (700, 700))}, True),  # 1,980 m across
        ({"model": "bound", "bounds": corners((-715, -715), (715, 715))}, False),  # 2,022
        ({"model": "bound", "bounds": corners((400, -300), (-400, 300))}, False),
        ({"model": "bound", "bounds": corners((-400, 300), (400, -300))}, False),
        ({"model": "bound", "bounds": corners((-400, -300), (400, 300), (0, 0))}, False),
        ({"model": "polygon", "vertexes": corners((-700, -700), (700, -700), (0, 700))}, True),
        ({"model": "polygon", "vertexes": corners((-715, -715), (715, -715), (0, 715))}, False),
        ({"model": "polygon", "vertexes": corners((-700, -700), (700, -700))}, False),
        ({"model": "polygon", "vertexes": "x;" + corners((-700, -700), (700, -700), (0, 700))}, False),
        ({"model": "around", "center": pair(HOME), "radius": 1}, True),
        ({"model": "around", "center": pair(HOME), "radius": 1000}, True),
    ],
)
def test_an_area_is_two_kilometres_across_at_most(small: Small, asked: dict[str, Any], is_taken: bool) -> None:
    app = small(ALONG)

    if is_taken:
        assert app.call("map_road_traffic", **asked)["status"] == 0
    else:
        assert code(app, "map_road_traffic", **asked) == 2
