"""The plugin with a farm elsewhere: one that runs, or one that it starts."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from pytest_mcp_farm._client import versions
from pytest_mcp_farm.errors import McpFarmError
from pytest_mcp_farm.farm import McpFarm, Options, SessionFarm, find_backend
from pytest_mcp_farm.started import StartedFarm, end

from farm.cli import main
from farm.client import mcp_tools
from farm.runtime.supervisor.state import is_alive
from tests.plugin.conftest import Run, RunningFarm
from tests.plugin.project import CODE, PASSED

WHERE = """
def test_where(mcp_farm):
    print("where:", mcp_farm.where)
    mcp_farm.world(apps=["slack"]).assert_only()
"""


def test_a_projects_tests_pass_on_a_farm_that_runs(
    run: Run, farm: RunningFarm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_FARM_URL", farm.url)
    monkeypatch.setenv("MCP_FARM_TOKEN", farm.token)

    done = run(CODE + WHERE, "-s")

    done.stdout.fnmatch_lines([f"*where: the farm at {farm.url}*"])
    done.assert_outcomes(passed=PASSED + 1)


def test_a_farm_keeps_no_world_of_a_test_that_is_over(run: Run, farm: RunningFarm, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(farm.token)

    options = f"--mcp-farm-url={farm.url}", f"--mcp-farm-token-file={tmp_path / 'token'}"
    done = run("def test_it(mcp_farm):\n    mcp_farm.world(apps=['slack']).fork()\n    assert 0\n", *options)

    done.assert_outcomes(failed=1)
    backend = find_backend(Options(url=farm.url, token=farm.token))
    assert backend.ask("GET", "/v1/episodes") == {"episodes": []}  # type: ignore[attr-defined] # a farm's own
    backend.close()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ('world("mni")', "no world 'mni'; have halfday, harbor, mini"),
        ('world(apps=["slak"])', "no app 'slak' in this farm; have .*lark.*slack.*wecom"),
        ('world(me="zoe")', "no person 'zoe' in world 'mini'; have ada"),
        ('world(apps=["lark"]).url("slack")', "no app 'slack' in this world; it has lark"),
        ('world(apps=["lark"]).assert_changed("lark.evnts")', "no table 'evnts' in lark; have"),
        ('world(apps=["lark"]).assert_only("lark.evnts")', "no table 'evnts' in lark; have"),
        ("world(apps=['lark']).restore('then')", "no snapshot 'then' of episode"),
        ("play('demo/none')", "no task 'none' in suite 'demo'; have"),
        ("play('demo')", "a task is named SUITE/TASK, not 'demo'"),
    ],
)
def test_what_a_farm_refuses_is_one_line_with_the_way_out(farm: RunningFarm, code: str, said: str) -> None:
    session = SessionFarm(Options(url=farm.url, token=farm.token))
    mcp_farm = McpFarm(session)

    with pytest.raises(McpFarmError, match=said.replace("(", r"\(")) as refused:
        eval(f"mcp_farm.{code}", {"mcp_farm": mcp_farm})

    assert "\n" not in str(refused.value)
    mcp_farm.close()
    session.close()


def test_a_farm_has_all_apps_as_one_server(farm: RunningFarm) -> None:
    session = SessionFarm(Options(url=farm.url, token=farm.token))
    mcp_farm = McpFarm(session)

    world = mcp_farm.world(apps=["slack", "lark"], menu={"slack": ["slack_list_channels"], "lark": []})

    assert world.connection() == {"url": world.mcp_all, "headers": {"Authorization": f"Bearer {world.token}"}}
    listed = mcp_tools(world.mcp_all, world.token)
    assert [tool["name"] for tool in listed] == ["slack__slack_list_channels"]
    mcp_farm.close()
    session.close()


def test_another_token_a_missing_one_and_a_place_without_a_farm_are_told(
    farm: RunningFarm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    for options, said in (
        (Options(url=farm.url, token="another"), "wants another token"),
        (Options(url=farm.url), "no token was given for the farm at .*; set MCP_FARM_TOKEN"),
        (Options(url=farm.url, token_file=str(tmp_path / "gone")), "gone cannot be read"),
        (Options(url="http://127.0.0.1:9", token="x"), "no farm answers at http://127.0.0.1:9 .*'farm status'"),
        (Options(url="localhost:8701", token="x"), "'localhost:8701/v1/farm' is no URL of a farm; it looks like"),
    ):
        with pytest.raises(McpFarmError, match=said):
            find_backend(options)


def test_a_farm_of_another_version_is_refused(farm: RunningFarm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "FITTING", "0.9")

    for options in (Options(url=farm.url, token=farm.token), Options()):
        with pytest.raises(
            McpFarmError,
            match=r"is of version 0\.2\.0.*install both from one checkout of mcp-farm, pytest-mcp-farm from",
        ):
            find_backend(options)


def test_without_any_farm_the_ways_to_one_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_mcp_farm.farm.has_farm_here", lambda: False)
    monkeypatch.setenv("PATH", "")

    with pytest.raises(
        McpFarmError, match=r"no farm can be had: name what to install .* set MCP_FARM_URL and MCP_FARM_TOKEN"
    ):
        find_backend(Options())


def test_a_command_that_starts_no_farm_is_told_with_its_own_words(tmp_path: Path) -> None:
    for command, said in (
        ("/nowhere/farm", "'/nowhere/farm' cannot be run"),
        (f"{sys.executable} -m farm.nowhere", "starts no farm: .*No module named farm.nowhere"),
        ("true", "starts no farm: it ended with status 0"),
        ("'farm up", "mcp_farm_command is no command: 'farm up .No closing quotation"),
    ):
        for shared in (None, tmp_path):
            with pytest.raises(McpFarmError, match=said):
                find_backend(Options(command=command, shared=shared))


def counting_farm(folder: Path) -> tuple[Path, Path]:
    """Return a command that starts a farm, and the file in which it writes down each process that it becomes."""
    started, command = folder / "started", folder / "farm"
    command.write_text(f'#!/bin/sh\necho $$ >> {started}\nexec {sys.executable} -m farm "$@" --apps slack\n')
    command.chmod(0o700)
    return command, started


def is_gone(process: str) -> bool:
    """Wait until a process that nobody holds has ended by itself, and say whether it has."""
    until = time.monotonic() + 60
    while is_alive(int(process)) and time.monotonic() < until:
        time.sleep(0.05)
    return not is_alive(int(process))


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n1", "--max-worker-restart=0")], ids=["alone", "a worker"])
def test_a_farm_outlives_no_test_run_that_is_killed(
    run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    command, started = counting_farm(pytester.path)

    run(
        """
        import os, signal

        def test_it(mcp_farm):
            mcp_farm.world(apps=["slack"])
            os.kill(os.getpid(), signal.SIGKILL)
        """,
        f"--mcp-farm-command={command}",
        *workers,
        apart=True,
    )

    (process,) = started.read_text().split()
    assert is_gone(process)


def test_a_started_farm_that_is_gone_is_told_as_such() -> None:
    backend = StartedFarm([sys.executable, "-m", "farm"], None)
    assert backend._process is not None
    end(backend._process)

    with pytest.raises(McpFarmError, match="the farm that this session has started is gone; run the tests again"):
        backend.create({"world": "mini"})
    backend.close()


def test_a_farm_that_everybody_has_let_go_is_joined_by_nobody(tmp_path: Path) -> None:
    command, started = counting_farm(tmp_path)
    first = StartedFarm([str(command)], tmp_path)
    (process,) = map(int, started.read_text().split())
    os.kill(process, signal.SIGSTOP)  # it has yet to come to see that nobody needs it
    try:
        first.close()
        second = StartedFarm([str(command)], tmp_path)
    finally:
        os.kill(process, signal.SIGCONT)

    third = StartedFarm([str(command)], tmp_path)
    processes = started.read_text().split()
    second.close()
    third.close()

    assert len(processes) == 2
    assert all(map(is_gone, processes))


def test_an_ephemeral_farm_cannot_be_detached(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["up", "--ephemeral", "--detach"])

    assert end.value.code == 1
    assert capfd.readouterr().err.startswith("farm: --ephemeral ends with standard input")


@pytest.mark.slow
def test_workers_share_one_farm_that_ends_with_them(run: Run, pytester: pytest.Pytester) -> None:
    command, started = counting_farm(pytester.path)

    done = run(
        """
        import os, pathlib, time
        import pytest

        @pytest.mark.parametrize("number", range(8))
        def test_it(mcp_farm, number):
            world = mcp_farm.world(apps=["slack"])
            pathlib.Path(f"holds-{os.environ['PYTEST_XDIST_WORKER']}").touch()
            while len(list(pathlib.Path().glob("holds-*"))) < 2:
                time.sleep(0.01)  # one that is done before the other begins takes the farm along
            world.call("slack", "slack_post_message", channel_id="#general", text=str(number))
            world.assert_changed("slack.messages", where={"text": str(number)}, count=1)
            assert "started with" in mcp_farm.where
        """,
        "-n2",
        f"--mcp-farm-command={command}",
        apart=True,
    )

    done.assert_outcomes(passed=8)
    (process,) = started.read_text().split()
    assert is_gone(process)
