"""The real deep-research server, in front of a stand-in for Tavily, beside ours: the same calls to both."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from farm.traverse.fidelity.replay import Start
from tests.upstream.deep_research.backend import backend
from tests.upstream.deep_research.calls import FOUND, REFUSED
from tests.upstream.real import git_checkout, install, side_by_side, stand_in

_REPOSITORY, _COMMIT = "https://github.com/baranwang/mcp-deep-research", "e6f4f3f6c8f195f26adc020dadc1205c64d6a286"
_PACKAGES = (
    *("@modelcontextprotocol/sdk@1.32.2", "@tavily/core@0.3.5", "zod@3.25.76", "zod-to-json-schema@3.24.5"),
    *("typescript@5.8.3", "@types/node@22"),
)
_HERE = Path(__file__).parent
_NOW = datetime.fromisoformat("2026-03-09T08:40:00+08:00")


def _built() -> Path:
    """Return the real server's program, made if it was not there."""
    folder = git_checkout(_REPOSITORY, _COMMIT)
    program = folder / "build" / "index.js"
    if not program.is_file():
        install("npm", "install", "--ignore-scripts", "--no-audit", "--no-save", "--prefix", str(folder), *_PACKAGES)
        compiler = str(folder / "node_modules" / "typescript" / "bin" / "tsc")
        # Else the compiler looks for types where it is called from.
        types = ("--typeRoots", str(folder / "node_modules" / "@types"))
        options = ("--module", "nodenext", "--target", "es2022", "--skipLibCheck", *types)
        install("node", compiler, *options, "--outDir", str(program.parent), str(folder / "src" / "index.ts"))
    return program


@pytest.mark.parametrize("has_key", [1, 0])
def test_the_real_server_and_ours_answer_alike(has_key: int, tmp_path: Path) -> None:
    calls = [*FOUND, *REFUSED]
    start = Start(rows=({"table": "servers", "server_id": 1, "has_key": has_key},))
    command = ["node", "--import", (_HERE / "here.mjs").as_uri(), str(_built())]

    with stand_in(backend) as url:
        environment = {
            "STAND_IN": url,
            "AT_MS": str(int(_NOW.timestamp() * 1000)),
            "TAVILY_API_KEY": "tvly-a" if has_key else "",
            "TZ": "Asia/Shanghai",
        }
        found = side_by_side("deep_research", calls, command, tmp_path, environment=environment, start=start, at=_NOW)

    assert len(FOUND) >= len(calls) / 2
    assert len(calls) >= 60
    assert found["differences"] == []
    assert (found["compared"], found["agreement"], found["exact"]) == (len(calls), 1.0, 1.0)
    assert not has_key or found["bodies"]["leaf_equal"] == 1.0
