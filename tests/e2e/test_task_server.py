"""``farm tasks serve`` beside an agent: the exported oracle, and an agent that does nothing, are graded."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from farm._util.json_io import dumps, loads
from farm.benchmark.export.harbor import task_files
from farm.benchmark.runner.play import Play, play_oracle
from tests.suites import parsed_suite

from .conftest import farm_command, one_line

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("task-server")]

TASK = parsed_suite("demo").task("cross-lamp-maker-quarter")
# Of a trial's line, these differ between two trials with the same calls.
OWN = {"id", "time_s", "calls", "turns", "tefs", "transcript"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@contextmanager
def served(*options: str) -> Iterator[tuple[int, int]]:
    """Serve the task and yield the agents' port and the port for grading."""
    command = [sys.executable, "-m", "farm", "tasks", "serve", f"demo/{TASK.id}"]
    free = ["--port", "0", "--control-port", "0", *options]
    with subprocess.Popen([*command, *free], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            yield tuple(map(int, re.findall(r"port (\d+)", line)))  # type: ignore[misc] # two of them
        finally:
            process.terminate()
        assert process.wait(30) == 0


def post(port: int, path: str, body: Any, **headers: str) -> tuple[int, Any]:
    """Send a body and return status and answer."""
    sent = {"content-type": "application/json", "accept": "application/json, text/event-stream", **headers}
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("POST", path, json.dumps(body), sent)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def test_the_exported_oracle_earns_the_line_that_a_play_gives_it(tmp_path: Path) -> None:
    for name, text in task_files(TASK).items():
        if name.startswith("solution/"):
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
    with Play(TASK) as play:
        found = play_oracle(play)
        expected = loads(dumps(play.finish(found.answer)))  # as a file has it: tuples are lists

    with served() as (port, control_port):
        calls = tmp_path / "solution" / "calls.json"
        calls.write_text(calls.read_text("utf-8").replace("http://farm:8700", f"http://127.0.0.1:{port}"), "utf-8")
        subprocess.run([sys.executable, tmp_path / "solution" / "solve.py"], check=True)
        answer = tmp_path / "solution" / "answer.md"
        done = farm_command("tasks", "grade", answer, "--out", tmp_path, "--control-port", str(control_port))
        line = json.loads((tmp_path / "trial.json").read_text("utf-8"))
        _, again = post(control_port, "/check", {"answer": "another"})

    assert done.stdout == f"{TASK.id}: pass, 1.00\n"
    assert json.loads((tmp_path / "reward.json").read_text("utf-8")) == {"reward": 1.0}
    assert {name: line[name] for name in expected.keys() - OWN} == {
        name: expected[name] for name in expected.keys() - OWN
    }
    assert again == line


def test_an_agent_that_does_nothing_and_leaves_no_file_is_graded_as_a_null_agent(tmp_path: Path) -> None:
    with Play(TASK) as play:
        expected = play.finish("")

    with served() as (_, control_port):
        done = farm_command("tasks", "grade", tmp_path / "none", "--out", tmp_path, "--control-port", str(control_port))

    assert done.returncode == 0
    assert json.loads((tmp_path / "reward.json").read_text("utf-8")) == {"reward": expected["acc"]}
    assert expected["acc"] < 1


def test_among_containers_any_host_is_taken_and_the_agents_port_has_no_way_to_the_verdict() -> None:
    with served("--host", "0.0.0.0") as (port, control_port):
        status, listed = post(port, "/mcp/tushare", LIST, host="farm:8700", origin="http://elsewhere")
        refused = [post(port, path, {"answer": "x"})[0] for path in ("/check", "/mcp/slack", "/mcp/", "/v1/episodes")]
        wrong, told = post(control_port, "/check", {"answer": 1})

    assert (status, refused, wrong) == (200, [404] * 4, 400)
    assert listed["result"]["tools"]
    assert told["error"]["message"] == 'the body must be {"answer": TEXT}'


def test_on_loopback_a_foreign_page_is_refused() -> None:
    with served() as (port, _):
        own, foreign, of_page = (
            post(port, "/mcp/tushare", LIST, **headers)[0]
            for headers in ({}, {"host": "evil.example"}, {"origin": "http://evil.example"})
        )

    assert (own, foreign, of_page) == (200, 421, 403)


def test_grading_without_a_server_is_one_line(tmp_path: Path) -> None:
    done = farm_command("tasks", "grade", tmp_path / "answer", "--out", tmp_path, "--control-port", "1")

    assert "no 'farm tasks serve' answers on port 1" in one_line(done)
    assert not (tmp_path / "reward.json").exists()
