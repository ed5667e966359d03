"""The machine itself: its system, since when it is up, and who is signed in."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result
from farm.appkit.formats.times import go_rfc3339

from .machines import Machine, machine, running


def get_host_info(ep: Episode) -> Result:
    """Return the machine, its boot and its users.

    Users have one of two shapes: systemd-logind's, with capitals, or utmp's.
    """
    on = machine(ep)
    row = on.row
    info = {
        "hostname": on.name,
        "uptime": on.up_s,
        "bootTime": on.booted_s,
        "procs": len(running(ep, on)),
        "os": "linux",
        "platform": row["platform"],
        "platformFamily": row["platform_family"],
        "platformVersion": row["platform_version"],
        "kernelVersion": row["kernel_version"],
        "kernelArch": row["kernel_arch"],
        "virtualizationSystem": row["virtualization_system"],
        "virtualizationRole": row["virtualization_role"],
        "hostId": row["host_id"],
    }
    return {
        "boot_time": on.booted_s,
        "boot_time_formatted": go_rfc3339(on.booted_s * 1000, ep.zone),
        "info": info,
        "uptime": on.up_s,
        "uptime_formatted": _span(on.up_s),
        "users": _users(ep, on),
    }


def _users(ep: Episode, on: Machine) -> list[dict[str, Any]]:
    logins = ep.reference.all(
        "SELECT * FROM logins WHERE hostname = ? AND started_s <= ? ORDER BY started_s, terminal", on.name, on.up_s
    )
    if on.row["has_logind"]:
        # logind counts people, utmp their terminals.
        people = {each["uid"]: each["name"] for each in logins}
        path = "/org/freedesktop/login1/user/_{}"
        return [{"UID": uid, "Name": name, "Path": path.format(uid)} for uid, name in people.items()]
    return [
        {
            "user": each["name"],
            "terminal": each["terminal"],
            "host": each["origin"],
            "started": on.booted_s + each["started_s"],
        }
        for each in logins
    ]


def _span(seconds: int) -> str:
    """Return a duration as the server words it, never in the singular."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    return f"{days} days {hours} hours {minutes} minutes {seconds} seconds"
