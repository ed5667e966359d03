"""Episodes that are exported from one farm and imported into another."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from farm._util.sizes import disk_usage
from farm.errors import FarmError
from farm.runtime.maintenance import archive
from farm.runtime.maintenance.data_folder import everything
from farm.runtime.maintenance.work_folders import taken
from tests.e2e.conftest import RunningFarm, farm_command, one_line

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.xdist_group("farm"),
]
StartFarm = Callable[..., RunningFarm]


def post(farm: RunningFarm, episode: dict[str, Any], text: str) -> dict[str, Any]:
    channel = farm.client.rows(episode["id"], "slack", "channels", limit=1)["rows"][0]["id"]
    answer = farm.call(episode, "slack", "slack_post_message", channel_id=channel, text=text)
    assert "error" not in answer
    return answer


def seen(farm: RunningFarm, episode_id: str) -> tuple[Any, ...]:
    """Return all that an operator sees of what happened in an episode."""
    client = farm.client
    calls = [
        {name: each[name] for name in ("n", "app", "tool", "arguments", "result", "now")}
        for each in client.calls(episode_id)
    ]
    return client.diff(episode_id), calls, client.clock(episode_id), client.episode(episode_id)["calls"]


def test_another_farm_restores_what_one_lost(start_farm: StartFarm, tmp_path: Path) -> None:
    first = start_farm("--apps=slack,rednote", data="first")
    made = first.client.create(seed=9, calls_max=6, label="mine")
    post(first, made, "one")
    first.client.snapshot(made["id"], "before")
    at_snapshot = seen(first, made["id"])
    post(first, made, "two")
    first.call(made, "slack", "no_such_tool")
    as_it_stands = seen(first, made["id"])
    on_first = ("--data", first.data)
    for options, to in ((("--snapshot=before",), "at"), ((), "now")):
        done = farm_command("episode", "export", made["id"], "--to", tmp_path / to, *options, *on_first)
        assert done.returncode == 0, done.stderr
        assert f"{made['id']} is in {tmp_path / to}: " in done.stdout
    assert {each["id"] for each in first.client.episodes()} == {"default", made["id"]}
    post(first, made, "later than the export")
    with pytest.raises(FarmError):
        archive.save(str(tmp_path / "now"), "episode", {}, [])
    first.end()
    for path in (tmp_path / "now").rglob("*"):
        assert made["token"].encode() not in (path.read_bytes() if path.is_file() else b"")
    shutil.rmtree(first.data)

    second = start_farm("--apps=slack,rednote", data="second")
    on_second = ("--data", second.data)
    brought = json.loads(farm_command("episode", "import", tmp_path / "now", "--json", *on_second).stdout)
    earlier = json.loads(farm_command("episode", "import", tmp_path / "at", "--json", *on_second).stdout)

    assert seen(second, brought["id"]) == as_it_stands
    assert seen(second, earlier["id"]) == at_snapshot
    assert {brought["id"], brought["token"]}.isdisjoint({made["id"], made["token"]})
    assert [brought[name] for name in ("seed", "world", "me", "label", "calls_max", "now")] == [
        made[name] for name in ("seed", "world", "me", "label", "calls_max", "now")
    ]
    # It goes on as it would have there, limits included.
    assert len([post(second, brought, f"more {n}") for n in range(3)]) == 3
    refused = second.call(brought, "slack", "slack_list_channels")
    assert "the limit of 6 calls" in refused["content"][0]["text"]
    second.client.snapshot(brought["id"], "there")
    assert second.client.reset(brought["id"])["calls"] == 0
    assert second.client.diff(brought["id"])["slack"] == {}
    assert second.client.restore(brought["id"], "there")["calls"] == 6
    assert not list((second.data / "imports").iterdir())
    assert farm_command("doctor", *on_second).returncode == 0
    # The doctor knows whatever a farm writes; ``out.txt`` is this test's.
    assert {*second.data.rglob("*")} - {*everything(second.data)} == {second.data / "out.txt"}


# As farms wrote it until November 2026.


def exported_anew(
    folder: Path, spoil: Callable[[Path], None], about: dict[str, Any] | None = None, more: tuple[str, ...] = ()
) -> None:
    """Export it again with other files, or something else said of it: whole, but never made by a farm."""
    manifest = archive.load(str(folder), "episode")
    back = folder.parent / "back"
    archive.fetch(str(folder), manifest, back)
    spoil(back)
    shutil.rmtree(folder)
    names = [*(each.name for each in manifest.files), *more]
    files = [(name, back / name, (back / name).stat().st_size) for name in names]
    archive.save(str(folder), "episode", {**manifest.about, **(about or {})}, files)


def in_wal_mode(back: Path) -> None:
    with closing(sqlite3.connect(back / "slack.0.db")) as db:
        db.execute("PRAGMA journal_mode=WAL")


def in_utf_16(back: Path) -> None:
    path = back / "slack.0.db"
    with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(back / "other.db", isolation_level=None)) as new:
        new.execute("PRAGMA encoding='UTF-16le'")
        new.execute("CREATE TABLE _meta (clock_ms)")
        new.execute("CREATE TABLE _journal (id, call)")
        new.executemany("INSERT INTO _journal VALUES (?, ?)", db.execute("SELECT id, call FROM _journal").fetchall())
    (back / "other.db").replace(path)


def with_part_twice(folder: Path) -> None:
    """Name a part without calls twice, which no number of a call tells."""

    def spoil(back: Path) -> None:
        with closing(sqlite3.connect(back / "slack.0.db")) as db, db:
            db.execute("DELETE FROM _journal")
        part = json.dumps({"clock_ms": 1, "after": 0}) + "\n"
        (back / "slack.part0.log").write_text(part)
        parts = [["slack.part0.log", len(part)]] * 2
        (back / "slack.0.log").write_text(json.dumps({"log": 1, "parts": parts, "calls": 0}) + "\n")

    exported_anew(folder, spoil)


def with_sql(statement: str) -> Callable[[Path], None]:
    """Make an export whose context somebody has written to."""

    def spoil(back: Path) -> None:
        with closing(sqlite3.connect(back / "slack.0.db")) as db, db:
            db.execute(statement)

    return lambda folder: exported_anew(folder, spoil)


def with_log(*lines: dict[str, Any]) -> Callable[[Path], None]:
    """Make an export of a context that nobody wrote to, with this log."""

    def spoil(back: Path) -> None:
        with closing(sqlite3.connect(back / "slack.0.db")) as db, db:
            db.execute("DELETE FROM _journal")
        (back / "slack.0.log").write_text("".join(json.dumps(line) + "\n" for line in lines))

    return lambda folder: exported_anew(folder, spoil)


def with_pipe(folder: Path) -> None:
    path = next((folder / "blobs").iterdir())
    path.unlink()
    os.mkfifo(path)


def with_other_app(folder: Path) -> None:
    manifest = archive.load(str(folder), "episode")
    about = {**manifest.about, "episode": {**manifest.about["episode"], "apps": ["rednote"]}}
    back = folder.parent / "back"
    archive.fetch(str(folder), manifest, back)
    shutil.rmtree(folder)
    files = [(each.name.replace("slack", "rednote"), back / each.name, each.size) for each in manifest.files]
    archive.save(str(folder), "episode", about, files)


def with_lost_call(folder: Path) -> None:
    manifest = archive.load(str(folder), "episode")
    back = folder.parent / "back"
    archive.fetch(str(folder), manifest, back)
    shutil.rmtree(folder)
    files = [(each.name, back / each.name, each.size) for each in manifest.files]
    files = [(name, path, 30 if ".part" in name else size) for name, path, size in files]
    archive.save(str(folder), "episode", manifest.about, files)


def with_changed_byte(folder: Path) -> None:
    path = max((folder / "blobs").iterdir(), key=lambda each: each.stat().st_size)
    raw = bytearray(path.read_bytes())
    raw[5000] ^= 1
    path.write_bytes(raw)


SPOILT = {
    "a changed byte": (with_changed_byte, "is not what was exported"),
    "a trigger of its own": (
        with_sql("CREATE TRIGGER own AFTER INSERT ON messages BEGIN DELETE FROM users; END"),
        "has the tables of another version of slack",
    ),
    "a clock out of time": (with_sql("UPDATE _meta SET clock_ms = 1000000000000000000"), "its clock is at no time"),
    "no clock": (with_sql("DELETE FROM _meta"), "its clock is at no time"),
    "a text that is no UTF-8": (
        with_sql("UPDATE messages SET text = CAST(x'ff80' AS TEXT)"),
        "holds no sound context of slack: messages: Could not decode to UTF-8 column 'text'",
    ),
    "broken JSON": (
        with_sql("UPDATE messages SET blocks = '{'"),
        "holds no sound context of slack: messages.blocks holds a text that is not JSON",
    ),
    "a scheduled row that is no object": (
        with_sql("INSERT INTO _scheduled (at_ms, \"table\", row) VALUES (0, 'messages', '5')"),
        "a scheduled row does not fit a table 'messages'",
    ),
    "the calls of another episode": (
        with_log({"log": 1, "parts": [["../../episodes/default/slack.0.log", 1]], "calls": 0}),
        "it does not begin as a call log",
    ),
    "a call that cannot be shown": (
        with_log({"log": 1, "parts": [], "calls": 0}, {"n": 1, "tool": "x"}),
        "holds no sound calls of slack",
    ),
    "a move out of time": (
        lambda folder: exported_anew(folder, lambda _: None, {"shift_days": 7_000_000}),
        "simulated time runs from 1970 to 9998",
    ),
    "a move that is no number of days": (
        lambda folder: exported_anew(folder, lambda _: None, {"shift_days": 1e300}),
        "does not say which episode it is",
    ),
    "a database with another kind of journal": (
        lambda folder: exported_anew(folder, in_wal_mode),
        "it is a database of another form than a farm writes",
    ),
    "a database in another encoding": (
        lambda folder: exported_anew(folder, in_utf_16),
        "it is a database of another form than a farm writes",
    ),
    "a part that no log names": (
        lambda folder: exported_anew(
            folder, lambda back: (back / "slack.part7.log").touch(), more=("slack.part7.log",)
        ),
        "slack.part7.log is named more often or less than once",
    ),
    "a part that is named twice": (
        with_part_twice,
        "slack.part0.log is named more often or less than once",
    ),
    "an app that clears the screen": (
        lambda folder: exported_anew(folder, lambda _: None, {"episode": {"apps": ["\x1b[2J"]}}),
        r"has an app '\x1b[2J', which is no app's name",
    ),
    "apps that are one word": (
        lambda folder: exported_anew(folder, lambda _: None, {"episode": {"apps": "slack"}}),
        "'apps' is no list of names",
    ),
    "a wish that nobody has": (
        lambda folder: exported_anew(folder, lambda _: None, {"episode": {"apps": ["slack"], "seed": "x"}}),
        "'seed' must be an integer",
    ),
    "a pipe for a file": (with_pipe, "is no file"),
    "the rows of another app": (with_other_app, "holds no sound context of rednote"),
    "calls that are lost": (with_lost_call, "holds no sound context of slack"),
}


@pytest.fixture(scope="module")
def exported(breakable: RunningFarm, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One exported episode."""
    folder = tmp_path_factory.mktemp("exported") / "episode"
    made = breakable.client.create(apps=["slack"])
    post(breakable, made, "one")
    done = farm_command("episode", "export", made["id"], "--to", folder, "--data", breakable.data)
    assert done.returncode == 0, done.stderr
    breakable.client.drop(made["id"])
    return folder


