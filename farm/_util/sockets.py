"""Sockets and the data folder, which a server needs before it starts anything."""

from __future__ import annotations

import errno
import os
import socket
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from farm.errors import FarmError

BACKLOG = 2048


def bind(host: str, port: int, option: str) -> socket.socket:
    """Return a listening socket; port 0 takes any free one.

    Args:
        option: the command-line option that chooses this port, for the message.

    Raises:
        FarmError: the port is taken, or the address is invalid or not this machine's.
    """
    if not host:
        # The system treats an empty host as every address.
        raise FarmError("--host names no address; 0.0.0.0 is every one of this machine")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(BACKLOG)
    except (OSError, OverflowError) as problem:
        bound.close()
        raise _cannot(host, port, option, problem) from None
    bound.setblocking(False)
    return bound


def _cannot(host: str, port: int, option: str, problem: Exception) -> FarmError:
    if isinstance(problem, socket.gaierror) or getattr(problem, "errno", None) == errno.EADDRNOTAVAIL:
        return FarmError(f"'{host}' is no address of this machine; choose another with --host")
    reason = problem.strerror if isinstance(problem, OSError) else "ports run from 0 to 65535"
    return FarmError(f"port {port} of {host} cannot be used ({reason}); choose another with {option}")


def refusal(host: str, port: int, seconds: float) -> str | None:
    """Return why nothing accepts a connection at a TCP address within some seconds, or None if something does."""
    try:
        socket.create_connection((host, port), seconds).close()
    except (OSError, OverflowError) as problem:
        return str(problem)
    return None


def connectable_host(host: str) -> str:
    """Return the host under which this machine reaches a listening address, as URLs write it."""
    if host in ("0.0.0.0", "", "::"):
        return "127.0.0.1" if host != "::" else "[::1]"
    return f"[{host}]" if ":" in host else host


def is_beyond_loopback(host: str, allowed_hosts: Iterable[str]) -> bool:
    """Return whether clients on other machines may connect: through the address, or through further host names.

    Args:
        host: the address to listen on.
        allowed_hosts: accepted names in Host and Origin; a proxy, or any page in a browser, may use one of them.
    """
    return not all(name in ("127.0.0.1", "localhost", "::1", "[::1]") for name in (host, *allowed_hosts))


def keep_private() -> None:
    """Make all files that this process and its children write from now on readable by their user only."""
    os.umask(0o077)


def _close_to_others(data: Path) -> None:
    """Close an existing data folder to other users, unless it also holds other things, such as /tmp."""
    mode = data.stat().st_mode
    is_only_ours = (data / "farm.secret").exists() or not any(data.iterdir())
    if is_only_ours and not mode & stat.S_ISVTX and mode & 0o077:
        with suppress(PermissionError):  # owned by another user who grants us access: a volume with a shared group
            data.chmod(0o700)


def require_writable(data: Path) -> Path:
    """Return the data folder; create it for its owner only if it does not exist.

    Raises:
        FarmError: the folder is not writable.
    """
    try:
        if not data.exists():
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
        _close_to_others(data)
        (data / "episodes").mkdir(mode=0o700, exist_ok=True)
        probe = data / f".writable.{os.getpid()}"
        probe.touch()
        probe.unlink(missing_ok=True)  # containers that share the folder each count their processes from 1
    except OSError as problem:
        raise FarmError(
            f"data folder {data} is not writable ({problem.strerror}); choose another with --data"
        ) from None
    return data
