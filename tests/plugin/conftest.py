"""Runs tests that use the plugin, as a project of somebody's would."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the tests in a text, in this process or, with ``apart``, in one of its own."""
    for name in ("URL", "TOKEN", "TOKEN_FILE", "COMMAND"):
        monkeypatch.delenv(f"MCP_FARM_{name}", raising=False)
    named = {each.name for each in importlib.metadata.entry_points(group="pytest11")}
    # In a checkout that was not set up since, the plugin is not installed.
    plugins = [] if "mcp_farm" in named else ["-p", "pytest_mcp_farm.plugin"]

    def forget(_: object) -> None:
        # pytester forgets every module that was imported meanwhile. Whoever imports one of the libraries again has a
        # second class of each name, which the rest of this process does not catch.
        for name, module in list(sys.modules.items()):
            if (getattr(module, "__file__", None) or "").startswith(str(pytester.path)):
                del sys.modules[name]

    monkeypatch.setattr("_pytest.pytester.SysModulesSnapshot.restore", forget)
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n")

    def running(code: str, *options: str, apart: bool = False) -> pytest.RunResult:
        pytester.makepyfile(textwrap.dedent(code))
        given = [*plugins, "-p", "no:cacheprovider", *options]
        return pytester.runpytest_subprocess(*given) if apart else pytester.runpytest_inprocess(*given)

    return running


@dataclass(frozen=True)
class RunningFarm:
    """A farm in processes of its own."""

    url: str
    token: str


@pytest.fixture(scope="module")
def farm() -> Iterator[RunningFarm]:
    """Start a farm for a module's tests."""
    command = [sys.executable, "-m", "farm", "up", "--ephemeral"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        yield RunningFarm(**json.loads(process.stdout.readline()))
        process.stdin.close()
        assert process.wait(60) == 0
