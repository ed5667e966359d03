"""Addresses of the internet: which city one is said to be in."""

from __future__ import annotations

from ipaddress import AddressValueError, IPv4Address

from farm.kernel import Database, Row


def locate_ip(db: Database, ip: str) -> Row | None:
    """Return the district that an IPv4 address is in, or None where nobody knows.

    Raises:
        ValueError: it is no IPv4 address.
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
