"""What the doctor sees in a data folder, what it puts right, and what it leaves alone."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from farm._util import temp_folders
from farm.cli import main
from farm.context.files import EpisodeFiles
from farm.context.settings import Settings
from farm.errors import FarmError
from farm.runtime.data_format import DATA_FORMAT
from farm.runtime.maintenance import doctor
from farm.runtime.maintenance.doctor import examine, repair
from farm.runtime.maintenance.finding import Finding
from farm.runtime.maintenance.gc import collect
from farm.runtime.maintenance.work_folders import taken
from farm.runtime.supervisor.state import DataLock, secret_file
from farm.server.pipeline import call
from farm.testing import EPISODE, LocalApp
from tests.unit._gateway import Gateway
from tests.unit._slack import GENERAL, ROWS


@pytest.fixture(autouse=True)
def _private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Write as a farm does, readable by nobody else; and see no leftovers but this test's own."""
    runs = tmp_path / "runs"
    runs.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(runs))
    monkeypatch.setattr(doctor, "FREE_BYTES_MIN", 0)
    monkeypatch.setattr(doctor, "FREE_FILES_MIN", 0)
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.fixture
def slack(start: Callable[..., LocalApp]) -> LocalApp:
    """One episode with three calls, two of which wrote, and a snapshot after the first."""
    app = start("slack", rows=ROWS, me="me")
    data = app.store.episodes.parent
    for name in ("operator.token", "farm.secret"):
        secret_file(data / name)
    register(data, {"before": "before.0a"})
    post(app, "one")
    app.store.snapshot(EPISODE, "before.0a")
    assert call(app.store.open(EPISODE), "no_such_tool", {}).refused
    post(app, "two")
    return app


def register(data: Path, snapshots: dict[str, str]) -> None:
    """Write a registry that lists the episode with snapshots, as a gateway has left it."""
    with closing(sqlite3.connect(data / "registry.db")) as db, db:
        db.execute("CREATE TABLE episodes (id VARCHAR PRIMARY KEY, apps TEXT, created_at VARCHAR)")
        db.execute("CREATE TABLE snapshots (episode_id VARCHAR, name VARCHAR, stored_as VARCHAR, created_at VARCHAR)")
        db.execute("CREATE TABLE intents (id INTEGER PRIMARY KEY, action VARCHAR, episode_id VARCHAR, detail TEXT)")
        db.execute("INSERT INTO episodes VALUES (?, ?, '')", (EPISODE, '["slack"]'))
        db.executemany("INSERT INTO snapshots VALUES (?, ?, ?, '')", [(EPISODE, *each) for each in snapshots.items()])


def post(slack: LocalApp, text: str) -> None:
    assert not call(slack.store.open(EPISODE), "slack_post_message", {"channel_id": GENERAL, "text": text}).refused


def data_of(slack: LocalApp) -> Path:
    slack.store.close_all()
    return slack.store.episodes.parent


def only(data: Path) -> Finding:
    (finding,) = examine(data).findings
    assert "\n" not in finding.line
    assert finding.way_out
    return finding


def test_nothing_is_said_of_what_is_in_order(slack: LocalApp) -> None:
    slack.store.restore(EPISODE, "before.0a")
    post(slack, "three")

    for report in (examine(slack.store.episodes.parent), examine(data_of(slack))):
        assert report.findings == []
        assert report.is_well
        assert report.checked == {"episodes": 1, "contexts": 1, "snapshots": 1}


def test_a_fork_with_calls_of_its_source_is_in_order(slack: LocalApp) -> None:
    folder = slack.store.episodes / "copy"
    folder.mkdir()
    settings = Settings.load(slack.store.episodes / EPISODE)
    Settings("copy", settings.world, settings.apps, me=settings.me, now=settings.now).save(folder)
    slack.store.fork(EPISODE, "copy", "before.0a")

    (told,) = examine(data_of(slack)).findings
    assert (told.kind, Path(told.path).name) == ("registry", "copy")  # nobody told the registry


