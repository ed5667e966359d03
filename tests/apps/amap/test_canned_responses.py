"""Answers of the API that an episode tells by rows of its own; what is expected is what the running server shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp

_OK = {"status": "1", "info": "OK", "infocode": "10000"}
_GEO = "/v3/geocode/geo"


def answered(path: str, body: dict[str, Any], **query: str) -> dict[str, Any]:
    """Return a row that tells the answer to requests with these parameters."""
    return {"table": "answers", "path": path, "query": json.dumps(query), "body": json.dumps(body)}


def asked(tmp_path: Path, rows: list[dict[str, Any]], tool: str, **arguments: str) -> Any:
    """Return the body of a tool's answer on these rows."""
    with LocalApp("amap", tmp_path, rows=rows) as app:
        result = app.result(tool, **arguments)
    assert result["isError"] is False
    return json.loads(result["content"][0]["text"])


@pytest.mark.fact("canned-responses")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"status": "0", "info": "DAILY_QUERY_OVER_LIMIT", "infocode": "10003"}, "DAILY_QUERY_OVER_LIMIT"),
        ({"status": "0", "infocode": "10004"}, "10004"),
        ({"status": "0"}, "None"),
    ],
)
def test_a_refusal_is_told_with_the_tool_s_words(tmp_path: Path, body: dict[str, Any], said: str) -> None:
    told = asked(tmp_path, [answered("/v3/place/text", body)], "maps_text_search", keywords="咖啡")

    assert told == {"error": f"Text Search failed: {said}"}


@pytest.mark.fact("canned-responses")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"errcode": 30007, "errmsg": "TOO_FAR", "data": None}, "None"),
        ({"errcode": 30007, "info": "DAILY_QUERY_OVER_LIMIT"}, "DAILY_QUERY_OVER_LIMIT"),
    ],
)
def test_a_refused_ride_is_told_by_what_the_server_looks_for(tmp_path: Path, body: dict[str, Any], said: str) -> None:
    ends = {"origin_coordinates": "121.4,31.1", "destination_coordinates": "121.5,31.2"}

    told = asked(tmp_path, [answered("/v4/direction/bicycling", body)], "maps_bicycling_by_coordinates", **ends)

    assert told == {"error": f"Direction bicycling failed: {said}"}


@pytest.mark.fact("canned-responses")
def test_the_row_that_says_most_of_a_request_answers_it(tmp_path: Path) -> None:
    ends = {"origin": "121.4,31.1", "destination": "121.5,31.2"}
    rows = [
        answered("/v3/direction/driving", {"status": "0", "info": "ROUTE_FAIL"}),
        answered("/v3/direction/driving", {**_OK, "route": {**ends, "paths": []}}, origin="121.4,31.1"),
        answered("/v3/direction/driving", {"status": "0", "info": "other"}, origin="121.6,31.1"),
    ]

    assert asked(tmp_path, rows, "maps_direction_driving_by_coordinates", **ends) == {"route": {**ends, "paths": []}}


@pytest.mark.fact("canned-responses")
def test_what_no_row_tells_is_the_gazetteer_s(tmp_path: Path) -> None:
    rows = [answered(_GEO, {"status": "0", "info": "UNKNOWN_ERROR"}, address="别处")]

    assert asked(tmp_path, rows, "maps_geo", address="上海市")["return"][0]["adcode"] == "310000"


@pytest.mark.fact("canned-responses")
@pytest.mark.parametrize(
    ("geocodes", "said"),
    [
        ([], "No geocoding results found for origin address"),
        ([{"country": "中国"}], "Could not extract coordinates from origin geocoding result"),
    ],
)
def test_an_address_without_a_point_has_no_way(tmp_path: Path, geocodes: list[dict[str, str]], said: str) -> None:
    rows = [answered(_GEO, {**_OK, "geocodes": geocodes})]
    ends = {"origin_address": "甲", "destination_address": "乙"}

    assert asked(tmp_path, rows, "maps_direction_walking_by_address", **ends) == {"error": said}


