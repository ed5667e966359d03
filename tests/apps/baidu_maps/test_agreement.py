"""Amap and Baidu Maps agree: one gazetteer, two coordinate systems."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address
from pathlib import Path

import pytest

from farm.appkit.geography.coordinates import Point, bd09_to_gcj02, distance_m
from farm.appkit.handler_api import Database
from farm.testing import LocalApp
from tests.apps.baidu_maps.conftest import NOW

# How far two points of one place may be apart: each service rounds to six decimals, a tenth of a metre.
POINT_M = 1.0


@pytest.fixture
def amap(tmp_path: Path) -> Iterator[LocalApp]:
    """The other map."""
    app = LocalApp("amap", tmp_path / "amap", now=NOW)
    yield app
    app.close()


def _point(text: str) -> Point:
    longitude, latitude = map(float, text.split(","))
    return Point(longitude, latitude)


def _amap_point(amap: LocalApp, address: str) -> str:
    return str(amap.call("maps_geo", address=address)["return"][0]["location"])


def _baidu_point(maps: LocalApp, address: str) -> str:
    at = maps.call("map_geocode", address=address)["result"]["location"]
    return f"{at['lat']},{at['lng']}"


@pytest.mark.fact("agree")
def test_every_place_is_in_one_place(maps: LocalApp, amap: LocalApp, gazetteer: Database) -> None:
    names = [row["name"] for row in gazetteer.all("SELECT name FROM places WHERE place_id % 12 = 1 ORDER BY place_id")]

    assert len(names) > 40
    for name in names:
        theirs = _point(_amap_point(amap, name))
        latitude, longitude = map(float, _baidu_point(maps, name).split(","))
        assert distance_m(theirs, bd09_to_gcj02(Point(longitude, latitude))) < POINT_M, name


@pytest.mark.fact("agree")
@pytest.mark.parametrize(("type_", "model"), [("1", "driving"), ("3", "walking")])
def test_every_way_has_one_length(maps: LocalApp, amap: LocalApp, type_: str, model: str) -> None:
    ends = ("栈桥空间", "西岸美术馆") if model == "walking" else ("栈桥空间", "上海虹桥站")
    theirs, ours = [_amap_point(amap, end) for end in ends], [_baidu_point(maps, end) for end in ends]

    measured = amap.call("maps_distance", origins=theirs[0], destination=theirs[1], type=type_)["results"][0]
    cell = maps.call("map_directions_matrix", origins=ours[0], destinations=ours[1], model=model)["result"][0]

    # The ends are rounded apart, so the ways may be two metres apart.
    assert cell["distance"]["value"] == pytest.approx(int(measured["distance"]), abs=2)
    assert cell["duration"]["value"] == pytest.approx(int(measured["duration"]), abs=2)


@pytest.mark.fact("agree")
@pytest.mark.parametrize("adcode", ["310000", "110000", "330106", "440300", "710100"])
def test_every_day_has_one_weather(maps: LocalApp, amap: LocalApp, adcode: str) -> None:
    theirs = amap.call("maps_weather", city=adcode)["forecasts"]
    ours = maps.call("map_weather", district_id=adcode)["result"]["forecasts"]

    for their, our in zip(theirs, ours, strict=False):  # four days there, five here
        assert (their["date"], their["dayweather"], their["nightweather"]) == (
            our["date"], our["text_day"], our["text_night"],
        )  # fmt: skip
        assert (int(their["daytemp"]), int(their["nighttemp"])) == (our["high"], our["low"])
        assert f"{their['daywind']}风" == our["wd_day"]


@pytest.mark.fact("agree")
def test_every_address_of_the_internet_is_in_one_city(maps: LocalApp, amap: LocalApp, gazetteer: Database) -> None:
    for row in gazetteer.all("SELECT first FROM ip_ranges ORDER BY first"):
        ip = str(IPv4Address(row["first"]))
        assert (
            amap.call("maps_ip_location", ip=ip)["city"]
            == (maps.call("map_ip_location", ip=ip)["content"]["address_detail"]["city"])
        )
