"""Search places by words, around a point or by address, and find what is at a point."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from farm.appkit.geography.coordinates import Point, between, distance_m, nearest_share
from farm.appkit.geography.districts import below, district_at, find_locality, named_districts, short_name
from farm.appkit.geography.gazetteer import all_districts, all_places
from farm.appkit.geography.roads import roads_of
from farm.appkit.handler_api import Database, Row

_STREET_NUMBER = re.compile(r"(?P<street>[^\d]{1,30}?(?:路|街|大道|道|弄|巷|胡同|里|段|环))(?P<number>\d+(?:弄\d+)?号)")
_ADDRESS_MAX = 200  # longer than any address
_WORDS_MAX = 12  # of a search
# The distance up to which a street counts as near.
_STREET_M = 1500

Level = Literal["province", "city", "district", "street", "number", "place"]


@dataclass(frozen=True, slots=True)
class GeocodedPlace:
    """The location of an address.

    Attributes:
        level: the kind of the recognised thing.
        point: its position.
        adcode: the smallest district that contains it.
        street: the street, for an address on one.
        number: the house number, with its 号.
        place: the place of this name or at this number.
    """

    level: Level
    point: Point
    adcode: str
    street: str | None = None
    number: str | None = None
    place: Row | None = None


def point_of(row: Row) -> Point:
    """Return the position of a row of the gazetteer."""
    return Point(row["longitude"], row["latitude"])


def kind(place: Row) -> str:
    """Return a place's category names: 餐饮服务;咖啡厅;咖啡厅."""
    return f"{place['large']};{place['middle']};{place['small']}"


def find_place(db: Database, place_id: int) -> Row | None:
    """Return a place with its category's names, or None."""
    return next((row for row in all_places(db) if row["place_id"] == place_id), None)


def search_places(
    db: Database, words: str, *, within: str | None = None, categories: Collection[str] = ()
) -> list[Row]:
    """Return the places that match words, best first.

    Args:
        words: words between blanks that must all match, or such alternatives between bars; empty matches every place.
        within: the adcode of a province, city or district.
        categories: six-digit codes; one that ends in 00 stands for all below it.
    """
    rows = _places(db, within, categories)
    given = words.strip()
    if not given:
        return rows
    alternatives = _alternatives(given)
    ranked = [(rank, row["place_id"], row) for row in rows if (rank := _rank(row, alternatives)) is not None]
    kept = sorted(ranked, key=lambda each: each[:2])
    if kept:
        return [row for _, _, row in kept]
    inside = [row for row in rows if row["name"] in given]
    return sorted(inside, key=lambda row: (-len(row["name"]), row["place_id"]))


def places_near(
    db: Database, point: Point, radius_m: float, words: str = "", categories: Collection[str] = ()
) -> list[tuple[int, Row]]:
    """Return places within a radius with their distances in metres, nearest first."""
    alternatives = _alternatives(words)
    near = []
    reach = radius_m / 80_000  # in degrees, of longitude up to 44 degrees north
    for row in _places(db, None, categories):
        if abs(row["longitude"] - point.longitude) > reach or abs(row["latitude"] - point.latitude) > reach:
            continue
        away = distance_m(point, point_of(row))
        if away <= radius_m and (not alternatives or _rank(row, alternatives) is not None):
            near.append((round(away), row["place_id"], row))
    return [(away, row) for away, _, row in sorted(near, key=lambda each: each[:2])]


def geocode(db: Database, address: str, city: str | None = None) -> list[GeocodedPlace]:
    """Return the locations of an address, best first: a district, a place's name, a number in a street, a street.

    Args:
        address: as people write it; leading districts narrow the search.
        city: a name, pinyin, area code or adcode. If nothing is found there, the whole country is searched.
    """
    text = re.sub(r"[\s,,。]+", "", address)
    if not text or len(text) > _ADDRESS_MAX:
        return []
    cities = named_districts(db, city) if city else []
    return (_geocode(db, text, cities[0]["adcode"]) if cities else []) or _geocode(db, text, None)


def streets_near(db: Database, point: Point) -> list[tuple[int, str]]:
    """Return streets near a point with their distances in metres, nearest first."""
    nearest: dict[str, int] = {}
    for away, row in places_near(db, point, _STREET_M):
        if row["street"]:
            nearest[row["street"]] = min(away, nearest.get(row["street"], away))
    district = district_at(db, point)
    found = None if district is None else find_locality(db, district["adcode"])
    if found is not None and found.city is not None:
        for road in roads_of(db, (found.city["adcode"],)):
            for one, other in pairwise(road.points):
                if _is_beside(point, one, other) and (away := round(_away(point, one, other))) <= _STREET_M:
                    nearest[road.name] = min(away, nearest.get(road.name, away))
    return sorted((away, name) for name, away in nearest.items())


def _places(db: Database, within: str | None, categories: Collection[str]) -> list[Row]:
    rows = list(all_places(db))
    if within is not None:
        inside = set(below(db, within))
        rows = [row for row in rows if row["adcode"] in inside]
    if categories:
        heads = tuple(re.sub("(00)+$", "", each) for each in categories)
        rows = [row for row in rows if row["category"].startswith(heads)]
    return rows


def names(place: Row) -> list[str]:
    """Return a place's name and its other names."""
    return [place["name"], *(place["alias"] or "").split("|")] if place["alias"] else [place["name"]]


def _written(place: Row) -> list[str]:
    """Return a place's names as addresses contain them, without blanks."""
    return [name.replace(" ", "") for name in names(place)]


