"""Locations of internet addresses: the city one is said to be in."""

from __future__ import annotations

from ipaddress import IPv4Address

from farm.appkit import Episode, Result
from farm.appkit.geography.addresses import locate_ip
from farm.appkit.geography.coordinates import Point
from farm.appkit.geography.districts import find_locality

from . import errors
from .places import city_code
from .points import show_metres

# Whoever asks without an address asks from here: the first block of Shanghai.
_HOME = "310000"


def locate(ep: Episode, *, ip: str = "") -> Result:
    """Return the city of an address, or of whoever asks. Its point is in metres: the server asks for no other system.

    Raises:
        NotLocated: nobody knows where the address is, or it is none.

    Source: https://lbsyun.baidu.com/faq/api?title=webapi/ip-api
    """
    asked = ip or str(IPv4Address(ep.reference.scalar("SELECT min(first) FROM ip_ranges WHERE adcode = ?", _HOME)))
    try:
        district = locate_ip(ep.reference, asked)
    except ValueError:
        raise errors.NotLocated(ip=asked) from None
    at = None if district is None else find_locality(ep.reference, district["adcode"])
    if at is None or at.city is None:
        raise errors.NotLocated(ip=asked)
    province, city = at.province["name"], at.city["name"]
    detail = {
        "adcode": at.city["adcode"],
        "city": city,
        "city_code": city_code(ep, at.city["adcode"]),
        "district": "",
        "province": province,
        "street": "",
        "street_number": "",
    }
    return {
        "address": f"CN|{province}|{city}|None|None|100|100",
        "content": {
            "address": city if at.is_municipality else f"{province}{city}",
            "address_detail": detail,
            "point": show_metres(Point(at.city["longitude"], at.city["latitude"])),
        },
        "status": 0,
    }