def spoil_pages(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[8192:12288] = b"x" * 4096
    path.write_bytes(raw)


def without_call(number: int) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(line for line in lines if not line.startswith(b'{"n":%d,' % number)))

    return spoil


def with_other_call(path: Path) -> None:
    """Say that the call that was refused wrote, and the one after it did not."""
    lines = path.read_bytes().splitlines()
    refused, wrote = json.loads(lines[2]), json.loads(lines[3])
    path.write_bytes(
        b"\n".join([*lines[:2], json.dumps(refused | {"wrote": True}).encode(), json.dumps(wrote).encode(), b""])
    )


SPOILT = {
    "a context that is no database": ("slack.0.db", lambda path: path.write_bytes(b"no database" * 1000), "context"),
    "a context with a broken page": ("slack.0.db", spoil_pages, "context"),
    "a context cut short": ("slack.0.db", lambda path: path.write_bytes(path.read_bytes()[:5000]), "context"),
    "no context": ("slack.0.db", Path.unlink, "context"),
    "no log": ("slack.0.log", Path.unlink, "log"),
    "a log that is no log": ("slack.0.log", lambda path: path.write_bytes(b"[1, 2]\n"), "log"),
    "a log without its last call": ("slack.0.log", without_call(3), "log"),
    "a log without a call in between": ("slack.0.log", without_call(2), "log"),
    "a log with other calls": ("slack.0.log", with_other_call, "log"),
    "settings that are no JSON": ("episode.json", lambda path: path.write_bytes(b"{"), "settings"),
    "no settings": ("episode.json", Path.unlink, "settings"),
    "a snapshot with one byte changed": (
        "snapshots/before.0a/slack.db",
        lambda path: path.write_bytes(path.read_bytes()[:-1] + b"\x01"),
        "snapshot",
    ),
    "a snapshot without its calls": ("snapshots/before.0a/slack.parts.json", Path.unlink, "snapshot"),
}


@pytest.mark.parametrize(("name", "spoil", "kind"), SPOILT.values(), ids=SPOILT)
def test_a_broken_file_of_an_episode_is_named_and_what_it_holds_stays(
    slack: LocalApp, name: str, spoil: Callable[[Path], object], kind: str
) -> None:
    data = data_of(slack)
    path = data / "episodes" / EPISODE / name
    spoil(path)
    before = {each: each.read_bytes() for each in data.rglob("*") if each.is_file()}

    # Where a log is lost, so are those calls of the snapshot that it held.
    found, *others = examine(data).findings
    assert found.kind == kind
    assert found.path.startswith(str(data / "episodes" / EPISODE))
    assert {each.kind for each in others} == ({"snapshot"} if name == "slack.0.log" and len(others) else set())
    assert all(each.repair is None for each in others)
    assert {each: each.read_bytes() for each in data.rglob("*") if each.is_file()} == before
    report = examine(data)
    repair(report)
    after = sorted(each.read_bytes() for each in data.rglob("*") if each.is_file() and each.name != "farm.lock")
    assert after == sorted(before.values())


def test_what_a_killed_process_leaves_for_the_next_to_finish_is_in_order(slack: LocalApp) -> None:
    # Killed between the log's line and the commit; killed in the middle of a line.
    log = slack.store.open(EPISODE).log.path
    data = data_of(slack)
    whole = log.read_bytes()
    uncommitted = json.loads(whole.splitlines()[-1]) | {"n": 4}
    for left in (json.dumps(uncommitted).encode() + b"\n", b'{"n":4,"tool":"sl'):
        log.write_bytes(whole + left)
        assert examine(data).findings == []

    log.write_bytes(whole + b"".join(json.dumps(uncommitted | {"n": n}).encode() + b"\n" for n in (4, 5)))
    assert only(data).kind == "log"