def _alternatives(words: str) -> list[tuple[str, ...]]:
    """Split words into alternatives at bars, each a tuple of case-folded words; only the first ones are used."""
    found = [tuple(each.split()[:_WORDS_MAX]) for each in words.casefold().split("|") if each.strip()]
    return found[:_WORDS_MAX]


def _rank(row: Row, alternatives: Sequence[tuple[str, ...]]) -> int | None:
    """Return a place's rank for its best alternative (0 is best), or None."""
    ranks = [rank for words in alternatives if (rank := _rank_all(row, words)) is not None]
    return min(ranks, default=None)


def _rank_all(row: Row, words: tuple[str, ...]) -> int | None:
    worst = 0
    for word in words:
        rank = _rank_one(row, word)
        if rank is None:
            return None
        worst = max(worst, rank)
    return worst


def _rank_one(row: Row, word: str) -> int | None:
    called = [each.casefold() for each in names(row)]
    if word in called:
        return 0
    if any(each.startswith(word) for each in called):
        return 1
    if any(word in each for each in called):
        return 2
    if any(word in row[level].casefold() for level in ("small", "middle", "large")):
        return 3
    if word in (row["business_area"] or "").casefold() or word in (row["address"] or "").casefold():
        return 4
    return None


def _geocode(db: Database, text: str, within: str | None) -> list[GeocodedPlace]:
    rows = _places(db, within, ())
    if found := [_as_place(row) for row in rows if text in _written(row)]:
        return found
    rest, inside = _without_districts(db, text, within)
    if not rest:
        assert inside is not None
        district = all_districts(db).get(inside)
        assert district is not None
        return [GeocodedPlace(district["level"], point_of(district), inside)]
    if inside != within:
        rows = _places(db, inside, ())
        if found := [_as_place(row) for row in rows if rest in _written(row)]:
            return found
    numbered = [row for row in rows if row["street"] and row["number"] and f"{row['street']}{row['number']}" in rest]
    if numbered:
        # 虹梅路88号3号楼 contains 虹梅路88号, but not 虹梅路8号.
        best = max(numbered, key=lambda row: (len(row["street"]) + len(row["number"]), -row["place_id"]))
        return [GeocodedPlace("number", point_of(best), best["adcode"], best["street"], best["number"], best)]
    if street := _on_street(db, rows, rest, inside):
        return [street]
    called = [(len(name), row) for row in rows for name in _written(row) if len(name) > 1 and name in rest]
    if called:
        return [_as_place(max(called, key=lambda each: (each[0], -each[1]["place_id"]))[1])]
    containing = [row for row in rows if len(rest) > 1 and any(rest in name for name in names(row))]
    return [_as_place(min(containing, key=lambda row: (len(row["name"]), row["place_id"])))] if containing else []


def _as_place(row: Row) -> GeocodedPlace:
    return GeocodedPlace("place", point_of(row), row["adcode"], row["street"], row["number"], row)


def _without_districts(db: Database, text: str, within: str | None) -> tuple[str, str | None]:
    """Return an address without its leading districts, and the smallest of those or ``within``."""
    rest, inside = text, within
    while rest:
        allowed = None if inside is None else {*below(db, inside)}
        heads = [
            (len(name), row["adcode"])
            for row in all_districts(db).values()
            if row["level"] != "country"
            for name in (row["name"], short_name(row["name"]))
            if rest.startswith(name)
            and (name == row["name"] or row["level"] != "district")
            and (allowed is None or row["adcode"] in allowed)
        ]
        if not heads:
            break
        length, inside = max(heads)
        rest = rest[length:]
    return rest, inside


def _on_street(db: Database, rows: Sequence[Row], rest: str, inside: str | None) -> GeocodedPlace | None:
    """Return the location of a street, or an estimate for a house number that the gazetteer lacks."""
    match = _STREET_NUMBER.search(rest)
    said = match["street"] if match else rest
    on = [row for row in rows if row["street"] and said.endswith(row["street"])]
    if on and match:
        wanted = int(re.findall(r"\d+", match["number"])[0])
        near = min(on, key=lambda row: (abs(_number(row) - wanted), row["place_id"]))
        return GeocodedPlace("street", point_of(near), near["adcode"], near["street"], None)
    if on:
        middle = sorted(on, key=lambda row: (_number(row), row["place_id"]))[len(on) // 2]
        return GeocodedPlace("street", point_of(middle), middle["adcode"], middle["street"], None)
    for road in roads_of(db, None if inside is None else _cities(db, inside)):
        if said.endswith(road.name):
            point = road.points[len(road.points) // 2]
            district = district_at(db, point)
            if district is not None:
                return GeocodedPlace("street", point, district["adcode"], road.name, None)
    return None


def _cities(db: Database, adcode: str) -> tuple[str, ...]:
    found = find_locality(db, adcode)
    if found is None or found.city is None:
        return tuple(below(db, adcode))
    return (found.city["adcode"],)


def _number(row: Row) -> int:
    digits = re.findall(r"\d+", row["number"] or "")
    return int(digits[0]) if digits else 0


def _is_beside(point: Point, one: Point, other: Point) -> bool:
    reach = _STREET_M / 80_000
    return (
        min(one[0], other[0]) - reach < point[0] < max(one[0], other[0]) + reach
        and min(one[1], other[1]) - reach < point[1] < max(one[1], other[1]) + reach
    )


def _away(point: Point, one: Point, other: Point) -> float:
    return distance_m(point, between(one, other, nearest_share(point, one, other)))
