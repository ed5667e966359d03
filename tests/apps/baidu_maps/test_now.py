"""What depends on the hour: weather and traffic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from farm.appkit.geography.coordinates import Point, distance_m
from farm.appkit.handler_api import Database, VendorError
from farm.testing import LocalApp


@pytest.mark.fact("weather")
def test_now_and_five_days_today_first(maps: LocalApp, gazetteer: Database) -> None:
    found = maps.call("map_weather", district_id="310104")

    assert (found["status"], found["message"]) == (0, "success")
    result = found["result"]
    assert result["location"] == {
        "country": "中国", "province": "上海市", "city": "上海市", "name": "徐汇", "id": "310104",
    }  # fmt: skip
    days = result["forecasts"]
    assert [day["date"][-2:] for day in days] == ["09", "10", "11", "12", "13"]
    assert [day["week"] for day in days] == ["星期一", "星期二", "星期三", "星期四", "星期五"]
    told = gazetteer.one("SELECT * FROM weather_days WHERE adcode = '310000' AND date = '2026-03-13'")
    assert told is not None
    last = days[-1]
    assert [last[key] for key in ("text_day", "text_night", "high", "low")] == [
        told[key] for key in ("day_sky", "night_sky", "high", "low")
    ]
    assert (last["wd_day"], last["wc_day"]) == ("东北风", "<3级")
    assert days[0]["low"] <= result["now"]["temp"] <= days[0]["high"]
    assert (result["now"]["wind_class"], days[0]["wc_day"]) == ("2级", "<3级")
    assert result["now"]["uptime"] == "20260309090000"  # seven past, brought up to date every quarter of an hour


@pytest.mark.fact("weather")
def test_at_night_the_sky_is_the_night_s(tmp_path: Path) -> None:
    app = LocalApp("baidu_maps", tmp_path, now="2026-03-13T22:00:00+08:00")

    result = app.call("map_weather", district_id="310000")["result"]

    assert result["now"]["text"] == result["forecasts"][0]["text_night"] == "小雨"
    app.close()


@pytest.mark.fact("weather-point")
def test_a_point_has_its_longitude_first_and_stands_before_a_district(maps: LocalApp) -> None:
    at = maps.call("map_geocode", address="天安门广场")["result"]["location"]

    found = maps.call("map_weather", location=f"{at['lng']},{at['lat']}", district_id="310000")["result"]

    assert found["location"]["name"] == "东城"
    with pytest.raises(VendorError) as refused:
        maps.call("map_weather", location=f"{at['lat']},{at['lng']}")
    assert refused.value.code == 2


@pytest.mark.fact("weather")
@pytest.mark.parametrize("arguments", [{}, {"district_id": "999999"}, {"district_id": "100000"}, {"location": "0,0"}])
def test_without_a_district_there_is_no_weather(maps: LocalApp, arguments: dict[str, Any]) -> None:
    assert maps.result("map_weather", **arguments)["content"][0]["text"] == "API response error: Parameter Invalid"


def _statuses(app: LocalApp, roads: list[str]) -> list[int]:
    return [
        app.call("map_road_traffic", model="road", road_name=road, city="上海市")["evaluation"]["status"]
        for road in roads
    ]


@pytest.mark.fact("traffic")
def test_a_workday_s_morning_is_worse_than_a_sunday_s_night(tmp_path: Path, gazetteer: Database) -> None:
    roads = [row["name"] for row in gazetteer.all("SELECT name FROM roads WHERE adcode = '310000' ORDER BY road_id")]
    morning = LocalApp("baidu_maps", tmp_path, now="2026-03-09T08:30:00+08:00")
    night = LocalApp("baidu_maps", tmp_path, now="2026-03-15T03:00:00+08:00")

    rush, quiet = _statuses(morning, roads), _statuses(night, roads)

    assert sum(rush) > 1.5 * sum(quiet)
    assert set(rush) | set(quiet) <= {1, 2, 3, 4}
    morning.close()
    night.close()


@pytest.mark.fact("traffic")
def test_a_road_tells_both_directions_or_the_one_it_is_asked_for(maps: LocalApp) -> None:
    both = maps.call("map_road_traffic", model="road", road_name="延安高架路", city="上海")
    one = maps.call("map_road_traffic", model="road", road_name="延安高架路西向东", city="310000")

    words = {1: "畅通", 2: "缓行", 3: "拥堵", 4: "严重拥堵"}
    assert list(both) == ["status", "message", "description", "evaluation", "road_traffic"]
    for found in (both, one):
        status = found["evaluation"]["status"]
        assert found["evaluation"]["status_desc"] == words[status]
        road = found["road_traffic"][0]
        assert road["road_name"] == "延安高架路"
        for section in road.get("congestion_sections", ()):
            assert section["section_desc"] in found["description"]
            assert 2 <= section["status"] <= status
            assert list(section) == [
                "congestion_distance", "speed", "status", "congestion_trend", "section_desc",
            ]  # fmt: skip
    assert "东向西" not in str(one)


@pytest.mark.fact("traffic")
def test_the_two_directions_name_the_ends_of_a_piece_the_other_way_round(tmp_path: Path) -> None:
    """People who drive east pass the western crossing first."""
    seen: dict[str, set[tuple[str, str]]] = {"西向东": set(), "东向西": set()}
    for hour in range(7, 20):
        app = LocalApp("baidu_maps", tmp_path, now=f"2026-03-10T{hour:02d}:00:00+08:00")
        found = app.call("map_road_traffic", model="road", road_name="延安高架路", city="上海市")
        for section in found["road_traffic"][0].get("congestion_sections", ()):
            direction, ends = section["section_desc"].split(",从")
            start, end = ends.split("到")
            seen[direction].add((start, end))
        app.close()

    assert seen["西向东"]
    assert seen["东向西"]
    assert not seen["西向东"] & seen["东向西"]


@pytest.mark.fact("traffic")
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"road_name": "延安高架路"},
        {"road_name": "没有这条路", "city": "上海市"},
        {"road_name": "延安高架路", "city": "北京市"},
        {"road_name": "延安高架路南向北", "city": "上海市"},
    ],
)
def test_a_road_that_is_not_there_is_an_invalid_parameter(maps: LocalApp, arguments: dict[str, Any]) -> None:
    with pytest.raises(VendorError) as refused:
        maps.call("map_road_traffic", model="road", **arguments)

    assert refused.value.code == 2


@pytest.mark.fact("directions-kinds")
def test_there_is_no_service_for_another_kind_of_traffic(maps: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        maps.call("map_road_traffic", model="city", city="上海市")

    assert refused.value.code == 260


@pytest.fixture
def corner(maps: LocalApp) -> tuple[float, float]:
    """A point on 龙腾大道."""
    at = maps.call("map_geocode", address="栈桥空间")["result"]["location"]
    return at["lat"], at["lng"]


@pytest.mark.fact("traffic-areas")
def test_an_area_tells_its_roads_however_it_is_drawn(maps: LocalApp, corner: tuple[float, float]) -> None:
    lat, lng = corner
    south, west, north, east = lat - 0.005, lng - 0.005, lat + 0.005, lng + 0.005
    asked: list[dict[str, Any]] = [
        {"model": "around", "center": f"{lat},{lng}", "radius": 500},
        {"model": "bound", "bounds": f"{south},{west};{north},{east}"},
        {"model": "polygon", "vertexes": f"{south},{west};{south},{east};{north},{east};{north},{west}"},
    ]

    found = [maps.call("map_road_traffic", **each) for each in asked]

    for each in found:
        roads = {road["road_name"] for road in each["road_traffic"]}
        assert "龙腾大道" in roads
        assert "外环高速" not in roads
        assert each["description"].startswith(f"该区域整体{each['evaluation']['status_desc']}。")
    assert found[1] == found[2]  # the same rectangle


@pytest.mark.fact("traffic-areas")
def test_where_there_is_no_road_nobody_knows(maps: LocalApp) -> None:
    found = maps.call("map_road_traffic", model="around", center="30.0,124.0", radius=1000)

    assert found["evaluation"] == {"status": 0, "status_desc": "未知路况"}
    assert found["road_traffic"] == []


@pytest.mark.fact("traffic-areas")
def test_two_kilometres_across_are_the_most(maps: LocalApp, corner: tuple[float, float]) -> None:
    lat, lng = corner
    inside, outside = 0.0095, 0.0105  # half the diagonal of the one is under a kilometre, of the other over it

    for half, is_refused in ((inside, False), (outside, True)):
        across = distance_m(Point(lng, lat - half), Point(lng, lat + half))
        assert (across > 2000) == is_refused or across == pytest.approx(2000, rel=0.2)
    assert maps.call("map_road_traffic", model="bound", bounds=f"{lat - 0.008},{lng};{lat + 0.008},{lng}")
    for model, text in (
        ("bound", f"{lat - 0.01},{lng};{lat + 0.01},{lng}"),
        ("polygon", f"{lat - 0.01},{lng};{lat + 0.01},{lng};{lat},{lng + 0.001}"),
    ):
        with pytest.raises(VendorError) as refused:
            maps.call("map_road_traffic", model=model, **{"bounds" if model == "bound" else "vertexes": text})
        assert refused.value.code == 2


@pytest.mark.fact("traffic-areas")
@pytest.mark.parametrize(
    "arguments",
    [
        {"model": "bound"},
        {"model": "bound", "bounds": "31.18,121.47;31.17,121.46"},
        {"model": "bound", "bounds": "31.17,121.46"},
        {"model": "polygon", "vertexes": "31.17,121.46;31.171,121.46"},
        {"model": "around", "center": "31.17,121.46"},
        {"model": "around", "center": "31.17,121.46", "radius": 0},
        {"model": "around", "center": "31.17,121.46", "radius": 1001},
        {"model": "around", "radius": 500},
    ],
)
def test_what_is_no_area_is_an_invalid_parameter(maps: LocalApp, arguments: dict[str, Any]) -> None:
    with pytest.raises(VendorError) as refused:
        maps.call("map_road_traffic", **arguments)

    assert refused.value.code == 2