def test_a_transaction_that_a_kill_cut_off_is_played_back_in_a_copy(slack: LocalApp) -> None:
    data = data_of(slack)
    path = data / "episodes" / EPISODE / "slack.0.db"
    copy = data.parent / "killed.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size=1")
        db.execute("PRAGMA cache_spill=1")
        db.execute("BEGIN")
        for number in range(2000):
            db.execute("INSERT INTO _journal (call, old) VALUES (?, ?)", (100 + number, "x" * 500))
        shutil.copyfile(path, copy)
        shutil.copyfile(f"{path}-journal", f"{copy}-journal")
        db.execute("ROLLBACK")
    copy.replace(path)
    Path(f"{copy}-journal").replace(f"{path}-journal")
    before = path.read_bytes()

    assert examine(data).findings == []
    assert path.read_bytes() == before


def test_a_snapshot_that_is_broken_is_set_aside_and_says_so_from_then_on(slack: LocalApp) -> None:
    data = data_of(slack)
    path = data / "episodes" / EPISODE / "snapshots" / "before.0a" / "slack.db"
    path.write_bytes(path.read_bytes() + b"x")
    report = examine(data)

    repair(report)

    assert list(report.repaired.values()) == ["set aside as slack.db.broken"]
    assert only(data).kind == "quarantined"
    assert only(data).path == f"{path}.broken"
    with pytest.raises(FarmError, match=r"snapshot 'before\.0a' of slack is broken"):
        slack.store.restore(EPISODE, "before.0a")


def test_a_start_that_is_broken_is_set_aside_and_made_anew(start: Callable[..., LocalApp]) -> None:
    slack = start("slack", world="harbor")
    data = data_of(slack)
    for name in ("operator.token", "farm.secret"):
        secret_file(data / name)
    register(data, {})
    (path,) = (data / "starts").glob("slack-*.db")
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    report = examine(data)

    assert only(data).kind == "start"
    repair(report)
    again = examine(data)

    assert [each.kind for each in again.findings] == ["quarantined"]
    assert again.is_well  # it is only told
    LocalApp("slack", data.parent / "other", world="harbor").close()
    (made,) = (data.parent / "other" / "starts").glob("slack-*.db")
    assert made.read_bytes() == whole


async def test_a_broken_registry_is_set_aside_and_episodes_are_found_again(slack: LocalApp) -> None:
    data = data_of(slack)
    for name in ("", "-wal"):
        (data / f"registry.db{name}").write_bytes(b"no database" * 1000)
    report = examine(data)

    assert only(data).kind == "registry"
    repair(report)

    assert report.is_well
    assert [each.kind for each in examine(data).findings] == ["quarantined", "registry"]
    assert "the next start finds episodes" in examine(data).findings[1].way_out
    async with Gateway(data, "slack") as gateway:
        assert EPISODE in gateway.registry.apps
        assert list(gateway.registry.snapshots(EPISODE)) == ["before"]
    async with Gateway(data, "slack"):
        assert "registry.db" in {path.name for path in data.glob("registry.db*")}


@pytest.mark.parametrize("is_there", [True, False])
async def test_an_empty_registry_is_as_good_as_none(slack: LocalApp, is_there: bool) -> None:
    data = data_of(slack)
    (data / "registry.db").unlink()
    if is_there:
        (data / "registry.db").touch()  # as a gateway leaves it that is killed in its first moment

    assert only(data).kind == "registry"
    assert only(data).way_out == "the next start finds episodes and snapshots in their folders"
    async with Gateway(data, "slack") as gateway:
        assert EPISODE in gateway.registry.apps


async def test_what_registry_and_folders_say_differently_is_told(slack: LocalApp) -> None:
    data = data_of(slack)
    (data / "registry.db").unlink()
    async with Gateway(data, "slack") as gateway:
        made = (await gateway.episodes.create({}))["id"]
        await gateway.episodes.drop(EPISODE)
        kept = (await gateway.episodes.create({}))["id"]
    shutil.rmtree(data / "episodes" / made)
    shutil.copytree(data / "episodes" / kept, data / "episodes" / "stranger")

    told = {Path(each.path).name: each.problem for each in examine(data).findings if each.kind == "registry"}

    assert told == {made: "the registry lists it, and it is gone", "stranger": "the registry does not list it"}


