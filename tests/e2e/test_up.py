"""Farms that start, break, come back and end: with real processes, killed without warning."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from farm import content
from farm.client import FarmClient, mcp_call
from farm.errors import FarmError, QuotaExceededError
from farm.runtime.supervisor.state import FarmState, is_alive
from tests.e2e.conftest import (
    END_S_MAX,
    START_S_MAX,
    RunningFarm,
    assert_all_end,
    farm_command,
    farm_here,
    one_line,
    until,
)
from tests.e2e.test_gateway import rpc

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.xdist_group("farm"),
]

StartFarm = Callable[..., RunningFarm]
CONTENT = Path(__file__).parents[1] / "protocol" / "content"
HAVE = ", ".join(content.app_names())


def post(farm: RunningFarm, episode: dict[str, Any], text: str) -> bool:
    """Post a message; whether that was acknowledged."""
    listed = json.loads(farm.call(episode, "slack", "slack_list_channels", limit=1)["content"][0]["text"])
    answer = farm.call(episode, "slack", "slack_post_message", channel_id=listed["channels"][0]["id"], text=text)
    return "error" not in answer


def posted(farm: RunningFarm, episode: dict[str, Any]) -> list[str]:
    changes = farm.client.diff(episode["id"])["slack"].get("messages", [])
    return [change["new"]["text"] for change in changes]


# -- the life of a farm --------------------------------------------------------------------------------------------


def test_a_detached_farm_is_shown_and_ended_and_keeps_what_it_had(tmp_path: Path) -> None:
    data = tmp_path / "data"
    up = ("up", "--data", data, "--port=0", "--operator-port=0", "--detach")

    started = farm_command(*up, "--apps=slack,rednote")

    assert started.returncode == 0, started.stderr
    assert started.stdout.splitlines()[0] == "ready: 2 apps"
    assert f"log        {data / 'farm.log'}\n" in started.stdout
    shown = json.loads(farm_command("status", "--data", data, "--json").stdout)
    assert [app["app"] for app in shown["apps"]] == ["slack", "rednote"]
    assert all(app["ready"] and app["pid"] and app["port"] and app["tools"] for app in shown["apps"])
    assert shown["token_file"] == str(data / "operator.token")
    assert (data / "operator.token").stat().st_mode & 0o777 == 0o600
    second = farm_command(*up)
    assert one_line(second).startswith(f"a farm runs on {data} already; ")
    made = json.loads(farm_command("episode", "create", "--seed=3", "--data", data, "--json").stdout)
    assert farm_command("episode", "snapshot", made["id"], "--name=kept", "--data", data).stdout == "kept\n"

    ended = farm_command("down", "--data", data)

    assert (ended.returncode, ended.stdout) == (0, "the farm has ended\n")
    assert_all_end({shown["pid"], shown["gateway_pid"], *(app["pid"] for app in shown["apps"])})
    assert one_line(farm_command("status", "--data", data)).startswith(f"no farm runs on {data}")
    assert one_line(farm_command("down", "--data", data)).startswith(f"no farm runs on {data}")

    assert farm_command(*up, "--apps=slack,rednote").returncode == 0
    again = json.loads(farm_command("episode", "show", made["id"], "--data", data, "--json").stdout)
    kept = farm_command("episode", "snapshots", made["id"], "--data", data).stdout
    farm_command("down", "--data", data)

    assert (again["token"], again["seed"]) == (made["token"], 3)
    assert kept.startswith("kept  ")


def end_with_somebody_waiting(farm: RunningFarm, number: signal.Signals) -> None:
    """End a farm while a client waits for calls, and check that nothing and nobody is left."""
    pids, watcher = farm.pids(), farm.connect()
    assert len(pids) >= 4

    def watch() -> None:
        # Whether it is answered or told that the app has gone depends on which process ends first.
        with suppress(FarmError):
            watcher.watch("default", "slack")

    watching = threading.Thread(target=watch)
    watching.start()
    farm.client.episodes()

    status = farm.end(number)

    watching.join(END_S_MAX)
    assert not watching.is_alive()
    assert status == 0, farm.output
    assert_all_end(pids)
    assert not (farm.data / "farm.json").exists()
    assert "Traceback" not in farm.output


@pytest.mark.slow
def test_apps_may_come_and_go_between_starts(start_farm: StartFarm) -> None:
    end_with_somebody_waiting(start_farm("--apps=slack"), signal.SIGINT)

    both = start_farm("--apps=slack,rednote")
    # The default episode was made without rednote, and has it now.
    default = both.client.episode("default")
    assert list(default["mcp"]) == ["rednote", "slack"]
    assert "error" not in both.call(default, "rednote", "check_login_status")
    made = both.client.create()
    assert post(both, made, "kept")
    end_with_somebody_waiting(both, signal.SIGTERM)

    fewer = start_farm("--apps=slack")
    shown = fewer.client.episode(made["id"])
    assert (shown["apps"], list(shown["mcp"])) == (["rednote", "slack"], ["slack"])
    assert posted(fewer, made) == ["kept"]
    with pytest.raises(FarmError, match="apps this farm does not run: rednote; start it with --apps rednote,slack"):
        fewer.client.reset(made["id"])
    with pytest.raises(FarmError, match=r"app 'rednote' does not run in this farm; episode '.*' has slack"):
        mcp_call(f"{shown['mcp_all']}/rednote", "check_login_status", {}, made["token"])


def test_two_farms_side_by_side_share_nothing(breakable: RunningFarm, farm: RunningFarm) -> None:
    made = breakable.client.create()

    assert breakable.token != farm.token
    here, there = breakable.state, farm.state
    assert not {here.agents_url, here.operators_url} & {there.agents_url, there.operators_url}
    with pytest.raises(FarmError, match="no episode"):
        farm.client.episode(made["id"])
    stranger = FarmClient(there.operators_url, breakable.token)
    with pytest.raises(FarmError, match="operator token"):
        stranger.episodes()
    stranger.close()


# -- processes that die --------------------------------------------------------------------------------------------


def test_a_killed_app_comes_back_with_its_episodes_and_calls_wait_for_it(breakable: RunningFarm) -> None:
    made = breakable.client.create()
    assert post(breakable, made, "before")
    breakable.client.snapshot(made["id"], "kept")
    before = breakable.settled.apps[0]

    os.kill(before.pid, signal.SIGKILL)
    until(lambda: not is_alive(before.pid), "the end of the app")
    assert post(breakable, made, "after")

    assert posted(breakable, made) == ["before", "after"]
    breakable.client.restore(made["id"], "kept")
    assert posted(breakable, made) == ["before"]
    until(lambda: breakable.state.apps[0].pid not in (0, before.pid), "a new process")
    after = breakable.state.apps[0]
    assert (after.app, after.ended, after.last_status) == ("slack", before.ended + 1, -signal.SIGKILL)
    told = farm_command("status", "--data", breakable.data).stdout
    assert "ended by itself: 1, last with status -9" in told
    assert f"why: {breakable.data / 'farm.log'}" in told


def test_a_killed_gateway_comes_back_and_nothing_is_lost(breakable: RunningFarm) -> None:
    made = breakable.client.create(label="kept")
    assert post(breakable, made, "before")
    breakable.client.snapshot(made["id"], "then")
    before = breakable.settled

    os.kill(before.gateway_pid, signal.SIGKILL)
    until(lambda: not is_alive(before.gateway_pid), "the end of the gateway")

    again = breakable.connect()
    shown = again.episode(made["id"])
    assert (shown["token"], shown["label"]) == (made["token"], "kept")
    assert post(breakable, made, "after")
    assert [change["new"]["text"] for change in again.diff(made["id"], "then")["slack"]["messages"]] == ["after"]
    until(lambda: breakable.state.gateway_pid not in (0, before.gateway_pid), "a new gateway")
    assert breakable.state.gateway_ended == before.gateway_ended + 1


def test_a_gateway_killed_while_it_forks_leaves_no_half_made_episode(breakable: RunningFarm) -> None:
    made, killed = breakable.connect().create(), breakable.settled.gateway_pid
    folder, forker = breakable.data / "episodes", breakable.connect()
    before = {path.name for path in folder.iterdir()}
    failed: list[FarmError] = []

    def fork() -> None:
        try:
            forker.fork(made["id"], count=1000)
        except FarmError as problem:
            failed.append(problem)

    forking = threading.Thread(target=fork)
    forking.start()
    until(lambda: len(list(folder.glob("*/slack.0.db"))) > len(before) + 5, "the first forks")
    os.kill(killed, signal.SIGKILL)
    forking.join()

    again = breakable.connect()
    known = {each["id"] for each in again.episodes()}
    assert failed
    assert known == before
    assert {path.name for path in folder.iterdir()} == before
    assert again.fork(made["id"])[0]["id"] not in before


# There a hold lasts an hour, so that only a gateway ends it, however long a machine takes to start one.
PATIENT = "\nfrom farm.server import episode_gate\nepisode_gate.HOLD_S_MAX = 3600.0\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks its apps")
@pytest.mark.parametrize("action", ["snapshot", "set_clock"])
def test_calls_held_by_a_gateway_that_is_killed_go_on_with_the_next(
    start_farm: StartFarm, tmp_path: Path, action: str
) -> None:
    content_with_app(tmp_path / "content", "patient", imports=PATIENT)
    farm = start_farm("--apps=patient,slack", "--content", str(tmp_path / "content"))
    made, asking, state = farm.client.create(), farm.connect(), farm.settled
    url, elsewhere = (each["direct"]["patient"] for each in (made, farm.client.episode("default")))
    still = next(each.pid for each in state.apps if each.app == "slack")
    changes: dict[str, Callable[[], object]] = {
        "snapshot": lambda: asking.snapshot(made["id"], "cut"),
        "set_clock": lambda: asking.set_clock(made["id"], advance_s=60),
    }

    def change() -> None:
        with suppress(FarmError):
            changes[action]()

    def called() -> tuple[HTTPConnection, bool]:
        """Return a connection on which a tool was called, and whether the call is held: later ones are answered."""
        parts = urlsplit(url)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=END_S_MAX)
        body, headers = rpc("tools/call", {"name": "note_show", "arguments": {}})
        connection.request("POST", parts.path, body, headers | {"authorization": f"Bearer {made['token']}"})
        for _ in range(3):
            mcp_call(elsewhere, "note_show", {})
        return connection, not select.select([connection.sock], [], [], 0)[0]

    os.kill(still, signal.SIGSTOP)  # so that the change gets no further than its holds
    try:
        changing = threading.Thread(target=change)
        changing.start()
        connection, is_held = called()
        while not is_held:
            connection.close()
            assert changing.is_alive()
            connection, is_held = called()
        os.kill(state.gateway_pid, signal.SIGKILL)
        answer = connection.getresponse()
        said = answer.read()
    finally:
        os.kill(still, signal.SIGCONT)

    assert (answer.status, "error" in json.loads(said)) == (200, False)
    connection.close()
    changing.join()
    again = farm.connect()
    assert again.snapshots(made["id"]) == []
    assert "error" not in farm.call(made, "slack", "slack_list_channels")
    assert again.snapshot(made["id"], "cut") == "cut"


def test_a_killed_starter_is_replaced_with_the_gateway_and_every_app(breakable: RunningFarm) -> None:
    made = breakable.connect().create()
    assert post(breakable, made, "before")
    state = breakable.settled
    before = [state.gateway_pid, *(app.pid for app in state.apps)]
    (starter,) = {int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]) for pid in before}
    assert starter != state.pid

    os.kill(starter, signal.SIGKILL)
    assert_all_end({starter, *before})

    assert post(breakable, made, "after")
    changes = breakable.connect().diff(made["id"])["slack"]["messages"]
    assert [change["new"]["text"] for change in changes] == ["before", "after"]


def test_a_farm_whose_supervisor_is_killed_leaves_no_process_behind(start_farm: StartFarm) -> None:
    farm = start_farm("--apps=slack,rednote")
    pids = farm.pids()

    farm.end(signal.SIGKILL)

    assert_all_end(pids)
    assert FarmState.load(farm.data) is None
    assert one_line(farm_command("status", "--data", farm.data)).startswith("no farm runs on ")


# -- mistakes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_detached", [False, True])
def test_a_taken_port_is_named_with_its_option(tmp_path: Path, is_detached: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ports = (("--port", "--operator-port", "FARM_PORT"), ("--operator-port", "--port", "FARM_OPERATOR_PORT"))
        for option, other, variable in ports:
            options = [f"{option}={port}", f"{other}=0", *(["--detach"] if is_detached else [])]

            problem = one_line(farm_command("up", "--apps=slack", "--data", tmp_path, *options))

            assert problem == (
                f"port {port} of 127.0.0.1 cannot be used (Address already in use); "
                f"choose another with {option} or {variable}"
            )


@pytest.mark.parametrize("is_detached", [False, True])
def test_an_unwritable_data_folder_is_named(tmp_path: Path, is_detached: bool) -> None:
    (tmp_path / "file").touch()
    options = ["--detach"] if is_detached else []

    problem = one_line(farm_command("up", "--data", tmp_path / "file" / "data", "--port=0", *options))

    assert problem == (
        f"data folder {tmp_path}/file/data is not writable (Not a directory); choose another with --data"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--apps=slack,fax"], f"no app 'fax'; have {HAVE}"),
        (["--apps=,"], r"--apps names no app; have .*"),
        (["--world=nowhere"], r"no world 'nowhere'; have .*harbor.*"),
        (["--host=203.0.113.9"], r"'203.0.113.9' is no address of this machine; choose another with --host"),
        (["--port=70000"], r"port 70000 of 127.0.0.1 cannot be used \(ports run from 0 to 65535\).*"),
        (["--public-url=farm.example"], r"--public-url must look like https://farm.example.org, not 'farm.example'"),
        (
            ["--public-url=http://farm.example:99999"],
            r"--public-url must look like https://farm.example.org, not '.*99999'",
        ),
        (["--content=/nowhere"], r"no content folder '/nowhere'; .*"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_nothing_running(tmp_path: Path, options: list[str], message: str) -> None:
    problem = one_line(farm_command("up", "--data", tmp_path, *options))

    assert re.fullmatch(message, problem)
    assert FarmState.load(tmp_path) is None


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [lambda raw: b"no database" + raw, lambda raw: raw[:4096] + b"x" * 4096])
@pytest.mark.parametrize("options", [[], ["--detach"]])
def test_a_broken_registry_is_said_in_one_line_with_the_way_out(
    start_farm: StartFarm, spoil: Callable[[bytes], bytes], options: list[str]
) -> None:
    farm = start_farm("--apps=slack")
    made = farm.client.create()
    farm.end()
    registry = farm.data / "registry.db"
    registry.write_bytes(spoil(registry.read_bytes()))

    problem = one_line(farm_command("up", "--data", farm.data, "--port=0", "--operator-port=0", *options))

    assert problem.startswith(f"{registry} is broken (")
    assert problem.endswith(
        "; set it aside with 'farm doctor --repair', and the next start finds episodes in their folders"
    )
    told = farm_command("doctor", "--data", farm.data, "--repair")
    assert told.returncode == 0, told.stdout
    assert "repaired  " in told.stdout
    again = start_farm("--apps=slack")
    assert again.client.episode(made["id"])["token"] == made["token"]


def content_with_app(folder: Path, name: str, *, imports: str = "", serves: str | None = None) -> None:
    """Write an app of the toy's tools that runs a piece of code when it is imported, or when it is to be served."""
    made, toy = folder / "kernels" / name, CONTENT / "kernels" / "toy"
    made.mkdir(parents=True)
    (made / "__init__.py").write_text((toy / "__init__.py").read_text().replace('"toy"', f'"{name}"') + imports)
    for each in ("tools.py", "tools.json", "tools.old.json"):
        (made / each).write_text((toy / each).read_text())
    if serves is not None:
        (made / "protocol.py").write_text(serves)
    schema = folder / "contexts" / name / "schema.py"
    schema.parent.mkdir(parents=True)
    schema.write_text((CONTENT / "contexts" / "toy" / "schema.py").read_text())


