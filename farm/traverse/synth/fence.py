"""Close a process before generated code runs in it: Landlock, seccomp and limits, without root, on Linux.

Landlock lets the process read a few folders and write into one, and keeps it from TCP. The system-call filter refuses
sockets, new processes and programs, signals, and everything by which one process reaches another. Limits bound memory,
CPU, files. Everything is irrevocable, and holds for whatever the process imports later.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from farm.errors import FarmError

MEMORY_BYTES_MAX = 1024 * 1024 * 1024
CPU_S_MAX = 120
FILE_BYTES_MAX = 64 * 1024 * 1024
_FILES_MAX = 64

_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ABI_NEEDED = 1
_O_PATH = 0o10000000
# Their numbers, and the version of the structure with 64 capabilities.
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITIES = 0x20080522
_EXECUTE, _READ_FILE, _READ_DIR = 1, 4, 8
_READ = _READ_FILE | _READ_DIR
_TCP_FROM_ABI, _SCOPES_FROM_ABI = 4, 6


@dataclass(frozen=True)
class _Machine:
    """One processor's numbers of system calls that generated code has no use for."""

    audit: int
    denied: tuple[int, ...]


# socket, connect, accept, bind, listen, socketpair, clone, fork, vfork, execve, kill, ptrace, … by architecture.
_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        (
            *(29, 41, 42, 43, 49, 50, 53, 56, 57, 58, 59, 62, 64, 68, 101, 135, 155, 161, 165, 166, 167, 169, 175, 176),
            *(
                129,
                160,
                200,
                234,
                237,
                240,
                246,
                248,
                249,
                250,
                272,
                297,
                298,
                303,
                304,
                308,
                310,
                311,
                312,
                313,
                319,
                320,
                321,
                322,
            ),
            *(323, 424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 435, 438, 442, 447),
        ),
    ),
    "aarch64": _Machine(
        0xC00000B7,
        (
            *(
                39,
                40,
                41,
                51,
                92,
                97,
                104,
                105,
                106,
                117,
                129,
                130,
                131,
                138,
                142,
                164,
                180,
                186,
                190,
                194,
                198,
                199,
                200,
                201,
            ),
            *(
                202,
                203,
                217,
                218,
                219,
                220,
                221,
                224,
                225,
                235,
                240,
                241,
                264,
                265,
                268,
                270,
                271,
                272,
                273,
                279,
                280,
                281,
            ),
            *(282, 294, 424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 435, 438, 442, 447),
        ),
    ),
}
_X32 = 0x40000000
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06


def require_fence() -> None:
    """Raise an error that says what is missing, if this machine cannot fence a process.

    Raises:
        FarmError: it is not Linux, its processor is not in our table, or its kernel has no Landlock.
    """
    if sys.platform != "linux":
        raise FarmError(
            f"generated code runs only behind Landlock and seccomp, which {sys.platform} does not have; "
            "run farm synth in a container with Linux"
        )
    if platform.machine() not in _MACHINES:
        raise FarmError(
            f"generated code is fenced on {' and '.join(_MACHINES)} only, and this is {platform.machine()}; "
            "run farm synth on another machine"
        )
    if (abi := landlock_abi()) < _ABI_NEEDED:
        raise FarmError(
            f"this kernel has no Landlock ({abi}), so generated code would see all files; "
            "run farm synth in a container whose kernel has it (Linux 5.13 or newer)"
        )


def landlock_abi() -> int:
    """Return the version of Landlock of this kernel; 0 or less if it has none."""
    return int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1))


def close_fence(*, read: Iterable[Path], write: Path) -> None:
    """Fence this process for good.

    Args:
        read: the folders and files that may be read.
        write: the only folder in which files may be written.

    Raises:
        FarmError: a part of the fence does not hold.
    """
    require_fence()
    libc = _libc()
    _limit()
    if libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise FarmError("the fence does not hold: the process may still gain privileges")
    # Root loses its powers, too: it could raise the limits again, and pass by the owners of files.
    if libc.syscall(_CAPSET[platform.machine()], struct.pack("=Ii", _CAPABILITIES, 0), bytes(24)):
        raise FarmError("the fence does not hold: the process keeps its capabilities")
    _restrict_files(libc, read, write)
    _restrict_calls(libc)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _limit() -> None:
    limits = (
        (resource.RLIMIT_AS, MEMORY_BYTES_MAX),
        (resource.RLIMIT_CPU, CPU_S_MAX),
        (resource.RLIMIT_FSIZE, FILE_BYTES_MAX),
        (resource.RLIMIT_NOFILE, _FILES_MAX),
        (resource.RLIMIT_CORE, 0),
    )
    for what, most in limits:
        resource.setrlimit(what, (most, most))


def _restrict_files(libc: ctypes.CDLL, read: Iterable[Path], write: Path) -> None:
    abi = landlock_abi()
    every = (1 << 13) - 1
    for bit, since in ((13, 2), (14, 3), (15, 5)):
        every |= 1 << bit if abi >= since else 0
    network = 3 if abi >= _TCP_FROM_ABI else 0
    scopes = 3 if abi >= _SCOPES_FROM_ABI else 0
    attributes = struct.pack("=QQQ", every, network, scopes)
    size = 24 if abi >= _SCOPES_FROM_ABI else 16 if abi >= _TCP_FROM_ABI else 8
    ruleset = libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        raise FarmError(f"the fence does not hold: Landlock: {os.strerror(ctypes.get_errno())}")
    for path in read:
        if path.exists():
            _allow(libc, ruleset, path, _READ if path.is_dir() else _READ_FILE)
    _allow(libc, ruleset, write, every & ~_EXECUTE)
    if libc.syscall(_RESTRICT_SELF, ruleset, 0):
        raise FarmError(f"the fence does not hold: Landlock: {os.strerror(ctypes.get_errno())}")
    os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: Path, rights: int) -> None:
    at = os.open(path, _O_PATH | os.O_CLOEXEC)
    try:
        if libc.syscall(_ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, at), 0):
            raise FarmError(f"the fence does not hold: Landlock, {path}: {os.strerror(ctypes.get_errno())}")
    finally:
        os.close(at)


def _restrict_calls(libc: ctypes.CDLL) -> None:
    """Install the filter of system calls: those of the table answer EPERM, another processor's ends the process."""
    machine = _MACHINES[platform.machine()]
    denied = machine.denied
    program = [
        struct.pack("HBBI", _LOAD, 0, 0, 4),
        struct.pack("HBBI", _JUMP_EQUAL, 1, 0, machine.audit),
        struct.pack("HBBI", _RETURN, 0, 0, _KILL),
        struct.pack("HBBI", _LOAD, 0, 0, 0),
        struct.pack("HBBI", _JUMP_AT_LEAST, len(denied) + 1, 0, _X32),
        *(struct.pack("HBBI", _JUMP_EQUAL, len(denied) - at, 0, number) for at, number in enumerate(denied)),
        struct.pack("HBBI", _RETURN, 0, 0, _ALLOW),
        struct.pack("HBBI", _RETURN, 0, 0, _REFUSE),
    ]
    raw = b"".join(program)
    code = ctypes.create_string_buffer(raw, len(raw))
    filter_ = struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code))
    if libc.prctl(_SET_SECCOMP, _FILTER, ctypes.c_char_p(filter_), 0, 0):
        raise FarmError(f"the fence does not hold: seccomp: {os.strerror(ctypes.get_errno())}")