def test_what_a_running_farm_is_at_work_on_is_left_to_it(slack: LocalApp) -> None:
    data = data_of(slack)
    (data / "registry.db").write_bytes(b"no database" * 1000)
    (data / "episodes" / EPISODE / "slack.1.db.tmp").touch()
    (data / "farm.json.7").touch()
    lock = DataLock(data)
    try:
        report = examine(data)
        repair(report)
    finally:
        lock.release()

    assert report.is_running
    assert sorted(each.kind for each in report.findings) == ["process", "registry"]
    assert report.repaired == {}
    assert (data / "episodes" / EPISODE / "slack.1.db.tmp").exists()


def test_an_episode_that_a_busy_farm_makes_slowly_is_not_wrong(
    slack: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, looked = data_of(slack), []
    settings = data / "episodes" / EPISODE / "episode.json"
    settings.rename(data / "not-written-yet")

    def wait(_: float) -> None:
        looked.append(settings.exists())
        if len(looked) == 2:
            (data / "not-written-yet").rename(settings)

    monkeypatch.setattr("farm.runtime.maintenance.doctor.time", SimpleNamespace(sleep=wait))
    lock = DataLock(data)
    try:
        found = examine(data).findings
    finally:
        lock.release()

    assert looked == [False, False]
    assert [each for each in found if each.kind != "process"] == []


def test_leftovers_of_killed_processes_are_removed_and_nothing_else(slack: LocalApp) -> None:
    data = data_of(slack)
    folder = data / "episodes" / EPISODE
    kept = {path for path in data.rglob("*") if path.is_file()}
    slack.store.reset(EPISODE)
    slack.store.close_all()
    kept = {path for path in data.rglob("*") if path.is_file()} | {data / "farm.lock"}
    left = [folder / "slack.0.db", folder / "slack.0.db-journal", folder / "slack.2.db.tmp", data / "farm.json.12"]
    left += [data / "operator.token.12", folder / "episode.json.new"]
    for path in left:
        path.touch()
    (data / "farm.json").write_text('{"pid": 1}')

    report = examine(data)
    assert [each.kind for each in report.findings] == ["leftover", "leftover"]
    assert report.is_well  # 'farm up' starts on it as if nothing had happened
    repair(report)

    assert {path for path in data.rglob("*") if path.is_file()} == kept
    assert EpisodeFiles(str(folder), "slack").newest() == 1
    assert examine(data).findings == []


def test_containers_of_a_killed_farm_are_told_of_and_those_of_a_living_one_are_not(slack: LocalApp) -> None:
    data = data_of(slack)
    (data / "farm.docker").touch(mode=0o600)

    (found,) = examine(data).findings
    assert (found.kind, found.path, found.is_wrong) == ("process", str(data / "farm.docker"), True)
    assert found.way_out == "end them with 'farm down', or begin anew with 'farm up'"

    lock = DataLock(data)
    told = [each.path for each in examine(data).findings]
    lock.release()
    assert str(data / "farm.docker") not in told


def test_what_a_killed_run_left_is_removed_and_what_a_living_one_has_is_not(slack: LocalApp) -> None:
    data = data_of(slack)
    dead, lock = temp_folders.made("farm-run-")
    os.close(lock)
    with temp_folders.scratch("farm-run-") as living:
        found = only(data)
        assert (found.kind, found.path) == ("leftover", str(dead))
        assert dead.exists()
        repair(examine(data))
        assert living.exists()
    assert not dead.exists()


def test_what_others_may_read_is_closed_to_them(slack: LocalApp) -> None:
    data = data_of(slack)
    opened = [data, data / "farm.secret", data / "episodes" / EPISODE / "slack.0.db"]
    for path in opened:
        path.chmod(0o755 if path.is_dir() else 0o644)
    other = data / "notes.txt"
    other.touch()
    other.chmod(0o644)

    found = only(data)
    assert found.kind == "permissions"
    assert found.problem.endswith("it and 2 more")
    repair(examine(data))

    assert [path.stat().st_mode & 0o777 for path in (*opened, other)] == [0o700, 0o600, 0o600, 0o644]


@pytest.mark.parametrize(
    "name",
    [
        "expected",
        "expected/demo/task.latest.0.json",
        "imports/one-1/slack.0.db",
        "exports/one-1",
        "starts/slack.schema.json",
        "farm.docker",
        "operators.log.3",
        "registry.db-wal",
        f"episodes/{EPISODE}/snapshots/before.0a",
    ],
)
def test_whatever_a_farm_writes_is_looked_at(slack: LocalApp, name: str) -> None:
    data = data_of(slack)
    path = data / name
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.mkdir() if "." not in name else path.touch()
    path.chmod(path.stat().st_mode | 0o044)

    (found,) = [each for each in examine(data).findings if each.kind == "permissions"]
    assert found.path == str(path)
    repair(examine(data))
    assert not path.stat().st_mode & 0o077


def test_exports_and_imports_that_broke_off_are_noted_and_those_under_way_are_not(slack: LocalApp) -> None:
    data = data_of(slack)
    for name in ("imports", "exports"):
        (data / name / "fedcba9876543210-1").mkdir(parents=True)
        with taken(data / name, "0123456789abcdef"):
            told = [each for each in examine(data).findings if each.path.startswith(str(data / name))]
        assert [(each.path, each.is_wrong) for each in told] == [(str(data / name / "fedcba9876543210-1"), False)]
        assert told[0].problem == f"an {name[:-1]} broke off"


def replaced(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        make(path)

    return spoil


def settings_with(**values: object) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        whole: dict[str, object] = {"id": EPISODE, "world": None, "apps": ["slack"], "menu": {}}
        path.write_text(json.dumps(whole | values))

    return make


MADE: dict[str, Callable[[Path], object]] = {
    "a folder": lambda path: path.mkdir(parents=True),
    "a pipe": os.mkfifo,
    "a link to itself": lambda path: path.symlink_to(path),
    "a link that leads out": lambda path: path.symlink_to("/etc/passwd"),
    "nothing": Path.touch,
    "bytes": lambda path: path.write_bytes(bytes(range(256)) * 40),
    "a list": lambda path: path.write_text("[[]]"),
    "a number": lambda path: path.write_text("1e999"),
    "an object": lambda path: path.write_text('{"parts": 7, "calls": {}, "checksum": []}'),
    "a log without an end": lambda path: path.write_text('{"log":1,"parts":[],"calls":0}\n' + '{"n":[]}\n' * 5),
}
PLACES = [
    f"episodes/{EPISODE}/{name}"
    for name in (
        "episode.json",
        "calls",
        "slack.0.db",
        "slack.0.db-journal",
        "slack.0.log",
        "snapshots",
        "snapshots/before.0a",
        "snapshots/before.0a/slack.db",
        "snapshots/before.0a/slack.parts.json",
    )
]
PLACES += ["episodes", f"episodes/{EPISODE}", "starts/slack-0.db", "starts", "imports", "imports/x", "exports"]
PLACES += ["expected", "farm.json", "farm.secret", "operator.token", "registry.db", "operators.log"]
SPOILT_ANYHOW = [(place, kind) for place in PLACES for kind in MADE] + [
    (f"episodes/{EPISODE}/episode.json", f"settings {values}")
    for values in (
        '{"id": "../../elsewhere"}',
        '{"id": 5}',
        '{"apps": ["../../elsewhere"]}',
        '{"apps": [1]}',
        '{"apps": "slack"}',
        '{"expires_at": "nonsense"}',
        '{"expires_at": 7}',
        '{"now": "2026-01-01T00:00:00"}',
        '{"calls_max": "many"}',
        '{"menu": []}',
        '{"shift_days": 1e300}',
        '{"new": 1}',
    )
]


@contextmanager
def bounded() -> Iterator[None]:
    """End what waits for ever, as whoever opens a pipe does."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt("it waits")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(5)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(("place", "kind"), SPOILT_ANYHOW, ids=[" is ".join(each) for each in SPOILT_ANYHOW])
def test_whatever_is_there_is_told_in_lines_and_neither_doctor_nor_gc_touches_what_is_not_theirs(
    slack: LocalApp, tmp_path: Path, place: str, kind: str
) -> None:
    data, elsewhere = data_of(slack), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    before = (elsewhere / "kept").stat()
    make = settings_with(**json.loads(kind.removeprefix("settings "))) if kind.startswith("settings ") else MADE[kind]
    (data / place).parent.mkdir(parents=True, exist_ok=True)
    replaced(make)(data / place)

    with bounded():
        report = examine(data)
        lines = [each.line for each in report.findings]
        found = []
        with suppress(FarmError):  # one line, of what is in the way
            found = collect(data, timedelta(0), datetime.now(UTC) + timedelta(days=1), is_dry=True)

    assert all("\n" not in line and "\x1b" not in line for line in lines)
    assert all(each.path.is_relative_to(data) for each in found if each.kind != "leftovers")
    assert data / "episodes" / EPISODE not in {each.path for each in found}  # it has no limits, as far as is known
    with bounded():
        repair(report)
        examine(data)
    assert (elsewhere / "kept").stat() == before


@pytest.mark.parametrize("name", ["operator.token", "farm.secret"])
@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_text("")])
def test_a_token_file_that_is_gone_or_empty_is_told(
    slack: LocalApp, name: str, spoil: Callable[[Path], object]
) -> None:
    data = data_of(slack)
    spoil(data / name)

    found = only(data)

    assert (found.kind, found.path) == ("token", str(data / name))


async def test_tokens_that_another_secret_made_are_told(slack: LocalApp) -> None:
    data = data_of(slack)
    (data / "registry.db").unlink()
    async with Gateway(data, "slack") as gateway:
        made = (await gateway.episodes.create({}))["id"]  # by a gateway whose secret is not this folder's

    told = [each for each in examine(data).findings if each.kind == "token"]

    assert [made in each.problem for each in told] == [True]


def test_a_disk_that_is_nearly_full_is_told(slack: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    data = data_of(slack)
    monkeypatch.setattr(doctor, "FREE_BYTES_MIN", shutil.disk_usage(data).free + (1 << 30))

    assert only(data).kind == "disk"


def test_the_command_says_all_in_lines_and_by_its_status(slack: LocalApp, capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(slack)
    (data / "format").write_text(f"{DATA_FORMAT}\n")

    def run(*options: str) -> tuple[int, list[str]]:
        with pytest.raises(SystemExit) as end:
            main(["doctor", "--data", str(data), *options])
        return int(end.value.code or 0), capsys.readouterr().out.splitlines()

    assert run() == (0, [f"all is well in {data} (1 episode, 1 context, 1 snapshot)"])
    (data / "farm.secret").chmod(0o644)
    status, lines = run()
    assert (status, len(lines)) == (1, 2)
    assert lines[0].startswith(f"wrong     {data}/farm.secret: others may look into it; ")
    assert lines[1].startswith(f"not well in {data}")
    status, lines = run("--json")
    (told,) = json.loads("\n".join(lines))["findings"]
    assert status == 1
    assert (told["kind"], told["can_repair"], told["repaired"]) == ("permissions", True, None)
    assert run("--repair")[0] == 0
    assert run()[0] == 0


def test_no_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FarmError, match=r"no data folder at .*; name one with --data"):
        examine(tmp_path / "none")
