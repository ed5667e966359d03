"""Processes: one in detail, or a list by what they take."""

from __future__ import annotations

import struct
from typing import Any

from farm.appkit import Episode, Result, Row

from . import errors
from .machines import Machine, go_number, machine, resident_bytes, running

_LIMIT = 10
_TICKS_S = 100
_INT32_LIMIT = 2**31
_INT64_LIMIT = 2**63


def get_process_info(ep: Episode, /, **given: Any) -> Result:
    """Return a process, or the list of them.

    Args:
        pid: one process; anything that is no number is refused, null as well.
        limit: how many are listed; zero, less, or no number is ten. Fractions are cut.
        sort_by: ``cpu`` and ``memory`` downwards, ``pid`` and ``name`` upwards; anything else sorts by cpu and is told
            back as it came.

    Raises:
        PidNotANumber, ProcessFailed: no process can have this id, or none has it now.
        Panic: a limit beyond 64 bits.
    """
    on = machine(ep)
    if "pid" in given:
        return _detail(ep, on, given["pid"])
    sort_by = given["sort_by"] if isinstance(given.get("sort_by"), str) else ""
    listed = [_summary(each, on) for each in running(ep, on)]
    _sort(listed, sort_by)
    shown = listed[: _limit(given.get("limit"), len(listed))]
    return {"processes": shown, "returned_count": len(shown), "sort_by": sort_by, "total_count": len(listed)}


def _detail(ep: Episode, on: Machine, pid: Any) -> dict[str, Any]:
    if not _is_number(pid):
        raise errors.PidNotANumber
    number = _int32(pid)
    if number <= 0:
        raise errors.ProcessFailed(problem=f"invalid pid {number}")
    row = next((each for each in running(ep, on) if each["pid"] == number), None)
    if row is None:
        raise errors.ProcessFailed(problem="process does not exist")
    reads, writes = (row[each] * (on.up_s - row["started_s"]) // 3600 for each in ("reads_h", "writes_h"))
    return {
        "cmdline": row["cmdline"],
        "cpu_percent": _cpu_percent(row, on),
        "create_time": (on.booted_s + row["started_s"]) * 1000,
        "io_counters": {
            "readCount": reads,
            "writeCount": writes,
            "readBytes": reads * row["read_bytes"],
            "writeBytes": writes * row["write_bytes"],
            # What came from the cache was not read from a disk.
            "diskReadBytes": reads * row["read_bytes"] // 8 // 4096 * 4096,
            "diskWriteBytes": writes * row["write_bytes"] // 4096 * 4096,
        },
        "memory": {"rss": resident_bytes(row, on), "swap": 0, "vms": row["virtual_bytes"]},
        "name": row["name"],
        "num_threads": row["threads"],
        "pid": number,
        "status": [row["status"]],
        "username": row["username"],
    }


def _summary(row: Row, on: Machine) -> dict[str, Any]:
    resident = resident_bytes(row, on)
    # The server asks for what stands in statm, which tells of these two only.
    unknown = dict.fromkeys(("hwm", "data", "stack", "locked", "swap"), 0)
    return {
        "cpu_percent": _cpu_percent(row, on),
        "mem_percent": go_number(_float32(_float32(100 * _float32(resident)) / _float32(on.row["memory_bytes"]))),
        "memory_bytes": {"rss": resident, "vms": row["virtual_bytes"], **unknown},
        "name": row["name"],
        "pid": row["pid"],
    }


def _cpu_percent(row: Row, on: Machine) -> int | float:
    """Return the share of one core that a process took since it began."""
    ran_s = (on.up_ms - row["started_s"] * 1000) / 1000
    ticks = int(row["cpu_percent"] * (on.up_s - row["started_s"]))
    return go_number(100 * (ticks / _TICKS_S) / ran_s) if ran_s > 0 else 0


def _sort(listed: list[dict[str, Any]], by: str) -> None:
    """Sort as told; the list comes by id, and that decides between equals."""
    match by:
        case "pid":
            return
        case "name":
            listed.sort(key=lambda each: each["name"].encode())
        case "memory":
            listed.sort(key=lambda each: -each["mem_percent"])
        case _:
            listed.sort(key=lambda each: -each["cpu_percent"])


def _limit(limit: Any, there: int) -> int:
    if not _is_number(limit) or limit <= 0:
        return _LIMIT
    if limit >= _INT64_LIMIT:
        # What does not fit becomes the smallest number there is.
        raise errors.Panic(f"panic: runtime error: slice bounds out of range [:{-_INT64_LIMIT}]")
    return min(int(limit), there)


def _is_number(value: Any) -> bool:
    # NaN is no JSON, so no real client gets so far with it.
    return type(value) in (int, float) and value == value


def _int32(number: float) -> int:
    """Return a float64 as Go makes an int32 of it on a 64-bit machine: cut, and the smallest where it does not fit."""
    return int(number) if abs(number) < _INT32_LIMIT else -_INT32_LIMIT


def _float32(number: float) -> float:
    return float(struct.unpack("f", struct.pack("f", number))[0])
