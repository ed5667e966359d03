"""Looks through a data folder: what is wrong, what can be done, and what may be put right without asking.

No episode's data is ever removed or changed. A farm may run meanwhile; what only it may touch is then left to it.
"""

from __future__ import annotations

import http.client
import os
import sqlite3
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import orjson

from farm import scratch
from farm.context.broken import Broken
from farm.context.files import EpisodeFiles, without_checksum
from farm.context.settings import DEFAULT, Settings, bearer_sha256
from farm.counted import counted
from farm.errors import FarmError, NotFound
from farm.supervisor.state import MARK, DataLock, FarmState, is_alive, is_held, is_locked
from farm.upkeep import registry_file
from farm.upkeep.episode_check import check_episode
from farm.upkeep.finding import Finding
from farm.upkeep.registry_file import Registered
from farm.upkeep.sizes import shown_size

FREE_BYTES_MIN = 512 << 20
FREE_FILES_MIN = 10_000
_ANSWER_S_MAX = 2.0
_SETTLE_S = 1.0  # longer than a drop or create takes
_OTHERS = 0o077
_SECRETS = ("operator.token", "farm.secret")  # control.token is made by the first process that wants it


@dataclass
class Report:
    """What was found in a data folder.

    Attributes:
        data: the folder.
        is_running: whether a farm runs on it.
        findings: what is not as it should be.
        checked: what was looked at → how many.
        repaired: what was put right → how.
    """

    data: Path
    is_running: bool
    findings: list[Finding] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    repaired: dict[Finding, str] = field(default_factory=dict)

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong, or nothing any more."""
        return not any(each.is_wrong and each not in self.repaired for each in self.findings)


def examine(data: Path) -> Report:
    """Look through a data folder.

    Raises:
        FarmError: there is none, or it is closed to us.
    """
    if not data.is_dir():
        raise FarmError(f"no data folder at {data}; name one with --data")
    try:
        os.listdir(data)
    except OSError as problem:
        raise FarmError(f"data folder {data} cannot be read ({problem.strerror}); choose another with --data") from None
    report = Report(data, is_held(data))
    report.findings += _disk(data)
    registered = _registry(report)
    _starts(report)
    _episodes(report, registered)
    report.findings += [*_processes(report), *_tokens(report), *_permissions(data), *_left_files(report), *_left_runs()]
    return report


def repair(report: Report) -> None:
    """Put right what may be put right without asking: set aside, close to others, remove leftovers.

    Raises:
        FarmError: the folder cannot be written, or a farm has begun to start on it.
    """
    lock = None if report.is_running else DataLock(report.data)
    try:
        for finding in report.findings:
            if finding.repair is not None:
                try:
                    report.repaired[finding] = finding.repair()
                except FileNotFoundError:
                    report.repaired[finding] = "gone meanwhile"
                except OSError as problem:
                    raise FarmError(f"{finding.path} cannot be put right ({problem.strerror})") from None
    finally:
        if lock is not None:
            lock.release()


def _removing(*paths: Path) -> Callable[[], str]:
    def remove() -> str:
        for path in paths:
            path.unlink()
        return "removed"

    return remove


# -- the disk -------------------------------------------------------------------------------------------------------


def _disk(data: Path) -> Iterator[Finding]:
    found = os.statvfs(data)
    free = found.f_bavail * found.f_frsize
    if found.f_flag & os.ST_RDONLY:
        yield Finding("disk", str(data), "its disk is read-only", "mount it for writing; until then calls are refused")
    elif free < FREE_BYTES_MIN:
        way_out = "make room on the disk, or remove what is over: farm gc"
        yield Finding("disk", str(data), f"{shown_size(free)} are left on its disk", way_out)
    elif found.f_files and found.f_favail < FREE_FILES_MIN:
        problem = f"its disk has room for {counted(found.f_favail, 'file')} more"
        yield Finding("disk", str(data), problem, "remove files, or what is over: farm gc")


# -- registry, starts, episodes -------------------------------------------------------------------------------------


def _registry(report: Report) -> Registered | None:
    """Return what the registry lists, or None where it cannot be asked."""
    path = report.data / registry_file.NAME
    aside = path.with_name(f"{path.name}.broken")
    if aside.exists():
        report.findings.append(_quarantined(aside, "a registry was broken; the one in use was made from the folders"))
    is_there, problem, registered = path.exists(), None, None
    if is_there:
        try:
            problem = registry_file.problem(path)
            registered = registry_file.read(path) if problem is None else None
        except (sqlite3.Error, ValueError) as unreadable:
            problem = str(unreadable)
    if registered is not None:
        return registered
    if problem is None:
        if any((report.data / "episodes").glob("*/episode.json")):
            way_out = "the next start finds episodes and snapshots in their folders"
            report.findings.append(
                Finding("registry", str(path), "it is empty" if is_there else "it is missing", way_out)
            )
        return None
    if report.is_running:
        way_out = "end the farm, then 'farm doctor --repair'"
        report.findings.append(Finding("registry", str(path), f"it is broken ({problem})", way_out))
        return None

    def set_aside() -> str:
        kept = registry_file.set_aside(path)
        return f"set aside as {kept.name}; the next start finds episodes and snapshots in their folders"

    way_out = "no farm starts on it; --repair sets it aside, and the next start finds episodes in their folders"
    report.findings.append(Finding("registry", str(path), f"it is broken ({problem})", way_out, repair=set_aside))
    return None


def _starts(report: Report) -> None:
    for path in sorted((report.data / "starts").glob("*")):
        if path.name.endswith(".broken"):
            report.findings.append(_quarantined(path, "a start was not what was written; it was made anew"))
        elif path.suffix == ".db":
            report.checked["starts"] += 1
            if without_checksum(path.read_bytes()) is None:
                aside = path.with_name(f"{path.name}.broken")

                def set_aside(path: Path = path, aside: Path = aside) -> str:
                    path.replace(aside)
                    return f"set aside as {aside.name}; it is made anew when it is needed"

                way_out = "--repair sets it aside, and it is made anew when it is needed"
                problem = "its checksum does not match"
                report.findings.append(Finding("start", str(path), problem, way_out, repair=set_aside))


def _episodes(report: Report, registered: Registered | None) -> None:
    """Look at every episode; while a farm runs, what seems wrong must seem so twice: it may be at work there."""
    found = _look_at_episodes(report.data, registered, report.checked)
    if report.is_running and found:
        time.sleep(_SETTLE_S)
        again = {(each.kind, each.path) for each in _look_at_episodes(report.data, _read(report.data), Counter())}
        found = [each for each in found if (each.kind, each.path) in again]
    report.findings += found


def _read(data: Path) -> Registered | None:
    try:
        return registry_file.read(data / registry_file.NAME)
    except (sqlite3.Error, ValueError):
        return None


def _look_at_episodes(data: Path, registered: Registered | None, checked: Counter[str]) -> list[Finding]:
    findings: list[Finding] = []
    folders = sorted(path for path in (data / "episodes").glob("*") if path.is_dir())
    for folder in folders:
        if not (folder / "episode.json").exists():
            findings.append(_without_settings(folder, registered))
            continue
        checked["episodes"] += 1
        stored = {} if registered is None else registered.snapshots.get(folder.name, {})
        try:
            found = check_episode(folder, {stored_as: name for name, stored_as in stored.items()})
        except NotFound:
            continue  # dropped just now
        except OSError as problem:
            way_out = "see to its permissions, or to the disk"
            findings.append(Finding("context", str(problem.filename), str(problem.strerror), way_out))
            continue
        findings += found.findings
        checked["contexts"] += found.contexts
        checked["snapshots"] += found.snapshots
        for path in sorted(folder.glob("*.broken")):
            findings.append(_quarantined(path, "it was found broken, and a reset or restore has replaced it"))
    if registered is not None and not registered.has_intents:  # what is begun may be half there
        findings += _told_differently(data, folders, registered)
    return findings


def _told_differently(data: Path, folders: list[Path], registered: Registered) -> Iterator[Finding]:
    for episode_id in sorted(registered.episodes.keys() - {folder.name for folder in folders}):
        path = data / "episodes" / episode_id
        way_out = f"put it back from a copy, or forget it: farm episode drop {episode_id}"
        yield Finding("registry", str(path), "the registry lists it, and it is gone", way_out)
    for folder in folders:
        if folder.name not in registered.episodes and (folder / "episode.json").exists() and folder.name != DEFAULT:
            way_out = f"move {registry_file.NAME}* away, and the next start finds it; or remove the folder"
            yield Finding("registry", str(folder), "the registry does not list it", way_out)


def _without_settings(folder: Path, registered: Registered | None) -> Finding:
    if registered is not None and folder.name in registered.episodes:
        way_out = f"put it back from a copy, or drop the episode: farm episode drop {folder.name}"
        return Finding("settings", f"{folder}/episode.json", "it is missing", way_out)
    return Finding("leftover", str(folder), "a folder without episode.json; nobody can reach it", "look and remove it")


def _quarantined(path: Path, problem: str) -> Finding:
    at = datetime.fromtimestamp(path.stat().st_ctime, UTC).date()
    way_out = "look at it or remove it; farm gc does so after a while"
    return Finding("quarantined", str(path), f"{problem} (set aside {at})", way_out, is_wrong=False)


# -- processes and tokens -------------------------------------------------------------------------------------------


def _processes(report: Report) -> Iterator[Finding]:
    path = report.data / "farm.json"
    if not report.is_running:
        if path.exists():
            alive = _alive_of(path)
            if alive:
                problem = f"its farm was killed, and of its processes {', '.join(map(str, alive))} may still run"
                yield Finding("process", str(path), problem, "look with ps; end them with kill")
            else:
                problem = "a farm that was killed left it behind"
                yield Finding(
                    "leftover", str(path), problem, "nobody believes it; --repair removes it", repair=_removing(path)
                )
        return
    try:
        state = FarmState.load(report.data)
    except FarmError as odd:
        yield Finding("process", str(path), str(odd), "or wait for it to end")
        return
    if state is None and not is_locked(report.data):
        return  # a gateway alone: whoever started its apps knows of them
    if state is None:
        yield Finding("process", str(path), "a farm is starting or ending", "ask again in a moment", is_wrong=False)
        return
    for each in () if (report.data / MARK).exists() else state.apps:
        if not each.pid or not _answers(state.host, each.port):
            often = counted(each.ended, "time")
            problem = f"app '{each.app}' (process {each.pid}) does not answer; it ended by itself {often}"
            yield Finding("process", str(path), problem, "see what the farm printed, and 'farm status'")
    if not _answers(state.host, int(state.operators_url.rpartition(":")[2]), any_status=True):
        problem = f"the gateway (process {state.gateway_pid}) does not answer"
        yield Finding("process", str(path), problem, "see what the farm printed; 'kill' it, and another starts")


def _alive_of(path: Path) -> list[int]:
    """Return those processes of a state file that are alive and look like a farm's."""
    try:
        raw = orjson.loads(path.read_bytes())
        pids = [raw["pid"], raw["gateway_pid"], *(app["pid"] for app in raw["apps"])]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    found = []
    for pid in pids:
        # A number may be anybody's by now; a farm's processes have its name in their command.
        with suppress(OSError):
            if pid and is_alive(pid) and b"farm" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


