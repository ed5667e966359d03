"""Network interfaces and what went through them since the boot."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import errors
from .machines import Machine, machine


def get_network_info(ep: Episode, *, interface: object = None) -> Result:
    """Return every interface with its counters, or one.

    Args:
        interface: its name; empty, or no string, is all.

    Raises:
        InterfaceNotFound: there is none of this name.
    """
    on = machine(ep)
    rows = ep.reference.all("SELECT * FROM interfaces WHERE hostname = ? ORDER BY position", on.name)
    most = on.row["connections"]
    count = most - ep.hash("connections", ep.now_ms // 60_000) % (most // 10 + 1)
    if not isinstance(interface, str) or not interface:
        return {
            "connection_count": count,
            "interfaces": [_interface(row) for row in rows],
            "io_counters": [_counters(row, on) for row in rows],
        }
    found = next((row for row in rows if row["name"] == interface), None)
    if found is None:
        raise errors.InterfaceNotFound(name=interface)
    return {"connection_count": count, "interface": _interface(found), "io_counter": _counters(found, on)}


def _interface(row: Row) -> dict[str, Any]:
    return {
        "index": row["position"],
        "mtu": row["mtu"],
        "name": row["name"],
        "hardwareAddr": row["hardware_address"],
        "flags": parse_json(row["flags"]),
        "addrs": [{"addr": address} for address in parse_json(row["addresses"])],
    }


def _counters(row: Row, on: Machine) -> dict[str, Any]:
    sent, received = row["sent_bytes_s"] * on.up_s, row["received_bytes_s"] * on.up_s
    return {
        "name": row["name"],
        "bytesSent": sent,
        "bytesRecv": received,
        "packetsSent": sent // row["packet_bytes"],
        "packetsRecv": received // row["packet_bytes"],
        "errin": row["errors_h"] * on.up_s // 3600,
        "errout": 0,
        "dropin": row["drops_h"] * max(on.up_s - row["drops_from_s"], 0) // 3600,
        "dropout": 0,
        "fifoin": 0,
        "fifoout": 0,
    }