@pytest.mark.parametrize(("spoil", "message"), SPOILT.values(), ids=SPOILT)
def test_what_is_not_whole_or_not_of_this_farm_is_refused_before_anything_is_made(
    breakable: RunningFarm, exported: Path, tmp_path: Path, spoil: Callable[[Path], None], message: str
) -> None:
    folder = tmp_path / "episode"
    shutil.copytree(exported, folder)
    before = {each["id"] for each in breakable.client.episodes()}
    spoil(folder)

    assert message in one_line(farm_command("episode", "import", folder, "--data", breakable.data))

    assert {each["id"] for each in breakable.client.episodes()} == before
    assert {path.name for path in (breakable.data / "episodes").iterdir()} == before
    # What came whole may stay for a next try; what is no sound episode does not.
    for left in (breakable.data / "imports").glob("*"):  # none has come yet where this comes first
        assert message not in ("holds no sound context of slack", "is not what was exported")
        assert not {"episode.json", "calls"} & {path.name for path in left.iterdir()}
        shutil.rmtree(left)


def test_what_cannot_be_exported_or_imported_is_one_line(
    breakable: RunningFarm, exported: Path, tmp_path: Path
) -> None:
    data = ("--data", breakable.data)
    (tmp_path / "other").mkdir()
    farm = ("--farm", breakable.state.operators_url, "--token-file", breakable.state.token_file)
    elsewhere = ("--data", tmp_path / "other", *farm)

    assert "no episode 'nobody'" in one_line(farm_command("episode", "export", "nobody", "--to", tmp_path / "x", *data))
    assert "no snapshot 'no'" in one_line(
        farm_command("episode", "export", "default", "--snapshot=no", "--to", tmp_path / "x", *data)
    )
    for inside in ("exports/mine", "imports", "episodes/x", f"../{breakable.data.name}/exports/x"):
        told = one_line(farm_command("episode", "export", "default", "--to", breakable.data / inside, *data))
        assert "is where the farm itself works; choose a place outside of" in told
    assert "has an export already" in one_line(farm_command("episode", "export", "default", "--to", exported, *data))
    assert "nothing was exported there" in one_line(farm_command("episode", "import", tmp_path / "x", *data))
    for command in (("export", "default", "--to", tmp_path / "x"), ("import", exported)):
        told = one_line(farm_command("episode", *command, *elsewhere))
        assert told.startswith(f"{tmp_path / 'other'} is not that farm's data folder; name it with --data")
    assert [each["id"] for each in breakable.client.episodes() if each["id"] != "default"] == []


