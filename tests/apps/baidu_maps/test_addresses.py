"""Addresses to points and back; internet addresses to cities."""

from __future__ import annotations

import json

import pytest

from farm.appkit.geography.coordinates import Point, bd09_to_gcj02, distance_m
from farm.appkit.geography.places import point_of, search_places
from farm.appkit.handler_api import Database, VendorError
from farm.testing import LocalApp


@pytest.mark.fact("verbatim")
def test_a_success_is_the_body_of_the_api_in_one_compact_text(maps: LocalApp) -> None:
    result = maps.result("map_geocode", address="外滩")

    text = result["content"][0]["text"]
    assert result == {"content": [{"type": "text", "text": text}], "isError": False}
    assert text == json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    assert text.startswith('{"status":0,"result":{"location":{"lng":121.')


@pytest.mark.fact("geocode")
@pytest.mark.parametrize(
    ("address", "precise", "confidence", "level"),
    [
        ("上海市徐汇区虹梅路88号", 1, 80, "门址"),
        ("小舟咖啡", 1, 80, "餐饮"),
        ("上海虹桥站", 1, 80, "火车站"),
        ("徐汇区", 0, 40, "区县"),
        ("杭州市", 0, 20, "城市"),
        ("上海市龙腾大道", 0, 30, "道路"),
    ],
)
def test_an_address_has_a_point_and_what_it_is_known_by(
    maps: LocalApp, address: str, precise: int, confidence: int, level: str
) -> None:
    found = maps.call("map_geocode", address=address)["result"]

    assert list(found) == ["location", "precise", "confidence", "comprehension", "level"]
    assert (found["precise"], found["confidence"], found["level"]) == (precise, confidence, level)


@pytest.mark.fact("geocode")
def test_a_point_is_the_gazetteer_s_in_baidu_s_own_system(maps: LocalApp, gazetteer: Database) -> None:
    found = maps.call("map_geocode", address="栈桥空间")["result"]["location"]

    there = point_of(search_places(gazetteer, "栈桥空间")[0])
    assert distance_m(there, Point(found["lng"], found["lat"])) > 500  # the two systems are that far apart
    assert distance_m(there, bd09_to_gcj02(Point(found["lng"], found["lat"]))) < 0.1


@pytest.mark.fact("msg")
@pytest.mark.parametrize("address", ["没有这个地方", "", "  "])
def test_of_an_unknown_address_an_agent_is_told_no_reason(maps: LocalApp, address: str) -> None:
    assert maps.result("map_geocode", address=address) == {
        "content": [{"type": "text", "text": "API response error: unknown error"}],
        "isError": True,
    }


@pytest.mark.fact("geocode-long")
def test_an_address_of_more_than_84_bytes_is_refused(maps: LocalApp) -> None:
    address = "上海市徐汇区虹梅路88号"

    assert maps.call("map_geocode", address=address + "x" * (84 - len(address.encode())))["status"] == 0
    with pytest.raises(VendorError) as refused:
        maps.call("map_geocode", address=address + "x" * (85 - len(address.encode())))
    assert refused.value.code == 2


@pytest.mark.fact("abroad")
@pytest.mark.parametrize("is_china", ["false", "yes", "True", ""])
def test_whatever_is_not_true_is_sought_abroad(maps: LocalApp, is_china: str) -> None:
    calls = [
        ("map_geocode", {"address": "外滩"}, "API response error"),
        ("map_place_details", {"uid": "0"}, "API response error"),
        ("map_weather", {"district_id": "310000"}, "API response error"),
        ("map_directions", {"origin": "31.2,121.4", "destination": "31.3,121.4"}, "API response error"),
        ("map_directions", {"origin": "外滩", "destination": "31.3,121.4"}, "Geocoding API error"),
    ]
    for tool, arguments, prefix in calls:
        result = maps.result(tool, **arguments, is_china=is_china)
        assert result["content"][0]["text"] == f"{prefix}: APP 服务被禁用", tool
        assert result["isError"] is True


