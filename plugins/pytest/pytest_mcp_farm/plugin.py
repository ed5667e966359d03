"""The pytest plugin. All imports but the standard library's and pytest's wait until a test needs them."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_mcp_farm.farm import FarmTask, McpFarm, Options, SessionFarm
    from pytest_mcp_farm.model import McpFarmModel, SessionModels

_NAMES = {
    "url": (
        "Operators' URL of a running farm, such as http://127.0.0.1:8701 (or MCP_FARM_URL). "
        "Without it and a command: mcp-farm beside the tests, else 'farm' on the PATH."
    ),
    "token_file": "File with that farm's operator token (or MCP_FARM_TOKEN_FILE; the token itself: MCP_FARM_TOKEN).",
    "command": "Command that starts a farm once a session, such as 'uvx --from mcp-farm farm' (or MCP_FARM_COMMAND).",
    "install": (
        "What pip installs as the farm, in an environment of its own: a requirement, a wheel or a checkout's folder "
        "(or MCP_FARM_INSTALL)."
    ),
    "apps": "Comma-separated apps that a started farm or this process has; default: all (or MCP_FARM_APPS).",
    "record_mode": "Record mode of all cassettes: none, once, new_episodes or all (or MCP_FARM_RECORD_MODE).",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare options and ini keys."""
    group = parser.getgroup("mcp-farm", "simulated MCP servers (pytest-mcp-farm)")
    for name, help in _NAMES.items():
        group.addoption(
            f"--mcp-farm-{name.replace('_', '-')}",
            default=None,
            metavar=name.upper(),
            help=help,
        )
        parser.addini(f"mcp_farm_{name}", help, default=None)
    group.addoption(
        "--mcp-farm-report",
        default=None,
        metavar="DIR",
        help="Folder for a JSON file of each failed test: the calls that were made and the rows that changed.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and reject an unusable folder for reports."""
    config.addinivalue_line("markers", "farm_task(name): the task, such as demo/lark-new-room, that farm_task plays")
    report = config.getoption("mcp_farm_report")
    if report and os.path.exists(report) and not os.path.isdir(report):
        raise pytest.UsageError(f"--mcp-farm-report is a folder, and {report} is none")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record whether the test failed, for the report of its worlds, and show the requests to its models."""
    report = yield
    if report.when == "call":
        item.stash[_FAILED] = report.failed
        if report.failed and _MODELS in item.stash and (shown := item.stash[_MODELS].describe()):
            report.sections.append(("what the scripted model was asked", shown))
    return report


_FAILED = pytest.StashKey[bool]()
_MODELS = pytest.StashKey["McpFarmModel"]()


@pytest.fixture(scope="session")
def _mcp_farm_session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SessionFarm]:
    from pytest_mcp_farm.farm import SessionFarm

    # Each worker of pytest-xdist has its own folder beside the others'.
    is_worker = hasattr(request.config, "workerinput")
    farm = SessionFarm(_options(request.config, tmp_path_factory.getbasetemp().parent if is_worker else None))
    yield farm
    farm.close()


def _options(config: pytest.Config, shared: Path | None) -> Options:
    from pytest_mcp_farm.farm import options_from

    return options_from(
        lambda name: config.getoption(f"mcp_farm_{name}"), lambda name: config.getini(f"mcp_farm_{name}"), shared
    )


@pytest.fixture
def mcp_farm(request: pytest.FixtureRequest, _mcp_farm_session: SessionFarm) -> Iterator[McpFarm]:
    """Simulated MCP servers: ``mcp_farm.world("mini", apps=["lark"])`` is a world for this test alone."""
    from pytest_mcp_farm.farm import McpFarm

    farm = McpFarm(_mcp_farm_session)
    yield farm
    try:
        _report(request, farm)
    finally:
        farm.close()


@pytest.fixture(scope="session")
def _mcp_farm_models(request: pytest.FixtureRequest) -> Iterator[SessionModels]:
    from pytest_mcp_farm.model import SessionModels

    models = SessionModels(_options(request.config, None))
    yield models
    models.close()


@pytest.fixture
def mcp_farm_model(request: pytest.FixtureRequest, _mcp_farm_models: SessionModels) -> Iterator[McpFarmModel]:
    """Scripted models: ``mcp_farm_model(["Done."])`` is an OpenAI-compatible endpoint that answers from the script."""
    from pytest_mcp_farm.model import McpFarmModel

    made = request.node.stash[_MODELS] = McpFarmModel(_mcp_farm_models)
    yield made
    made.close()


@pytest.fixture
def farm_task(request: pytest.FixtureRequest, mcp_farm: McpFarm) -> FarmTask:
    """The task that ``@pytest.mark.farm_task("suite/task")`` names, with a world in which it can be done."""
    from pytest_mcp_farm.errors import McpFarmError

    marker = request.node.get_closest_marker("farm_task")
    if marker is None or len(marker.args) != 1 or marker.kwargs:
        raise McpFarmError('farm_task wants a task: @pytest.mark.farm_task("demo/lark-new-room")')
    return mcp_farm.play(marker.args[0])


def _report(request: pytest.FixtureRequest, farm: McpFarm) -> None:
    """Write what was done in the test's worlds to the JUnit file and, for a failed test, to a JSON file."""
    node: pytest.Item = request.node
    worlds = [world for world in farm.worlds if not world.is_closed]
    if node.config.getoption("xmlpath", None):
        for world in worlds:
            node.user_properties.extend(world.summary())
    folder = node.config.getoption("mcp_farm_report")
    if folder and worlds and node.stash.get(_FAILED, False):
        import json
        import re
        from hashlib import sha256
        from pathlib import Path

        Path(folder).mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]+", "_", node.nodeid)[-180:]
        if node.nodeid.endswith("]"):
            # Parameters may differ in characters that a file's name cannot hold.
            name += sha256(node.nodeid.encode()).hexdigest()[:8]
        told = {"test": node.nodeid, "worlds": [world.record() for world in worlds]}
        Path(folder, f"{name}.json").write_text(json.dumps(told, ensure_ascii=False, indent=2), "utf-8")
