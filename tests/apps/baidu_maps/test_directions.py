"""Ways between places, one by one and many at once."""

from __future__ import annotations

import math
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

NAMED = {"origin": "栈桥空间", "destination": "上海虹桥站"}


def _pair(maps: LocalApp, address: str) -> str:
    at = maps.call("map_geocode", address=address)["result"]["location"]
    return f"{at['lat']},{at['lng']}"


@pytest.mark.fact("directions")
@pytest.mark.parametrize("model", ["driving", "riding", "walking"])
def test_the_steps_of_a_route_add_up_and_hang_together(maps: LocalApp, model: str) -> None:
    result = maps.call("map_directions", **NAMED, model=model)["result"]

    way = result["routes"][0]
    assert sum(step["distance"] for step in way["steps"]) == way["distance"]
    assert sum(step["duration"] for step in way["steps"]) == way["duration"]
    assert way["steps"][0]["instruction"].startswith("从起点向")
    assert way["steps"][-1]["instruction"].endswith("到达终点")
    for step in way["steps"]:
        ends = [f"{step[key]['lng']},{step[key]['lat']}" for key in ("start_location", "end_location")]
        assert step["path"] == ";".join(ends)
        assert step.get("road_name", "") in step["instruction"]
    for end, name in (("start_location", "origin"), ("end_location", "destination")):
        step = way["steps"][0 if name == "origin" else -1]
        assert float(step[end]["lng"]) == pytest.approx(result[name]["lng"], abs=0.002)


@pytest.mark.fact("directions")
def test_a_car_is_quicker_than_a_bicycle_and_a_bicycle_than_feet(maps: LocalApp) -> None:
    times = [
        maps.call("map_directions", **NAMED, model=model)["result"]["routes"][0]["duration"]
        for model in ("driving", "riding", "walking")
    ]

    assert times == sorted(times)
    assert len(set(times)) == 3
    assert maps.call("map_directions", **NAMED) == maps.call("map_directions", **NAMED, model="driving")


@pytest.mark.fact("directions-names")
def test_a_name_stands_for_its_point(maps: LocalApp) -> None:
    points = {key: _pair(maps, name) for key, name in NAMED.items()}

    named, pointed = (maps.call("map_directions", **each)["result"] for each in (NAMED, points))

    assert named["routes"][0]["distance"] == pointed["routes"][0]["distance"]
    assert named["origin"] == pointed["origin"]


@pytest.mark.fact("directions-names")
def test_an_end_that_is_not_found_is_named_and_the_origin_is_looked_up_first(maps: LocalApp) -> None:
    said = [
        maps.result("map_directions", origin=origin, destination=destination)["content"][0]["text"]
        for origin, destination in (("没有", "也没有"), ("外滩", "也没有"), ("121.46,31.17", "31.2,121.4"))
    ]

    more = "invaild, please reinput more detail address"
    assert said == [
        f"Geocoding API error: input `origin` {more}",
        f"Geocoding API error: input `destination` {more}",
        # A latitude of 121 is no latitude, so the pair is looked up as an address.
        f"Geocoding API error: input `origin` {more}",
    ]


@pytest.mark.fact("directions-kinds")
def test_there_is_no_service_for_another_kind_of_route(maps: LocalApp) -> None:
    route = maps.result("map_directions", **NAMED, model="flying")["content"][0]["text"]
    matrix = maps.result("map_directions_matrix", origins="31.2,121.4", destinations="31.3,121.4", model="transit")

    assert route == matrix["content"][0]["text"] == "API response error: 服务不存在"


