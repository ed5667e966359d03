"""mcp-obsidian, in front of a stand-in for Obsidian with the plugin's own libraries in it, beside ours.

Requests that the plugin never answers are left out: each would take six seconds, and its words name the port.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from farm.traverse.fidelity.replay import Start
from tests.upstream.obsidian import vault
from tests.upstream.obsidian.calls import CALLS
from tests.upstream.obsidian.libraries import LIBRARIES
from tests.upstream.real import assert_alike, npm_package, python_with, side_by_side

_NEEDS = ("mcp-obsidian==0.2.3", "mcp==1.30.0")
_PLUGIN = Path(__file__).with_name("plugin.mjs")


@contextmanager
def _plugin(rows: Sequence[Mapping[str, Any]], folder: Path) -> Iterator[int]:
    """Run the stand-in on the rows' vault and yield its port."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    files = [
        {"path": row["path"], "content": row["content"], "ctime": row["made_ms"], "mtime": row["changed_ms"]}
        for row in rows
        if row["table"] == "files"
    ]
    periods = {row["period"]: {"folder": row["folder"], "format": ""} for row in rows if row["table"] == "periods"}
    file = folder / "vault.json"
    file.write_text(json.dumps({"files": files, "periods": periods}), "utf-8")
    modules = [str(npm_package(name, version).parent) for name, version in LIBRARIES.items()]
    with subprocess.Popen([node, str(_PLUGIN), str(file), *modules], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.terminate()


def test_the_real_server_and_ours_answer_alike(tmp_path: Path) -> None:
    python = python_with(*_NEEDS)
    # The stand-in's clock is this machine's, and so is that of a comparison.
    rows = vault.rows(datetime.now(UTC))

    with _plugin(rows, tmp_path) as port:
        environment = {
            "OBSIDIAN_API_KEY": "key",
            "OBSIDIAN_PROTOCOL": "http",
            "OBSIDIAN_HOST": "127.0.0.1",
            "OBSIDIAN_PORT": str(port),
            "NO_PROXY": "127.0.0.1",
        }
        command = [str(python), "-c", "import mcp_obsidian; mcp_obsidian.main()"]
        began = Start(rows=tuple(rows), me="me")
        found = side_by_side("obsidian", CALLS, command, tmp_path / "ours", environment=environment, start=began)

    assert_alike(found, len(CALLS))
    assert found["bodies"]["lines"] >= len(CALLS) // 2
