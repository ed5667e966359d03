"""Which machine the server runs on, and how far it is from its boot: all else follows from these two."""

from __future__ import annotations

from dataclasses import dataclass

from farm.appkit import Episode, Row

WEEK_S = 7 * 86_400
# The first Monday of 1970.
_MONDAY_S = 4 * 86_400


@dataclass(frozen=True, slots=True)
class Machine:
    """One machine at one moment.

    Attributes:
        row: of table ``hosts``.
        booted_s: when it was booted last, in seconds since 1970.
        up_s: whole seconds since then.
        up_ms: the same in milliseconds.
    """

    row: Row
    booted_s: int
    up_s: int
    up_ms: int

    @property
    def name(self) -> str:
        """Its host name, the key of every table."""
        return str(self.row["hostname"])


def machine(ep: Episode) -> Machine:
    """Return the machine that the caller's server runs on, or else the cluster's first."""
    row = ep.reference.one("SELECT * FROM hosts WHERE watched_by = ?", ep.me)
    row = row or ep.reference.one("SELECT * FROM hosts ORDER BY position LIMIT 1")
    assert row is not None, "a cluster has a machine"
    now_s = ep.now_ms // 1000
    up_s = (now_s - _MONDAY_S - row["boots_s"]) % WEEK_S
    return Machine(row, now_s - up_s, up_s, up_s * 1000 + ep.now_ms % 1000)


def running(ep: Episode, on: Machine) -> list[Row]:
    """Return the processes that run now, by their ids."""
    return ep.reference.all(
        "SELECT * FROM processes WHERE hostname = ? AND started_s <= ? AND coalesce(ended_s > ?, 1) ORDER BY pid",
        *(on.name, on.up_s, on.up_s),
    )


def resident_bytes(process: Row, on: Machine) -> int:
    """Return how much memory a process has in use: whole pages."""
    grown = process["grows_bytes_h"] * (on.up_s - process["started_s"]) // 3600
    return int(process["resident_bytes"] + grown // 4096 * 4096)


def go_number(value: float) -> int | float:
    """Return a float64 so that it is printed as Go prints it: without ``.0`` where it is whole."""
    return int(value) if value.is_integer() else value
