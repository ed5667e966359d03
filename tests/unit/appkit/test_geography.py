"""What is read from a gazetteer: here a small one, of one town on a grid."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from farm import content
from farm.appkit.geography import transit, weather
from farm.appkit.geography.addresses import locate_ip
from farm.appkit.geography.coordinates import Point, distance_m
from farm.appkit.geography.districts import below, district_at, find_locality, named_districts
from farm.appkit.geography.places import geocode, places_near, search_places
from farm.appkit.geography.roads import Edge, Road, graph_of, reach, route_pieces, snap
from farm.appkit.geography.routes import NoRouteError, route
from farm.appkit.handler_api import Database, Row
from farm.appkit.schema import Schema
from farm.context.reference import load_reference
from farm.context.shared_start import SharedStart
from farm.context.template import build

WEST, MIDDLE, EAST = Point(120.00, 30.00), Point(120.05, 30.00), Point(120.10, 30.00)
NORTH = Point(120.05, 30.05)


def _district(adcode: str, name: str, level: str, parent: str | None, at: Point) -> Row:
    row = {"table": "districts", "adcode": adcode, "name": name, "level": level, "parent_adcode": parent}
    return {**row, "citycode": "0999", "longitude": at[0], "latitude": at[1], "radius_m": 5000}


def _place(place_id: int, name: str, at: Point, **more: str) -> Row:
    row = {"table": "places", "place_id": place_id, "name": name, "category": "010100", "adcode": "990101", **more}
    return {
        **row,
        "longitude": at[0],
        "latitude": at[1],
        "wgs84_longitude": at[0],
        "wgs84_latitude": at[1],
    }


ROWS: list[Row] = [
    _district("100000", "国", "country", None, MIDDLE),
    _district("990000", "甲省", "province", "100000", MIDDLE),
    {**_district("990100", "乙市", "city", "990000", MIDDLE), "pinyin": "yi"},
    _district("990101", "丙区", "district", "990100", MIDDLE),
    {"table": "categories", "category": "010100", "large": "饮食", "middle": "茶馆", "small": "茶馆"},
    _place(1, "东楼", EAST, alias="东阁|East House", street="横路", number="40号", address="横路40号"),
    _place(2, "西楼", WEST, street="横路", number="1号", address="横路1号"),
    _place(3, "北楼", NORTH, street="纵路", number="7号", address="纵路7号"),
    {"table": "roads", "road_id": 1, "adcode": "990100", "name": "横路", "kind": "avenue",
     "points": "[[120.0,30.0],[120.1,30.0]]"},
    {"table": "roads", "road_id": 2, "adcode": "990100", "name": "纵路", "kind": "street",
     "points": "[[120.05,29.95],[120.05,30.05]]"},
    *({"table": "stops", "stop_id": number, "adcode": "990100", "name": name, "longitude": at[0], "latitude": at[1]}
      for number, (name, at) in enumerate([("西", WEST), ("中", MIDDLE), ("东", EAST), ("北", NORTH)], start=1)),
    *({"table": "lines", "line_id": number, "adcode": "990100", "name": f"{number}号线", "kind": "metro",
       "headway_s": 120}
      for number in (1, 2)),
    *({"table": "line_stops", "line_id": line, "position": position, "stop_id": stop}
      for line, position, stop in [(1, 1, 1), (1, 2, 2), (1, 3, 3), (2, 1, 2), (2, 2, 4)]),
    *({"table": "climate", "adcode": "990100", "month": month, "high": 20.0, "low": 10.0, "wet_days": 9.0, "wind": "东"}
      for month in range(1, 13)),
    {"table": "weather_days", "adcode": "990100", "date": "2026-03-15", "day_sky": "大雨", "night_sky": "阴", "high": 9,
     "low": 4, "wind": "北", "force": "5"},
    {"table": "ip_ranges", "first": 167772160, "last": 167772415, "adcode": "990100"},
]  # fmt: skip


@pytest.fixture(scope="module")
def town() -> Database:
    """A town with two roads that cross, and two lines."""
    schema = Schema(content.reference_metadata("gazetteer"))
    return SharedStart(build(schema, iter(ROWS)), schema.searched)


def test_a_district_is_found_by_its_name_with_and_without_its_kind(town: Database) -> None:
    for name in ("乙市", "乙", "yi", "YI", "990100", "0999"):
        assert [row["adcode"] for row in named_districts(town, name)][:1] == ["990100"], name
    assert named_districts(town, "") == named_districts(town, "无") == []
    assert below(town, "990000") == ["990000", "990100", "990101"]


def test_a_point_is_in_a_district_of_a_city_of_a_province(town: Database) -> None:
    district = district_at(town, NORTH)
    assert district is not None
    found = find_locality(town, district["adcode"])
    assert found is not None

    assert [row["name"] if row else None for row in (found.province, found.city, found.district)] == [
        "甲省",
        "乙市",
        "丙区",
    ]
    assert district_at(town, Point(0, 0)) is None


def test_places_are_found_by_name_kind_and_address_best_first(town: Database) -> None:
    assert [row["name"] for row in search_places(town, "西楼")] == ["西楼"]
    assert [row["name"] for row in search_places(town, "east")] == ["东楼"]
    assert [row["name"] for row in search_places(town, "茶馆 横路")] == ["东楼", "西楼"]
    assert [row["name"] for row in search_places(town, "北楼|东阁")] == ["东楼", "北楼"]
    assert search_places(town, "酒馆") == []
    assert [away for away, _ in places_near(town, EAST, 2500)] == [0]
    assert [row["name"] for _, row in places_near(town, EAST, 10_000)] == ["东楼", "北楼", "西楼"]


@pytest.mark.parametrize(
    ("address", "level", "place"),
    [
        ("甲省乙市丙区横路40号", "number", "东楼"),
        ("横路 1 号 2 楼", "number", "西楼"),
        ("横路9号", "street", None),
        ("乙市纵路", "street", None),
        ("乙市北楼", "place", "北楼"),
        ("东阁", "place", "东楼"),
        ("乙市丙区", "district", None),
    ],
)
def test_an_address_is_a_place_a_number_a_street_or_a_district(
    town: Database, address: str, level: str, place: str | None
) -> None:
    (found,) = geocode(town, address)

    assert (found.level, found.place and found.place["name"]) == (level, place)


def test_a_city_that_lacks_an_address_is_left(town: Database) -> None:
    assert geocode(town, "东楼", "乙市") == geocode(town, "东楼", "无市") == geocode(town, "东楼")
    assert geocode(town, "无处") == geocode(town, " ") == []


def test_a_text_too_long_for_an_address_is_nowhere_at_once(town: Database) -> None:
    # Reading it as a street and a number took a second: every character may begin a street.
    assert geocode(town, "x" * 100_000) == geocode(town, "乙市" * 50_000) == []
    assert search_places(town, "东|" * 50_000 + "楼") == search_places(town, "东")


def test_the_way_goes_over_the_crossing_and_says_where_to_turn(town: Database) -> None:
    found = route(town, "driving", WEST, NORTH)

    assert [(step.road, step.turn) for step in found.steps] == [("横路", "left"), ("纵路", "arrive")]
    straight = distance_m(WEST, MIDDLE) + distance_m(MIDDLE, NORTH)
    assert straight < found.distance_m < straight * 1.1
    assert found.duration_s == sum(step.duration_s for step in found.steps)


def test_where_there_is_no_road_there_is_no_way(town: Database) -> None:
    with pytest.raises(NoRouteError):
        route(town, "driving", WEST, Point(125.0, 35.0))


def test_a_way_to_where_one_is_takes_no_time_worth_telling(town: Database) -> None:
    found = route(town, "walking", WEST, WEST)

    assert (found.distance_m, found.duration_s, len(found.steps)) == (1, 1, 1)


def test_roads_that_end_beside_another_are_joined() -> None:
    across = Road("1", "横", "avenue", (WEST, EAST))
    beside = Road("1", "纵", "street", (Point(120.05, 30.002), NORTH))
    graph = graph_of((across, beside))
    first, last = snap(graph, WEST, {"avenue"}), snap(graph, NORTH, {"street"})
    assert first is not None
    assert last is not None

    way = route_pieces(graph, first, reach(graph, first, _metres), last, _metres)

    assert way is not None
    assert [piece[3] for piece in way if piece[2] > 1] == ["横", "", "纵"]


def _metres(edge: Edge) -> float:
    return edge.length_m


def test_one_changes_lines_where_they_meet(town: Database) -> None:
    best = transit.journeys(town, WEST, NORTH)[0]

    rides = [part for part in best.parts if isinstance(part, transit.Ride)]
    assert [(ride.line, ride.stops) for ride in rides] == [("1号线", ("西", "中")), ("2号线", ("中", "北"))]
    assert transit.line_title(rides[0]) == "1号线(西--东)"
    assert best.duration_s == sum(part.duration_s for part in best.parts) + best.waiting_s
    assert transit.journeys(town, WEST, Point(120.001, 30.0)) == []


def test_a_told_day_is_as_told_and_its_neighbours_are_as_the_month(town: Database) -> None:
    told, after = weather.forecast(town, "990101", date(2026, 3, 15), 2)

    assert (told.day, told.high, told.force) == ("大雨", 9, "5")
    assert after.date == date(2026, 3, 16)
    assert after.low < after.high
    assert weather.weather(town, "000000", date(2026, 3, 15)) is None


def test_as_many_days_are_wet_as_the_climate_says(town: Database) -> None:
    days = weather.forecast(town, "990100", date(2025, 1, 1), 3650)

    wet = sum(1 for day in days if "雨" in day.day or "雪" in day.day)
    # Nine of thirty days.
    assert 0.26 < wet / len(days) < 0.34
    assert 19 < sum(day.high for day in days) / len(days) < 21.5


def test_neighbouring_cities_mostly_share_their_rain() -> None:
    db = load_reference("gazetteer")
    days = [date(2027, 1, 1) + timedelta(days=each) for each in range(365)]

    def wet(adcode: str) -> set[date]:
        found = [weather.weather(db, adcode, day) for day in days]
        return {day.date for day in found if day is not None and ("雨" in day.day or "雪" in day.day)}

    shanghai, suzhou, beijing = wet("310000"), wet("320500"), wet("110000")
    assert len(shanghai & suzhou) > 0.9 * len(suzhou)
    assert len(shanghai & beijing) < 0.6 * len(beijing)


def test_an_hour_is_between_the_night_and_the_afternoon(town: Database) -> None:
    (day,) = weather.forecast(town, "990100", date(2026, 3, 15), 1)

    hours = [weather.hour_temperature(day, hour) for hour in range(24)]
    assert max(hours) == hours[14] == day.high
    assert min(hours) == hours[2] == day.low


def test_an_internet_address_is_in_a_range_or_nowhere(town: Database) -> None:
    found = locate_ip(town, "10.0.0.7")

    assert found is not None
    assert found["name"] == "乙市"
    assert locate_ip(town, "10.0.1.0") is None
    with pytest.raises(ValueError, match="decimal digits"):
        locate_ip(town, "10.0.0.x")


def test_trains_that_have_left_are_tomorrow_s() -> None:
    db = load_reference("gazetteer")
    shanghai, suzhou = Point(121.4557, 31.2496), Point(120.6103, 31.3305)
    early = datetime(2026, 3, 9, 6, 0, tzinfo=UTC)

    at_six = transit.train_journeys(db, shanghai, suzhou, early)
    at_ten = transit.train_journeys(db, shanghai, suzhou, early + timedelta(hours=4))

    assert next(_trip(each) for each in at_six) == "G7002"
    assert "G7002" not in [_trip(each) for each in at_ten]
    assert all(each.duration_s < 30_000 for each in (*at_six, *at_ten))


def _trip(journey: transit.Journey) -> str:
    (ride,) = [part for part in journey.parts if isinstance(part, transit.TrainRide)]
    return ride.trip
