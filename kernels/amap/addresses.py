"""Addresses: from words to a point, from a point to its district, from an internet address to its city."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network

from farm.appkit import Episode, Result, Row
from farm.appkit.geography import addresses as internet
from farm.appkit.geography import places
from farm.appkit.geography.districts import bounds, district_at, find_locality

from . import canned_responses, errors
from .formats import or_nothing, read_point, show_point

# How the gazetteer says that a district has no area code.
_NO_CODE = "-"
_NOWHERE: Row = {"province": [], "city": [], "adcode": [], "rectangle": []}
# Addresses of a local network, which the API names in the province's place.
_LOCAL = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_LEVELS = {"province": "省", "city": "市", "district": "区县", "street": "道路", "number": "门址", "place": "兴趣点"}


def regeocode(ep: Episode, *, location: str) -> Result:
    """Return province, city and district of a point. A municipality has no city; where nobody knows, all are empty.

    Raises:
        InvalidParams: no point.

    Source: https://lbs.amap.com/api/webservice/guide/api/georegeo
    """
    if (answer := canned_responses.find_answer(ep, "/v3/geocode/regeo", location=location)) is not None:
        return canned_responses.district(answer)
    district = district_at(ep.reference, read_point(location))
    found = None if district is None else find_locality(ep.reference, district["adcode"])
    if found is None:
        return {"province": [], "city": [], "district": []}
    city = None if found.city is None or found.is_municipality else found.city["name"]
    return {
        "province": found.province["name"],
        "city": or_nothing(city),
        "district": or_nothing(found.district["name"] if found.district else None),
    }


def geocode(ep: Episode, *, address: str, city: str | None = None) -> Result:
    """Return where an address is.

    Raises:
        MissingRequiredParams: no address.
        EngineResponseDataError: nothing of this name is known.

    Source: https://lbs.amap.com/api/webservice/guide/api/georegeo
    """
    return {"return": find_address(ep, address, city)}


def find_address(ep: Episode, address: str, city: str | None) -> list[Row]:
    """Return where an address is; at least one point, unless the episode tells of none.

    Raises:
        MissingRequiredParams, EngineResponseDataError: as ``geocode``.
    """
    # The server leaves an empty city out.
    query = {"address": address, **({"city": city} if city else {})}
    if (answer := canned_responses.find_answer(ep, "/v3/geocode/geo", **query)) is not None:
        return canned_responses.geocodes(answer)
    if not address:
        raise errors.MissingRequiredParams
    found = places.geocode(ep.reference, address, city)
    if not found:
        raise errors.EngineResponseDataError
    return [_geocode(ep, each) for each in found]


def locate_ip(ep: Episode, *, ip: str) -> Result:
    """Return the city of an internet address; of foreign ones, of what is none and without one, nothing.

    Source: https://lbs.amap.com/api/webservice/guide/api/ipconfig
    """
    if (answer := canned_responses.find_answer(ep, "/v3/ip", ip=ip)) is not None:
        return canned_responses.ip_city(answer)
    try:
        number = IPv4Address(ip)
    except ValueError:
        return dict(_NOWHERE)
    if any(number in network for network in _LOCAL):
        return {**_NOWHERE, "province": "局域网"}
    district = internet.locate_ip(ep.reference, ip)
    found = None if district is None else find_locality(ep.reference, district["adcode"])
    if district is None or found is None:
        return dict(_NOWHERE)
    south_west, north_east = bounds(ep.reference, district["adcode"])
    return {
        "province": found.province["name"],
        "city": found.lowest["name"],
        "adcode": district["adcode"],
        "rectangle": f"{show_point(south_west)};{show_point(north_east)}",
    }


def _geocode(ep: Episode, found: places.GeocodedPlace) -> Row:
    at = find_locality(ep.reference, found.adcode)
    assert at is not None, "every place of the gazetteer is in a district"
    # A place that was found by its name has no street and number here.
    is_address = found.level in ("number", "street")
    level = "province" if found.level == "city" and at.is_municipality else found.level
    citycode = at.lowest["citycode"]
    return {
        "country": "中国",
        "province": at.province["name"],
        "city": or_nothing(at.city["name"] if at.city else None),
        "citycode": or_nothing(None if citycode == _NO_CODE else citycode),
        "district": or_nothing(at.district["name"] if at.district else None),
        "street": or_nothing(found.street if is_address else None),
        "number": or_nothing(found.number if is_address else None),
        "adcode": found.adcode,
        "location": show_point(found.point),
        "level": _LEVELS[level],
    }
