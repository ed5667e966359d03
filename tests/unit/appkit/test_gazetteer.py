"""What the gazetteer holds: enough of it, whole, and in one piece with itself."""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from farm.appkit.geography.coordinates import Point, distance_m, wgs84_to_gcj02
from farm.appkit.geography.districts import district_at, find_locality, named_districts
from farm.appkit.geography.places import geocode, point_of, search_places
from farm.appkit.geography.roads import is_over_water, road_graph, roads_of
from farm.appkit.geography.routes import Mode, NoRouteError, route
from farm.appkit.geography.transit import Journey, Ride, TrainRide, journeys, train_journeys, train_rides
from farm.appkit.handler_api import Database
from farm.context.reference import load_reference

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
    cities = Counter(find_locality(db, row["adcode"]).city["adcode"] for row in places)  # type: ignore[union-attr,index]

    assert len(places) >= 400
    assert [city for city in CITIES if cities[city] < 7] == []


def test_every_place_is_in_a_district_of_a_city(db: Database) -> None:
    for row in db.all("SELECT * FROM places"):
        at = find_locality(db, row["adcode"])
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
        assert distance_m(wgs84_to_gcj02(told), point_of(row)) < 0.2, row["name"]
        shift = distance_m(told, point_of(row))
        assert shift == 0 if row["adcode"].startswith("71") else 200 < shift < 900, row["name"]


def test_the_places_of_the_story_exist(db: Database) -> None:
    for adcode, names in STORY.items():
        for name in names:
            found = geocode(db, name)
            assert [each.adcode for each in found] == [adcode], name
            assert found[0].level == "place", name


def test_who_looks_for_a_dentist_finds_one(db: Database) -> None:
    assert [row["name"] for row in search_places(db, "牙科", within="310000")] == ["衡山路齿科"]


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
    graph = road_graph(db, city)
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
        if find_locality(db, row["adcode"]).city["adcode"] == city  # type: ignore[union-attr,index]
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


def test_one_drives_to_ningbo_over_the_bridge(db: Database) -> None:
    """The bridge over the bay made the way about 120 km shorter: some 220 km from Hongqiao; around it are over 300."""
    hongqiao, ningbo = (
        point_of(row) for row in db.all("SELECT * FROM places WHERE name IN ('上海虹桥站', '宁波站') ORDER BY place_id")
    )

    assert 190_000 < route(db, "driving", hongqiao, ningbo).distance_m < 240_000


# What lies on either bank of a river of its city, by district: to go over it on foot takes a bridge.
BANKS = [
    ("黄浦江", "310000", {"310115"}),
    ("长江", "320100", {"320111", "320116"}),
    ("钱塘江", "330100", {"330108", "330109"}),
]


@pytest.mark.parametrize(("river", "city", "beyond"), BANKS)
def test_rivers_part_the_places_of_their_banks(db: Database, river: str, city: str, beyond: set[str]) -> None:
    middle = point_of(db.all("SELECT * FROM districts WHERE adcode = ?", city)[0])
    for row in db.all("SELECT * FROM places WHERE category <> ?", STATION):
        if find_locality(db, row["adcode"]).city["adcode"] == city:  # type: ignore[union-attr,index]
            crossed = is_over_water(db, middle, point_of(row))
            assert crossed or row["adcode"] not in beyond, (river, row["name"])


def test_over_a_river_one_walks_by_a_bridge(db: Database) -> None:
    """Between Wuchang and Hankou the Yangtze is over a kilometre wide, and people take the first bridge."""
    names = ("户部巷", "江汉路步行街")
    alley, street = (point_of(db.all("SELECT * FROM places WHERE name = ?", name)[0]) for name in names)

    assert route(db, "walking", alley, street).distance_m > 2 * distance_m(alley, street)


def test_who_walks_from_ningbo_s_university_finds_a_bridge(db: Database) -> None:
    """Nearest are some kilometres upstream; by the motorway's around the city it was fifty."""
    names = ("宁波大学", "宁波万象城")
    one, other = (point_of(db.all("SELECT * FROM places WHERE name = ?", name)[0]) for name in names)

    assert route(db, "walking", one, other).distance_m < 20_000


def test_who_goes_over_the_river_by_metro_finds_the_line_under_it(db: Database) -> None:
    bund, tower = (point_of(row) for row in db.all("SELECT * FROM places WHERE name IN ('外滩', '东方明珠广播电视塔')"))

    best = journeys(db, bund, tower)[0]

    assert [part.line for part in best.parts if isinstance(part, Ride)] == ["地铁2号线"]


