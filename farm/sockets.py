"""Listening sockets and the data folder: what a server must have before it starts anything."""

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
        FarmError: the port is taken, or the address is none or not this machine's.
    """
    if not host:
        # To the system this is every address there is.
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


def reachable(host: str) -> str:
    """Return the host by which this machine reaches what listens there, in the form URLs take."""
    if host in ("0.0.0.0", "", "::"):
        return "127.0.0.1" if host != "::" else "[::1]"
    return f"[{host}]" if ":" in host else host


def is_beyond_loopback(host: str, allowed_hosts: Iterable[str]) -> bool:
    """Say whether others than this machine's own programs may get in: listening elsewhere, or under further names.

    Args:
        host: the address to listen on.
        allowed_hosts: names in Host and Origin to let in; behind one of them may be a proxy, or any page in a browser.
    """
    return not all(name in ("127.0.0.1", "localhost", "::1", "[::1]") for name in (host, *allowed_hosts))


def keep_private() -> None:
    """Let nobody but its user read what this process, and those it starts, write from here on."""
    os.umask(0o077)


def _close_to_others(data: Path) -> None:
    """Let only its owner into a data folder that was there; a folder that holds other things, such as /tmp, stays."""
    mode = data.stat().st_mode
    is_only_ours = (data / "farm.secret").exists() or not any(data.iterdir())
    if is_only_ours and not mode & stat.S_ISVTX and mode & 0o077:
        with suppress(PermissionError):  # another user's, who lets us write: a volume with a shared group
            data.chmod(0o700)


def require_writable(data: Path) -> Path:
    """Return the data folder, made when it is not there, for its owner alone.

    Raises:
        FarmError: nothing can be written there.
    """
    try:
        if not data.exists():
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
        _close_to_others(data)
        (data / "episodes").mkdir(mode=0o700, exist_ok=True)
        probe = data / f".writable.{os.getpid()}"
        probe.touch()
        probe.unlink(missing_ok=True)  # containers that share the folder count processes each from 1
    except OSError as problem:
        raise FarmError(
            f"data folder {data} is not writable ({problem.strerror}); choose another with --data"
        ) from None
    return data
