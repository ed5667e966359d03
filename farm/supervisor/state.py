"""What a running farm leaves in its data folder, so that other commands find it."""

from __future__ import annotations

import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from farm.errors import FarmError


@dataclass(frozen=True)
class AppState:
    """Where one app listens."""

    app: str
    pid: int
    port: int
    tools: int


@dataclass(frozen=True)
class FarmState:
    """``DATA/farm.json``: a running farm's processes and URLs."""

    pid: int
    gateway_pid: int
    agents_url: str
    operators_url: str
    token_file: str
    apps: tuple[AppState, ...]

    def save(self, data: Path) -> None:
        """Replace the file in one step; readers never see half of it."""
        temporary = data / f"farm.json.{os.getpid()}"
        temporary.write_bytes(orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2))
        temporary.replace(data / "farm.json")

    @staticmethod
    def load(data: Path) -> FarmState | None:
        """Return the state of the farm that runs on this data folder, or None when none does."""
        try:
            raw: dict[str, Any] = orjson.loads((data / "farm.json").read_bytes())
        except (FileNotFoundError, orjson.JSONDecodeError):
            return None
        if not is_alive(raw["pid"]):
            return None
        raw["apps"] = tuple(AppState(**app) for app in raw["apps"])
        return FarmState(**raw)


def is_alive(pid: int) -> bool:
    """Whether a process of this number exists and has not ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        # An ended process whose parent has not looked yet still has its number.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, IndexError):
        return not Path("/proc/self").exists()


def default_data() -> Path:
    """Return the data folder used when none is named."""
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "mcp-farm"


def secret_file(path: Path) -> str:
    """Return the secret kept in a file only the owner can read, making it when it is not there."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text("ascii").strip()
    secret = secrets.token_urlsafe(32)
    with os.fdopen(descriptor, "w") as file:
        file.write(secret + "\n")
    return secret


class DataLock:
    """Keeps a second farm off a data folder, for as long as this process lives."""

    def __init__(self, data: Path) -> None:
        """Take the lock.

        Raises:
            FarmError: another farm holds it.
        """
        self._file = (data / "farm.lock").open("a+")
        try:
            import fcntl
        except ImportError:  # Windows: the state file's process number has to do
            self._refuse_if(FarmState.load(data) is not None, data)
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._refuse_if(True, data)

    def _refuse_if(self, taken: bool, data: Path) -> None:
        if taken:
            self._file.close()
            raise FarmError(f"a farm runs on {data} already; see it with 'farm status', end it with 'farm down'")

    def release(self) -> None:
        """Let the next farm have the folder."""
        self._file.close()
