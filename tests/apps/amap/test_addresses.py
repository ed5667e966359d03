"""Addresses, districts and internet addresses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp


@pytest.mark.fact("municipality")
def test_a_municipality_has_no_city_when_a_point_is_looked_up(amap: LocalApp) -> None:
    assert amap.call("maps_regeocode", location="116.482086,39.990496") == {
        "province": "北京市",
        "city": [],
        "district": "朝阳区",
    }
    suzhou = amap.call("maps_regeocode", location="120.6298,31.3238")
    assert suzhou == {"province": "江苏省", "city": "苏州市", "district": "姑苏区"}


@pytest.mark.fact("nowhere")
def test_the_sea_is_nowhere(amap: LocalApp) -> None:
    assert amap.call("maps_regeocode", location="0,0") == {"province": [], "city": [], "district": []}


@pytest.mark.fact("points")
@pytest.mark.parametrize("point", ["", "121.4", "abc,def", "121.4, 31.2", "31.2;121.4", "181,10", "121.4,91"])
def test_what_is_no_point_is_refused(point: str, refused: Callable[..., str]) -> None:
    assert refused("maps_regeocode", location=point) == "RGeocoding failed: INVALID_PARAMS"


@pytest.mark.fact("levels")
@pytest.mark.parametrize(
    ("address", "level", "adcode"),
    [
        ("北京市朝阳区阜通东大街6号", "门址", "110105"),
        ("西岸龙腾大道 2600 号 Tower B 9F", "门址", "310104"),
        ("漕河泾虹梅路 88 号 3 号楼 5F", "门址", "310104"),
        ("上海龙腾大道", "道路", "310104"),
        ("栈桥空间", "兴趣点", "310104"),
        ("湖岸花园酒店，苏州", "兴趣点", "320571"),
        ("上海市徐汇区", "区县", "310104"),
        ("苏州", "市", "320500"),
        ("台北市", "市", "710100"),
    ],
)
def test_an_address_is_found_as_what_it_is(amap: LocalApp, address: str, level: str, adcode: str) -> None:
    found = amap.call("maps_geo", address=address)["return"][0]

    assert (found["level"], found["adcode"]) == (level, adcode)
    assert (found["street"] != []) == (level in ("门址", "道路"))


@pytest.mark.fact("municipality-level")
def test_a_municipality_is_found_as_a_province(amap: LocalApp) -> None:
    # Public answers, as far as the server passes them on; of the first the point, too.
    whole = {"country": "中国", "district": [], "street": [], "number": [], "level": "省"}
    shanghai = {"province": "上海市", "city": "上海市", "citycode": "021", "adcode": "310000"}
    beijing = {"province": "北京市", "city": "北京市", "citycode": "010", "adcode": "110000"}

    for name in ("上海市", "上海"):
        assert amap.call("maps_geo", address=name)["return"] == [
            {**whole, **shanghai, "location": "121.473701,31.230416"}
        ]
    (found,) = amap.call("maps_geo", address="北京市")["return"]
    assert found == {**whole, **beijing, "location": found["location"]}


@pytest.mark.fact("no-area-code")
def test_a_province_has_no_area_code(amap: LocalApp) -> None:
    (found,) = amap.call("maps_geo", address="浙江省")["return"]

    assert (found["province"], found["city"], found["citycode"], found["level"]) == ("浙江省", [], [], "省")


@pytest.mark.fact("elsewhere")
def test_an_address_that_the_city_lacks_is_looked_for_elsewhere(amap: LocalApp) -> None:
    elsewhere = amap.call("maps_geo", address="栈桥空间", city="北京")

    assert elsewhere == amap.call("maps_geo", address="栈桥空间", city="上海")


@pytest.mark.fact("cities")
def test_a_city_may_be_a_name_a_code_or_pinyin(amap: LocalApp) -> None:
    answers = [amap.call("maps_geo", address="衡山路", city=city) for city in ("上海", "021", "310000", "shanghai")]

    assert [each["return"][0]["adcode"] for each in answers] == ["310104"] * 4


@pytest.mark.fact("no-address")
def test_an_address_that_is_nowhere_is_refused(refused: Callable[..., str]) -> None:
    assert refused("maps_geo", address="不存在的地方") == "Geocoding failed: ENGINE_RESPONSE_DATA_ERROR"
    assert refused("maps_geo", address="") == "Geocoding failed: MISSING_REQUIRED_PARAMS"


@pytest.mark.fact("in-band")
def test_a_refusal_looks_like_a_success(amap: LocalApp) -> None:
    assert amap.result("maps_geo", address="") == {
        "content": [{"type": "text", "text": '{\n  "error": "Geocoding failed: MISSING_REQUIRED_PARAMS"\n}'}],
        "isError": False,
    }


@pytest.mark.fact("ip")
def test_an_internet_address_has_a_city(amap: LocalApp) -> None:
    beijing = amap.call("maps_ip_location", ip="114.247.50.2")
    west, east = (float(corner.split(",")[0]) for corner in beijing.pop("rectangle").split(";"))

    assert beijing == {"province": "北京市", "city": "北京市", "adcode": "110000"}
    assert west < 116.4 < east
    for unknown in ("8.8.8.8", "", "300.1.1.1", "localhost"):
        nothing: dict[str, list[str]] = {"province": [], "city": [], "adcode": [], "rectangle": []}
        assert amap.call("maps_ip_location", ip=unknown) == nothing


@pytest.mark.fact("local-ip")
@pytest.mark.parametrize("ip", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"])
def test_an_address_of_a_local_network_is_named_so(amap: LocalApp, ip: str) -> None:
    assert amap.call("maps_ip_location", ip=ip) == {"province": "局域网", "city": [], "adcode": [], "rectangle": []}
