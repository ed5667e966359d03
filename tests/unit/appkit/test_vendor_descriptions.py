"""Somebody's own copy of a vendor's tool list is served in place of our words, and only where the structure is ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.appkit import vendor_descriptions
from farm.cli import main
from farm.errors import FarmError

SAID = "What the vendor says of posting."
Change = Callable[[dict[str, Any]], object]


def slack_list(folder: Path, change: Change = lambda tool: None) -> Path:
    """Write a list of Slack's tools that words one of them in its own way."""
    tools = json.loads(json.dumps(content.load_app("slack").tool_schemas))
    posting = next(tool for tool in tools if tool["name"] == "slack_post_message")
    posting["description"] = SAID
    posting["inputSchema"]["properties"]["text"]["description"] = "What the vendor says of text."
    posting["annotations"] = {"openWorldHint": True}
    change(posting)
    path = folder / "vendor.json"
    path.write_text(json.dumps({"result": {"tools": tools}}))
    return path


def posting_as_served(profile: str = "latest") -> dict[str, Any]:
    return next(
        tool for tool in content.load_app("slack", profile).tool_schemas if tool["name"] == "slack_post_message"
    )


@pytest.fixture
def vendor_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = slack_list(tmp_path)
    monkeypatch.setenv(vendor_descriptions.VARIABLE, f"slack={path}")
    return path


def test_without_a_list_the_words_are_ours() -> None:
    assert posting_as_served()["description"] != SAID


@pytest.mark.usefixtures("vendor_file")
def test_an_agent_reads_the_vendor_s_sentences() -> None:
    served = posting_as_served()

    assert served["description"] == SAID
    assert served["inputSchema"]["properties"]["text"]["description"] == "What the vendor says of text."
    assert served["annotations"] == {"openWorldHint": True}


@pytest.mark.usefixtures("vendor_file")
def test_other_apps_keep_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    served = content.load_app("rednote").tool_schemas
    monkeypatch.delenv(vendor_descriptions.VARIABLE)

    assert served == content.load_app("rednote").tool_schemas


@pytest.mark.usefixtures("vendor_file")
def test_profiles_of_the_same_list_read_it_too() -> None:
    for name in content.load_app("slack").profiles:
        assert posting_as_served(name)["description"] == SAID, name


def forget_the_text(tool: dict[str, Any]) -> None:
    del tool["inputSchema"]["properties"]["text"]


def rename(tool: dict[str, Any]) -> None:
    tool["name"] = "slack_say"


def answer_more(tool: dict[str, Any]) -> None:
    tool["outputSchema"] = {"type": "object"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (forget_the_text, "the inputSchema of 'slack_post_message'"),
        (answer_more, "the outputSchema of 'slack_post_message'"),
        (rename, "has no tool 'slack_post_message'"),
    ],
)
def test_a_list_of_another_version_is_refused(
    change: Change, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = slack_list(tmp_path, change)
    monkeypatch.setenv(vendor_descriptions.VARIABLE, f"slack={path}")

    with pytest.raises(FarmError) as refused:
        content.load_app("slack")

    assert told in str(refused.value)
    assert str(path) in str(refused.value)
    assert "Slack MCP Server 1.0.0" in str(refused.value)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("lark", "not 'lark'"),
        ("=list.json", "not '=list.json'"),
        ("slack=", "not 'slack='"),
        ("slack=nowhere.json", "nowhere.json cannot be read: No such file"),
        ("slcak=nowhere.json", "no app 'slcak'"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(
    given: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    # So that what the command line puts there is taken back.
    monkeypatch.setenv(vendor_descriptions.VARIABLE, "")

    with pytest.raises(SystemExit) as ended:
        main(["up", "--vendor-descriptions", given, "--data", str(tmp_path / "data")])

    said = capsys.readouterr().err
    assert ended.value.code == 1
    assert told in said
    assert said.count("\n") == 1


def test_two_lists_for_one_app_are_refused() -> None:
    with pytest.raises(FarmError, match="name one"):
        vendor_descriptions.parse(["slack=a.json", "SLACK=b.json"])
