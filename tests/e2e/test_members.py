"""A farm whose gateway and apps are started one by one, as containers are, but as processes of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from farm.benchmark.agents.process_group import descendants
from farm.client import FarmClient, mcp_call
from farm.errors import FarmError
from tests.e2e.conftest import END_S_MAX, assert_all_end, farm_command, one_line, until
from tests.ports import free_ports

pytestmark = [pytest.mark.slow, pytest.mark.e2e]

LIST = "slack_list_channels"


class Members:
    """One app and a gateway that share a data folder and know each other by their ports alone."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.app, self.control, self.agents, self.operators = free_ports(4)
        self._processes: list[subprocess.Popen[bytes]] = []

    def start_app(self) -> None:
        self._start(
            *("serve", "slack", "--member", f"--port={self.app}", f"--control-port={self.control}"),
            "--control-token-file=control.token",
        )

    def start_gateway(self) -> None:
        self._start(
            *("gateway", "--host=127.0.0.1", f"--port={self.agents}", f"--operator-port={self.operators}"),
            *(f"--published-port={self.agents}", f"--app=slack=127.0.0.1:{self.app}:{self.control}", "--cell=c7"),
        )

    def _start(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "farm", *arguments, f"--data={self.data}"]
        with (self.data / "out.txt").open("a") as output:
            self._processes.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output))

    def client(self) -> FarmClient:
        return FarmClient(f"http://127.0.0.1:{self.operators}", (self.data / "operator.token").read_text().strip())

    def is_ready(self) -> bool:
        assert all(each.poll() is None for each in self._processes), (self.data / "out.txt").read_text()
        try:
            with self.client() as client:
                return all(each["ready"] for each in client.status()["apps"]) and bool(client.episodes())
        except (FarmError, FileNotFoundError):
            return False

    def pids(self) -> set[int]:
        """Return the processes, and those that they have started."""
        own = [each.pid for each in self._processes]
        return {*own, *(below for pid in own for below in descendants(pid))}

    def end(self) -> None:
        for each in self._processes:
            each.terminate()
        for each in self._processes:
            each.wait(END_S_MAX)


@pytest.fixture
def members(tmp_path: Path) -> Iterator[Members]:
    made = Members(tmp_path)
    yield made
    made.end()


def test_whichever_starts_first_they_make_one_farm(members: Members) -> None:
    members.start_gateway()
    members.start_app()
    until(members.is_ready, "a farm of members")

    with members.client() as client:
        made = client.create(apps=["slack"])
        answer = mcp_call(made["direct"]["slack"], LIST, {"limit": 1}, made["token"])
        status = client.status()
        default = client.episode("default")
        calls = client.episode(made["id"])["calls"]

    assert made["id"].startswith("c7-")
    assert made["direct"] == {"slack": f"http://127.0.0.1:{members.agents}/mcp/{made['id']}/slack"}
    assert '"ok":true' in answer["content"][0]["text"]
    assert (calls, status["cell"], status["episodes"]) == (1, "c7", 2)
    # Whoever shares their network could call it.
    assert default["token"] is not None
    assert {name: os.stat(members.data / name).st_mode & 0o777 for name in ("control.token", "operator.token")} == {
        "control.token": 0o600,
        "operator.token": 0o600,
    }


def test_one_data_folder_has_one_gateway(members: Members) -> None:
    members.start_app()
    members.start_gateway()
    until(members.is_ready, "a farm of members")

    second = farm_command(
        *("gateway", "--port=0", "--operator-port=0", "--app=slack=127.0.0.1:1:2", "--data", members.data)
    )

    assert one_line(second).startswith(f"a farm runs on {members.data} already")


def test_status_shows_a_farm_elsewhere(members: Members) -> None:
    members.start_app()
    members.start_gateway()
    until(members.is_ready, "a farm of members")

    shown = farm_command(
        *("status", "--farm", f"http://127.0.0.1:{members.operators}", "--token-file"), members.data / "operator.token"
    )

    assert shown.returncode == 0, shown.stderr
    assert f"agents     http://127.0.0.1:{members.agents}\n" in shown.stdout
    assert "  slack 8 tools, ready\n" in shown.stdout


def test_the_gateway_of_members_judges_an_episode_and_leaves_no_process(members: Members) -> None:
    members.start_app()
    members.start_gateway()
    until(members.is_ready, "a farm of members")

    with members.client() as client:
        episode = client.create(apps=["slack"])["id"]
        point = {"id": "none", "kind": "other", "predicate": "not_called", "app": "slack", "tool": LIST}
        verdict = client.request("POST", f"/v1/episodes/{episode}/check", {"checkpoints": [point]})
    pids = members.pids()
    members.end()

    assert [each["score"] for each in verdict["checkpoints"]] == [1.0]
    assert len(pids) == 3
    assert_all_end(pids)
