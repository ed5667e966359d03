"""A capture beside an app: which facts agree, and which are told as different."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from farm import content
from farm.cli import build
from farm.errors import FarmError
from farm.traverse.fidelity.features import compare_features, read_capture


def captured(app: str) -> dict[str, Any]:
    """Return what a capture of a server exactly like an app would hold."""
    found: dict[str, Any] = json.loads((content.load_app(app).folder / "tools.json").read_bytes())
    return found


def differing(wire: dict[str, Any], app: str = "deepseek") -> list[str]:
    return [each["fact"] for each in compare_features(wire, content.load_app(app))["differences"]]


def test_a_capture_of_the_same_server_has_no_differences() -> None:
    found = compare_features(captured("notion"), content.load_app("notion"))

    assert found["differences"] == []
    assert found["facts"] == found["same"] > 40


def test_descriptions_are_left_out() -> None:
    wire = captured("notion")
    for entry in [*wire["tools"], *wire["prompts"], *wire["resources"]]:
        entry["description"] = "other words"
    wire["prompts"][0]["arguments"][0]["description"] = "other words"
    wire["instructions"] = "other words"

    assert differing(wire, "notion") == []


def test_each_difference_is_named() -> None:
    wire = captured("deepseek")
    wire["protocol"] = "2025-06-18"
    wire["capabilities"]["logging"] = {}
    wire["server"]["title"] = "T"
    wire["prompts"][0]["arguments"][1]["required"] = True
    wire["resources"][0]["mimeType"] = "text/plain"
    wire["resourceTemplates"].append({"uriTemplate": "a://{b}", "name": "b"})

    assert differing(wire) == [
        "protocol",
        "server.title",
        "capabilities.logging",
        "prompts deepseek_chat_starter",
        "resources deepseek://api/endpoints",
        "resourceTemplates",
        "resourceTemplates a://{b}",
    ]


def test_a_list_that_only_one_of_them_serves_is_a_difference() -> None:
    wire = captured("amap")
    del wire["prompts"]

    assert differing(wire, "amap") == ["prompts"]


@pytest.mark.parametrize("text", ["", "[]", '{"tools": []}'])
def test_a_file_that_is_no_capture_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(text)

    with pytest.raises(FarmError):
        read_capture(path)


def test_the_command_prints_the_share_and_each_difference(tmp_path: Path) -> None:
    wire = captured("amap")
    wire["server"]["version"] = "1.9"
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(wire))

    words = ["fidelity", "amap"]
    printed = CliRunner().invoke(build(words), [*words, "--features", str(path)])
    neither = CliRunner().invoke(build(words), words)

    assert printed.exit_code == 0
    assert "27 of 28 facts about the server are the same" in printed.output
    assert "server.version:" in printed.output
    assert neither.exit_code == 2