@pytest.mark.fact("reverse")
def test_a_point_has_an_address_and_what_is_near(maps: LocalApp) -> None:
    at = maps.call("map_geocode", address="栈桥空间")["result"]["location"]

    found = maps.call("map_reverse_geocode", latitude=at["lat"], longitude=at["lng"])["result"]

    assert found["location"] == at
    assert found["formatted_address"] == "上海市徐汇区龙腾大道2770号"
    parts = found["addressComponent"]
    assert [parts[key] for key in ("province", "city", "district", "adcode")] == [
        "上海市",
        "上海市",
        "徐汇区",
        "310104",
    ]
    assert (parts["street"], parts["street_number"], parts["distance"]) == ("龙腾大道", "2770号", "0")
    assert (found["cityCode"], found["poiRegions"][0]["name"]) == (289, "栈桥空间")
    assert found["pois"][0]["name"] == "栈桥空间"
    assert found["sematic_description"].startswith("栈桥空间内,")
    distances = [int(poi["distance"]) for poi in found["pois"]]
    assert distances == sorted(distances)
    assert distances[-1] <= 1000
    assert len(distances) <= 10
    assert 1 <= len(found["roads"]) <= 3


@pytest.mark.fact("reverse")
def test_south_of_a_place_the_place_is_in_the_north(maps: LocalApp) -> None:
    at = maps.call("map_geocode", address="天安门广场")["result"]["location"]

    found = maps.call("map_reverse_geocode", latitude=at["lat"] - 0.001, longitude=at["lng"])["result"]

    assert found["pois"][0]["name"] == "天安门广场"
    assert found["pois"][0]["direction"] == "北"
    assert found["sematic_description"].startswith("天安门广场南111米")  # a thousandth of a degree


@pytest.mark.fact("reverse")
@pytest.mark.parametrize(("latitude", "longitude"), [(0, 0), (35.68, 139.76), (91, 121), (31, 1e300)])
def test_where_nothing_is_known_no_address_is_made_up(maps: LocalApp, latitude: float, longitude: float) -> None:
    with pytest.raises(VendorError) as refused:
        maps.call("map_reverse_geocode", latitude=latitude, longitude=longitude)

    assert refused.value.code == 1


@pytest.mark.fact("ip")
def test_an_address_of_the_internet_is_in_a_city(maps: LocalApp) -> None:
    found = maps.call("map_ip_location", ip="61.177.0.1")

    detail = found["content"]["address_detail"]
    assert (detail["province"], detail["city"], detail["city_code"]) == ("江苏省", "苏州市", 224)
    assert found["content"]["address"] == "江苏省苏州市"
    assert found["address"].startswith("CN|江苏省|苏州市|None|")
    assert list(found) == ["address", "content", "status"]


@pytest.mark.fact("ip")
def test_who_asks_without_an_address_is_in_shanghai(maps: LocalApp) -> None:
    assert maps.call("map_ip_location")["content"]["address"] == "上海市"
    assert maps.call("map_ip_location", ip="") == maps.call("map_ip_location")


@pytest.mark.fact("ip")
@pytest.mark.parametrize("ip", ["10.0.0.1", "8.8.8.8", "not an address", "240e::1"])
def test_an_address_that_is_not_known_is_refused_with_itself(maps: LocalApp, ip: str) -> None:
    said = maps.result("map_ip_location", ip=ip)["content"][0]["text"]

    assert said == f"API response error: Internal Service Error:ip[{ip}] loc failed"


@pytest.mark.fact("ip-metres")
def test_the_point_of_a_city_is_in_metres(maps: LocalApp) -> None:
    """One degree of longitude has 111,320.7 m there, at every latitude."""
    point = maps.call("map_ip_location", ip="61.177.0.1")["content"]["point"]

    at = maps.call("map_geocode", address="苏州市")["result"]["location"]
    assert float(point["x"]) == pytest.approx(at["lng"] * 111_320.702, abs=1)
    # What a body that somebody published has for Beijing: 39.9149 degrees are 4,825,907.72 m; Suzhou lies south of it.
    assert 3_500_000 < float(point["y"]) < 4_825_907
    assert all(len(value.split(".")[1]) == 2 for value in point.values())
