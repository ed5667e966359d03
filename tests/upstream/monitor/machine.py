"""The stand-in for a machine: a file system of its own in which a system monitor finds what rows say.

``python machine.py DESCRIPTION BINARY`` is run in namespaces of its own (``unshare --mount --net --uts``). DESCRIPTION
is a JSON file with the rows of the cluster's tables and ``at_s``, the second that is written down. It writes /proc,
/etc and /var/run as Linux shows them, mounts what the rows mount, makes the interfaces, and becomes the monitor.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import stat
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

Row = dict[str, Any]
_ROOT_BYTES = 256 * 1024 * 1024
_STATES = {"sleep": "S (sleeping)", "running": "R (running)", "idle": "I (idle)", "blocked": "D (disk sleep)"}


def main() -> None:
    """Build the machine and become the monitor."""
    description = Path(sys.argv[1])
    told = json.loads(description.read_text("utf-8"))
    binary = Path(sys.argv[2]).read_bytes()
    host = told["hosts"][0]
    up_s = told["up_s"]
    root = description.with_suffix(".root")
    root.mkdir(exist_ok=True)
    _mount("tmpfs", root, f"size={_ROOT_BYTES},nr_inodes=100000,mode=755")
    (root / "monitor").write_bytes(binary)
    (root / "monitor").chmod(0o755)
    _paths(root, told)
    _nodes(root, told["disks"])
    _mount("tmpfs", _folder(root / "proc"), "mode=755")
    _proc(root / "proc", told, host, up_s)
    _etc(root, host, told, up_s)
    _network(told["interfaces"])
    socket.sethostname(host["hostname"])
    description.with_suffix(".disks").write_text(json.dumps(_disks(root, told["mounts"])), "utf-8")
    os.chroot(root)
    os.chdir("/")
    os.execve("/monitor", ["/monitor"], {"PATH": "/bin"})


def _mount(kind: str, at: Path, options: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(kind.encode(), str(at).encode(), kind.encode(), 0, options.encode()):
        raise OSError(ctypes.get_errno(), f"mount {kind} on {at}")


def _folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


def _write(path: Path, text: str) -> None:
    _folder(path.parent)
    path.write_text(text, "utf-8")


def _paths(root: Path, told: dict[str, Any]) -> None:
    """Mount what can be mounted anywhere, fill it as told, and put the known folders and files there."""
    for mount in told["mounts"]:
        if mount["family"] != "tmpfs" or mount["mountpoint"] in ("/", "/proc"):
            continue
        at = _folder(root / mount["mountpoint"].lstrip("/"))
        _mount("tmpfs", at, f"size={mount['size_bytes']},nr_inodes={mount['inodes']},mode=755")
        (at / ".filled").write_bytes(b"\0" * told["filled_bytes"])
    for each in told["paths"]:
        path = root / each["path"].lstrip("/")
        if each["is_folder"]:
            _folder(path)
        else:
            _write(path, "")


def _nodes(root: Path, disks: list[Row]) -> None:
    """Make the devices of the disks, and what udev knows of them."""
    for number, row in enumerate(disks):
        os.mknod(root / "dev" / row["name"], stat.S_IFBLK | 0o600, os.makedev(254, number))
        _write(root / f"run/udev/data/b254:{number}", f"E:ID_SERIAL={row['serial']}\nE:ID_FS_LABEL={row['label']}\n")


def _disks(root: Path, mounts: list[Row]) -> dict[str, dict[str, int]]:
    """Return how full the mounts are: what statfs says, which the rows cannot decide."""
    found = {}
    for mount in mounts:
        is_made = mount["family"] == "tmpfs" and mount["mountpoint"] != "/proc"
        if is_made:
            said = os.statvfs(root / mount["mountpoint"].lstrip("/"))
            size, free = said.f_blocks * said.f_frsize, said.f_bfree * said.f_frsize
            found[mount["mountpoint"]] = {"size_bytes": size, "used_bytes": size - free}
            found[mount["mountpoint"]] |= {"inodes": said.f_files, "inodes_used": said.f_files - said.f_ffree}
    return found


def _proc(proc: Path, told: dict[str, Any], host: Row, up_s: int) -> None:
    chip = told["processors"][0]
    flags = " ".join(json.loads(chip["flags"]))
    cores = [
        f"processor\t: {core}\nvendor_id\t: {chip['vendor']}\ncpu family\t: {chip['family']}\n"
        f"model\t\t: {chip['model']}\n"
        f"model name\t: {chip['model_name']}\nstepping\t: {chip['stepping']}\nmicrocode\t: {chip['microcode']}\n"
        f"cpu MHz\t\t: {chip['mhz']}\ncache size\t: {chip['cache_kb']} KB\nphysical id\t: 0\ncore id\t\t: {core}\n"
        f"flags\t\t: {flags}\n\n"
        for core in range(chip["cores"])
    ]
    _write(proc / "cpuinfo", "".join(cores))
    _write(proc / "modules", "virtio_net 61440 0\nkvm_intel 380928 0\n")
    _write(proc / "bus/pci/devices", "0010\t1af41041\t0\tvirtio-pci\n")
    ticks = up_s * 100
    lines = [f"cpu {ticks} 0 {ticks} {ticks} 0 0 0 0 0 0"]
    lines += [f"cpu{core} {ticks} 0 {ticks} {ticks} 0 0 0 0 0 0" for core in range(chip["cores"])]
    _write(proc / "stat", "\n".join([*lines, f"btime {told['at_s'] - up_s}", ""]))
    alive = [each for each in told["processes"] if each["started_s"] <= up_s]
    held = sum(_resident(each, up_s) for each in alive)
    free = host["memory_bytes"] - host["cached_bytes"] - host["kernel_bytes"] - held
    available = free + host["cached_bytes"] * 9 // 10
    amounts = {"MemTotal": host["memory_bytes"], "MemFree": free, "MemAvailable": available, "Buffers": 0}
    amounts |= {"Cached": host["cached_bytes"], "SReclaimable": 0}
    _write(proc / "meminfo", "".join(f"{name}: {value // 1024} kB\n" for name, value in amounts.items()))
    for each in alive:
        _process(proc / str(each["pid"]), each, told["uids"][each["username"]], up_s)
    _devices(proc, told, up_s)
    for name in ("tcp6", "udp", "udp6", "unix"):
        _write(proc / "net" / name, "header\n")
    connections = [
        f"   {number}: 0100007F:{8000 + number:04X} 0100007F:01BB 01 00000000:00000000 00:00000000 00000000"
        f" 0 0 {number}\n"
        for number in range(host["connections"])
    ]
    _write(proc / "net/tcp", "header\n" + "".join(connections))


def _resident(process: Row, up_s: int) -> int:
    grown = process["grows_bytes_h"] * (up_s - process["started_s"]) // 3600
    return int(process["resident_bytes"] + grown // 4096 * 4096)


def _process(folder: Path, row: Row, uid: int, up_s: int) -> None:
    ran_s = up_s - row["started_s"]
    # A program's name is cut, a thread's of the kernel is not.
    name = row["name"][:15] if row["cmdline"] else row["name"]
    ticks = int(row["cpu_percent"] * ran_s)
    fields = [0] * 53
    fields[14], fields[22] = ticks, row["started_s"] * 100
    rest = " ".join(map(str, fields[4:]))
    _write(folder / "stat", f"{row['pid']} ({name}) S {rest}\n")
    _write(folder / "comm", f"{name}\n")
    _write(folder / "cmdline", row["cmdline"].replace(" ", "\0") + "\0" if row["cmdline"] else "")
    state = _STATES[row["status"]]
    _write(
        folder / "status",
        f"Name:\t{name}\nState:\t{state}\nTgid:\t{row['pid']}\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\nThreads:\t{row['threads']}\n"
        f"VmHWM:\t   99 kB\nVmData:\t   98 kB\nVmSwap:\t   97 kB\n",
    )
    pages = row["virtual_bytes"] // 4096, _resident(row, up_s) // 4096
    _write(folder / "statm", f"{pages[0]} {pages[1]} 1 1 0 1 0\n")
    reads, writes = row["reads_h"] * ran_s // 3600, row["writes_h"] * ran_s // 3600
    read, written = reads * row["read_bytes"], writes * row["write_bytes"]
    amounts = {"rchar": read, "wchar": written, "syscr": reads, "syscw": writes}
    amounts |= {
        "read_bytes": read // 8 // 4096 * 4096,
        "write_bytes": written // 4096 * 4096,
        "cancelled_write_bytes": 0,
    }
    _write(folder / "io", "".join(f"{name}: {value}\n" for name, value in amounts.items()))
    _folder(folder / "fd")


def _devices(proc: Path, told: dict[str, Any], up_s: int) -> None:
    disks = []
    for number, row in enumerate(told["disks"]):
        reads, writes = row["reads_h"] * up_s // 3600, row["writes_h"] * up_s // 3600
        busy_ms = reads + 2 * writes
        read, written = reads * row["read_bytes"] // 512, writes * row["write_bytes"] // 512
        disks.append(
            f"254 {number} {row['name']} {reads} {reads // 8} {read} {reads} "
            f"{writes} {writes // 8} {written} {2 * writes} 0 {busy_ms} {busy_ms}\n"
        )
    _write(proc / "diskstats", "".join(disks))
    counters = ["Inter-|   Receive\n face |bytes packets errs drop\n"]
    for row in told["interfaces"]:
        sent, received = row["sent_bytes_s"] * up_s, row["received_bytes_s"] * up_s
        packet, errors = row["packet_bytes"], row["errors_h"] * up_s // 3600
        dropped = row["drops_h"] * max(up_s - row["drops_from_s"], 0) // 3600
        counters.append(
            f"{row['name']}: {received} {received // packet} {errors} {dropped} 0 0 0 0 "
            f"{sent} {sent // packet} 0 0 0 0 0 0\n"
        )
    _write(proc / "net/dev", "".join(counters))
    lines = [
        f"{20 + row['position']} 1 0:{row['position']} / {row['mountpoint']} "
        f"{','.join(json.loads(row['options']))} shared:1 - {row['fstype']} {row['device']} rw\n"
        for row in told["mounts"]
    ]
    _write(proc / "1/mountinfo", "".join(lines))


def _etc(root: Path, host: Row, told: dict[str, Any], up_s: int) -> None:
    _write(root / "etc/debian_version", host["platform_version"] + "\n")
    _write(root / "etc/machine-id", host["host_id"].replace("-", "") + "\n")
    users = "".join(f"{name}:x:{uid}:{uid}:{name}:/:/bin/sh\n" for name, uid in told["uids"].items())
    _write(root / "etc/passwd", users)
    signed_in = b"".join(
        struct.pack(
            "<hxxi32s4s32s256shhiii4i20x",
            *(7, 1, each["terminal"].encode(), b"", each["name"].encode(), each["origin"].encode()),
            *(0, 0, 0, told["at_s"] - up_s + each["started_s"], 0, 0, 0, 0, 0),
        )
        for each in told["logins"]
    )
    _folder(root / "var/run")
    (root / "var/run/utmp").write_bytes(signed_in)


def _network(interfaces: list[Row]) -> None:
    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True, stdout=sys.stderr)

    for row in interfaces:
        name = row["name"]
        if name != "lo":
            # A tap without anybody at its end: it has no carrier, so the kernel gives it no address of its own.
            ip("tuntap", "add", name, "mode", "tap")
            ip("link", "set", name, "address", row["hardware_address"], "mtu", str(row["mtu"]))
            for address in json.loads(row["addresses"]):
                ip("address", "add", address, "dev", name)
        ip("link", "set", name, "up")


if __name__ == "__main__":
    main()
