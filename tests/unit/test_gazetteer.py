"""What the gazetteer holds: enough of it, whole, and in one piece with itself."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from farm.context.reference import load_reference
from farm.geography.coordinates import Point, distance_m, gcj02_to_wgs84
from farm.geography.districts import district_at, whereabouts
from farm.geography.places import geocode, point_of
from farm.geography.roads import city_graph
from farm.geography.routes import route
from farm.geography.transit import train_rides
from farm.kernel import Database

STATION = "150500"
CITIES = (
    *("110000", "310000", "320100", "320500", "330100", "330200", "420100"),
    *("440100", "440300", "441900", "510100", "610100", "710100"),
)
# Where harbor's people are, meet, eat and go: the story names them, so a map must know them.
STORY = {
    "310104": ("海灯科技", "西岸龙腾大道2600号Tower B", "栈桥空间", "小舟咖啡", "衡山路齿科", "上海南站"),
    "320571": ("湖岸花园酒店",),
    "330203": ("宁波站",),
    "330206": ("宁波光远光电",),
    "441904": ("东莞和新精密",),
    "330112": ("天目山七尖(七尖徒步起点)",),
    "330521": ("山月里",),
}


@pytest.fixture(scope="module")
def db() -> Database:
    """The gazetteer."""
    return load_reference("gazetteer")


def test_there_are_four_hundred_real_places_beside_stations_and_inventions(db: Database) -> None:
    places = db.all("SELECT adcode FROM places WHERE category <> ? AND is_invented = 0", STATION)
    cities = Counter(whereabouts(db, row["adcode"]).city["adcode"] for row in places)  # type: ignore[union-attr,index]

    assert len(places) >= 400
    assert [city for city in CITIES if cities[city] < 7] == []


def test_every_place_is_in_a_district_of_a_city(db: Database) -> None:
    for row in db.all("SELECT * FROM places"):
        at = whereabouts(db, row["adcode"])
        assert at is not None, row
        assert at.city is not None, row
        assert at.district is not None, row
        assert distance_m(point_of(row), point_of(at.city)) < 130_000, row


def test_every_place_is_in_the_district_that_its_point_is_in(db: Database) -> None:
    wrong = [
        row["name"]
        for row in db.all("SELECT * FROM places WHERE category <> ?", STATION)
        if (district := district_at(db, point_of(row))) is None or district["adcode"] != row["adcode"]
    ]

    # Two that stand on one spot may be on two sides of a border.
    assert len(wrong) <= 2, wrong


def test_places_are_in_both_systems(db: Database) -> None:
    for row in db.all("SELECT * FROM places"):
        told = Point(row["wgs84_longitude"], row["wgs84_latitude"])
        assert distance_m(told, gcj02_to_wgs84(point_of(row))) < 0.2, row["name"]
        shift = distance_m(told, point_of(row))
        assert shift == 0 if row["adcode"].startswith("71") else 200 < shift < 900, row["name"]


def test_the_places_of_the_story_exist(db: Database) -> None:
    for adcode, names in STORY.items():
        for name in names:
            found = geocode(db, name)
            assert [each.adcode for each in found] == [adcode], name
            assert found[0].level == "place", name


def test_no_telephone_can_be_anybody_s(db: Database) -> None:
    for row in db.all("SELECT p.telephone, d.citycode FROM places p JOIN districts d USING (adcode)"):
        if row["telephone"] is not None:
            area, number = row["telephone"].split("-")
            assert area == row["citycode"]
            # No subscriber's number begins with a nought: that is what one dials before an area code.
            assert number.startswith("00")
            assert len(number) == 8


@pytest.mark.parametrize("city", [*CITIES, "100000"])
def test_the_roads_of_a_city_and_those_between_cities_hang_together(db: Database, city: str) -> None:
    graph = city_graph(db, (city,))
    reached, waiting = {0}, [0]
    while waiting:
        here = waiting.pop()
        for number in graph.at[here]:
            edge = graph.edges[number]
            for end in (edge.start, edge.end):
                if end not in reached:
                    reached.add(end)
                    waiting.append(end)

    assert len(reached) == len([each for each in graph.at if each])
    assert len(graph.edges) > 20


@pytest.mark.parametrize("city", CITIES)
def test_every_place_of_a_city_is_reached_by_car(db: Database, city: str) -> None:
    places = [
        row
        for row in db.all("SELECT * FROM places WHERE category <> ? ORDER BY place_id", STATION)
        if whereabouts(db, row["adcode"]).city["adcode"] == city  # type: ignore[union-attr,index]
    ]
    for one, other in pairwise(places):
        found = route(db, "driving", point_of(one), point_of(other))
        direct = distance_m(point_of(one), point_of(other))
        assert direct * 0.98 <= found.distance_m <= direct * 3 + 4000, (one["name"], other["name"])


def test_cities_are_joined_by_road(db: Database) -> None:
    # Shenzhen and Zhuhai look at each other over a bay.
    middles = [point_of(row) for row in db.all("SELECT * FROM districts WHERE level = 'city' AND adcode < '7'")]
    for one, other in pairwise(middles):
        direct = distance_m(one, other)
        assert direct < route(db, "driving", one, other).distance_m < direct * 4


def test_stops_of_a_line_follow_each_other(db: Database) -> None:
    for line in db.all("SELECT * FROM lines WHERE name NOT LIKE '%机场%'"):
        stops = db.all(
            "SELECT s.* FROM line_stops JOIN stops s USING (stop_id) WHERE line_id = ? ORDER BY position",
            line["line_id"],
        )
        assert len(stops) > 1
        assert {stop["adcode"] for stop in stops} == {line["adcode"]}
        for one, other in pairwise(stops):
            assert distance_m(point_of(one), point_of(other)) < 40_000, (line["name"], one["name"], other["name"])


def test_trains_that_the_story_names_go(db: Database) -> None:
    (ningbo,) = [ride for ride in train_rides(db, "310000", "330200") if ride.trip == "G7591"]
    (suzhou,) = [ride for ride in train_rides(db, "310000", "320500") if ride.trip == "G7136"]

    assert (ningbo.origin["name"], ningbo.departs_minute, ningbo.arrives_minute) == (
        "上海虹桥站",
        7 * 60 + 28,
        9 * 60 + 14,
    )
    assert (suzhou.origin["name"], suzhou.departs_minute) == ("上海站", 15 * 60 + 42)


def test_trains_take_the_time_of_trains(db: Database) -> None:
    codes = [row["adcode"] for row in db.all("SELECT adcode FROM districts WHERE level = 'city' ORDER BY adcode")]
    rides = [ride for here in codes for there in codes if here != there for ride in train_rides(db, here, there)]

    assert len(rides) > 60
    for ride in rides:
        assert 15 < ride.distance_m / ride.duration_s < 100, ride.trip


def test_there_are_climates_of_whole_years(db: Database) -> None:
    rows = db.all("SELECT * FROM climate")

    assert Counter(row["adcode"] for row in rows) == {row["adcode"]: 12 for row in rows}
    assert set(CITIES) <= {row["adcode"] for row in rows}
    assert all(row["low"] < row["high"] and 0 < row["wet_days"] < 31 for row in rows)


def test_internet_addresses_are_in_one_city_each(db: Database) -> None:
    ranges = db.all("SELECT * FROM ip_ranges ORDER BY first")

    assert all(one["last"] < other["first"] for one, other in pairwise(ranges))
    assert set(CITIES) <= {row["adcode"] for row in ranges}