def _answers(host: str, port: int, *, any_status: bool = False) -> bool:
    connection = http.client.HTTPConnection(host.strip("[]"), port, timeout=_ANSWER_S_MAX)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200 or any_status
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _tokens(report: Report) -> Iterator[Finding]:
    data = report.data
    settings = list(_all_settings(data))
    if not settings and not report.is_running:
        return  # a folder that no farm has used yet
    told = {
        "operator.token": "it is made anew by the next start; tell those who have the old one",
        "farm.secret": "put it back from a copy: without it, the tokens of these episodes open nothing any more",
    }
    secrets = {}
    for name in _SECRETS:
        try:
            secrets[name] = (data / name).read_text("ascii").strip()
        except FileNotFoundError:
            secrets[name] = ""
        except (OSError, UnicodeDecodeError) as problem:
            yield Finding("token", str(data / name), f"it cannot be read ({problem})", told[name])
            continue
        if not secrets[name]:
            yield Finding("token", str(data / name), "it is missing or empty", told[name])
    if secrets.get("farm.secret"):
        others = [each.id for each in settings if _is_foreign(each, secrets["farm.secret"])]
        if others:
            shown = ", ".join(others[:3]) + (", …" if len(others) > 3 else "")
            what = f"the tokens of {counted(len(others), 'episode')} were made with another secret ({shown})"
            yield Finding("token", str(data / "farm.secret"), what, "put the old one back, or drop these episodes")