def test_a_command_that_asked_a_farm_leaves_no_connection_open(breakable: RunningFarm) -> None:
    show = ("episode", "show", "--data", breakable.data)

    done = farm_command(*show, "default", PYTHONWARNINGS="error::ResourceWarning")
    assert (done.returncode, done.stderr) == (0, "")
    refused = farm_command(*show, "nobody", PYTHONWARNINGS="error::ResourceWarning")
    assert "no episode 'nobody'" in one_line(refused)


def test_an_export_needs_no_place_and_minds_no_end_of_its_episode(start_farm: StartFarm, tmp_path: Path) -> None:
    farm = start_farm("--apps=slack,rednote", "--episodes-max=2")
    data, client = ("--data", farm.data), farm.client
    an_hour_ago = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    over = client.create(apps=["slack"], expires_at=an_hour_ago)
    used = client.create(apps=["slack"], calls_max=1)
    post(farm, used, "one")
    client.snapshot(used["id"], "full")
    before = {each["id"] for each in client.episodes()}
    asked = [client.episode(each["id"])["calls"] for each in (over, used)]

    for number, more in enumerate(([over["id"]], [used["id"]], [used["id"], "--snapshot=full"], ["default"])):
        done = farm_command("episode", "export", *more, "--to", tmp_path / str(number), *data)
        assert done.returncode == 0, done.stderr

    assert {each["id"] for each in client.episodes()} == before
    assert {path.name for path in (farm.data / "episodes").iterdir()} == before
    assert [client.episode(each["id"])["calls"] for each in (over, used)] == asked
    assert not list((farm.data / "exports").iterdir())
    # A copy that is being read is nobody's leftover; one that a killed export left is.
    killed = farm.data / "exports" / "fedcba9876543210-1"
    killed.mkdir()
    with taken(farm.data / "exports", "0123456789abcdef") as folder:
        client.export(used["id"], folder.name)
        assert farm_command("gc", "--older-than=0s", *data).returncode == 0
        assert {each["id"] for each in client.episodes()} == {"default"}
        assert not killed.exists()
        copied = {path.name for path in folder.iterdir()}
    assert copied == {"slack.0.db", "slack.0.log", "slack.part0.log"}
    brought = json.loads(farm_command("episode", "import", tmp_path / "1", "--json", *data).stdout)
    assert seen(farm, brought["id"])[3] == 1


