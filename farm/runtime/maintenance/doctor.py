"""Checks a data folder: what is wrong, what can be done, and what may be repaired without asking.

No episode's data is ever removed or changed. A farm may run meanwhile; files that only the farm may change are then
left to it.
"""

from __future__ import annotations

import http.client
import os
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import orjson

from farm._util import temp_folders
from farm._util.plurals import pluralize
from farm._util.sizes import format_size
from farm.context.files import EXPORTS, without_checksum
from farm.context.settings import DEFAULT, Settings, bearer_sha256
from farm.errors import FarmError
from farm.runtime import registry_file
from farm.runtime.maintenance import data_folder
from farm.runtime.maintenance.data_folder import DataFolder, left_files
from farm.runtime.maintenance.episode_check import check_episode
from farm.runtime.maintenance.finding import Finding
from farm.runtime.maintenance.work_folders import IMPORTS, abandoned
from farm.runtime.registry_file import Registered
from farm.runtime.supervisor.state import MARK, DataLock, FarmState, is_alive, is_held, is_locked

FREE_BYTES_MIN = 512 << 20
FREE_FILES_MIN = 10_000
_ANSWER_S_MAX = 5.0
# Together longer than a drop or create takes, even on a busy machine.
_SETTLE_S, _LOOKS_AGAIN = 1.0, 3
_OTHERS = 0o077
_SECRETS = ("operator.token", "farm.secret")  # the first process that needs control.token creates it


@dataclass
class Report:
    """The result of a check of a data folder.

    Attributes:
        data: the folder.
        is_running: whether a farm runs on it.
        findings: the problems and remarks.
        checked: kind of checked thing → number.
        repaired: repaired thing → how.
    """

    data: Path
    is_running: bool
    findings: list[Finding] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    repaired: dict[Finding, str] = field(default_factory=dict)

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong, or everything was repaired."""
        return not any(each.is_wrong and each not in self.repaired for each in self.findings)


def examine(data: Path) -> Report:
    """Check a data folder.

    Raises:
        FarmError: there is none, or it cannot be read.
    """
    if not data.is_dir():
        raise FarmError(f"no data folder at {data}; name one with --data")
    try:
        os.listdir(data)
    except OSError as problem:
        raise FarmError(f"data folder {data} cannot be read ({problem.strerror}); choose another with --data") from None
    report, found = Report(data, is_held(data)), data_folder.read(data)
    report.findings += [*_disk(data), *_registry(report, found)]
    _starts(report)
    _episodes(report, found)
    report.findings += [*_processes(report), *_tokens(report, found), *_permissions(data), *_left_files(report, found)]
    report.findings += [*_left_work(data), *_left_runs()]
    return report


def repair(report: Report) -> None:
    """Make the repairs that need no decision: set aside, restrict permissions, remove leftovers.

    Raises:
        FarmError: the folder cannot be written, or a farm is starting on it.
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
        yield Finding("disk", str(data), f"{format_size(free)} are left on its disk", way_out)
    elif found.f_files and found.f_favail < FREE_FILES_MIN:
        problem = f"its disk has room for {pluralize(found.f_favail, 'file')} more"
        yield Finding("disk", str(data), problem, "remove files, or what is over: farm gc")


# -- registry, starts, episodes -------------------------------------------------------------------------------------


def _registry(report: Report, found: DataFolder) -> Iterator[Finding]:
    path = report.data / registry_file.NAME
    aside = path.with_name(f"{path.name}.broken")
    if aside.exists():
        yield _quarantined(aside, "a registry was broken; the one in use was made from the folders")
    if found.registered is not None:
        return
    if found.registry_problem is None:
        if any(each.settings or each.problem for each in found.episodes):
            way_out = "the next start finds episodes and snapshots in their folders"
            yield Finding("registry", str(path), "it is empty" if path.exists() else "it is missing", way_out)
        return
    if report.is_running:
        way_out = "end the farm, then 'farm doctor --repair'"
        yield Finding("registry", str(path), f"it is broken ({found.registry_problem})", way_out)
        return

    def set_aside() -> str:
        kept = registry_file.set_aside(path)
        return f"set aside as {kept.name}; the next start finds episodes and snapshots in their folders"

    way_out = "no farm starts on it; --repair sets it aside, and the next start finds episodes in their folders"
    yield Finding("registry", str(path), f"it is broken ({found.registry_problem})", way_out, repair=set_aside)