@pytest.mark.parametrize(
    "breaks",
    [
        "raise SystemExit('this kernel ' + 'is broken')\n",
        # As one that is killed while it prints: what the farm says next follows on the same line.
        "import os\nos.write(2, b'this kernel is broken in the middle of a')\nos._exit(7)\n",
    ],
    ids=["raises", "is gone"],
)
def test_an_app_that_never_starts_ends_the_start(tmp_path: Path, breaks: str) -> None:
    content_with_app(tmp_path / "content", "broken", serves=breaks)

    ended = farm_command(
        "up",
        "--apps=broken",
        "--content",
        tmp_path / "content",
        "--data",
        tmp_path / "data",
        "--port=0",
        "--operator-port=0",
        "--detach",
    )

    said = one_line(ended)
    assert said.startswith("app broken does not start: it ended 3 times, the last time with status ")
    assert "'farm serve broken --port 0' shows why" in said
    assert f"more in {tmp_path / 'data' / 'farm.log'}" in said
    # Not even once more while the farm is taken down.
    assert (tmp_path / "data" / "farm.log").read_text().count("this kernel is broken") == 3
    assert FarmState.load(tmp_path / "data") is None


@pytest.mark.parametrize("app", ["broken", "slack"])
def test_a_farm_for_tests_ends_before_its_input_does(tmp_path: Path, app: str) -> None:
    content_with_app(tmp_path / "content", "broken", serves="raise SystemExit('this kernel is broken')\n")
    with subprocess.Popen(
        [sys.executable, "-m", "farm", "up", "--ephemeral", f"--apps={app}", "--content", tmp_path / "content"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        giving_up = threading.Timer(START_S_MAX, process.kill)
        giving_up.start()
        try:
            is_ready = process.stdout.readline() != ""
            process.terminate()  # what could not start ends without being told

            status = process.wait(END_S_MAX)
            said = process.stderr.read()
        finally:
            giving_up.cancel()
            process.kill()

    assert is_ready is (app == "slack")
    assert status == (0 if app == "slack" else 1)
    assert ("app broken does not start" in said) is (app == "broken")


def test_a_stale_state_file_names_nobody(tmp_path: Path) -> None:
    state = {"pid": os.getpid(), "gateway_pid": 0, "agents_url": "", "operators_url": "", "token_file": "", "apps": []}
    (tmp_path / "farm.json").write_text(json.dumps(state | {"host": "127.0.0.1"}))
    (tmp_path / "farm.lock").touch()

    # Would end this very process if it were believed.
    assert one_line(farm_command("down", "--data", tmp_path)).startswith(f"no farm runs on {tmp_path}")


def test_nobody_else_reads_what_a_farm_keeps(start_farm: StartFarm) -> None:
    before = os.umask(0o022)
    try:
        farm = start_farm("--apps=slack")
    finally:
        os.umask(before)
    made = farm.client.create(calls_max=9)
    farm.call(made, "slack", "slack_post_message", channel_id="C0ZB0AVX1IK", text="hi")
    farm.client.snapshot(made["id"], "cut")
    farm.client.restore(made["id"], "cut")
    farm.client.fork(made["id"])

    kept = [path for path in farm.data.rglob("*") if path.name != "out.txt"]  # the test's own
    assert len([path for path in kept if path.suffix in (".db", ".log", ".json")]) > 10
    assert [path for path in (farm.data, *kept) if path.stat().st_mode & 0o077] == []


def test_other_names_are_let_in_when_told_so(start_farm: StartFarm) -> None:
    farm = start_farm(
        "--apps=slack", "--host=0.0.0.0", "--public-url=http://farm.example:9999/", "--allow-host=inside.example"
    )
    state = farm.state

    assert state.agents_url == "http://farm.example:9999"
    default = farm.client.episode("default")
    assert default["mcp"]["slack"] == "http://farm.example:9999/mcp/default/slack"
    assert farm_command("status", "--data", farm.data).returncode == 0
    port = int(re.findall(r"127\.0\.0\.1:(\d+)", default["direct"]["slack"])[0])
    with pytest.raises(FarmError, match="episode 'default' needs its token"):
        mcp_call(f"http://127.0.0.1:{port}/mcp/default", "slack_list_channels", {}, None)
    assert "the default episode wants a bearer; 'farm episode show default' shows it" in farm.output
    for host, expected in (("farm.example", 200), ("inside.example:1", 200), ("evil.example", 421)):
        connection = HTTPConnection("127.0.0.1", port, timeout=END_S_MAX)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        headers = {"host": host, "content-type": "application/json", "accept": "application/json, text/event-stream"}
        headers["authorization"] = f"Bearer {default['token']}"
        connection.request("POST", "/mcp/default", body, headers)
        assert connection.getresponse().status == expected
        connection.close()


# -- one app alone -------------------------------------------------------------------------------------------------


def test_one_app_is_served_alone_with_a_default_episode(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "farm", "serve", "slack", "--port=0", "--data", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        url = line.split(" at ")[1].strip()

        answer = mcp_call(url, "slack_list_channels", {"limit": 1})
    finally:
        process.terminate()
        process.communicate(timeout=END_S_MAX)

    assert line.startswith("ready: slack at http://127.0.0.1:")
    assert json.loads(answer["content"][0]["text"])["channels"]
    assert process.returncode == 0


def test_an_app_of_a_running_farm_is_not_served_twice(farm: RunningFarm) -> None:
    problem = one_line(farm_command("serve", "slack", "--port=0", "--data", farm.data))

    assert problem.startswith(f"a farm that has slack runs on {farm.data}; ")


@pytest.mark.slow
def test_a_farm_takes_no_more_than_it_was_told_and_removes_what_has_expired(start_farm: StartFarm) -> None:
    farm = start_farm("--apps=slack", "--episodes-max=2", "--disk-max=1GiB", "--keep-expired=2s")
    first, other = farm.client.create(), farm.client.create(calls_max=1)
    assert "error" not in farm.call(other, "slack", "slack_list_channels")

    assert farm.client.calls(other["id"])
    with pytest.raises(QuotaExceededError, match=r"this farm takes 2 episodes \(--episodes-max\)"):
        farm.client.create()
    farm.client.drop(first["id"])
    soon = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    expiring = farm.client.create(expires_at=soon)
    until(
        lambda: expiring["id"] not in {each["id"] for each in farm.client.episodes()}, "the end of an expired episode"
    )
    assert farm.client.create()["id"]
    done = farm_command("gc", "--data", farm.data, "--older-than=0s", "--json")
    assert [each["kind"] for each in json.loads(done.stdout)["removed"]] == ["episodes"], done
    assert other["id"] not in {each["id"] for each in farm.client.episodes()}
    assert not (farm.data / "episodes" / other["id"]).exists()
    entries = [json.loads(line) for line in (farm.data / "operators.log").read_text().splitlines()]
    asked = [(each["method"], each["path"], each["status"], each["from"]) for each in entries]
    assert ("POST", "/v1/episodes", 507, "127.0.0.1") in asked
    assert ("DELETE", f"/v1/episodes/{other['id']}", 200, "127.0.0.1") in asked
    assert not [each for each in asked if "?" in each[1]]
    assert f"calls      {farm.data}/operators.log" in farm.output
    assert one_line(farm_command("up", "--data", farm.data / "other", "--disk-max=much")) == (
        "--disk-max must be a size such as 500MiB or 20GiB, not 'much'"
    )


@pytest.mark.slow
def test_the_doctor_finds_nothing_wrong_with_a_farm_at_work(start_farm: StartFarm) -> None:
    farm = start_farm("--apps=slack")
    is_over, made = threading.Event(), 0

    def work() -> None:
        nonlocal made
        client = farm.connect()
        while not is_over.is_set():
            episode = client.create()
            for _ in range(5):
                post(farm, episode, "hello")
            client.snapshot(episode["id"])
            client.reset(episode["id"])
            client.drop(episode["id"])
            made += 1

    worker = threading.Thread(target=work)
    worker.start()
    try:
        looked = 0
        while looked < 6 or made <= 20:
            assert worker.is_alive()
            done = farm_command("doctor", "--data", farm.data)
            assert done.returncode == 0, done.stdout
            looked += 1
    finally:
        is_over.set()
        worker.join()
    stays = farm.client.create()
    (farm.data / "episodes" / stays["id"] / "episode.json").unlink()

    told = farm_command("doctor", "--data", farm.data).stdout.splitlines()

    assert told[0].startswith(f"wrong     {farm.data}/episodes/{stays['id']}/episode.json: it is missing; ")


# -- the other commands --------------------------------------------------------------------------------------------


def test_the_episode_commands_do_what_the_control_api_does(farm: RunningFarm) -> None:
    def ask(*arguments: str) -> str:
        result = farm_command("episode", *arguments, FARM_DATA=str(farm.data))
        assert result.returncode == 0, result.stderr
        return result.stdout

    made = json.loads(ask("create", "--apps=slack", "--seed=5", "--label=by hand", "--json"))
    name = made["id"]
    assert f"{name}  by hand  harbor" in ask("list")
    called = farm_command(
        "call", "slack", "slack_get_users", '{"limit": 1}', "--episode", name, FARM_DATA=str(farm.data)
    )
    assert (called.returncode, json.loads(called.stdout)["ok"]) == (0, True)
    message = '{"channel_id": "C0NOWHERE", "text": "x"}'
    untrue = farm_command("call", "slack", "slack_post_message", message, "--episode", name, FARM_DATA=str(farm.data))
    # Slack refuses in a result like any other; the trace knows.
    assert (untrue.returncode, json.loads(untrue.stdout)["ok"]) == (1, False)
    assert "slack_get_users" in ask("calls", name)
    assert ask("diff", name) == ask("diff", name, "--reverted") == "nothing has changed\n"
    ask("snapshot", name, "--name=then")
    assert ask("diff", name, "--reverted", "--since=then") == "nothing has changed\n"
    assert ask("clock", name, "--advance-s", "60").startswith("2026-03-09T09:01:00")
    forked = json.loads(ask("fork", name, "--json"))
    assert json.loads(ask("reset", forked[0]["id"], "--json")) == {"id": forked[0]["id"], "calls": 0}
    for each in (name, forked[0]["id"]):
        assert ask("drop", each) == f"{each} is gone\n"


@pytest.mark.slow
def test_an_older_version_is_listed_explained_and_played(farm: RunningFarm) -> None:
    def ask(*arguments: str) -> str:
        done = farm_command(*arguments, FARM_DATA=str(farm.data))
        assert done.returncode == 0, done.stderr
        return done.stdout

    known = {each["app"]: each["profiles"] for each in json.loads(ask("apps", "--json"))}
    made = json.loads(ask("episode", "create", "--profile", "paper-2025", "--json"))
    connected = json.loads(ask("connect", "inspector", "--profile", "paper-2025", "--apps", "lark", "--json"))

    assert known == {app: list(content.load_app(app).profiles) for app in content.app_names()}
    assert known["lark"] == ["latest", "paper-2025"]
    assert len(json.loads(ask("tools", "lark", "--profile", "paper-2025", "--json"))) == 14
    assert "The list is inferred" in ask("tools", "lark", "--profile", "paper-2025")
    assert made["profiles"]["lark"] == "paper-2025"
    assert (connected["tool_count"], connected["episode"] != "default") == (14, True)
    assert "profile paper-2025" in ask("connect", "inspector", "--profile", "paper-2025", "--apps", "lark")
    for each in (made["id"], connected["episode"]):
        farm.client.drop(each)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["call", "slack", "slack_get_users", "{limit: 1}"], "the third argument is not JSON"),
        (["call", "fax", "send"], f"episode 'default' has no app 'fax'; it has {HAVE}"),
        (["tools", "fax"], "no app 'fax'; have "),
        (["tools", "lark", "--profile=future"], "no profile 'future' of app 'lark'; have latest, paper-2025"),
        (["episode", "create", "--profile=future"], "no profile 'future'; have latest, paper-2025 ("),
        (["episode", "reset", "c0-0-none"], "no episode 'c0-0-none'; have default"),
        (["episode", "create", "--menu={"], "--menu is not JSON"),
        (
            ["episode", "list", "--farm=http://127.0.0.1:1", "--token-file=/nowhere"],
            "token file /nowhere cannot be read",
        ),
        (["episode", "list", "--farm=http://127.0.0.1:1"], "--farm needs --token-file"),
    ],
)
def test_a_users_mistake_is_one_line(
    farm: RunningFarm,
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FARM_DATA", str(farm.data))

    assert one_line(farm_here(capsys, *arguments, folder=farm.data)).startswith(message)