def test_an_import_that_failed_goes_on_where_it_was(start_farm: StartFarm, tmp_path: Path, exported: Path) -> None:
    farm = start_farm("--apps=slack,rednote", "--episodes-max=1")
    data, source = ("--data", farm.data), tmp_path / "source"
    shutil.copytree(exported, source)
    other = farm.client.create(apps=["slack"])

    told = one_line(farm_command("episode", "import", source, *data))
    assert "1 more would be too many" in told
    farm.client.drop(other["id"])
    shutil.rmtree(source / "blobs")  # what is there is not fetched again
    assert farm_command("episode", "import", source, *data).returncode == 0

    assert not list((farm.data / "imports").iterdir())
    assert farm_command("doctor", *data).returncode == 0


def test_what_the_disk_may_not_take_is_not_fetched(start_farm: StartFarm, tmp_path: Path, exported: Path) -> None:
    farm = start_farm("--apps=slack,rednote", "--disk-max=30MB")
    (tmp_path / "large").mkdir()
    (tmp_path / "large" / "x").write_bytes(os.urandom(1 << 20))
    manifest = archive.load(str(exported), "episode")
    archive.fetch(str(exported), manifest, tmp_path / "back")
    files = [(each.name, tmp_path / "back" / each.name, each.size) for each in manifest.files]
    files += [(f"slack.part{number}.log", tmp_path / "large" / "x", 1 << 20) for number in range(100, 140)]
    archive.save(str(tmp_path / "hostile"), "episode", manifest.about, files)
    took = disk_usage(farm.data)

    told = one_line(farm_command("episode", "import", tmp_path / "hostile", "--data", farm.data))

    assert "MiB are to come, and this farm may take 30.0 MiB (--disk-max)" in told
    assert disk_usage(farm.data) < took + (1 << 20)
    assert not list((farm.data / "imports").iterdir())


