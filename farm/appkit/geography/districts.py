"""Districts: find them by name, code or point, and their parents and parts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta, timezone
from functools import lru_cache

from farm.appkit.geography.coordinates import Point, distance_m
from farm.appkit.geography.gazetteer import all_districts, all_places
from farm.appkit.handler_api import Database, Row

COUNTRY = "100000"
# China has one time zone.
CHINA = timezone(timedelta(hours=8))
# A point within this distance of a place of the gazetteer is in that place's district.
_BESIDE_M = 800
_BESIDE_DEG = 0.015
# A point within this many radii of a district's centre counts as inside.
_REACH = 2.5
_NAME_MAX = 100  # longer than any district's name
_SUFFIXES = ("特别行政区", "自治区", "自治州", "省", "市", "区", "县")


@dataclass(frozen=True, slots=True)
class Locality:
    """A district with its city and province; ``district`` is None for a whole city, ``city`` for a whole province."""

    province: Row
    city: Row | None
    district: Row | None

    @property
    def lowest(self) -> Row:
        """The smallest of the three."""
        return self.district or self.city or self.province

    @property
    def is_municipality(self) -> bool:
        """Whether the city is also a province, like Beijing."""
        return self.city is not None and self.city["adcode"] == self.province["adcode"]


def find_district(db: Database, adcode: str) -> Row | None:
    """Return the district, city or province of an adcode, or None."""
    return all_districts(db).get(adcode)


def named_districts(db: Database, name: str) -> list[Row]:
    """Return the districts with a name (with or without 市 or 区), adcode or telephone area code, largest first."""
    given = name.strip()
    if not given or len(given) > _NAME_MAX:
        return []
    return db.all(
        "SELECT * FROM districts WHERE level <> 'country'"
        " AND (name = :given OR adcode = :given OR pinyin = lower(:given)"
        " OR (citycode = :given AND level = 'city') OR name IN (SELECT :given || value FROM json_each(:suffixes)))"
        " ORDER BY CASE level WHEN 'city' THEN 0 WHEN 'province' THEN 1 ELSE 2 END, adcode",
        given=given,
        suffixes='["市", "省", "区", "县", "特别行政区"]',
    )


def short_name(name: str) -> str:
    """Return a name as people say it: 上海 for 上海市."""
    for suffix in _SUFFIXES:
        if name.endswith(suffix) and len(name) > len(suffix) + 1:
            return name.removesuffix(suffix)
    return name


def find_locality(db: Database, adcode: str) -> Locality | None:
    """Return a district with its city and province; None for the country or an unknown code."""
    row = find_district(db, adcode)
    if row is None or row["level"] == "country":
        return None
    above = {row["level"]: row}
    while row["level"] != "province" and row["parent_adcode"] not in (None, COUNTRY):
        row = find_district(db, row["parent_adcode"])
        assert row is not None, "districts are whole: a test of the gazetteer holds it"
        above[row["level"]] = row
    return Locality(above.get("province") or above["city"], above.get("city"), above.get("district"))


@lru_cache(maxsize=4096)
def district_at(db: Database, point: Point) -> Row | None:
    """Return the district of a point: that of a nearby place, else the nearest relative to its size; or None.

    The gazetteer has no borders, so within a kilometre of one the result may be the neighbouring district.
    """
    beside = [
        (distance_m(point, Point(row["longitude"], row["latitude"])), row["adcode"])
        for row in all_places(db)
        if abs(row["longitude"] - point.longitude) < _BESIDE_DEG and abs(row["latitude"] - point.latitude) < _BESIDE_DEG
    ]
    if beside and min(beside)[0] <= _BESIDE_M:
        return find_district(db, min(beside)[1])
    near = [
        (distance_m(point, Point(row["longitude"], row["latitude"])) / row["radius_m"], row["adcode"])
        for row in all_districts(db).values()
        if row["level"] == "district" and abs(row["latitude"] - point.latitude) < 1
    ]
    found = min(near, default=(_REACH, ""))
    return find_district(db, found[1]) if found[0] < _REACH else None


def city_at(db: Database, point: Point) -> Row | None:
    """Return the city that a point lies in, or None."""
    district = district_at(db, point)
    found = None if district is None else find_locality(db, district["adcode"])
    return None if found is None else found.city


def below(db: Database, adcode: str) -> list[str]:
    """Return the codes of a district and of everything in it."""
    return list(_below(db, adcode))


@lru_cache(maxsize=1024)
def _below(db: Database, adcode: str) -> tuple[str, ...]:
    inner = [row["adcode"] for row in all_districts(db).values() if row["parent_adcode"] == adcode]
    return tuple(sorted({adcode, *(each for code in inner for each in _below(db, code))}))


def bounds(db: Database, adcode: str) -> tuple[Point, Point]:
    """Return the south-western and north-eastern corner of the box around a district's places and parts."""
    row = db.one(
        "SELECT min(longitude - radius_m / 96000.0) AS west, max(longitude + radius_m / 96000.0) AS east,"
        " min(latitude - radius_m / 111000.0) AS south, max(latitude + radius_m / 111000.0) AS north"
        " FROM districts WHERE parent_adcode = :adcode OR adcode = :adcode",
        adcode=adcode,
    )
    assert row is not None
    return Point(row["west"], row["south"]), Point(row["east"], row["north"])