@pytest.mark.fact("canned-responses")
@pytest.mark.parametrize(
    ("path", "body", "tool", "arguments", "shown"),
    [
        ("/v3/weather/weatherInfo", {"forecasts": []}, "maps_weather", {"city": "上海"}, "No forecast data available"),
        ("/v3/place/detail", {"pois": []}, "maps_search_detail", {"id": "B000A7BD6C"}, "No POI found"),
        (
            "/v3/direction/transit/integrated",
            {"route": []},
            "maps_direction_transit_integrated_by_coordinates",
            {"origin": "121.4,31.1", "destination": "121.5,31.2", "city": "上海", "cityd": "上海"},
            "No route data available",
        ),
    ],
)
def test_an_answer_without_what_is_looked_for_is_told_in_the_server_s_sentence(
    tmp_path: Path, path: str, body: dict[str, Any], tool: str, arguments: dict[str, str], shown: str
) -> None:
    assert asked(tmp_path, [answered(path, {**_OK, **body})], tool, **arguments) == {"error": shown}


@pytest.mark.fact("canned-responses")
def test_parts_of_a_journey_of_another_type_are_as_if_absent(tmp_path: Path) -> None:
    line = {"name": "地铁11号线", "departure_stop": [], "via_stops": [1, {"name": "云锦路"}]}
    transit = {"duration": "600", "segments": [{"walking": [], "bus": {"buslines": [line, 3]}, "exit": []}, 4]}
    rows = [answered("/v3/direction/transit/integrated", {**_OK, "route": {"transits": [transit, 5]}})]
    ends = {"origin": "121.4,31.1", "destination": "121.5,31.2", "city": "上海", "cityd": "上海"}

    told = asked(tmp_path, rows, "maps_direction_transit_integrated_by_coordinates", **ends)

    walking: dict[str, Any] = {"origin": None, "destination": None, "distance": None, "duration": None, "steps": []}
    shown = {
        "name": "地铁11号线",
        "departure_stop": {"name": None},
        "arrival_stop": {"name": None},
        "distance": None,
        "duration": None,
        "via_stops": [{"name": "云锦路"}],
    }
    segment = {
        "walking": walking,
        "bus": {"buslines": [shown]},
        "entrance": {"name": None},
        "exit": {"name": None},
        "railway": {"name": None, "trip": None},
    }
    transits = [{"duration": "600", "walking_distance": None, "segments": [segment]}]
    assert told == {"route": {"origin": None, "destination": None, "distance": None, "transits": transits}}


@pytest.mark.fact("canned-responses")
@pytest.mark.parametrize(
    ("path", "body", "tool", "arguments", "shown"),
    [
        (
            "/v3/place/text",
            {},
            "maps_text_search",
            {"keywords": "塔"},
            {"suggestion": {"keywords": None, "cities": []}, "pois": []},
        ),
        (
            "/v3/place/text",
            {"suggestion": {"cities": [{"num": "1"}, {"name": "苏州市"}]}, "pois": [{"name": "塔", "tel": "1"}]},
            "maps_text_search",
            {"keywords": "塔"},
            {
                "suggestion": {"keywords": None, "cities": [{"name": None}, {"name": "苏州市"}]},
                "pois": [{"id": None, "name": "塔", "address": None, "typecode": None}],
            },
        ),
        ("/v3/place/around", {}, "maps_around_search", {"location": "121.4,31.1"}, {"pois": []}),
        ("/v3/geocode/geo", {}, "maps_geo", {"address": "塔"}, {"return": []}),
        (
            "/v3/place/detail",
            {"pois": [{"cityname": "苏州市", "biz_ext": []}]},
            "maps_search_detail",
            {"id": "B0"},
            {
                **dict.fromkeys(("id", "name", "location", "address", "business_area")),
                "city": "苏州市",
                "type": None,
                "alias": None,
            },
        ),
    ],
)
def test_what_an_answer_lacks_is_null_or_an_empty_list(
    tmp_path: Path, path: str, body: dict[str, Any], tool: str, arguments: dict[str, str], shown: dict[str, Any]
) -> None:
    assert asked(tmp_path, [answered(path, {**_OK, **body})], tool, **arguments) == shown
