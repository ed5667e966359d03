"""Whole answers on the small gazetteer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit.geography.coordinates import Point, distance_m
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
    legs,
    place,
    ride_of,
    start_on,
    walk_s,
)

Small = Callable[..., LocalApp]


@pytest.fixture
def small(start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch) -> Small:
    """Start Amap on the small gazetteer, and more rows."""
    return lambda *more, **options: start_on(start, monkeypatch, "amap", more, **options)


def at(point: Point) -> str:
    return f"{point.longitude:.6f},{point.latitude:.6f}"


def error(app: LocalApp, tool: str, **arguments: str) -> str:
    result = app.result(tool, **arguments)
    assert result["isError"] is False
    body = json.loads(result["content"][0]["text"])
    assert list(body) == ["error"]
    return str(body["error"])


SHANGHAI = {"country": "中国", "province": "上海市", "city": "上海市", "citycode": "021", "district": "徐汇区"}
NOTHING: dict[str, Any] = {"street": [], "number": []}


@pytest.mark.fact("levels")
@pytest.mark.parametrize(
    ("address", "found"),
    [
        (
            "上海市徐汇区甲路1号",
            {**SHANGHAI, "street": "甲路", "number": "1号", "adcode": "310104", "location": at(HOME), "level": "门址"},
        ),
        (
            "甲路",
            {**SHANGHAI, **NOTHING, "street": "甲路", "adcode": "310104", "location": at(HOME), "level": "道路"},
        ),
        ("Jia Hall", {**SHANGHAI, **NOTHING, "adcode": "310104", "location": at(HOME), "level": "兴趣点"}),
        ("徐汇区", {**SHANGHAI, **NOTHING, "adcode": "310104", "location": "121.455000,31.195000", "level": "区县"}),
        (
            "上海",
            {
                **SHANGHAI,
                "district": [],
                **NOTHING,
                "adcode": "310000",
                "location": "121.470000,31.230000",
                "level": "省",
            },
        ),
        (
            "江苏省",
            {
                "country": "中国",
                "province": "江苏省",
                "city": [],
                "citycode": [],
                "district": [],
                **NOTHING,
                "adcode": "320000",
                "location": "119.000000,33.000000",
                "level": "省",
            },
        ),
    ],
)
def test_an_address_is_told_whole(small: Small, address: str, found: dict[str, Any]) -> None:
    assert small().call("maps_geo", address=address) == {"return": [found]}


@pytest.mark.fact("elsewhere")
def test_a_place_of_many_is_the_city_s_and_elsewhere_all_of_them(small: Small) -> None:
    app = small(place(6, "甲馆", "050500", "320508", GARDEN))

    def where(**more: str) -> list[str]:
        return [each["adcode"] for each in app.call("maps_geo", address="甲馆", **more)["return"]]

    assert where(city="苏州") == where(city="0512") == where(city="320500") == ["320508"]
    assert where() == where(city="") == where(city="亚特兰蒂斯") == ["310104", "320508"]


@pytest.mark.fact("municipality")
def test_a_point_is_in_district_city_and_province(small: Small) -> None:
    app = small()

    assert app.call("maps_regeocode", location=at(GARDEN)) == {
        "province": "江苏省",
        "city": "苏州市",
        "district": "姑苏区",
    }
    assert app.call("maps_regeocode", location=at(HOME)) == {"province": "上海市", "city": [], "district": "徐汇区"}
    assert app.call("maps_regeocode", location="100,40") == {"province": [], "city": [], "district": []}


@pytest.mark.fact("points")
@pytest.mark.parametrize("point", ["121.45,31.2", "-180,90", "180,-90", "0.0,0.0", "1,1"])
def test_points_on_the_earth_are_points(small: Small, point: str) -> None:
    assert "error" not in small().call("maps_regeocode", location=point)


@pytest.mark.fact("points")
@pytest.mark.parametrize(
    "point", ["180.1,0", "-180.1,0", "0,90.1", "0,-90.1", "1.,2", "1,2,3", "1e2,3", "１,2", " 1,2"]
)
def test_what_is_no_point_is_told_by_each_tool_in_its_words(small: Small, point: str) -> None:
    app = small()
    calls: list[tuple[str, dict[str, str], str]] = [
        ("maps_regeocode", {"location": point}, "RGeocoding"),
        ("maps_around_search", {"location": point}, "Around Search"),
        ("maps_distance", {"origins": point, "destination": "1,1"}, "Direction Distance"),
        ("maps_distance", {"origins": f"1,1|{point}", "destination": "1,1"}, "Direction Distance"),
        ("maps_distance", {"origins": "1,1", "destination": point}, "Direction Distance"),
        ("maps_direction_walking_by_coordinates", {"origin": point, "destination": "1,1"}, "Direction Walking"),
        ("maps_direction_driving_by_coordinates", {"origin": "1,1", "destination": point}, "Direction Driving"),
        (
            "maps_direction_transit_integrated_by_coordinates",
            {"origin": point, "destination": "1,1", "city": "上海", "cityd": "上海"},
            "Direction Transit Integrated",
        ),
    ]

    for tool, arguments, asked in calls:
        assert error(app, tool, **arguments) == f"{asked} failed: INVALID_PARAMS", tool
    ends = {"origin_coordinates": point, "destination_coordinates": "1,1"}
    assert error(app, "maps_bicycling_by_coordinates", **ends) == "Direction bicycling failed: None"


@pytest.mark.fact("ip")
def test_an_internet_address_has_the_box_of_its_city(small: Small) -> None:
    app = small()

    assert app.call("maps_ip_location", ip="1.2.3.255") == {
        "province": "江苏省",
        "city": "苏州市",
        "adcode": "320500",
        # The radius of 40 km, in degrees of 96 and of 111 km.
        "rectangle": "120.183333,30.939640;121.016667,31.660360",
    }
    nothing: dict[str, Any] = {"province": [], "city": [], "adcode": [], "rectangle": []}
    assert app.call("maps_ip_location", ip="1.2.4.0") == app.call("maps_ip_location", ip="") == nothing
    for none in ("1.2.3", "1.2.3.256", "::1", "x"):
        assert app.call("maps_ip_location", ip=none) == nothing


def day(date: str, week: str, sky: str, night: str, high: str, low: str, wind: str, power: str) -> dict[str, str]:
    return {
        "date": date, "week": week, "dayweather": sky, "nightweather": night, "daytemp": high, "nighttemp": low,
        "daywind": wind, "nightwind": wind, "daypower": power, "nightpower": power, "daytemp_float": f"{high}.0",
        "nighttemp_float": f"{low}.0",
    }  # fmt: skip


@pytest.mark.fact("forecast")
def test_four_days_are_told_whole(small: Small) -> None:
    app = small()
    week = [day(f"2026-03-{n:02}", f"{n - 8}", "晴", "小雨", f"{n}", "-1", "东", "1-3") for n in range(9, 13)]

    assert app.call("maps_weather", city="上海") == {"city": "上海市", "forecasts": week}
    assert app.call("maps_weather", city="310104") == {"city": "徐汇区", "forecasts": week}
    of_city = [day(f"2026-03-{n:02}", f"{n - 8}", "多云", "小雨", "12", "3", "西北", "5") for n in range(9, 13)]
    # A province has the weather of its first city.
    suzhou = {"city": "苏州市", "forecasts": of_city}
    assert app.call("maps_weather", city="江苏") == app.call("maps_weather", city="0512") == suzhou
    own = day("2026-03-09", "1", "阴", "小雪", "12", "3", "西北", "4")
    assert app.call("maps_weather", city="姑苏区") == {"city": "姑苏区", "forecasts": [own, *of_city[1:]]}


@pytest.mark.fact("forecast")
def test_the_first_day_is_china_s_today(small: Small) -> None:
    late, early = small(now="2026-03-09T15:59:00+00:00"), small(now="2026-03-09T16:01:00+00:00")

    assert [app.call("maps_weather", city="上海")["forecasts"][0]["date"] for app in (late, early)] == [
        "2026-03-09",
        "2026-03-10",
    ]


@pytest.mark.fact("no-forecast")
def test_where_no_weather_is_known_there_is_no_forecast(small: Small) -> None:
    app = small()

    assert error(app, "maps_weather", city="100000") == "No forecast data available"
    assert error(small(now="2030-01-01T00:00:00+08:00"), "maps_weather", city="上海") == "No forecast data available"


# -- places ------------------------------------------------------------------------------------------------------------


def key(app: LocalApp, name: str) -> str:
    return str(next(each["id"] for each in app.call("maps_text_search", keywords=name)["pois"] if each["name"] == name))


@pytest.mark.fact("search")
def test_places_are_listed_whole(small: Small) -> None:
    app = small()

    body = app.call("maps_text_search", keywords="甲馆|沪站")

    first, second = (each.pop("id") for each in body["pois"])
    assert body == {
        "suggestion": {"keywords": [], "cities": []},
        "pois": [
            {"name": "甲馆", "address": "甲路1号", "typecode": "070000"},
            {"name": "沪站", "address": [], "typecode": "150200"},
        ],
    }
    assert first != second
    assert {len(each) for each in (first, second)} == {10}
    assert {each[:2] for each in (first, second)} == {"B0"}
    assert app.call("maps_text_search", keywords="没有") == {"suggestion": {"keywords": [], "cities": []}, "pois": []}
    assert error(app, "maps_text_search", keywords=" ") == "Text Search failed: MISSING_REQUIRED_PARAMS"


@pytest.mark.fact("suggestion")
def test_where_the_city_has_none_the_cities_with_most_are_suggested_first(small: Small) -> None:
    more = [place(number, f"湖{number}", "110201", "320508", GARDEN) for number in (10, 11)]
    third = district("330000", "浙江省", "province", "100000", "-", Point(120, 29), 300_000)
    city = district("330100", "杭州市", "city", "330000", "0571", Point(120.2, 30.3), 40_000)
    lake = place(9, "湖9", "110201", "310104", STATION)

    app = small(*more, lake, third, city)

    def asked(**more: str) -> tuple[list[dict[str, str]], list[str]]:
        body = app.call("maps_text_search", keywords="湖", **more)
        return body["suggestion"]["cities"], [each["name"] for each in body["pois"]]

    assert asked(city="杭州") == ([{"name": "苏州市"}, {"name": "上海市"}], [])
    assert asked(city="苏州") == ([], ["湖10", "湖11"])
    assert asked(city="苏州", citylimit="true") == asked(city="苏州")
    assert asked() == asked(city="亚特兰蒂斯") == ([], ["湖9", "湖10", "湖11"])


@pytest.mark.fact("search")
def test_twenty_places_and_ten_cities_are_the_most(small: Small) -> None:
    places = [place(100 + number, f"塔{number}", "050500", "310104", CAFE) for number in range(25)]
    cities = [
        row
        for number in range(50, 62)
        for row in (
            district(f"{number}0000", f"第{number}市", "city", "100000", f"09{number}", Point(100, 40), 1000),
            place(200 + number, f"桥{number}", "050500", f"{number}0000", Point(100, 40)),
        )
    ]
    app = small(*places, *cities)

    assert [each["name"] for each in app.call("maps_text_search", keywords="塔")["pois"]] == [
        f"塔{n}" for n in range(20)
    ]
    near = app.call("maps_around_search", location=at(CAFE), keywords="塔")["pois"]
    assert [each["name"] for each in near] == [f"塔{n}" for n in range(20)]
    suggested = app.call("maps_text_search", keywords="桥", city="上海")["suggestion"]["cities"]
    assert suggested == [{"name": f"第{number}市"} for number in range(50, 60)]


@pytest.mark.fact("around")
def test_what_is_around_a_point_depends_on_radius_and_words(small: Small) -> None:
    app = small()

    def names(**more: str) -> list[str]:
        return [each["name"] for each in app.call("maps_around_search", location=at(CAFE), **more)["pois"]]

    # Food, services and offices unless words say otherwise; nearest first.
    assert names() == ["乙咖啡"]
    assert names(radius="1463") == names(radius="1462") == ["乙咖啡"]
    assert names(radius="1464") == names(radius="") == names(radius="50000") == ["乙咖啡", "甲馆"]
    assert names(keywords="站", radius="5000") == ["沪站"]
    assert names(keywords=" ", radius="5000") == ["乙咖啡", "甲馆"]
    # Over fifty kilometres it is five.
    assert names(keywords="站", radius="50001") == ["沪站"]
    assert names(keywords="园", radius="50001") == names(keywords="园", radius="99999999999") == []
    assert names(radius="0") == ["乙咖啡"]
    for none in ("-1", "1.5", "x", "１０"):
        said = error(app, "maps_around_search", location=at(CAFE), radius=none)
        assert said == "Around Search failed: INVALID_PARAMS"


@pytest.mark.fact("detail")
def test_a_place_is_told_whole(small: Small) -> None:
    sports = {"table": "categories", "category": "080100", "large": "a", "middle": "b", "small": "c"}
    app = small(sports, place(6, "丙店", "080100", "310104", GARDEN))
    hall, cafe, station, garden, other = (key(app, name) for name in ("甲馆", "乙咖啡", "沪站", "苏园", "丙店"))

    assert app.call("maps_search_detail", id=hall) == {
        "id": hall, "name": "甲馆", "location": at(HOME), "address": "甲路1号", "business_area": "甲区",
        "city": "上海市", "type": "生活服务;生活场所;生活", "alias": "Jia Hall;甲", "rating": "4.8", "cost": [],
        "open_time": "10:00-22:00",
    }  # fmt: skip
    assert app.call("maps_search_detail", id=cafe) == {
        "id": cafe, "name": "乙咖啡", "location": at(CAFE), "address": "乙路2号", "business_area": [],
        "city": "上海市", "type": "餐饮服务;咖啡厅;咖啡", "alias": [], "rating": "4.0", "cost": "38.00",
        "meal_ordering": "0",
    }  # fmt: skip
    assert app.call("maps_search_detail", id=station) == {
        "id": station, "name": "沪站", "location": at(STATION), "address": [], "business_area": [], "city": "上海市",
        "type": "交通设施服务;火车站;车站", "alias": [], "rating": [], "cost": [],
    }  # fmt: skip
    shown = app.call("maps_search_detail", id=garden)
    assert (shown["city"], shown["cost"], shown["ticket_ordering"]) == ("苏州市", "80.00", "0")
    assert app.call("maps_search_detail", id=other)["seat_ordering"] == "0"
    for none in (hall.lower(), f"{hall}0", hall[:-1], f"A{hall[1:]}", "B0ZZZZZZZZ"):
        assert error(app, "maps_search_detail", id=none) == "No POI found"


# -- ways --------------------------------------------------------------------------------------------------------------

EAST, SOUTH = elbow(HOME, CAFE)


def steps(words: list[tuple[str, str, str, int, int]], kind: Callable[[int], Any]) -> list[dict[str, Any]]:
    return [
        {
            "instruction": said, "road": road or ([] if kind is str else ""), "distance": kind(metres),
            "orientation": side, "duration": kind(seconds),
        }
        for said, road, side, metres, seconds in words
    ]  # fmt: skip


@pytest.mark.fact("steps")
@pytest.mark.parametrize(
    ("mode", "first", "last", "speed"),
    [
        ("walking", f"沿甲路向东步行{EAST}米右转", f"沿乙路向南步行{SOUTH}米到达目的地", 1.25),
        ("driving", f"沿甲路向东行驶{EAST}米右转", f"沿乙路向南行驶{SOUTH}米到达目的地", 5.0),
        ("bicycling", f"沿甲路骑行{EAST}米右转", f"沿乙路骑行{SOUTH}米到达目的地", 3.6),
    ],
)
def test_a_way_is_told_whole_between_points_and_between_addresses(
    small: Small, mode: str, first: str, last: str, speed: float
) -> None:
    app = small()
    kind: Callable[[int], Any] = int if mode == "bicycling" else str
    times = round(EAST / speed), round(SOUTH / speed)
    ways = steps([(first, "甲路", "东", EAST, times[0]), (last, "乙路", "南", SOUTH, times[1])], kind)
    path = {"distance": kind(EAST + SOUTH), "duration": kind(sum(times)), "steps": ways}
    path = {"path": None, **path} if mode == "driving" else path
    ends = {"origin": at(HOME), "destination": at(CAFE)}
    body = {"data" if mode == "bicycling" else "route": {**ends, "paths": [path]}}

    prefix = "maps_bicycling" if mode == "bicycling" else f"maps_direction_{mode}"
    asked = {f"{name}_coordinates": end for name, end in ends.items()} if mode == "bicycling" else ends
    assert app.call(f"{prefix}_by_coordinates", **asked) == body
    addresses = {
        "origin": {"address": "甲馆", "coordinates": at(HOME)},
        "destination": {"address": "乙咖啡", "coordinates": at(CAFE)},
    }
    by_address = {"origin_address": "甲馆", "destination_address": "乙咖啡"}
    assert app.call(f"{prefix}_by_address", **by_address) == {**body, "addresses": addresses}
    cities = {"origin_city": "上海", "destination_city": "021"}
    assert app.call(f"{prefix}_by_address", **by_address, **cities) == {**body, "addresses": addresses}


@pytest.mark.fact("steps")
def test_a_street_without_a_name_is_left_out_of_the_sentence(small: Small) -> None:
    there = Point(121.46, 31.195)
    ends = {"origin": at(there), "destination": at(HOME)}
    west, north = elbow(there, HOME)

    path = small().call("maps_direction_walking_by_coordinates", **ends)["route"]["paths"][0]

    assert path["steps"] == steps(
        [
            (f"向西步行{west}米右转", "", "西", west, round(legs(there, HOME)[0] / 1.25)),
            (f"沿甲路向北步行{north}米到达目的地", "甲路", "北", north, round(legs(there, HOME)[1] / 1.25)),
        ],
        str,
    )
    ride = {f"{name}_coordinates": end for name, end in ends.items()}
    steps_of_ride = small().call("maps_bicycling_by_coordinates", **ride)["data"]["paths"][0]["steps"]
    assert [step["road"] for step in steps_of_ride] == ["", "甲路"]
    assert steps_of_ride[0]["instruction"] == f"骑行{west}米右转"


@pytest.mark.fact("addresses")
def test_an_address_is_looked_for_in_its_city(small: Small) -> None:
    app = small(place(6, "乙咖啡", "050500", "320508", Point(120.63, 31.315)))
    ends = {"origin_address": "苏园", "destination_address": "乙咖啡"}

    near = app.call("maps_direction_walking_by_address", **ends, destination_city="苏州")["addresses"]["destination"]

    assert near == {"address": "乙咖啡", "coordinates": "120.630000,31.315000"}


@pytest.mark.fact("unknown-end")
@pytest.mark.parametrize(
    "tool",
    [
        "maps_bicycling_by_address",
        "maps_direction_walking_by_address",
        "maps_direction_driving_by_address",
        "maps_direction_transit_integrated_by_address",
    ],
)
def test_an_end_that_is_not_found_is_named(small: Small, tool: str) -> None:
    app = small()
    cities = {"origin_city": "上海", "destination_city": "上海"} if "transit" in tool else {}

    def said(origin: str, destination: str) -> str:
        return error(app, tool, origin_address=origin, destination_address=destination, **cities)

    nowhere = "Geocoding failed: ENGINE_RESPONSE_DATA_ERROR"
    assert said("没有", "也没有") == f"Failed to geocode origin address: {nowhere}"
    assert said("甲馆", "也没有") == f"Failed to geocode destination address: {nowhere}"
    assert said("甲馆", "") == "Failed to geocode destination address: Geocoding failed: MISSING_REQUIRED_PARAMS"


@pytest.mark.fact("distances")
def test_distances_are_told_one_by_one(small: Small) -> None:
    app = small()
    asked = {"origins": f"{at(HOME)}|{at(CAFE)}", "destination": at(CAFE)}
    straight = round(distance_m(HOME, CAFE))

    def results(*each: tuple[Any, Any]) -> dict[str, Any]:
        return {
            "results": [
                {"origin_id": str(number), "dest_id": "1", "distance": metres, "duration": seconds}
                for number, (metres, seconds) in enumerate(each, start=1)
            ]
        }

    assert app.call("maps_distance", **asked, type="0") == results((str(straight), "0"), ("0", "0"))
    drive = str(EAST + SOUTH), str(round(EAST / 5) + round(SOUTH / 5))
    assert (
        app.call("maps_distance", **asked) == app.call("maps_distance", **asked, type="1") == results(drive, ("1", "1"))
    )
    assert app.call("maps_distance", **asked, type="3") == results(
        (str(EAST + SOUTH), str(walk_s(EAST, SOUTH))), ("1", "1")
    )
    # Nothing leads from one city to the other.
    far = {"origins": at(GARDEN), "destination": at(CAFE)}
    assert app.call("maps_distance", **far) == results((None, None))
    assert error(app, "maps_distance", **far, type="3") == "Direction Distance failed: OVER_DIRECTION_RANGE"
    assert error(app, "maps_distance", **far, type="2") == "Direction Distance failed: INVALID_PARAMS"
    berlin = {"origins": f"{at(HOME)}|13.4,52.5", "destination": at(CAFE), "type": "0"}
    assert error(app, "maps_distance", **berlin) == "Direction Distance failed: OUT_OF_SERVICE"
    assert (
        len(app.call("maps_distance", **{**asked, "origins": "|".join([at(CAFE)] * 100)}, type="0")["results"]) == 100
    )
    many = {**asked, "origins": "|".join([at(CAFE)] * 101)}
    assert error(app, "maps_distance", **many, type="0") == "Direction Distance failed: INVALID_PARAMS"


@pytest.mark.fact("abroad")
def test_where_no_road_leads_and_what_is_abroad_is_told_by_each_tool(small: Small) -> None:
    app = small()
    far, berlin = {"origin": at(GARDEN), "destination": at(CAFE)}, {"origin": at(HOME), "destination": "13.4,52.5"}

    walk, drive = "maps_direction_walking_by_coordinates", "maps_direction_driving_by_coordinates"
    assert error(app, walk, **far) == "Direction Walking failed: NO_ROADS_NEARBY"
    assert error(app, drive, **far) == "Direction Driving failed: NO_ROADS_NEARBY"
    for tool, asked in ((walk, "Walking"), (drive, "Driving")):
        assert error(app, tool, **berlin) == f"Direction {asked} failed: OUT_OF_SERVICE"
    transit = "maps_direction_transit_integrated_by_coordinates"
    assert (
        error(app, transit, **berlin, city="上海", cityd="上海")
        == "Direction Transit Integrated failed: OUT_OF_SERVICE"
    )
    # Near 100 km the tool for walks refuses, and that for cars finds no road.
    edge = {"origin": "121.45,31.2", "destination": f"121.45,{31.2 + 100_100 / 111_195:.6f}"}
    assert error(app, walk, **edge) == "Direction Walking failed: OVER_DIRECTION_RANGE"
    assert error(app, drive, **edge) == "Direction Driving failed: NO_ROADS_NEARBY"
    inside = {"origin": "121.45,31.2", "destination": f"121.45,{31.2 + 99_900 / 111_195:.6f}"}
    assert error(app, walk, **inside) == "Direction Walking failed: NO_ROADS_NEARBY"


# -- public transport --------------------------------------------------------------------------------------------------


NO_TRAIN = {"name": None, "trip": None}
NAMELESS = {"entrance": {"name": None}, "exit": {"name": None}}


@pytest.mark.fact("transit")
def test_a_journey_by_metro_is_told_whole(small: Small) -> None:
    app = small()
    asked = {"origin": at(HOME), "destination": at(CAFE), "city": "上海", "cityd": ""}
    metres, seconds = ride_of(FIRST, MIDDLE, LAST)

    body = app.call("maps_direction_transit_integrated_by_coordinates", **asked)

    (journey,) = body["route"].pop("transits")
    assert body == {"route": {"origin": at(HOME), "destination": at(CAFE), "distance": str(EAST + SOUTH)}}
    first, last = journey["segments"]
    line = {
        "name": "地铁1号线(一站--三站)", "departure_stop": {"name": "一站"}, "arrival_stop": {"name": "三站"},
        "distance": str(metres), "duration": str(seconds), "via_stops": [{"name": "二站"}],
    }  # fmt: skip
    assert {**first, "walking": None} == {"walking": None, "bus": {"buslines": [line]}, **NAMELESS, "railway": NO_TRAIN}
    assert {**last, "walking": None} == {"walking": None, "bus": {"buslines": []}, **NAMELESS, "railway": NO_TRAIN}
    walks = [sum(elbow(HOME, FIRST)), sum(elbow(LAST, CAFE))]
    for segment, ends, length in zip((first, last), ((HOME, FIRST), (LAST, CAFE)), walks, strict=True):
        shown = segment["walking"]
        assert (shown["origin"], shown["destination"]) == (at(ends[0]), at(ends[1]))
        assert int(shown["distance"]) == pytest.approx(length, abs=1)
        assert int(shown["duration"]) == pytest.approx(walk_s(length), abs=1)
        assert list(shown) == ["origin", "destination", "distance", "duration", "steps"]
        step = shown["steps"][-1]
        assert list(step) == ["instruction", "road", "distance", "action", "assistant_action"]
        assert (step["action"], step["assistant_action"]) == ([], "到达目的地")
        assert step["instruction"].endswith(f"步行{step['distance']}米到达目的地")
        for step in shown["steps"][:-1]:
            assert (step["action"], step["assistant_action"]) in (("左转", []), ("右转", []))
    took = [int(segment["walking"]["duration"]) for segment in (first, last)]
    # Half of the four minutes between two trains is waited for.
    assert int(journey["duration"]) == sum(took) + seconds + 120
    assert int(journey["walking_distance"]) == sum(int(each["walking"]["distance"]) for each in (first, last))
    by_address = app.call(
        "maps_direction_transit_integrated_by_address",
        origin_address="甲馆", destination_address="乙咖啡", origin_city="上海", destination_city="310000",
    )  # fmt: skip
    assert by_address["route"] == {**body["route"], "transits": [journey]}
    assert list(by_address) == ["route", "addresses"]


@pytest.mark.fact("trains")
def test_a_journey_by_train_is_told_with_the_train_that_is_reached_next(small: Small) -> None:
    app = small()
    asked = {"origin": at(STATION), "destination": at(OTHER_STATION), "city": "上海", "cityd": "苏州"}

    body = app.call("maps_direction_transit_integrated_by_coordinates", **asked)

    trips = [
        [each["railway"] for each in way["segments"] if each["railway"]["trip"]] for way in body["route"]["transits"]
    ]
    first, second = {"name": "G1(沪-宁)", "trip": "G1"}, {"name": "G2(沪-宁)", "trip": "G2"}
    assert trips == [[first], [second]]
    # From 9:07 until noon; the other one leaves tomorrow.
    took = [int(way["duration"]) for way in body["route"]["transits"]]
    assert took[0] == pytest.approx((12 * 60 - 9 * 60 - 7) * 60, abs=120)
    assert took[1] == pytest.approx((24 * 60 + 9 * 60 + 1 - 9 * 60 - 7) * 60, abs=120)
    assert body["route"]["distance"] == str(round(distance_m(STATION, OTHER_STATION)))
    segment = body["route"]["transits"][0]["segments"][0]
    assert segment["bus"] == {"buslines": []}
    # In one city no train goes.
    same = {**asked, "cityd": "上海"}
    assert app.call("maps_direction_transit_integrated_by_coordinates", **same)["route"]["transits"] == []


@pytest.mark.fact("transit-cities")
def test_a_city_is_wanted_and_a_second_one_may_be_left_out(small: Small) -> None:
    app = small()
    ends = {"origin": at(HOME), "destination": at(CAFE)}
    tool, failed = "maps_direction_transit_integrated_by_coordinates", "Direction Transit Integrated failed"

    assert error(app, tool, **ends, city="", cityd="上海") == f"{failed}: MISSING_REQUIRED_PARAMS"
    assert error(app, tool, **ends, city="上海", cityd="亚特兰蒂斯") == f"{failed}: INVALID_PARAMS"
    assert error(app, tool, **ends, city="100000", cityd="上海") == f"{failed}: INVALID_PARAMS"
    found = app.call(tool, **ends, city="上海", cityd="徐汇区")["route"]["transits"]
    assert len(found) == 1
    # Two provinces are no two cities; nor is a province one.
    assert app.call(tool, **ends, city="江苏", cityd="江苏")["route"]["transits"] == []
