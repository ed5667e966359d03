"""Addresses: from words to a point, from a point to its address and what is near."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row
from farm.appkit.geography import places as gazetteer
from farm.appkit.geography.coordinates import Point, bd09_to_gcj02
from farm.appkit.geography.districts import Locality, district_at, find_locality

from . import errors
from .places import city_code, full_address, kind_of, uid_of
from .points import direction, show_point

_BYTES_MAX = 84
_NEAR_M = 1000
_POIS_MAX = 10
_ROADS_MAX = 3
_BUSINESS_MAX = 3
_INSIDE_M = 30
_DIGITS = 12  # of the geocoder's points
# What the gazetteer recognised → how sure the API is, and what it calls it. A place's level is its kind's.
_LEVELS: dict[gazetteer.Level, tuple[int, int, str | None]] = {
    "province": (0, 10, "省"),
    "city": (0, 20, "城市"),
    "district": (0, 40, "区县"),
    "street": (0, 30, "道路"),
    "number": (1, 80, "门址"),
    "place": (1, 80, None),
}


def geocode(ep: Episode, *, address: str, is_china: str = "true") -> Result:
    """Return where an address is.

    Raises:
        ServiceOff, NoAddress, NoResult: as ``find_address``.

    Source: https://lbsyun.baidu.com/faq/api?title=webapi/guide/webservice-geocoding
    """
    found = find_address(ep, address, is_china)
    precise, confidence, level = _LEVELS[found.level]
    if level is None:
        assert found.place is not None, "what was found as a place has one"
        level = kind_of(ep, found.place)["level"]
    result = {
        "location": show_point(found.point, _DIGITS),
        "precise": precise,
        "confidence": confidence,
        "comprehension": 100,
        "level": level,
    }
    return {"status": 0, "result": result}


def find_address(ep: Episode, address: str, is_china: str) -> gazetteer.GeocodedPlace:
    """Return what the geocoder finds.

    Raises:
        ServiceOff: it is to be sought abroad, which takes a right that the key has not.
        NoAddress: none was given, or too long a one.
        NoResult: nothing of this name is known.
    """
    require_china(is_china)
    if not address.strip() or len(address.encode(errors="surrogatepass")) > _BYTES_MAX:
        raise errors.NoAddress
    found = gazetteer.geocode(ep.reference, address)
    if not found:
        raise errors.NoResult
    return found[0]


def require_china(is_china: str) -> None:
    """Refuse every value but ``true``, as the server then asks the services for abroad.

    Raises:
        ServiceOff: it does.
    """
    if is_china != "true":
        raise errors.ServiceOff


def reverse_geocode(ep: Episode, *, latitude: float, longitude: float) -> Result:
    """Return the address of a point, with the ten nearest places within a kilometre and the three nearest roads.

    Raises:
        NoResult: the point is in no district that is known.

    Source: https://lbsyun.baidu.com/faq/api?title=webapi/guide/webservice-geocoding-abroad
    """
    if not (abs(latitude) <= 90 and abs(longitude) <= 180):
        raise errors.NoResult
    point = bd09_to_gcj02(Point(float(longitude), float(latitude)))
    district = district_at(ep.reference, point)
    at = None if district is None else find_locality(ep.reference, district["adcode"])
    if at is None or at.city is None or at.district is None:
        raise errors.NoResult
    near = gazetteer.places_near(ep.reference, point, _NEAR_M)
    numbered = next(((away, row) for away, row in near if row["street"] and row["number"]), None)
    result = {
        "location": {"lng": longitude, "lat": latitude},
        "formatted_address": _address(at, numbered[1] if numbered else None),
        "business": ",".join(_business(near)),
        "addressComponent": _component(at, point, numbered),
        "pois": [_poi(ep, point, away, row) for away, row in near[:_POIS_MAX]],
        "roads": [
            {"name": name, "distance": str(away)}
            for away, name in gazetteer.streets_near(ep.reference, point)[:_ROADS_MAX]
        ],
        "poiRegions": [_region(ep, row) for away, row in near[:1] if away <= _INSIDE_M],
        "sematic_description": _description(point, near),
        "cityCode": city_code(ep, at.city["adcode"]),
    }
    return {"status": 0, "result": result}


def _business(near: list[tuple[int, Row]]) -> list[str]:
    areas = dict.fromkeys(row["business_area"] for _, row in near if row["business_area"])
    return list(areas)[:_BUSINESS_MAX]


def _address(at: Locality, numbered: Row | None) -> str:
    assert at.city is not None and at.district is not None
    province = "" if at.is_municipality else at.province["name"]
    street = f"{numbered['street']}{numbered['number']}" if numbered else ""
    return f"{province}{at.city['name']}{at.district['name']}{street}"


def _component(at: Locality, point: Point, numbered: tuple[int, Row] | None) -> Row:
    assert at.city is not None and at.district is not None
    away, row = numbered or (None, None)
    return {
        "country": "中国",
        "country_code": 0,
        "country_code_iso": "CHN",
        "country_code_iso2": "CN",
        "province": at.province["name"],
        "city": at.city["name"],
        "city_level": 2,
        "district": at.district["name"],
        "town": "",
        "street": row["street"] if row else "",
        "street_number": row["number"] if row else "",
        "adcode": at.district["adcode"],
        "distance": "" if away is None else str(away),
        "direction": _towards(point, away, row) if row and away is not None else "",
    }


def _poi(ep: Episode, point: Point, away: int, row: Row) -> Row:
    shown = show_point(gazetteer.point_of(row))
    return {
        "addr": full_address(ep, row),
        "direction": _towards(point, away, row),
        "distance": str(away),
        "name": row["name"],
        "point": {"x": shown["lng"], "y": shown["lat"]},
        "tag": kind_of(ep, row)["tag"],
        "tel": row["telephone"] or "",
        "uid": uid_of(row["place_id"]),
    }


def _towards(point: Point, away: int, row: Row) -> str:
    return "附近" if away <= _INSIDE_M else direction(point, gazetteer.point_of(row))


def _region(ep: Episode, row: Row) -> Row:
    return {
        "direction_desc": "内",
        "name": row["name"],
        "tag": kind_of(ep, row)["tag"],
        "uid": uid_of(row["place_id"]),
        "distance": "0",
    }


def _description(point: Point, near: list[tuple[int, Row]]) -> str:
    """Return where a point is, seen from the two places nearest to it: 栈桥空间内,江边面档南139米."""
    said: list[str] = []
    for away, row in near[:2]:
        if away <= _INSIDE_M and not said:
            said.append(f"{row['name']}内")
        else:
            side = "附近" if away <= _INSIDE_M else direction(gazetteer.point_of(row), point)
            said.append(f"{row['name']}{side}{away}米")
    return ",".join(said)
