"""Disks: how full the mount of a path is, what is mounted, what the devices did since the boot."""

from __future__ import annotations

from itertools import pairwise
from posixpath import normpath
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import errors
from .machines import Machine, go_number, machine

_NAME_BYTES_MAX, _PATH_BYTES_MAX = 255, 4095
# Of what a device did: how many operations were merged into others, and how long one took.
_MERGED_PARTS, _READ_MS, _WRITE_MS = 8, 1, 2


def get_disk_info(ep: Episode, *, path: object = None, all_partitions: object = False) -> Result:
    """Return the usage of the file system that a path is on.

    Args:
        path: what the schema calls its default is never put in: no path, or one that is no string, is the empty path,
            which names nothing.
        all_partitions: whether all mounts are listed as well; what is no boolean is false.

    Raises:
        DiskUsageFailed: the path is nothing that is there.
    """
    on = machine(ep)
    path = path if isinstance(path, str) else ""
    mounts = ep.reference.all("SELECT * FROM mounts WHERE hostname = ? ORDER BY position", on.name)
    mount = _require_mount(ep, path, mounts)
    body: dict[str, Any] = {"io_counters": _counters(ep, on)}
    if all_partitions is True:
        body["partitions"] = [_partition(each) for each in mounts]
    return {**body, "path": path, "usage": _usage(ep, on, path, mount)}


def _require_mount(ep: Episode, path: str, mounts: list[Row]) -> Row:
    """Return the mount that a path is on; what is not absolute begins at the root, where the server was started."""
    if "\0" in path:
        raise errors.DiskUsageFailed(problem="invalid argument")
    names = path.split("/")
    if _size(path) > _PATH_BYTES_MAX or any(_size(name) > _NAME_BYTES_MAX for name in names):
        raise errors.DiskUsageFailed(problem="file name too long")
    if not path:
        raise errors.DiskUsageFailed(problem="no such file or directory")
    by_point = {each["mountpoint"]: each for each in mounts}
    whole = "/"
    for name in names:
        if name == "..":
            # Linux goes up from what is there, and from nothing else.
            _require_path(ep, whole, by_point, is_folder=True)
        whole = normpath(f"{whole}/{name}").replace("//", "/")
    _require_path(ep, whole, by_point, is_folder=names[-1] in ("", ".", ".."))
    return max(
        (each for point, each in by_point.items() if point == "/" or f"{whole}/".startswith(f"{point}/")),
        key=lambda each: len(each["mountpoint"]),
    )


def _size(text: str) -> int:
    # Half a character becomes another of as many bytes on its way to Go.
    return len(text.encode("utf-8", "surrogatepass"))


def _require_path(ep: Episode, path: str, mounts: dict[str, Row], *, is_folder: bool) -> None:
    if path in mounts:
        return
    found = ep.reference.one("SELECT is_folder FROM paths WHERE path = ?", path)
    if found is None:
        above = path.rpartition("/")[0]
        while above and ep.reference.one("SELECT 1 AS there FROM paths WHERE path = ?", above) is None:
            above = above.rpartition("/")[0]
        is_file = ep.reference.scalar("SELECT is_folder FROM paths WHERE path = ?", above) == 0
        raise errors.DiskUsageFailed(problem="not a directory" if is_file else "no such file or directory")
    if is_folder and not found["is_folder"]:
        raise errors.DiskUsageFailed(problem="not a directory")


def _usage(ep: Episode, on: Machine, path: str, mount: Row) -> dict[str, Any]:
    used = _used_bytes(ep, on, mount["mountpoint"])
    free = mount["size_bytes"] - mount["reserved_bytes"] - used
    inodes, inodes_used = mount["inodes"], mount["inodes_used"]
    return {
        "path": path,
        "fstype": mount["family"],
        "total": mount["size_bytes"],
        "free": free,
        "used": used,
        # Of what could be used, not of the total: that is how df counts, too.
        "usedPercent": go_number(used / (used + free) * 100.0) if used + free else 0,
        "inodesTotal": inodes,
        "inodesUsed": inodes_used,
        "inodesFree": inodes - inodes_used,
        "inodesUsedPercent": go_number(inodes_used / inodes * 100.0) if inodes else 0,
    }


def _used_bytes(ep: Episode, on: Machine, mountpoint: str) -> int:
    """Return how much is used, in whole blocks: on the line between the points before and after now."""
    points = ep.reference.all(
        "SELECT at_s, used_bytes FROM levels WHERE hostname = ? AND mountpoint = ? ORDER BY at_s", on.name, mountpoint
    )
    for before, after in pairwise(points):
        if before["at_s"] <= on.up_s < after["at_s"]:
            moved = (after["used_bytes"] - before["used_bytes"]) * (on.up_s - before["at_s"])
            used = before["used_bytes"] + moved // (after["at_s"] - before["at_s"])
            return int(used // 4096 * 4096)
    return int(points[-1]["used_bytes"]) if points else 0


def _partition(mount: Row) -> dict[str, Any]:
    return {
        "device": mount["device"],
        "mountpoint": mount["mountpoint"],
        "fstype": mount["fstype"],
        "opts": parse_json(mount["options"]),
    }


def _counters(ep: Episode, on: Machine) -> dict[str, Any]:
    rows = ep.reference.all("SELECT * FROM disks WHERE hostname = ? ORDER BY name", on.name)
    return {row["name"]: _counter(row, on) for row in rows}


def _counter(row: Row, on: Machine) -> dict[str, Any]:
    reads, writes = (row[each] * on.up_s // 3600 for each in ("reads_h", "writes_h"))
    busy_ms = reads * _READ_MS + writes * _WRITE_MS
    return {
        "readCount": reads,
        "mergedReadCount": reads // _MERGED_PARTS,
        "writeCount": writes,
        "mergedWriteCount": writes // _MERGED_PARTS,
        "readBytes": reads * row["read_bytes"],
        "writeBytes": writes * row["write_bytes"],
        "readTime": reads * _READ_MS,
        "writeTime": writes * _WRITE_MS,
        "iopsInProgress": 0,
        "ioTime": busy_ms,
        "weightedIO": busy_ms,
        "name": row["name"],
        "serialNumber": row["serial"],
        "label": row["label"],
    }
