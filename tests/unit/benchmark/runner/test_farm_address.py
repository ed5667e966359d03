"""A run's own farm, and one episode of a farm over the wire."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.benchmark.agents.base import InfrastructureError
from farm.benchmark.runner import farm_address
from farm.benchmark.runner.farm_address import FarmAddress, WireSession, open_session, own_farm
from farm.context.changes import Changes
from farm.errors import FarmError


class Child:
    """Starts a script of the shell where a farm would be started, and remembers how."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, script: str, *, is_awaited: bool = False) -> None:
        self._start, self._script, self._is_awaited = subprocess.Popen, script, is_awaited
        self.command: list[str] = []
        self.options: dict[str, Any] = {}
        self.process: subprocess.Popen[bytes] | None = None
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        monkeypatch.setattr(subprocess, "Popen", self)

    def __call__(self, command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        self.command, self.options = command, options
        self.process = self._start(["sh", "-c", self._script], **options)
        if self._is_awaited:
            self.process.wait()
        return self.process


READY = """printf '%s\\n' '{"url": "http://127.0.0.1:1", "token": "t"}'"""


def test_a_runs_own_farm_that_ends_before_it_is_told_anything_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Child(monkeypatch, tmp_path, "exit 3", is_awaited=True)

    with pytest.raises(FarmError, match=r"the run's own farm did not start \(status 3\)"), own_farm(["slack"]):
        pytest.fail("there is none")
    assert list(tmp_path.iterdir()) == []


def test_a_runs_own_farm_is_told_its_apps_and_its_folder_and_ends_with_its_input(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place, told, ended = tmp_path / "temporary", tmp_path / "told", tmp_path / "ended"
    place.mkdir()
    files = [shlex.quote(str(each)) for each in (told, ended)]
    child = Child(monkeypatch, place, f"head -n 1 > {files[0]}; {READY}; cat > /dev/null; echo ended > {files[1]}")

    with own_farm(("slack", "lark")) as address:
        (folder,) = place.iterdir()
        assert address == FarmAddress("http://127.0.0.1:1", "t")
        assert folder.name.startswith("farm-run-")
        assert not ended.exists()

    assert orjson.loads(told.read_bytes()) == {"data": str(folder / "data"), "apps": ["slack", "lark"]}
    assert ended.read_text() == "ended\n"
    assert child.command == [sys.executable, "-m", "farm.benchmark.runner.child_farm"]
    assert child.options["env"] == {**os.environ, "FARM_SCRATCH": str(folder)}
    assert child.process is not None
    assert (child.process.returncode, list(place.iterdir())) == (0, [])
    # What breaks the run off at a terminal is no signal to its farm.
    assert child.options["start_new_session"] is True


def test_a_runs_own_farm_that_does_not_end_is_killed_and_sooner_when_the_run_was_broken_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(farm_address, "_END_S_MAX", 0.2)
    child = Child(monkeypatch, tmp_path, f"{READY}; exec sleep 60")
    with own_farm(["slack"]):
        pass
    assert child.process is not None
    assert child.process.returncode == -9

    monkeypatch.setattr(farm_address, "_END_S_MAX", 30.0)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), own_farm(["slack"]):
        raise KeyboardInterrupt

    assert child.process.returncode == -9
    assert time.monotonic() - began < 15
    assert list(tmp_path.iterdir()) == []


# -- an episode ------------------------------------------------------------------------------------------------------

MADE = {
    "id": "c0-0-x",
    "now": "2026-03-09T09:00:00+08:00",
    "token": "t",
    "mcp": {"slack": "http://a/mcp/c0-0-x/slack", "lark": "http://a/mcp/c0-0-x/lark"},
}


class Client:
    """What an episode asks of a farm."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def create(self, **wishes: Any) -> Any:
        self.asked.append(wishes)
        if wishes.get("world") == "atlantis":
            raise FarmError("no world 'atlantis'")
        return MADE

    def changes(self, *given: Any) -> Any:
        return Changes({"asked": {"of": [{"with": given}]}}, {})

    def calls(self, *given: Any) -> Any:
        return [{"asked_with": given}]

    def episode(self, *given: Any) -> Any:
        self.asked.append(given)
        return {"over_limit": 4}

    def drop(self, *given: Any) -> None:
        self.asked.append(("drop", *given))


class Caller:
    """The connection to its tools."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.fails = False

    def call(self, *given: Any) -> Any:
        self.calls.append(given)
        if self.fails:
            raise FarmError("http://a closed the connection")
        return {"content": []}

    def close(self) -> None:
        self.calls.append("closed")


@pytest.fixture
def caller(monkeypatch: pytest.MonkeyPatch) -> Caller:
    made = Caller()
    monkeypatch.setattr(farm_address, "McpCaller", lambda: made)
    return made


def test_an_episode_is_asked_for_with_what_is_known_and_nothing_else(caller: Caller) -> None:
    client: Any = Client()

    session = open_session(client, world="harbor", me=None, seed=0, calls_max=0, menu={})

    assert client.asked == [{"world": "harbor", "seed": 0, "calls_max": 0, "menu": {}}]
    assert (session.id, session.now, session.token, session.urls) == ("c0-0-x", MADE["now"], "t", MADE["mcp"])
    with pytest.raises(InfrastructureError, match=r"^no world 'atlantis'$"):
        open_session(client, world="atlantis")


def test_a_call_goes_to_its_apps_address_with_the_episodes_bearer(caller: Caller) -> None:
    client: Any = Client()
    session = WireSession(client, MADE)

    assert session.call("lark", "x", {"a": 1}) == {"content": []}
    assert caller.calls == [("http://a/mcp/c0-0-x/lark", "x", {"a": 1}, "t")]
    assert session.call("wecom", "x", {}) == {
        "error": {"code": -32602, "message": "episode has no app 'wecom'; it has slack, lark"}
    }
    assert len(caller.calls) == 1
    caller.fails = True
    with pytest.raises(InfrastructureError, match=r"^http://a closed the connection$"):
        session.call("slack", "x", {})


def test_what_an_episode_asks_its_farm_is_about_itself(caller: Caller) -> None:
    client: Any = Client()
    session = WireSession(client, MADE)

    assert session.changes() == Changes({"asked": {"of": [{"with": ("c0-0-x",)}]}}, {})
    assert [dict(each) for each in session.calls()] == [{"asked_with": ("c0-0-x",)}]
    assert session.over_limit() == 4
    session.close()
    assert client.asked == [("c0-0-x",), ("drop", "c0-0-x")]
    assert caller.calls == ["closed"]


def test_a_client_is_of_the_address_and_its_token() -> None:
    with FarmAddress("http://127.0.0.1:8701", "secret").client() as client:
        assert client.url == "http://127.0.0.1:8701"
        assert client._headers["authorization"] == "Bearer secret"
