"""The files of a running farm in its data folder, by which other commands find it."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import orjson

from farm.errors import FarmError
from farm.runtime import registry_file

try:
    import fcntl
except ImportError:  # Windows: only the process number in the state file identifies a farm
    fcntl = None  # type: ignore[assignment]

# In the data folder of a farm whose containers may still exist.
MARK = "farm.docker"
GATEWAY_LOCK = "gateway.lock"
_LOCK_TRIES = 10
_THREADS = 17  # index of the number of threads among the fields after the name in /proc/PID/stat
_LOCK_WAIT_S = 0.02


@dataclass(frozen=True)
class AppState:
    """One worker of an app: its ports, how often it ended since the farm started, and its last exit status.

    Its process is 0 while it is being restarted.
    """

    app: str
    pid: int
    port: int
    tools: int
    ended: int = 0
    last_status: int | None = None
    worker: int = 0


@dataclass(frozen=True)
class FarmState:
    """``DATA/farm.json``: a running farm's processes and URLs.

    Attributes:
        others: the control API's URLs for other machines, one for each accepted host name.
        nobody_else: whether the farm listens for other machines but accepts none of their requests.
    """

    pid: int
    gateway_pid: int
    host: str
    agents_url: str
    operators_url: str
    token_file: str
    apps: tuple[AppState, ...]
    gateway_ended: int = 0
    others: tuple[str, ...] = ()
    nobody_else: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the state for readers: a missing process is null, as killing process 0 kills one's own group."""
        raw = asdict(self)
        for process, name in ((raw, "gateway_pid"), *((app, "pid") for app in raw["apps"])):
            process[name] = process[name] or None
        return raw

    def save(self, data: Path) -> None:
        """Replace the file atomically."""
        temporary = data / f"farm.json.{os.getpid()}"
        try:
            temporary.write_bytes(orjson.dumps(self.as_json(), option=orjson.OPT_INDENT_2))
            temporary.replace(data / "farm.json")
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise

    @staticmethod
    def load(data: Path) -> FarmState | None:
        """Return the state of the farm that runs on this data folder, or None if no farm runs.

        Raises:
            FarmError: the folder cannot be read.
        """
        path = data / "farm.json"
        try:
            if path.exists() and not path.is_file():  # opening a pipe would block forever
                raise FarmError(f"{path} is no file; look and remove it")
            raw: dict[str, Any] = orjson.loads(path.read_bytes())
        except (FileNotFoundError, NotADirectoryError, orjson.JSONDecodeError):
            return None
        except OSError as problem:
            raise FarmError(
                f"data folder {data} cannot be read ({problem.strerror}); choose another with --data"
            ) from None
        # A killed farm leaves its file, and its process number may have been reused.
        if not is_locked(data) or not is_alive(raw["pid"]):
            return None
        try:
            raw["apps"] = tuple(AppState(**{**app, "pid": app["pid"] or 0}) for app in raw["apps"])
            raw |= {"gateway_pid": raw["gateway_pid"] or 0, "others": tuple(raw["others"])}
            return FarmState(**raw)
        except (KeyError, TypeError) as odd:
            raise FarmError(
                f"the farm on {data} runs another version of mcp-farm; end it with 'kill {raw['pid']}'"
            ) from odd


def is_alive(pid: int) -> bool:
    """Return whether a process of this number exists and has not ended.

    Its first thread may end before the others: until these end, its files and locks stay open.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        # An ended process keeps its number until its parent has waited for it.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return fields[0] != "Z" or int(fields[_THREADS]) > 1
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return not Path("/proc/self").exists()


def is_held(data: Path) -> bool:
    """Return whether a farm holds this data folder, or a gateway alone, whose apps were started separately."""
    return is_locked(data) or is_locked(data, GATEWAY_LOCK)


def is_locked(data: Path, name: str = "farm.lock") -> bool:
    """Return whether a farm holds this data folder, ready or still starting."""
    if fcntl is None:
        return True
    try:
        with (data / name).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def default_data() -> Path:
    """Return the data folder of commands that are not given one: that of the environment, or the user's."""
    if named := os.environ.get("FARM_DATA"):
        return Path(named).expanduser().absolute()
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "mcp-farm"


def secret_file(path: Path) -> str:
    """Return the secret in a file that only its owner can read; create it if it is missing."""
    while not (kept := _read_secret(path)):
        # Complete before it has its name: a killed start must not leave an empty secret.
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
        if kept is not None:
            path.unlink(missing_ok=True)  # an empty file
        # Containers that share a folder start concurrently: all use the secret of the first.
        with suppress(FileExistsError):
            os.link(temporary, path)
        temporary.unlink()
    return kept


def _read_secret(path: Path) -> str | None:
    try:
        return path.read_text("ascii").strip()
    except FileNotFoundError:
        return None


def require_sound_registry(data: Path) -> None:
    """Raise an error for an unreadable registry before any process starts that would fail on it.

    Raises:
        FarmError: it is broken; the message says what can be done.
    """
    path = data / registry_file.NAME
    problem = registry_file.problem(path) if path.exists() else None
    if problem is not None:
        raise FarmError(
            f"{path} is broken ({problem}); set it aside with 'farm doctor --repair', "
            "and the next start finds episodes in their folders"
        )


class DataLock:
    """Keeps a second farm off a data folder while this process lives."""

    def __init__(self, data: Path, name: str = "farm.lock") -> None:
        """Take the lock.

        Raises:
            FarmError: another farm holds it.
        """
        self._file: IO[str] = (data / name).open("a+")
        if not self._take(data):
            self._file.close()
            raise FarmError(f"a farm runs on {data} already; see it with 'farm status', end it with 'farm down'")

    def _take(self, data: Path) -> bool:
        if fcntl is None:
            return FarmState.load(data) is None
        for _ in range(_LOCK_TRIES):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(_LOCK_WAIT_S)  # a process that only checks releases it at once
            else:
                return True
        return False

    def release(self) -> None:
        """Release the folder for the next farm."""
        self._file.close()
