"""Every recorded refusal of the real servers, word for word. Skips where the recordings are not at hand.

Each app is asked for its own dialect; older and other servers of the same app have theirs in a table here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.appkit.dialects import Dialect, InvalidArgumentsError, Jsonschema, Unchecked, Wording

RECORDINGS = Path(__file__).parents[4] / "shared" / "upstream"
Arguments = Mapping[str, Any]
Answer = tuple[int | None, str, bool | None]
"""(code of the JSON-RPC error or None, text, isError of the result)"""

# What older or other servers of the same app answered: (folder, file, the line's "server") → their dialect.
_NO_ARGUMENTS = Wording('{"error":"No arguments provided"}', is_error=None)
_ERROR_TEXT = Wording('{"error":"Unknown tool: {tool:json}"}', is_error=None)
OTHERS: dict[tuple[str, str, str | None], Dialect] = {
    ("discord", "validation_sdk_1x", None): Jsonschema(),
    ("notion", "validation", "v1.2.4"): Unchecked("typescript 1.11.2", _ERROR_TEXT, _NO_ARGUMENTS),
    ("slack", "validation", "reference"): Unchecked("typescript 1.0.1", _ERROR_TEXT, _NO_ARGUMENTS),
}
# Where any name runs this tool: App(any_name=…).
ANY_NAME = {"deep_research": "deep-research"}
TOOLS = {("notion", "v1.2.4"): "tools_v1.json", ("slack", "reference"): "tools_reference.json"}

# How the words begin that come from an SDK, a validator or a hand-written server's front: what a dialect decides.
_DECIDED = re.compile(
    r"""MCP\ error\ -\d+:\  | Input\ validation\ error:\  | Error\ executing\ tool\ \S+:\ \d+\ validation\ error
    | (Error:\ )?\[\n\ \ \{\n\ \ \ \ "(code|expected|received)" | (Error:\ )?Unknown\ tool:\  | 错误:\ 未知的工具:
    | .*:\ Cannot\ destructure\ property\  | \{"error":"(No\ arguments|Unknown\ tool)
    | \{"successful":false,"data":\{\},"error":"Invalid\ request\ data""",
    re.VERBOSE,
)
# Refusals that a server's own code decides, behind its dialect: what the handlers are to say, by (folder, file).
NOT_REACHED = {
    ("baidu_maps", "validation"): "one tool asks for the words true and false itself",
    ("deep_research", "validation"): "a missing key of the provider is told before the arguments are looked at",
    ("discord", "validation"): "a missing key is Python's KeyError where the code reads it, an id goes through int()",
    ("discord", "validation_not_ready"): "every call, of unknown tools too, until the bot is connected",
    ("discord", "validation_sdk_1x"): "ids go through int(), channels are looked up",
    ("email163", "validation"): "Node's own errors on what it was sent, and crashes of the process",
    ("gmail", "validation"): "addresses, files and templates are looked at after zod",
    ("medical", "validation"): "a word too short is looked up and not found",
    ("monitor", "validation"): "the only check, that a pid is a number, is the handler's",
    ("notion", "validation"): "empty texts pass zod, and the handlers refuse them",
    ("pollinations", "validation"): "the hand-written checks of prompt and images",
    ("rednote", "validation"): "what the handlers find in well-formed arguments",
    ("slack", "validation"): "the reference server's missing arguments",
    ("telegram", "validation"): "ids are looked at by the handlers' decorator, texts later",
    ("tushare", "validation"): "no token is set",
    ("wecom", "validation"): "files must be there",
}
_ABOUT_ARGUMENTS = ("schema_violation", "type_mismatch", "boundary", "semantic_conflict", "unknown_tool")


@dataclass(frozen=True)
class Recorded:
    """A recorded line, and what is said to it: by the real server, and by our dialect (None: it lets the call pass)."""

    source: tuple[str, str]
    line: Mapping[str, Any]
    real: Answer
    ours: Answer | None

    @property
    def is_decided(self) -> bool:
        """Whether it was the dialect's part of the real server that refused."""
        code, text, _ = self.real
        if text.startswith("panic: "):
            return self.ours is not None  # which arguments the code asserts is in the table
        return code is not None or bool(_DECIDED.match(text))

    @property
    def call(self) -> tuple[str, str, Any]:
        return self.source[0], self.line["tool"], self.line["arguments"]


# App → the profile whose server was recorded, where ``latest`` is a newer one.
RECORDED_PROFILES = {"telegram": "paper-2025"}


def _lines(app: str, name: str = "validation") -> list[dict[str, Any]]:
    source = RECORDINGS / app / f"{name}.jsonl"
    return [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]


def _schemas(app: str, server: str | None) -> dict[str, Any]:
    listed = json.loads((RECORDINGS / app / TOOLS.get((app, server or ""), "tools.json")).read_text(encoding="utf-8"))
    return {tool["name"]: tool["inputSchema"] for tool in listed["tools"]}


def _dialect(app: str, name: str, server: str | None) -> Dialect:
    if (app, name, server) in OTHERS:
        return OTHERS[app, name, server]
    return content.load_app(app).in_profile(RECORDED_PROFILES.get(app, "latest")).app.dialect


def _answer(app: str, dialect: Dialect, schemas: Mapping[str, Any], line: Mapping[str, Any]) -> Answer | None:
    """What our dialect says to a recorded call, or None when it lets the call pass."""
    tool = line["tool"] if line["tool"] in schemas else ANY_NAME.get(app)
    given = None if line.get("arguments_omitted") else line["arguments"]
    try:
        if tool is None:
            raise dialect.unknown_tool(line["tool"], given)
        dialect.compile(tool, schemas[tool])(given)
    except InvalidArgumentsError as refused:
        return refused.code, refused.message, None if refused.code is not None else refused.is_error
    return None


def _recorded(line: Mapping[str, Any]) -> Answer:
    """The real answer; where the process died, what ours is to say instead."""
    result = line["result"]
    if "stderr_first_line" in result:
        return -32603, result["stderr_first_line"], None
    if "successful" in result:
        return None, json.dumps(result, ensure_ascii=False, separators=(",", ":")), False
    error = result.get("error") or result.get("jsonrpc_error")
    if error:
        return error["code"], error["message"], None
    return None, result["content"][0]["text"] if "content" in result else "", result.get("isError")


def _read() -> Iterator[Recorded]:
    for path in sorted(RECORDINGS.glob("*/validation*.jsonl")):
        app, name = path.parent.name, path.stem
        for line in _lines(app, name):
            server = line.get("server") if (app, name, line.get("server")) in OTHERS else None
            ours = _answer(app, _dialect(app, name, server), _schemas(app, server), line)
            yield Recorded((app, name), line, _recorded(line), ours)


@pytest.fixture(scope="module")
def recorded() -> list[Recorded]:
    """Every recorded line of every app, but those on which a state decides before the arguments are looked at."""
    if not RECORDINGS.is_dir():
        pytest.skip("no recorded calls here")
    state_first = (("discord", "validation_not_ready"), ("deep_research", "validation"))
    return [
        each
        for each in _read()
        if each.source not in state_first or ("precondition" not in each.line and "not_ready" not in each.source[1])
    ]


def test_every_recorded_refusal_of_an_sdk_comes_out_to_the_letter(recorded: list[Recorded]) -> None:
    decided = [each for each in recorded if each.is_decided]

    assert [(*each.call, each.ours) for each in decided] == [(*each.call, each.real) for each in decided]
    # Fewer would mean that some recordings were not read.
    derived = [each for each in decided if each.source[1] == "validation_derived"]
    assert len(decided) - len(derived) > 200
    assert len(derived) == 24


def test_what_real_servers_passed_on_to_their_handlers_we_pass_on_too(recorded: list[Recorded]) -> None:
    passed = [each for each in recorded if not each.is_decided]

    assert [(*each.call, each.ours) for each in passed] == [(*each.call, None) for each in passed]
    assert len(passed) > 150


def test_refusals_that_no_dialect_decides_are_known_and_each_has_its_reason(recorded: list[Recorded]) -> None:
    behind = {
        each.source
        for each in _read()
        if not each.is_decided and each.line["error_class"] in _ABOUT_ARGUMENTS and not _succeeded(each)
    }

    assert sorted(behind) == sorted(NOT_REACHED)


def _succeeded(each: Recorded) -> bool:
    # Only servers that say so on every result can be asked.
    return each.real[2] is False and each.source[0] not in ("telegram", "tushare")
