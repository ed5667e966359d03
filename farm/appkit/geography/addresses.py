"""IP addresses and their locations."""

from __future__ import annotations

from ipaddress import AddressValueError, IPv4Address

from farm.appkit.handler_api import Database, Row


def locate_ip(db: Database, ip: str) -> Row | None:
    """Return the district of an IPv4 address, or None if it is unknown.

    Raises:
        ValueError: the text is not an IPv4 address.
    """
    try:
        number = int(IPv4Address(ip))
    except AddressValueError as problem:
        raise ValueError(str(problem)) from None
    return db.one(
        "SELECT d.* FROM ip_ranges r JOIN districts d USING (adcode) WHERE ? BETWEEN r.first AND r.last"
        " ORDER BY r.first LIMIT 1",
        number,
    )