@pytest.mark.fact("directions")
def test_where_no_road_leads_there_is_no_way(maps: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        maps.call("map_directions", origin="外滩", destination="21.3,-157.8")

    assert refused.value.code == 2001


@pytest.mark.fact("directions-transit")
def test_a_ride_has_its_line_its_stops_and_its_direction(maps: LocalApp) -> None:
    routes = maps.call("map_directions", **NAMED, model="transit")["result"]["routes"]

    parts = [part for step in routes[0]["steps"] for part in step]
    rides = [part for part in parts if "vehicle" in part]
    assert rides
    assert {part["type"] for part in parts} == {3, 5}
    assert rides[-1]["vehicle"]["end_name"].startswith("虹桥")
    assert all(ride["vehicle"]["stop_num"] >= 1 for ride in rides)
    assert sum(part["distance"] for part in parts) == routes[0]["distance"]
    assert sum(part["duration"] for part in parts) < routes[0]["duration"]  # the rest is waiting
    assert [each["duration"] for each in routes] == sorted(each["duration"] for each in routes)


@pytest.mark.fact("directions-transit")
def test_between_two_cities_there_is_a_train(maps: LocalApp) -> None:
    routes = maps.call("map_directions", origin="栈桥空间", destination="杭州市", model="transit")["result"]["routes"]

    trains = [part["vehicle"] for step in routes[0]["steps"] for part in step if part["type"] == 1]
    assert len(trains) == 1
    assert (trains[0]["start_name"], trains[0]["end_name"]) == ("上海虹桥站", "杭州东站")
    assert trains[0]["start_time"] < trains[0]["end_time"]


@pytest.mark.fact("directions-transit")
def test_who_has_no_line_from_the_station_drives(maps: LocalApp) -> None:
    routes = maps.call("map_directions", origin="栈桥空间", destination="宁波光远光电", model="transit")["result"][
        "routes"
    ]

    last = routes[0]["steps"][-1][0]
    assert (last["type"], last["instruction"]) == (4, f"驾车{last['distance'] / 1000:.1f}公里")
    walks = [part["distance"] for step in routes[0]["steps"] for part in step if part["type"] == 5]
    assert max(walks) < 5000


@pytest.mark.fact("directions-transit")
def test_where_no_line_goes_there_is_no_way_by_it(maps: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        maps.call("map_directions", origin="外滩", destination="21.3,-157.8", model="transit")

    assert refused.value.code == 1001


@pytest.mark.fact("matrix")
@pytest.mark.parametrize("model", ["driving", "riding", "walking"])
def test_a_cell_is_the_route_between_its_ends_row_by_row(maps: LocalApp, model: str) -> None:
    origins = [_pair(maps, name) for name in ("栈桥空间", "外滩")]
    destinations = [_pair(maps, name) for name in ("上海虹桥站", "小舟咖啡")]

    cells = maps.call(
        "map_directions_matrix", origins="|".join(origins), destinations="|".join(destinations), model=model
    )["result"]

    pairs = [(origin, destination) for origin in origins for destination in destinations]
    for cell, (origin, destination) in zip(cells, pairs, strict=True):
        way = maps.call("map_directions", origin=origin, destination=destination, model=model)["result"]["routes"][0]
        assert (cell["distance"]["value"], cell["duration"]["value"]) == (way["distance"], way["duration"])


@pytest.mark.fact("matrix")
def test_lengths_and_times_are_worded(maps: LocalApp) -> None:
    near, far = maps.call(
        "map_directions_matrix", origins=_pair(maps, "栈桥空间"),
        destinations=f"{_pair(maps, '西岸美术馆')}|{_pair(maps, '杭州市')}",
    )["result"]  # fmt: skip

    assert near["distance"]["text"] == f"{near['distance']['value']}米"
    assert near["duration"]["text"] == f"{math.ceil(near['duration']['value'] / 60)}分钟"
    assert far["distance"]["text"] == f"{far['distance']['value'] / 1000:.1f}公里"
    assert far["duration"]["text"].endswith("小时")


@pytest.mark.fact("matrix-limits")
@pytest.mark.parametrize(
    "arguments",
    [
        {"origins": "", "destinations": "31.2,121.4"},
        {"origins": "31.2,121.4|", "destinations": "31.2,121.4"},
        {"origins": "外滩", "destinations": "31.2,121.4"},
        {"origins": "|".join(["31.2,121.4"] * 101), "destinations": "31.2,121.4"},
        {"origins": "31.2,121.4", "destinations": "39.9,116.4", "model": "walking"},
    ],
)
def test_what_cannot_be_measured_is_a_wrong_parameter(maps: LocalApp, arguments: dict[str, Any]) -> None:
    assert maps.result("map_directions_matrix", **arguments) == {
        "content": [{"type": "text", "text": "API response error: 参数错误"}],
        "isError": True,
    }


@pytest.mark.fact("matrix-limits")
def test_a_hundred_ways_are_not_too_many(maps: LocalApp) -> None:
    rows = "|".join(["31.2,121.4"] * 10)

    assert len(maps.call("map_directions_matrix", origins=rows, destinations=rows)["result"]) == 100


@pytest.mark.fact("address")
@pytest.mark.parametrize(
    ("tool", "path", "more"),
    [
        ("map_directions_matrix", "/routematrix/v2/", {"origins": "40.05,116.3", "destinations": "39.9,116.4"}),
        ("map_directions", "/directionlite/v1/", {"origin": "40.05,116.3", "destination": "39.9,116.4"}),
        ("map_road_traffic", "/traffic/v1/", {"road_name": "南京西路", "city": "上海市"}),
    ],
)
def test_a_kind_ends_the_address_that_is_asked(maps: LocalApp, tool: str, path: str, more: dict[str, str]) -> None:
    with pytest.raises(VendorError) as refused:
        maps.call(tool, **more, model="driving\nx")

    position = len(f"https://api.map.baidu.com{path}driving")
    said = f"Invalid non-printable ASCII character in URL, '\\n' at position {position}."
    assert refused.value.message == said
    kind = "road" if tool == "map_road_traffic" else "driving"
    assert maps.call(tool, **more, model=f"{kind}?x=1#y") == maps.call(tool, **more, model=kind)
