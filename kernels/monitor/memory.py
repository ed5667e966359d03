"""Memory: what the processes hold, what the kernel keeps, what files are cached in."""

from __future__ import annotations

from farm.appkit import Episode, Result

from .machines import go_number, machine, resident_bytes, running


def get_memory_info(ep: Episode) -> Result:
    """Return memory and swap, in bytes and per cent."""
    on = machine(ep)
    total, cached = on.row["memory_bytes"], on.row["cached_bytes"]
    used = on.row["kernel_bytes"] + sum(resident_bytes(each, on) for each in running(ep, on))
    free = total - cached - used
    # Nine tenths of the cache could be given up, in whole kibibytes as the kernel counts.
    available = free + cached * 9 // 10 // 1024 * 1024
    swap, swap_used = on.row["swap_bytes"], on.row["swap_used_bytes"]
    return {
        "swap": {
            "free": swap - swap_used,
            "total": swap,
            "used": swap_used,
            "used_percent": go_number(swap_used / swap * 100) if swap else 0,
        },
        "virtual": {
            "available": available,
            "free": free,
            "total": total,
            "used": used,
            "used_percent": go_number(used / total * 100),
        },
    }
