"""Ways on foot, by bicycle and by car, and distances."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp

OFFICE, VENUE, STATION = "121.3983,31.1729", "121.461100,31.165200", "121.459500,31.168000"
BEIJING, BERLIN = "116.397,39.9175", "13.405,52.52"


def way(app: LocalApp, mode: str, origin: str, destination: str) -> dict[str, Any]:
    """Return the one path of a way."""
    if mode == "bicycling":
        ends = {"origin_coordinates": origin, "destination_coordinates": destination}
        path = app.call("maps_bicycling_by_coordinates", **ends)["data"]["paths"]
    else:
        tool = f"maps_direction_{mode}_by_coordinates"
        path = app.call(tool, origin=origin, destination=destination)["route"]["paths"]
    (only,) = path
    assert isinstance(only, dict)
    return only


@pytest.mark.fact("sums")
@pytest.mark.parametrize("mode", ["walking", "driving", "bicycling"])
@pytest.mark.parametrize("ends", [(OFFICE, VENUE), (STATION, VENUE), (VENUE, VENUE)])
def test_a_way_is_the_sum_of_its_steps(amap: LocalApp, mode: str, ends: tuple[str, str]) -> None:
    path = way(amap, mode, *ends)

    kind = int if mode == "bicycling" else str
    for measure in ("distance", "duration"):
        assert int(path[measure]) == sum(int(step[measure]) for step in path["steps"])
        assert {type(step[measure]) for step in path["steps"]} == {type(path[measure])} == {kind}
    assert path["steps"][-1]["instruction"].endswith("米到达目的地")
    for step in path["steps"]:
        assert f"{step['distance']}米" in step["instruction"]


@pytest.mark.fact("null-path")
def test_only_cars_have_a_path_that_is_null(amap: LocalApp) -> None:
    assert list(way(amap, "driving", OFFICE, VENUE)) == ["path", "distance", "duration", "steps"]
    assert list(way(amap, "walking", OFFICE, VENUE)) == ["distance", "duration", "steps"]


@pytest.mark.fact("speeds")
def test_walking_takes_longer_than_cycling_and_cycling_longer_than_driving(amap: LocalApp) -> None:
    walk, ride, drive = (
        int(way(amap, mode, OFFICE, VENUE)["duration"]) for mode in ("walking", "bicycling", "driving")
    )

    assert walk > ride > drive


@pytest.mark.fact("ranges")
def test_what_is_too_far_is_refused(refused: Callable[..., str]) -> None:
    too_far = {"origin": BEIJING, "destination": VENUE}
    by_bicycle = {"origin_coordinates": BEIJING, "destination_coordinates": VENUE}

    assert (
        refused("maps_direction_walking_by_coordinates", **too_far) == "Direction Walking failed: OVER_DIRECTION_RANGE"
    )
    assert refused("maps_bicycling_by_coordinates", **by_bicycle) == "Direction bicycling failed: None"


@pytest.mark.fact("speeds")
def test_a_car_goes_from_city_to_city(amap: LocalApp) -> None:
    path = way(amap, "driving", BEIJING, VENUE)

    # The motorway between the two is about 1,200 km long.
    assert 1_100_000 < int(path["distance"]) < 1_500_000


@pytest.mark.fact("abroad")
def test_there_is_no_service_abroad(refused: Callable[..., str]) -> None:
    abroad = {"origin": VENUE, "destination": BERLIN}

    assert refused("maps_direction_driving_by_coordinates", **abroad) == "Direction Driving failed: OUT_OF_SERVICE"


@pytest.mark.fact("no-info")
def test_a_refused_bicycle_route_says_none(refused: Callable[..., str]) -> None:
    ends = {"origin_coordinates": "here", "destination_coordinates": VENUE}

    assert refused("maps_bicycling_by_coordinates", **ends) == "Direction bicycling failed: None"


@pytest.mark.fact("addresses")
def test_by_address_the_points_are_shown_beside_the_way(amap: LocalApp) -> None:
    ends = {"origin_address": "云锦路地铁站", "destination_address": "栈桥空间", "origin_city": "上海"}
    found = amap.call("maps_direction_walking_by_address", **ends)

    assert found.pop("addresses") == {
        "origin": {"address": "云锦路地铁站", "coordinates": STATION},
        "destination": {"address": "栈桥空间", "coordinates": VENUE},
    }
    assert found == amap.call("maps_direction_walking_by_coordinates", origin=STATION, destination=VENUE)


@pytest.mark.fact("unknown-end")
@pytest.mark.parametrize("tool", ["maps_bicycling", "maps_direction_walking", "maps_direction_driving"])
def test_an_end_that_is_nowhere_is_named(tool: str, refused: Callable[..., str]) -> None:
    nowhere, here = {"origin_address": "不存在的地方"}, {"origin_address": "栈桥空间"}
    said = "Failed to geocode {} address: Geocoding failed: ENGINE_RESPONSE_DATA_ERROR"

    assert refused(f"{tool}_by_address", **nowhere, destination_address="栈桥空间") == said.format("origin")
    assert refused(f"{tool}_by_address", **here, destination_address="不存在的地方") == said.format("destination")


@pytest.mark.fact("distances")
def test_there_is_a_distance_for_each_origin(amap: LocalApp, refused: Callable[..., str]) -> None:
    both = f"{OFFICE}|{STATION}"
    by_car, by_air = (amap.call("maps_distance", origins=both, destination=VENUE, type=each) for each in ("1", "0"))

    assert [(each["origin_id"], each["dest_id"]) for each in by_car["results"]] == [("1", "1"), ("2", "1")]
    for car, air in zip(by_car["results"], by_air["results"], strict=True):
        assert int(car["distance"]) > int(air["distance"])
        assert air["duration"] == "0"
    ends = {"origins": OFFICE, "destination": VENUE}
    assert refused("maps_distance", **ends, type="3") == "Direction Distance failed: OVER_DIRECTION_RANGE"
    assert refused("maps_distance", **ends, type="2") == "Direction Distance failed: INVALID_PARAMS"
    many = "|".join([OFFICE] * 101)
    assert refused("maps_distance", origins=many, destination=VENUE) == "Direction Distance failed: INVALID_PARAMS"


@pytest.mark.fact("distances")
def test_a_hundred_origins_are_measured(amap: LocalApp) -> None:
    found = amap.call("maps_distance", origins="|".join([OFFICE] * 100), destination=VENUE)

    assert [each["origin_id"] for each in found["results"]] == [str(number) for number in range(1, 101)]


@pytest.mark.fact("agree")
def test_a_distance_is_that_of_the_way(amap: LocalApp) -> None:
    for type_, mode, origin in (("1", "driving", OFFICE), ("3", "walking", STATION)):
        path = way(amap, mode, origin, VENUE)
        (found,) = amap.call("maps_distance", origins=origin, destination=VENUE, type=type_)["results"]
        assert (found["distance"], found["duration"]) == (path["distance"], path["duration"])


@pytest.mark.fact("steps")
def test_every_step_names_its_road_or_none(amap: LocalApp) -> None:
    for step in way(amap, "driving", OFFICE, VENUE)["steps"]:
        named = re.match(r"沿(.+?)向", step["instruction"])
        assert (named[1] if named else []) == step["road"]
