"""What the real server answered to 1,179 calls on the account of ``rows_of_2026``, each from the start.

``recorded.jsonl`` was made by telegram-mcp a7bdd4d on Telethon 1.44.0, of which only the network was a stand-in on
these rows, as ``tests/upstream/telegram`` has it; its first line says when. Of an answer in the usual envelope the text
alone is kept. It is not edited by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farm import content
from farm.testing import LocalApp
from tests.apps.telegram.rows import rows_of_2026

_HEAD, *_LINES = map(json.loads, Path(__file__).with_name("recorded.jsonl").read_text("utf-8").splitlines())
_TOOLS = sorted({line["tool"] for line in _LINES})


@pytest.mark.fact("wire")
@pytest.mark.fact("codes")
@pytest.mark.parametrize("tool", _TOOLS)
def test_the_answers_are_those_of_the_real_server(start: Callable[..., LocalApp], tool: str) -> None:
    given, differing = rows_of_2026(_HEAD["folder"]), []
    app: LocalApp | None = None
    for line in _LINES:
        if line["tool"] != tool:
            continue
        # What a call has changed, the next one must not see.
        if app is None or app.changes():
            app = start("telegram", rows=given, me="ada", seed=_HEAD["seed"])
        ours, theirs = json.loads(app.outcome(tool, line["arguments"]).result), line.get("result")
        if theirs is None:
            text = {"type": "text", "text": line["text"], "annotations": {"audience": ["user"]}}
            theirs = {"content": [text], "structuredContent": {"result": line["text"]}, "isError": False}
        if ours != theirs:
            differing.append((line["arguments"], ours, theirs))

    assert differing == []


@pytest.mark.fact("wire")
def test_every_tool_was_recorded() -> None:
    assert {tool.name for tool in content.load_app("telegram").app.tools} <= set(_TOOLS)
