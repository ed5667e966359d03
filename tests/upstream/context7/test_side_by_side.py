"""Context7's own servers, in front of a stand-in API on this machine, beside ours: the same calls to both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.upstream.context7.backend import backend
from tests.upstream.context7.calls import LATEST, OLDER
from tests.upstream.real import assert_alike, npm_package, side_by_side, stand_in

_PACKAGE = "@upstash/context7-mcp"
_REDIRECT = Path(__file__).with_name("redirect.mjs")


@pytest.mark.parametrize(
    ("profile", "release", "calls"),
    [pytest.param("latest", "4.1.1", LATEST, id="4.1.1"), pytest.param("paper-2025", "1.0.33", OLDER, id="1.0.33")],
)
def test_the_real_server_and_ours_answer_alike(
    start: Callable[..., LocalApp], tmp_path: Path, profile: str, release: str, calls: list[tuple[str, Any]]
) -> None:
    program = npm_package(_PACKAGE, release) / "dist" / "index.js"

    with stand_in(backend(start("context7"), start("context7", profile="paper-2025"))) as url:
        command = ["node", "--import", str(_REDIRECT), str(program)] if release == "1.0.33" else ["node", str(program)]
        environment = {"CONTEXT7_API_URL": url, "CONTEXT7_API_KEY": "ctx7sk-0", "STAND_IN": url}
        found = side_by_side("context7", calls, command, tmp_path, environment=environment, profile=profile)

    assert_alike(found, len(calls))
    assert found["confusion"]["success"]["success"] >= len(calls) * 0.4