def _all_settings(data: Path) -> Iterator[Settings]:
    for path in (data / "episodes").glob("*"):
        with suppress(NotFound, Broken, OSError):
            yield Settings.load(path)


def _is_foreign(settings: Settings, secret: str) -> bool:
    return settings.token_sha256 is not None and settings.token_sha256 != bearer_sha256(secret, settings.id)


# -- permissions and leftovers --------------------------------------------------------------------------------------


def _ours(data: Path) -> Iterator[Path]:
    """Yield everything a farm keeps in its folder; the folder itself may hold other things."""
    for name in ("episodes", "starts"):
        if (data / name).is_dir():
            yield data / name
            yield from (data / name).rglob("*")
    for pattern in (
        "operator.token*",
        "control.token*",
        "gateway.lock",
        "operators.log*",
        "farm.secret*",
        "farm.json*",
        "farm.lock",
        "farm.log",
        "registry.db*",
    ):
        yield from data.glob(pattern)


def _permissions(data: Path) -> Iterator[Finding]:
    open_to_others, foreign = [], []
    for path in (data, *_ours(data)):
        try:
            found = path.lstat()
        except FileNotFoundError:
            continue
        if stat.S_ISLNK(found.st_mode):
            continue
        if path == data and found.st_mode & stat.S_ISVTX:
            continue  # such as /tmp: not a farm's alone
        if found.st_uid != os.getuid():
            foreign.append(path)
        elif found.st_mode & _OTHERS:
            open_to_others.append(path)
    if open_to_others:

        def close() -> str:
            for path in open_to_others:
                with suppress(FileNotFoundError):
                    path.chmod(path.stat().st_mode & ~_OTHERS)
            return "closed to others"

        problem = f"others may look into {_and_more(open_to_others)}"
        way_out = "--repair closes it to others"
        yield Finding("permissions", str(open_to_others[0]), problem, way_out, repair=close)
    if foreign and os.getuid():
        problem = f"another user owns {_and_more(foreign)}"
        yield Finding("permissions", str(foreign[0]), problem, "give it to the farm's user: chown -R")


