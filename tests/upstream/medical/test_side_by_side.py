"""The real medical server, in front of stand-ins for what it asks, beside ours: the same calls to both."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.upstream.medical.backend import backend
from tests.upstream.medical.calls import AUTUMN, TODAY
from tests.upstream.real import assert_alike, git_checkout, install, npm_package, side_by_side, stand_in

_REPOSITORY = "https://github.com/JamesANZ/medical-mcp"
_HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("commit", "profile", "calls"),
    [
        ("c004e88ebd017794a6df8b5b2351c6b83a29e0be", "latest", TODAY),
        ("cbc0530", "paper-2025", AUTUMN),
    ],
    ids=["today", "autumn"],
)
def test_the_real_server_and_ours_answer_alike(
    commit: str, profile: str, calls: list[tuple[str, object]], tmp_path: Path
) -> None:
    folder = git_checkout(_REPOSITORY, commit)
    if not (folder / "build" / "index.js").is_file():
        # Its own script after installing edits the settings of another program.
        install("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder))
        install("node", str(folder / "node_modules" / "typescript" / "bin" / "tsc"), "-p", str(folder))
    jsdom = npm_package("jsdom", "24.1.3")
    command = ["node", "--import", (_HERE / "here.mjs").as_uri(), str(folder / "build" / "index.js")]

    with stand_in(backend) as url:
        environment = {"STAND_IN": url, "WITH_JSDOM": str(jsdom)}
        found = side_by_side("medical", calls, command, tmp_path, environment=environment, profile=profile)

    assert len(calls) >= 50
    assert_alike(found, len(calls))
