"""What a farm leaves on disk, what it takes before it starts, and how it counts deaths."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from farm._util.sockets import bind, connectable_host, is_beyond_loopback, require_writable
from farm.cli.up import ensure_default, notes, other_world
from farm.context.settings import Settings, bearer_sha256, is_bearer
from farm.errors import FarmError
from farm.runtime.data_format import DATA_FORMAT
from farm.runtime.supervisor import supervisor as supervising
from farm.runtime.supervisor.child import READY_S_MAX, Child
from farm.runtime.supervisor.config import Config
from farm.runtime.supervisor.state import AppState, DataLock, FarmState, is_alive, is_locked, secret_file
from farm.runtime.supervisor.supervisor import Supervisor

STATE = FarmState(os.getpid(), 0, "127.0.0.1", "http://a", "http://o", "/t", (AppState("slack", 1, 2, 8),))
needs_locks = pytest.mark.skipif(sys.platform == "win32", reason="no file locks of this kind")


def test_a_state_is_read_as_it_was_saved_while_its_farm_holds_the_lock(tmp_path: Path) -> None:
    lock = DataLock(tmp_path)
    STATE.save(tmp_path)

    assert FarmState.load(tmp_path) == STATE
    assert [path.name for path in tmp_path.iterdir() if "json" in path.name] == ["farm.json"]
    lock.release()


@needs_locks
def test_a_state_nobody_holds_the_lock_for_names_nobody(tmp_path: Path) -> None:
    DataLock(tmp_path).release()
    STATE.save(tmp_path)

    assert FarmState.load(tmp_path) is None


@pytest.mark.parametrize("content", [None, b"", b'{"pid"'])
def test_no_state_and_half_a_state_are_no_farm(tmp_path: Path, content: bytes | None) -> None:
    lock = DataLock(tmp_path)
    if content is not None:
        (tmp_path / "farm.json").write_bytes(content)

    assert FarmState.load(tmp_path) is None
    lock.release()


@needs_locks
def test_a_folder_has_one_farm_at_a_time(tmp_path: Path) -> None:
    lock = DataLock(tmp_path)

    assert is_locked(tmp_path)
    with pytest.raises(FarmError, match=f"a farm runs on {tmp_path} already; see it with 'farm status'"):
        DataLock(tmp_path)

    lock.release()
    assert not is_locked(tmp_path)
    DataLock(tmp_path).release()


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    made = secret_file(tmp_path / "secret")

    assert secret_file(tmp_path / "secret") == made
    assert len(made) >= 43
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600 or sys.platform == "win32"
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_an_empty_secret_is_none(tmp_path: Path) -> None:
    (tmp_path / "secret").touch()

    assert len(secret_file(tmp_path / "secret")) >= 43


def test_a_process_that_has_ended_is_not_alive() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    assert is_alive(os.getpid())

    # Not waited for: on Linux it keeps its number as a zombie until then.
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)

    assert not is_alive(ended.pid)
    ended.wait()
    assert not is_alive(ended.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no thread outlives the first one")
def test_a_process_of_which_a_thread_goes_on_is_alive() -> None:
    ends = "import ctypes, threading; threading.Thread(target=input).start(); ctypes.CDLL(None).pthread_exit(None)"
    with subprocess.Popen([sys.executable, "-c", ends], stdin=subprocess.PIPE) as process:
        told = Path(f"/proc/{process.pid}/stat")
        while told.read_text().rpartition(")")[2].split()[0] != "Z":
            assert process.poll() is None

        assert is_alive(process.pid)

        process.kill()
        process.wait()
        assert not is_alive(process.pid)


@pytest.mark.parametrize(
    ("host", "seen"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("farm.lan", "farm.lan")],
)
def test_what_listens_everywhere_is_reached_on_loopback(host: str, seen: str) -> None:
    assert connectable_host(host) == seen


def test_a_port_that_cannot_be_had_is_named_with_its_option() -> None:
    with bind("127.0.0.1", 0, "--port") as taken:
        port = taken.getsockname()[1]
        with pytest.raises(FarmError, match=f"port {port} of 127.0.0.1 cannot be used .*; choose another with --other"):
            bind("127.0.0.1", port, "--other")
    with pytest.raises(FarmError, match="ports run from 0 to 65535"):
        bind("127.0.0.1", 65536, "--port")
    with pytest.raises(FarmError, match=r"'203.0.113.7' is no address of this machine; choose another with --host"):
        bind("203.0.113.7", 0, "--port")


def test_a_data_folder_that_is_a_file_is_not_writable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(FarmError, match=r"is not writable .*; choose another with --data"):
        require_writable(tmp_path / "file")


def test_a_farm_that_cannot_have_a_port_gives_back_all_it_took(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        config = Config(tmp_path, ("slack",), port=0, operator_port=taken.getsockname()[1])

        with pytest.raises(FarmError, match="choose another with --operator-port"):
            Supervisor(config)

    DataLock(tmp_path).release()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.skipif(sys.platform == "win32", reason="no modes of this kind")
def test_a_data_folder_is_its_owners_alone_also_one_that_was_there(tmp_path: Path) -> None:
    empty, older, shared = tmp_path / "empty", tmp_path / "older", tmp_path / "shared"
    for folder in (empty, older, shared):
        folder.mkdir()
        folder.chmod(0o755)
    (older / "farm.secret").touch()
    (shared / "something.txt").touch()

    modes = [mode(require_writable(folder)) for folder in (tmp_path / "new", empty, older, shared)]

    assert modes == [0o700, 0o700, 0o700, 0o755]
    assert mode(shared / "episodes") == 0o700


@needs_locks
def test_a_process_that_is_started_again_is_null_for_others_and_not_their_own_group(tmp_path: Path) -> None:
    dead = replace(STATE, apps=(AppState("slack", 0, 2, 8),))
    lock = DataLock(tmp_path)

    dead.save(tmp_path)

    raw = json.loads((tmp_path / "farm.json").read_bytes())
    assert (raw["pid"], raw["gateway_pid"], raw["apps"][0]["pid"]) == (os.getpid(), None, None)
    assert FarmState.load(tmp_path) == dead
    lock.release()


@pytest.mark.parametrize(
    ("options", "others", "nobody_else"),
    [
        ({}, (), False),
        ({"allowed_hosts": ("farm.example",)}, (), False),
        ({"host": "0.0.0.0"}, (), True),
        ({"host": "0.0.0.0", "allowed_hosts": ("localhost",)}, (), True),
        ({"host": "0.0.0.0", "allowed_hosts": ("farm.example", "*")}, ("http://farm.example:41",), False),
        ({"host": "0.0.0.0", "allowed_hosts": ("farm.example",), "public_url": "https://farm.example"}, (), False),
        ({"host": "0.0.0.0", "allowed_hosts": ("farm.example",), "behind_proxy": True}, (), False),
    ],
)
def test_a_farm_knows_how_other_machines_reach_it(
    tmp_path: Path, options: dict[str, Any], others: tuple[str, ...], nobody_else: bool
) -> None:
    config = Config(tmp_path, ("slack",), **options)

    assert (config.others(41), config.nobody_else) == (others, nobody_else)


def test_whoever_may_come_by_a_proxy_needs_the_bearer_of_the_default_episode(tmp_path: Path) -> None:
    assert Config(tmp_path, ("slack",), behind_proxy=True).guards_default
    assert not Config(tmp_path, ("slack",)).guards_default


@needs_locks
def test_a_default_episode_wants_a_bearer_as_long_as_others_can_reach_the_farm(tmp_path: Path) -> None:
    folder = tmp_path / "episodes" / "default"
    folder.mkdir(parents=True)
    Settings("default", None, ("slack",), label="kept").save(folder)
    (tmp_path / "format").write_text(f"{DATA_FORMAT}\n")

    def started(*names: str) -> Settings:
        Supervisor(Config(tmp_path, ("slack",), port=0, operator_port=0, allowed_hosts=names))._taken.close()
        return Settings.load(folder)

    guarded = started("farm.example")
    assert guarded.token_sha256 == bearer_sha256(secret_file(tmp_path / "farm.secret"), "default")
    assert notes(tmp_path)[0].endswith("wants a bearer; 'farm episode show default' shows it")
    assert started() == Settings("default", None, ("slack",), label="kept")
    assert notes(tmp_path) == []
    assert [path.name for path in folder.iterdir()] == ["episode.json"]


@pytest.mark.parametrize(
    ("played", "asked", "said"),
    [
        ("pier", "harbor", ["of the world 'pier' and stays so; new ones are of 'harbor'"]),
        (None, "harbor", ["of no world and stays so; new ones are of 'harbor'"]),
        ("harbor", "harbor", []),
        ("pier", None, []),
    ],
)
def test_who_asks_for_another_world_is_told_that_the_default_episode_stays_in_its_own(
    played: str | None, asked: str | None, said: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "episodes" / "default"
    folder.mkdir(parents=True)
    Settings("default", played, ("slack",)).save(folder)

    (found, wanted) = other_world(tmp_path, asked), said

    assert len(found) == len(wanted)
    assert all(words in line for words, line in zip(wanted, found, strict=True))


def test_a_new_data_folder_has_no_world_to_stay_in(tmp_path: Path) -> None:
    assert other_world(tmp_path, "harbor") == []


@pytest.mark.parametrize(
    ("host", "names", "is_beyond"),
    [
        ("127.0.0.1", (), False),
        ("::1", (), False),
        ("localhost", ("localhost", "[::1]"), False),
        ("0.0.0.0", (), True),
        ("::", (), True),
        ("10.0.0.7", (), True),
        ("127.0.0.1", ("farm.example",), True),
        ("127.0.0.1", ("*",), True),
    ],
)
def test_a_farm_is_beyond_loopback_by_its_address_or_by_a_further_name(
    host: str, names: tuple[str, ...], is_beyond: bool
) -> None:
    assert is_beyond_loopback(host, names) == is_beyond


def test_an_app_served_on_its_own_beyond_loopback_guards_its_default_episode(tmp_path: Path) -> None:
    (tmp_path / "episodes").mkdir()
    assert ensure_default(tmp_path, "slack", None) is None

    token = ensure_default(tmp_path, "slack", None, "secret")

    assert token is not None
    settings = Settings.load(tmp_path / "episodes" / "default")
    assert is_bearer(b"Bearer " + token.encode(), settings.token_sha256 or "")


def test_deaths_in_a_row_make_the_next_start_wait_longer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    child = Child("app slack")
    waits = []
    with caplog.at_level(logging.WARNING):
        for lived_s in (1, 1, 1, 1, 1, 1, 60):
            child.has_started(7)
            now += lived_s
            waits.append(child.has_ended(-9))

    assert waits == [0.05, 0.2, 1.0, 3.0, 5.0, 5.0, 0.05]
    assert (child.pid, child.ended, child.last_status) == (0, 7, -9)
    assert caplog.messages[0] == "app slack ended with status -9; it starts again"


def test_of_secrets_made_at_once_the_first_is_everybodys(tmp_path: Path) -> None:
    # As containers do that share a folder and count their processes each from 1.
    with ThreadPoolExecutor(16) as pool:
        made = set(pool.map(secret_file, [tmp_path / "secret"] * 16))

    assert made == {(tmp_path / "secret").read_text().strip()}
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_only_what_has_answered_before_can_have_stopped_answering(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 1000.0
    monkeypatch.setattr("farm.runtime.supervisor.child.time", SimpleNamespace(monotonic=lambda: now_s))
    child = Child("app toy")
    child.has_started(1)

    assert [child.has_been_asked(answered=False) for _ in range(5)] == [0] * 5, "it still starts"
    now_s += READY_S_MAX
    assert [child.has_been_asked(answered=False) for _ in range(2)] == [1, 2], "and for too long"
    assert [child.has_been_asked(answered=said) for said in (True, False, False, True, False)] == [0, 1, 2, 0, 1]
    child.has_started(2)
    assert child.has_been_asked(answered=False) == 0


async def test_whoever_hangs_up_or_refuses_is_alive_and_who_says_nothing_is_not() -> None:
    async def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 401 Unauthorized\r\n\r\n")
        writer.close()

    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    for serve in (refuse, hang_up):
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            host, port = server.sockets[0].getsockname()
            assert await supervising._answers(host, port, 5)
            assert not await supervising._is_healthy(host, port)
    with bind("127.0.0.1", 0, "--port") as silent:
        silent.listen()
        host, port = silent.getsockname()
        assert not await supervising._answers(host, port, 0.05)
    assert not await supervising._is_healthy(host, port), "nobody listens any more"
