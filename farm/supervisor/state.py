"""What a running farm leaves in its data folder, so that other commands find it."""

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
from farm.upkeep import registry_file

try:
    import fcntl
except ImportError:  # Windows: the process number in the state file has to do
    fcntl = None  # type: ignore[assignment]

# In the data folder of a farm whose containers may still be there.
MARK = "farm.docker"
GATEWAY_LOCK = "gateway.lock"
_LOCK_TRIES = 10
_THREADS = 17  # which of the fields behind the name in /proc/PID/stat counts them
_LOCK_WAIT_S = 0.02


@dataclass(frozen=True)
class AppState:
    """Where one worker of an app listens; how often it ended since the farm started, and how the last time.

    Its process is 0 while there is none: it is being started again.
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
        others: the control API as other machines reach it, once for each name that was let in.
        nobody_else: whether the farm listens for others and lets none of them in.
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
        """Return the state as others read it: a process that is not there is null, as 0 is one's own group to kill."""
        raw = asdict(self)
        for process, name in ((raw, "gateway_pid"), *((app, "pid") for app in raw["apps"])):
            process[name] = process[name] or None
        return raw

    def save(self, data: Path) -> None:
        """Replace the file in one step; readers never see half of it."""
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
        """Return the state of the farm that runs on this data folder, or None when none does.

        Raises:
            FarmError: the folder cannot be read.
        """
        path = data / "farm.json"
        try:
            if path.exists() and not path.is_file():  # a pipe would be waited for, for ever
                raise FarmError(f"{path} is no file; look and remove it")
            raw: dict[str, Any] = orjson.loads(path.read_bytes())
        except (FileNotFoundError, NotADirectoryError, orjson.JSONDecodeError):
            return None
        except OSError as problem:
            raise FarmError(
                f"data folder {data} cannot be read ({problem.strerror}); choose another with --data"
            ) from None
        # A killed farm leaves its file, and its process number may be anybody's by now.
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
    """Whether a process of this number exists and has not ended.

    Its first thread may have ended before the others have: until they do, what it holds stays open.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        # An ended process whose parent has not looked yet still has its number.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return fields[0] != "Z" or int(fields[_THREADS]) > 1
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return not Path("/proc/self").exists()


def is_held(data: Path) -> bool:
    """Whether a farm holds this data folder, or a gateway alone, whose apps somebody else has started."""
    return is_locked(data) or is_locked(data, GATEWAY_LOCK)


def is_locked(data: Path, name: str = "farm.lock") -> bool:
    """Whether a farm holds this data folder, ready or still starting."""
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
    """Return the data folder used when none is named."""
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "mcp-farm"


def secret_file(path: Path) -> str:
    """Return the secret kept in a file only the owner can read, making it when it is not there."""
    while not (kept := _read_secret(path)):
        # Whole before it has its name: a start that was killed must not leave an empty secret.
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
        if kept is not None:
            path.unlink(missing_ok=True)  # an empty one
        # Containers that share a folder start at once: the first one's secret is everybody's.
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
    """Refuse a registry that cannot be read, before a process is started that would end on it.

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
    """Keeps a second farm off a data folder, for as long as this process lives."""

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
                time.sleep(_LOCK_WAIT_S)  # somebody who only looks lets go at once
            else:
                return True
        return False

    def release(self) -> None:
        """Let the next farm have the folder."""
        self._file.close()
