"""Public transport."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp

OFFICE, VENUE = "121.3983,31.1729", "121.4611,31.1652"
LAKE = "120.6975,31.3045"
FACTORY = "121.7900,29.9300"


def travel(app: LocalApp, origin: str, destination: str, city: str, cityd: str) -> Any:
    """Return the ways between two points."""
    ends = {"origin": origin, "destination": destination, "city": city, "cityd": cityd}
    return app.call("maps_direction_transit_integrated_by_coordinates", **ends)["route"]["transits"]


@pytest.mark.fact("transit")
def test_a_way_by_metro_names_lines_and_stops(amap: LocalApp) -> None:
    best = travel(amap, OFFICE, VENUE, "上海", "上海")[0]

    rides = [line for segment in best["segments"] for line in segment["bus"]["buslines"]]
    assert [ride["name"].partition("(")[0] for ride in rides] == ["地铁9号线", "地铁11号线"]
    assert (rides[0]["departure_stop"]["name"], rides[1]["arrival_stop"]["name"]) == ("漕河泾开发区", "云锦路")
    assert rides[0]["arrival_stop"] == rides[1]["departure_stop"] == {"name": "徐家汇"}
    assert [stop["name"] for stop in rides[0]["via_stops"]] == ["桂林路", "宜山路"]
    walks = [int(segment["walking"]["distance"] or 0) for segment in best["segments"]]
    assert sum(walks) == int(best["walking_distance"])
    assert best["segments"][-1]["bus"] == {"buslines": []}
    assert best["segments"][1]["walking"]["origin"] is None


@pytest.mark.fact("transit")
def test_the_quickest_way_comes_first(amap: LocalApp) -> None:
    took = [int(each["duration"]) for each in travel(amap, "121.3200,31.1940", VENUE, "上海", "上海")]

    assert len(took) > 1
    assert took == sorted(took)


@pytest.mark.fact("trains")
def test_another_city_is_reached_by_train(amap: LocalApp) -> None:
    ways = travel(amap, OFFICE, LAKE, "上海", "苏州")

    assert 1 <= len(ways) <= 3
    for way in ways:
        (train,) = [each["railway"] for each in way["segments"] if each["railway"]["trip"]]
        assert train["name"].startswith(f"{train['trip']}(上海")


@pytest.mark.fact("trains")
def test_nobody_walks_thirty_kilometres_from_a_station(amap: LocalApp) -> None:
    """From Ningbo's station no line goes to the factory: one takes a taxi, which the server does not tell."""
    best = travel(amap, OFFICE, FACTORY, "上海", "宁波")[0]

    assert int(best["walking_distance"]) < 5000
    assert best["segments"][-1]["walking"]["distance"] is None
    # The taxi's time is in the whole's: from the station to the factory it is more than a quarter of an hour.
    assert int(best["duration"]) > 9000
    assert "行驶" not in str(best)


@pytest.mark.fact("no-line")
def test_where_no_line_goes_there_is_none(amap: LocalApp) -> None:
    assert travel(amap, "119.4460,30.3220", "119.4010,30.3010", "杭州", "杭州") == []


@pytest.mark.fact("transit-cities")
def test_cities_that_are_none_are_refused(refused: Callable[..., str]) -> None:
    ends = {"origin": OFFICE, "destination": VENUE, "cityd": "上海"}
    tool = "maps_direction_transit_integrated_by_coordinates"

    assert refused(tool, **ends, city="") == "Direction Transit Integrated failed: MISSING_REQUIRED_PARAMS"
    assert refused(tool, **ends, city="Atlantis") == "Direction Transit Integrated failed: INVALID_PARAMS"


@pytest.mark.fact("addresses")
def test_an_address_is_asked_of_its_city(amap: LocalApp) -> None:
    found = amap.call(
        "maps_direction_transit_integrated_by_address",
        origin_address="虹梅路88号",
        destination_address="湖岸花园酒店",
        origin_city="上海",
        destination_city="苏州",
    )

    assert found["addresses"]["destination"] == {"address": "湖岸花园酒店", "coordinates": "120.697500,31.304500"}
    assert list(found["route"]) == ["origin", "destination", "distance", "transits"]