@pytest.mark.parametrize("mode", ["walking", "cycling", "driving"])
def test_no_way_on_one_bank_leads_far_around(db: Database, mode: Mode) -> None:
    """A map that draws few roads knows that there are streets between them."""
    for city in CITIES:
        rows = [
            row
            for row in db.all("SELECT * FROM places WHERE category <> ? ORDER BY name", STATION)
            if find_locality(db, row["adcode"]).city["adcode"] == city  # type: ignore[union-attr,index]
        ]
        for one, other in pairwise(point_of(row) for row in rows):
            direct = distance_m(one, other)
            if 500 < direct < 8_000 and not is_over_water(db, one, other):
                assert route(db, mode, one, other).distance_m < direct * (4 if mode == "driving" else 2.2)


def test_ways_between_any_cities_go_over_one_graph(db: Database) -> None:
    """One for each pair of cities took a matrix over the time that a call has."""
    middles = [point_of(row) for row in db.all("SELECT * FROM districts WHERE level = 'city' AND adcode < '7'")]
    road_graph.cache_clear()

    for one in middles[:5]:
        for other in middles[5:]:
            route(db, "driving", one, other)

    assert road_graph.cache_info().misses == 1


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


@pytest.mark.parametrize(("here", "there"), [("310000", "330200"), ("330200", "310000")])
def test_who_visits_ningbo_need_not_wait_half_a_day_for_a_train(db: Database, here: str, there: str) -> None:
    leaves = [ride.departs_minute for ride in train_rides(db, here, there)]

    assert leaves[0] < 8 * 60
    assert leaves[-1] > 17 * 60
    assert max(after - before for before, after in pairwise(leaves)) <= 240


@pytest.mark.parametrize("there", ["440300", "330500"])
def test_where_the_team_travels_a_train_goes_and_comes_back(db: Database, there: str) -> None:
    """To Shenzhen's rig, and to Deqing below Moganshan."""
    assert train_rides(db, "310000", there)
    assert train_rides(db, there, "310000")


def test_one_leaves_a_train_at_the_station_that_is_better_for_the_rest_of_the_way(db: Database) -> None:
    """It stops at Deqing, below the mountain, and at Huzhou, an hour and a half from it."""
    (station,), (inn,) = (db.all("SELECT * FROM places WHERE name = ?", name) for name in ("上海虹桥站", "山月里"))

    found = train_journeys(db, point_of(station), point_of(inn), datetime(2026, 3, 9, 7, 30, tzinfo=UTC))

    assert [(_ride(each).trip, _ride(each).destination["name"]) for each in found] == [("G7631", "德清站")]


def _ride(journey: Journey) -> TrainRide:
    (ride,) = [part for part in journey.parts if isinstance(part, TrainRide)]
    return ride


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


@pytest.mark.parametrize("mode", ["driving", "walking", "cycling"])
@pytest.mark.parametrize(
    ("where", "point"),
    [
        ("the sea off Pudong", Point(122.30, 31.00)),
        ("the middle of the Tai", Point(120.15, 31.20)),
        ("Hong Kong, of which nothing is known", Point(114.17, 22.32)),
        ("the Taiwan Strait", Point(119.50, 24.50)),
    ],
)
def test_no_way_leads_to_where_nothing_is_known(db: Database, where: str, point: Point, mode: Mode) -> None:
    beside = Point(point.longitude + 0.01, point.latitude)

    for ends in ((Point(121.4737, 31.2304), point), (point, Point(121.4737, 31.2304)), (point, beside)):
        with pytest.raises(NoRouteError):
            route(db, mode, *ends)


def test_a_way_may_begin_on_a_road_between_cities(db: Database) -> None:
    (road,) = (each for each in roads_of(db, ["100000"]) if each.name == "京沪高速")
    outside = next(point for point in road.points if district_at(db, point) is None)

    assert route(db, "driving", outside, Point(121.4737, 31.2304)).distance_m > 100_000


def test_a_name_of_megabytes_is_no_district_s_and_that_is_known_at_once(db: Database) -> None:
    started = time.process_time()

    assert named_districts(db, "x" * 3_900_000) == []
    # SQLite held it against every row, in a single step that nothing can cut.
    assert time.process_time() - started < 0.1
