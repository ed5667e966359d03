"""tushare_MCP, in front of a stand-in for Tushare on this machine, beside ours: the same calls to both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp
from farm.traverse.fidelity.replay import Start
from tests.upstream.real import assert_alike, git_checkout, python_with, side_by_side, stand_in
from tests.upstream.tushare.backend import backend
from tests.upstream.tushare.calls import CALLS, EMPTY_TOKEN, TOKEN, WRONG_TOKEN

_REPOSITORY, _COMMIT = "https://github.com/zhewenzhang/tushare_MCP", "ba9c020047bdf74c9c5011fc376c847a36624702"
_NEEDS = ("mcp==1.30.0", "tushare==1.4.29", "pandas==3.1.1", "pydantic==2.14.3", "python-dotenv", "six")
_LAUNCH = Path(__file__).with_name("launch.py")
_ROWS = ({"table": "tokens", "token": TOKEN, "holder": "me"},)


@pytest.mark.parametrize(
    "calls",
    [pytest.param(each, id=name) for name, each in (("all", CALLS), ("wrong", WRONG_TOKEN), ("empty", EMPTY_TOKEN))],
)
def test_the_real_server_and_ours_answer_alike(
    start: Callable[..., LocalApp], tmp_path: Path, calls: list[tuple[str, Any]]
) -> None:
    server, python = git_checkout(_REPOSITORY, _COMMIT) / "server.py", python_with(*_NEEDS)
    home = tmp_path / "home"
    home.mkdir()

    with stand_in(backend(start("tushare", rows=_ROWS))) as url:
        command = [str(python), str(_LAUNCH), str(server)]
        environment = {"HOME": str(home), "STAND_IN": url, "NO_PROXY": "127.0.0.1"}
        began = Start(rows=_ROWS)
        found = side_by_side("tushare", calls, command, tmp_path / "ours", environment=environment, start=began)

    assert_alike(found, len(calls))
