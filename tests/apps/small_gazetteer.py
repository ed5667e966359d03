"""A gazetteer small enough to work out by hand what map apps say of it: two cities, five places, a metro, two trains.

HOME and CAFE are 1,463 m apart, and the corner between them lies east of the one and north of the other. There are no
drawn roads, so a way is an elbow along a parallel and a meridian, 1.3 times as long as the straight line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

import pytest

from farm import content
from farm.appkit.geography.coordinates import Point, distance_m
from farm.appkit.schema import Schema
from farm.context.shared_start import SharedStart
from farm.context.template import build
from farm.testing import LocalApp

NOW = "2026-03-09T09:07:00+08:00"
HOME, CAFE = Point(121.45, 31.2), Point(121.46, 31.19)
STATION, OTHER_STATION, GARDEN = Point(121.47, 31.21), Point(120.62, 31.33), Point(120.621, 31.32)
FIRST, MIDDLE, LAST = Point(121.449, 31.201), Point(121.455, 31.1955), Point(121.461, 31.189)


def district(
    adcode: str, name: str, level: str, parent: str | None, code: str, at: Point, radius_m: int
) -> dict[str, Any]:
    row = {"table": "districts", "adcode": adcode, "name": name, "level": level, "citycode": code, "radius_m": radius_m}
    return {**row, "parent_adcode": parent, "longitude": at.longitude, "latitude": at.latitude}


def place(place_id: int, name: str, category: str, adcode: str, at: Point, **more: Any) -> dict[str, Any]:
    row = {"table": "places", "place_id": place_id, "name": name, "category": category, "adcode": adcode}
    row |= {"longitude": at.longitude, "latitude": at.latitude}
    return {**row, "wgs84_longitude": at.longitude, "wgs84_latitude": at.latitude, **more}


def category(code: str, large: str, middle: str, small: str, tag: str, level: str) -> list[dict[str, Any]]:
    names = {"large": large, "middle": middle, "small": small}
    return [
        {"table": "categories", "category": code, **names},
        {"table": "tags", "category": code, "tag": tag, "level": level},
    ]


def told(adcode: str, date: str, high: int, low: int, **more: Any) -> dict[str, Any]:
    row = {"table": "weather_days", "adcode": adcode, "date": date, "day_sky": "晴", "night_sky": "小雨", "high": high}
    return {**row, "low": low, "wind": "东", "force": "1-3", **more}


def stop(stop_id: int, name: str, at: Point) -> dict[str, Any]:
    return {
        "table": "stops", "stop_id": stop_id, "adcode": "310000", "name": name, "longitude": at.longitude,
        "latitude": at.latitude,
    }  # fmt: skip


def train(trip: str, *stops: tuple[int, int]) -> list[dict[str, Any]]:
    row = {"table": "trains", "trip": trip, "kind": "高速", "first": "沪站", "last": "宁站"}
    return [
        row,
        *(
            {"table": "train_stops", "trip": trip, "position": number, "place_id": place_id, "minute": minute}
            for number, (place_id, minute) in enumerate(stops, start=1)
        ),
    ]


ROWS: list[dict[str, Any]] = [
    district("100000", "中华人民共和国", "country", None, "-", Point(104, 35), 2_600_000),
    {**district("310000", "上海市", "city", "100000", "021", Point(121.47, 31.23), 45_000), "pinyin": "shanghai"},
    district("310104", "徐汇区", "district", "310000", "021", Point(121.455, 31.195), 5200),
    district("320000", "江苏省", "province", "100000", "-", Point(119, 33), 300_000),
    district("320500", "苏州市", "city", "320000", "0512", Point(120.6, 31.3), 40_000),
    district("320508", "姑苏区", "district", "320500", "0512", Point(120.62, 31.325), 5000),
    *category("070000", "生活服务", "生活场所", "生活", "文化传媒;展览", "文化"),
    *category("050500", "餐饮服务", "咖啡厅", "咖啡", "美食;咖啡厅", "餐饮"),
    *category("150200", "交通设施服务", "火车站", "车站", "交通设施;火车站", "火车站"),
    *category("110201", "风景名胜", "公园", "园林", "旅游景点;公园", "景点"),
    place(1, "甲馆", "070000", "310104", HOME, alias="Jia Hall|甲", street="甲路", number="1号", address="甲路1号",
          business_area="甲区", rating=4.8, opening="10:00-22:00", telephone="021-1"),
    place(2, "乙咖啡", "050500", "310104", CAFE, street="乙路", number="2号", address="乙路2号", rating=4.0, cost=38.0),
    place(3, "沪站", "150200", "310104", STATION),
    place(4, "苏站", "150200", "320508", OTHER_STATION),
    place(5, "苏园", "110201", "320508", GARDEN, street="园路", number="5号", address="园路5号", cost=80.0,
          business_area="平江路"),
    {"table": "city_codes", "adcode": "310000", "code": 289},
    {"table": "city_codes", "adcode": "320500", "code": 224},
    {"table": "ip_ranges", "first": 16_909_056, "last": 16_909_311, "adcode": "320500"},  # 1.2.3.0 to 1.2.3.255
    {"table": "ip_ranges", "first": 33_686_016, "last": 33_686_271, "adcode": "310000"},  # 2.2.2.0 to 2.2.2.255
    *(told("310000", f"2026-03-{day:02}", day, -1) for day in range(9, 14)),
    told("320508", "2026-03-09", 12, 3, day_sky="阴", night_sky="小雪", wind="西北", force="4"),
    *(told("320500", f"2026-03-{day:02}", 12, 3, day_sky="多云", wind="西北", force="5") for day in range(9, 14)),
    stop(1, "一站", FIRST),
    stop(2, "二站", MIDDLE),
    stop(3, "三站", LAST),
    {"table": "lines", "line_id": 1, "adcode": "310000", "name": "地铁1号线", "kind": "metro", "headway_s": 240},
    *({"table": "line_stops", "line_id": 1, "position": number, "stop_id": number} for number in (1, 2, 3)),
    # Later than can be reached from 9:07 on; and one that is only reached tomorrow.
    *train("G1", (3, 60 * 11 + 5), (4, 60 * 12)),
    *train("G2", (3, 60 * 8 + 30), (4, 60 * 9 + 1)),
]  # fmt: skip


def start_on(
    start: Callable[..., LocalApp],
    monkeypatch: pytest.MonkeyPatch,
    app: str,
    more: Iterable[Mapping[str, Any]] = (),
    **options: Any,
) -> LocalApp:
    """Start a map app on the small gazetteer."""
    schema = Schema(content.reference_metadata("gazetteer"))
    only = SharedStart(build(schema, [*ROWS, *more]), schema.searched)
    monkeypatch.setattr("farm.context.context.load_reference", lambda name: only)
    return start(app, **{"now": NOW, **options})


def legs(origin: Point, destination: Point) -> tuple[float, float]:
    """Return the length of the way along the parallel and of that along the meridian."""
    corner = Point(destination.longitude, origin.latitude)
    whole = 1.3 * distance_m(origin, destination)
    across, down = distance_m(origin, corner), distance_m(corner, destination)
    return whole * across / (across + down), whole * down / (across + down)


def elbow(origin: Point, destination: Point) -> tuple[int, int]:
    """Return the same in whole metres."""
    along, down = legs(origin, destination)
    return round(along), round(down)


def ride_of(*stops: Point) -> tuple[int, int]:
    """Return length and time of a ride by metro: a tenth longer than straight, ten metres a second, 30 s a stop."""
    hops = [1.1 * distance_m(one, other) for one, other in pairwise(stops)]
    return round(sum(hops)), round(sum(hop / 10 + 30 for hop in hops))


def walk_s(*metres: int) -> int:
    """Return how long walks take, at a metre and a quarter a second."""
    return sum(round(each / 1.25) for each in metres)
