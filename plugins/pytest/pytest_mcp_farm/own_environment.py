"""The plugin's own environment for the farm.

Installing the farm beside a framework would move the framework's ``mcp``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from pytest_mcp_farm._client import __version__
from pytest_mcp_farm.errors import McpFarmError

_INSTALL_S_MAX = 900.0

__tracebackhide__ = True  # pytest shows a problem at the test's own line


def own_farm(wanted: str) -> list[str]:
    """Return the command of a farm in an environment of its own; install it on first use.

    Args:
        wanted: what pip installs: a requirement, a wheel, or a checkout's folder.

    Raises:
        McpFarmError: it cannot be installed.
    """
    folder = _cache() / _key(wanted)
    command = folder / ("Scripts" if os.name == "nt" else "bin") / "farm"
    with _locked(folder.with_suffix(".lock")):
        if not (folder / "ready").exists():
            sys.stderr.write(f"\npytest-mcp-farm: installing {wanted} into {folder}, once\n")
            _run([sys.executable, "-m", "venv", str(folder)], wanted)
            pip = [str(command.with_name("python")), "-m", "pip", "--disable-pip-version-check"]
            _run([*pip, "install", "--quiet", wanted], wanted)
            (folder / "ready").touch()
    return [str(command)]


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "pytest-mcp-farm"


def _key(wanted: str) -> str:
    """Return a name for what is installed: another version, Python or state of a checkout is another environment."""
    path = Path(wanted).expanduser()
    newest = 0
    if path.is_dir():
        newest = max((each.stat().st_mtime_ns for each in path.rglob("*.py") if ".venv" not in each.parts), default=0)
    elif path.exists():
        newest = path.stat().st_mtime_ns
    known = f"{path.resolve() if path.exists() else wanted} {newest} {__version__} {sys.version} {sys.executable}"
    return f"{__version__}-{sha256(known.encode()).hexdigest()[:12]}"


def _run(command: list[str], wanted: str) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    try:
        done = subprocess.run(
            command, env=own, capture_output=True, text=True, timeout=_INSTALL_S_MAX, check=False, cwd=Path.cwd()
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise McpFarmError(f"no farm can be had: installing {wanted} failed ({problem})") from None
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or [f"status {done.returncode}"]
        raise McpFarmError(
            f"no farm can be had: pip cannot install {wanted} ({last[0][:300]}); name another in mcp_farm_install, "
            "such as a checkout's folder, or a command that starts a farm in mcp_farm_command"
        )


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        if os.name != "nt":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
