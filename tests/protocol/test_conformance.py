"""The public MCP conformance suite, against the fixture app and, where no fixture is needed, against a simulated one.

Needs Node 22 or newer: ``FARM_NODE`` names it, or ``node`` on the path is one. ``.ci/node.sh`` installs one.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path

import pytest
import pytest_asyncio

from farm.content import load_app
from farm.context.store import Store
from tests.e2e.processes import AppProcess, app_process

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
HERE = Path(__file__).parent
NODE_MIN = 22
PLAIN = [
    ("2025-11-25", "server-initialize"),
    ("2025-11-25", "ping"),
    ("2025-11-25", "tools-list"),
    ("2025-11-25", "dns-rebinding-protection"),
    ("2026-07-28", "tools-list"),
    ("2026-07-28", "sep-2164-resource-not-found"),
    ("2026-07-28", "dns-rebinding-protection"),
    ("2026-07-28", "server-sse-multiple-streams"),
    ("2026-07-28", "input-required-result-unsupported-methods"),
    ("2026-07-28", "server-stateless"),
]


@cache
def _command() -> tuple[str, ...] | None:
    """Return the command that runs the suite, or None without a Node that can."""
    node = os.environ.get("FARM_NODE") or shutil.which("node")
    if node is None or not Path(node).exists():
        return None
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.strip().lstrip("v").split(".")[0]) < NODE_MIN:
        return None
    for folder in Path(node).absolute().parents:
        script = folder / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
        if script.is_file():
            return node, str(script)
    npx = shutil.which("npx", path=str(Path(node).parent)) or shutil.which("npx")
    return None if npx is None else (npx, "-y", SUITE)


pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="forks app processes"),
    pytest.mark.skipif(
        _command() is None, reason=f"needs Node {NODE_MIN} or newer; FARM_NODE=$(.ci/node.sh) installs and names one"
    ),
]


async def _run(url: str, out: Path, *options: str) -> tuple[int, str]:
    """Run the suite; return its exit status and what it printed."""
    command = _command()
    assert command is not None
    path = str(Path(command[0]).parent)
    process = await asyncio.create_subprocess_exec(
        *(*command, "server", "--url", url, "-o", str(out), *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}"},
    )
    printed, _ = await asyncio.wait_for(process.communicate(), 300)
    assert process.returncode is not None
    return process.returncode, printed.decode()


async def _served(data: Path, app: str) -> AsyncIterator[AppProcess]:
    async with app_process(data, app) as served:
        served.make_episode("ep")
        Store(load_app(app), data).create("ep")
        yield served


@pytest_asyncio.fixture
async def fixture(tmp_path: Path) -> AsyncIterator[AppProcess]:
    async for served in _served(tmp_path / "data", "conformance"):
        yield served


@pytest_asyncio.fixture
async def slack(tmp_path: Path) -> AsyncIterator[AppProcess]:
    async for served in _served(tmp_path / "data", "slack"):
        yield served


def _passed_checks(out: Path) -> int:
    """Count the checks that passed: an empty scenario passes too, and says nothing."""
    checks = [check for path in out.rglob("checks.json") for check in json.loads(path.read_text("utf-8"))]
    return sum(check["status"] == "SUCCESS" for check in checks)


async def test_the_fixture_meets_all_37_requirements_of_2026(fixture: AppProcess, tmp_path: Path) -> None:
    status, printed = await _run(fixture.url("ep"), tmp_path / "out", "--requirements", "2026-07-28")

    assert status == 0, printed
    scored = printed.split("=== SUMMARY ===")[1].split("Not scored")[0]
    unscored = printed.split("Not scored")[1]
    failed = [line.split()[1].rstrip(":") for line in scored.splitlines() if line.startswith("✗")]
    assert all(name in unscored for name in failed)
    # As many checks as the SDK's own example server passes in the scored scenarios.
    assert _passed_checks(tmp_path / "out") >= 110


async def test_the_fixture_meets_what_a_server_without_sessions_can_of_2025(
    fixture: AppProcess, tmp_path: Path
) -> None:
    expected = str(HERE / "conformance-2025-11-25.yml")

    status, printed = await _run(
        fixture.url("ep"), tmp_path / "out", "--requirements", "2025-11-25", "--expected-failures", expected
    )

    assert status == 0, printed
    assert _passed_checks(tmp_path / "out") >= 55


async def test_a_simulated_app_passes_every_scenario_that_needs_no_fixture(slack: AppProcess, tmp_path: Path) -> None:
    for version, scenario in PLAIN:
        out = tmp_path / f"{version}-{scenario}"
        expected = ("--expected-failures", str(HERE / "conformance-plain.yml")) if "stateless" in scenario else ()

        status, printed = await _run(slack.url("ep"), out, "--scenario", scenario, "--spec-version", version, *expected)

        assert status == 0, f"{scenario} of {version}: {printed}"
        assert _passed_checks(out) >= 1, f"{scenario} of {version}"