def test_two_imports_of_one_export_at_once_are_two_episodes(breakable: RunningFarm, exported: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "farm",
        "episode",
        "import",
        str(exported),
        "--json",
        "--data",
        str(breakable.data),
    ]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    made = [json.loads(each.communicate(timeout=60)[0]) for each in both]

    first, second = (seen(breakable, each["id"]) for each in made)
    assert first == second
    assert not list((breakable.data / "imports").iterdir())
    for each in made:
        post(breakable, each, "of its own")  # neither is the other's file
        assert breakable.client.episode(each["id"])["calls"] == 2
        breakable.client.drop(each["id"])


def test_added_rows_and_files_come_along_and_a_reset_returns_to_them(start_farm: StartFarm, tmp_path: Path) -> None:
    farm = start_farm("--apps=gmail", "--world=mini")
    data, client = ("--data", farm.data), farm.client
    mine = {"gmail": {"/tmp/menu.pdf": {"text": "menu"}}}
    made = client.request("POST", "/v1/episodes", {"apps": ["gmail"], "files": mine})

    def paths(episode_id: str) -> set[str]:
        rows = client.request("GET", f"/v1/episodes/{episode_id}/state/gmail/files")["rows"]
        return {row["path"] for row in rows}

    assert farm_command("episode", "export", made["id"], "--to", tmp_path / "to", *data).returncode == 0
    brought = json.loads(farm_command("episode", "import", tmp_path / "to", "--json", *data).stdout)
    (copy,) = client.fork(made["id"])

    for episode in (made, brought, copy):
        assert not any(client.diff(episode["id"]).values())
        client.reset(episode["id"])
        assert "/tmp/menu.pdf" in paths(episode["id"])


def farm_of(farm: RunningFarm) -> tuple[str, str, str]:
    return farm.state.operators_url, farm.token, str(farm.data)


def test_an_import_killed_at_any_step_leaves_a_whole_episode_or_none(
    breakable: RunningFarm, exported: Path, tmp_path: Path
) -> None:
    client = breakable.client
    whole = json.loads(farm_command("episode", "import", exported, "--json", "--data", breakable.data).stdout)
    expected = seen(breakable, whole["id"])
    client.drop(whole["id"])
    importer = subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.importer", *farm_of(breakable), str(exported)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert importer.stdin is not None
    assert importer.stdout is not None

    def import_until(step: int) -> int:
        assert importer.stdin is not None
        assert importer.stdout is not None
        importer.stdin.write(f"{step}\n")
        importer.stdin.flush()
        return int(importer.stdout.readline())

    def made() -> list[str]:
        return [each["id"] for each in client.episodes() if each["id"] != "default"]

    outcomes = []
    with importer:
        for number in range(200):
            status = import_until(number)
            outcomes.append(made())
            if status == 0:
                break
            assert status == -signal.SIGKILL
            assert import_until(1000) == 0
            assert len(made()) == len(outcomes[-1]) + 1
            for each in made():
                assert seen(breakable, each) == expected
                client.drop(each)
            assert not list((breakable.data / "imports").iterdir())
        importer.stdin.close()
    client.drop(made()[0])
    assert len(outcomes) > 8
    assert farm_command("doctor", "--data", breakable.data).returncode == 0
