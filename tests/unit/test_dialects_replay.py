"""Every recorded refusal of the real servers, word for word. Skips where the recordings are not at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.dialects import ArgumentsRefused

RECORDINGS = Path(__file__).parents[3] / "shared" / "upstream"
DECIDED_BY_THE_SDK = ("schema_violation", "type_mismatch", "unknown_tool")


def _lines(app: str) -> list[dict[str, Any]]:
    source = RECORDINGS / app / "validation.jsonl"
    if not source.exists():
        pytest.skip(f"no recorded calls of {app} here")
    lines = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    # Lines of another server of the same app were recorded for comparison only.
    return [line for line in lines if line.get("server", "base") == "base"]


def _schemas(app: str) -> dict[str, Any]:
    listed = json.loads((RECORDINGS / app / "tools.json").read_text(encoding="utf-8"))["tools"]
    return {tool["name"]: tool["inputSchema"] for tool in listed}


def _answer(app: str, schemas: dict[str, Any], line: dict[str, Any]) -> tuple[int | None, str] | None:
    """What our dialect says to a recorded call: (code, text) of the refusal, or None when it lets the call pass."""
    dialect = content.load_app(app).app.dialect
    if line["tool"] not in schemas:
        refused = dialect.unknown_tool(line["tool"])
        return refused.code, refused.message
    try:
        dialect.compile(line["tool"], schemas[line["tool"]])(line["arguments"])
    except ArgumentsRefused as refused:
        return refused.code, refused.message
    return None


def _recorded(line: dict[str, Any]) -> tuple[int | None, str]:
    error = line["result"].get("error") or line["result"].get("jsonrpc_error")
    if error:
        return error["code"], error["message"]
    return None, line["result"]["content"][0]["text"]


def _is_refused_by_the_sdk(line: dict[str, Any]) -> bool:
    code, text = _recorded(line)
    return line["error_class"] in DECIDED_BY_THE_SDK and (code is not None or text.startswith("MCP error"))


@pytest.mark.parametrize("app", content.app_names())
def test_every_recorded_refusal_of_the_sdk_comes_out_to_the_letter(app: str) -> None:
    lines = [line for line in _lines(app) if _is_refused_by_the_sdk(line)]
    schemas = _schemas(app)

    answers = [(line["tool"], line["arguments"], _answer(app, schemas, line)) for line in lines]

    assert answers == [(line["tool"], line["arguments"], _recorded(line)) for line in lines]
    assert len(answers) > 10


@pytest.mark.parametrize("app", content.app_names())
def test_what_the_real_server_passed_on_to_its_handler_we_pass_on_too(app: str) -> None:
    lines = [line for line in _lines(app) if not _is_refused_by_the_sdk(line)]
    schemas = _schemas(app)

    answers = [_answer(app, schemas, line) for line in lines]

    assert answers == [None] * len(lines)
    assert answers