def _and_more(paths: list[Path]) -> str:
    return "it" if len(paths) == 1 else f"it and {len(paths) - 1} more"


def _left_files(report: Report) -> Iterator[Finding]:
    """Yield what killed processes left; with a farm running these are its work, or its own to clean."""
    left = [] if report.is_running else left_files(report.data)
    if left:
        what = f"killed processes left {_and_more(left)}: half-written files, older generations"
        way_out = "nothing reads them; --repair removes them"
        yield Finding("leftover", str(left[0]), what, way_out, repair=_removing(*left))


def left_files(data: Path) -> list[Path]:
    """Return the files that killed processes left in a folder on which no farm runs."""
    left: list[Path] = []
    for pattern in ("farm.json.*", ".writable.*", "operator.token.*", "farm.secret.*", "starts/*.tmp"):
        left += data.glob(pattern)
    left += data.glob("episodes/*/episode.json.new")
    left += data.glob("episodes/*/episode.json.tmp")
    for settings in _all_settings(data):
        for app in settings.apps:
            left += _left_of(EpisodeFiles(str(data / "episodes" / settings.id), app))
    return left


def _left_of(files: EpisodeFiles) -> list[Path]:
    generations = files.generations()
    names = {files.db_name(older) for older in generations[:-1]} | {
        files.journal_name(older) for older in generations[:-1]
    }
    names |= {name for name in files.names() if name.startswith(f"{files.app}.") and name.endswith(".tmp")}
    return [files.folder / name for name in sorted(names & {*files.names()})]


def _left_runs() -> Iterator[Finding]:
    for folder in scratch.left():

        def sweep(folder: Path = folder) -> str:
            scratch.remove_left(folder)
            return "removed, with its processes"

        problem = "a run or agent that was killed left it behind"
        yield Finding("leftover", str(folder), problem, "--repair removes it, and its processes", repair=sweep)