def _starts(report: Report) -> None:
    for path in sorted((report.data / "starts").glob("*")):
        if path.name.endswith(".broken"):
            report.findings.append(_quarantined(path, "a start was not what was written; it was made anew"))
        elif path.suffix == ".db" and path.is_file():
            report.checked["starts"] += 1
            if without_checksum(path.read_bytes()) is None:
                aside = path.with_name(f"{path.name}.broken")

                def set_aside(path: Path = path, aside: Path = aside) -> str:
                    path.replace(aside)
                    return f"set aside as {aside.name}; it is made anew when it is needed"

                way_out = "--repair sets it aside, and it is made anew when it is needed"
                problem = "its checksum does not match"
                report.findings.append(Finding("start", str(path), problem, way_out, repair=set_aside))


def _episodes(report: Report, found: DataFolder) -> None:
    """Check every episode; while a farm runs, a problem must persist, as the farm may be changing that episode."""
    findings = _look_at_episodes(found, report.checked)
    for _ in range(_LOOKS_AGAIN if report.is_running else 0):
        if not findings:
            break
        time.sleep(_SETTLE_S)
        again = {(each.kind, each.path) for each in _look_at_episodes(data_folder.read(report.data), Counter())}
        findings = [each for each in findings if (each.kind, each.path) in again]
    report.findings += findings


def _look_at_episodes(found: DataFolder, checked: Counter[str]) -> list[Finding]:
    findings: list[Finding] = []
    registered = found.registered
    for each in found.episodes:
        folder = each.path
        if each.settings is None and each.problem is None:
            if folder.is_dir():  # and not dropped meanwhile
                findings.append(_without_settings(folder, registered))
            continue
        checked["episodes"] += 1
        if each.settings is None:
            way_out = f"put it back from a copy, or drop the episode: farm episode drop {folder.name}"
            findings.append(Finding("settings", f"{folder}/episode.json", str(each.problem), way_out))
        else:
            stored = {} if registered is None else registered.snapshots.get(folder.name, {})
            try:
                of_it = check_episode(folder, each.settings, {stored_as: name for name, stored_as in stored.items()})
            except OSError as problem:
                way_out = "see to its permissions, or to the disk"
                findings.append(Finding("context", str(problem.filename), str(problem.strerror), way_out))
                continue
            findings += of_it.findings
            checked["contexts"] += of_it.contexts
            checked["snapshots"] += of_it.snapshots
        for path in sorted(folder.glob("*.broken")):
            findings.append(_quarantined(path, "it was found broken, and a reset or restore has replaced it"))
    if registered is not None and not registered.has_intents:  # an unfinished operation may have written a part
        findings += _find_mismatches(found, registered)
    return findings


def _find_mismatches(found: DataFolder, registered: Registered) -> Iterator[Finding]:
    for episode_id in sorted(registered.episodes.keys() - {each.path.name for each in found.episodes}):
        path = found.path / "episodes" / episode_id
        way_out = f"put it back from a copy, or forget it: farm episode drop {episode_id}"
        yield Finding("registry", str(path), "the registry lists it, and it is gone", way_out)
    for each in found.episodes:
        is_episode = each.settings is not None or each.problem is not None
        if is_episode and each.path.name not in registered.episodes and each.path.name != DEFAULT:
            way_out = f"move {registry_file.NAME}* away, and the next start finds it; or remove the folder"
            yield Finding("registry", str(each.path), "the registry does not list it", way_out)


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
    if path.exists() and not path.is_file():
        yield Finding("process", str(path), "it is no file", "look and remove it")
        return
    if (mark := report.data / MARK).exists() and not is_locked(report.data):
        problem = "a farm in containers was killed, and they may still run"
        yield Finding("process", str(mark), problem, "end them with 'farm down', or begin anew with 'farm up'")
    if not report.is_running:
        if path.exists():
            alive = _find_alive(path)
            if alive:
                problem = f"its farm was killed, and of its processes {', '.join(map(str, alive))} may still run"
                yield Finding("process", str(path), problem, "look with ps; end them with kill")
            else:
                problem, way_out = "a killed farm left it", "it is ignored; 'farm up' replaces it, --repair removes it"
                yield Finding("leftover", str(path), problem, way_out, is_wrong=False, repair=_removing(path))
        return
    try:
        state = FarmState.load(report.data)
    except FarmError as odd:
        yield Finding("process", str(path), str(odd), "or wait for it to end")
        return
    if state is None and not is_locked(report.data):
        return  # a gateway alone: its apps were started by another program, which knows them
    if state is None:
        yield Finding("process", str(path), "a farm is starting or ending", "ask again in a moment", is_wrong=False)
        return
    for each in () if (report.data / MARK).exists() else state.apps:
        if not each.pid or not _answers(state.host, each.port):
            often = pluralize(each.ended, "time")
            problem = f"app '{each.app}' (process {each.pid}) does not answer; it ended by itself {often}"
            yield Finding("process", str(path), problem, "see what the farm printed, and 'farm status'")
    if not _answers(state.host, int(state.operators_url.rpartition(":")[2]), any_status=True):
        problem = f"the gateway (process {state.gateway_pid}) does not answer"
        yield Finding("process", str(path), problem, "see what the farm printed; 'kill' it, and another starts")


