"""The recorded session, made again in order on its vault, with what its last lines took for granted set as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.testing import LocalApp
from farm.traverse.fidelity.provenance import load_provenance
from tests.apps.obsidian.recorded_vaults import VAULT, rows_of

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "obsidian"
PROVENANCE = load_provenance(content.load_app("obsidian"))
CONDITIONS = {each.name: each.values for each in PROVENANCE.conditions}
NORMAL = {"has_dataview": 1, "is_key_right": 1, "is_running": 1}


def read(name: str) -> Any:
    file = RECORDED / name
    if not file.is_file():
        pytest.skip("the recorded session is not on this machine")
    return json.loads(file.read_text("utf-8"))


def play(app: LocalApp, line: dict[str, Any]) -> dict[str, Any]:
    """Make a recorded call when it was made, with the vault as it was."""
    condition = CONDITIONS.get(line.get("condition", ""), {})
    app.episode.db.update("vaults", {"vault_id": VAULT}, **{**NORMAL, **condition})
    at = int(datetime.fromisoformat(line["at"]).timestamp() * 1000)
    if at > app.store.clock_ms(app.id):
        app.store.set_clock(app.id, at)
    return app.result(line["tool"], **line["arguments"])


@pytest.mark.fact("session")
def test_the_recorded_session_comes_out_again(start: Callable[..., LocalApp]) -> None:
    first, last = read("initial_state_a.json"), read("final_state_a.json")
    lines = [json.loads(line) for line in (RECORDED / "traces_a.jsonl").read_text("utf-8").splitlines()]
    app = start("obsidian", rows=list(rows_of(first)), me="me", now=lines[0]["at"])

    def masked(result: dict[str, Any]) -> dict[str, Any]:
        said = result["content"][0]["text"] if result.get("content") else ""
        for mask in PROVENANCE.masks:
            said = mask.apply(said)
        return {**result, "content": said}

    differing = [line["seq"] for line in lines if masked(play(app, line)) != masked(line["result"])]

    assert differing == []
    left = app.episode.db.all("SELECT path, content, base64, changed_ms FROM files")
    expected = {path: (file.get("content", ""), file.get("content_base64")) for path, file in last["files"].items()}
    assert {file["path"]: (file["content"], file["base64"]) for file in left} == expected
    # The real file was written within the second after the call.
    assert all(0 <= last["files"][file["path"]]["mtime"] - file["changed_ms"] < 1000 for file in left)