def _find_alive(path: Path) -> list[int]:
    """Return the processes of a state file that are alive and look like a farm's."""
    try:
        raw = orjson.loads(path.read_bytes())
        pids = [raw["pid"], raw["gateway_pid"], *(app["pid"] for app in raw["apps"])]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    found = []
    for pid in pids:
        # The process number may have been reused; a farm's processes have its name in their command.
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


def _tokens(report: Report, found: DataFolder) -> Iterator[Finding]:
    data, settings = report.data, found.settings
    if not settings and not report.is_running:
        return  # an unused folder
    told = {
        "operator.token": "it is made anew by the next start; tell those who have the old one",
        "farm.secret": "put it back from a copy: without it, the tokens of these episodes open nothing any more",
    }
    secrets = {}
    for name in _SECRETS:
        if (data / name).exists() and not (data / name).is_file():
            yield Finding("token", str(data / name), "it is no file", told[name])
            continue
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
            what = f"the tokens of {pluralize(len(others), 'episode')} were made with another secret ({shown})"
            yield Finding("token", str(data / "farm.secret"), what, "put the old one back, or drop these episodes")


def _is_foreign(settings: Settings, secret: str) -> bool:
    own = bearer_sha256(secret, settings.id, turn=settings.token_turn)
    return settings.token_sha256 is not None and settings.token_sha256 != own


# -- permissions and leftovers --------------------------------------------------------------------------------------


def _permissions(data: Path) -> Iterator[Finding]:
    open_to_others, foreign = [], []
    for path in (data, *data_folder.everything(data)):
        try:
            found = path.lstat()
        except FileNotFoundError:
            continue
        if stat.S_ISLNK(found.st_mode):
            continue
        if path == data and found.st_mode & stat.S_ISVTX:
            continue  # such as /tmp: shared with other programs
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


def _left_files(report: Report, found: DataFolder) -> Iterator[Finding]:
    """Yield the files that killed processes left; while a farm runs, such files are its own to use or clean."""
    left = [] if report.is_running else left_files(found)
    if left:
        what = f"killed processes left {_and_more(left)}: half-written files, older generations"
        way_out = "nothing reads them; --repair removes them"
        yield Finding("leftover", str(left[0]), what, way_out, is_wrong=False, repair=_removing(*left))


def _left_work(data: Path) -> Iterator[Finding]:
    """Yield the interrupted exports and imports."""
    way_outs = {
        EXPORTS: "farm gc removes it",
        IMPORTS: "the same command goes on with it; farm gc removes it after a while",
    }
    for name, way_out in way_outs.items():
        for folder in sorted((data / name).glob("*")):
            with abandoned(folder) as is_left:
                if is_left:
                    yield Finding("leftover", str(folder), f"an {name[:-1]} broke off", way_out, is_wrong=False)


def _left_runs() -> Iterator[Finding]:
    for folder in temp_folders.left():

        def sweep(folder: Path = folder) -> str:
            temp_folders.remove_left(folder)
            return "removed, with its processes"

        problem = "a run or agent that was killed left it behind"
        yield Finding("leftover", str(folder), problem, "--repair removes it, and its processes", repair=sweep)
