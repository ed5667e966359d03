"""``farm new app``: what it writes serves, refuses and keeps the rules, before anybody has touched it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.cli import main
from farm.scaffold import read_contract
from farm.testing import LocalApp

ROOT = Path(__file__).resolve().parents[2]
CONTRACT: dict[str, Any] = {
    "serverInfo": {"name": "notes-server", "version": "2.1"},
    "instructions": "Use these tools to work on notes.",
    "tools": [
        {
            "name": "notes-search",
            "description": "Searches for notes in the whole notebook.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "description": {"type": "string", "description": "Words of the note's description."},
                    "limit": {"type": "integer", "default": 10},
                    "from": {"type": "string"},
                },
                "required": ["description"],
            },
            "annotations": {"readOnlyHint": True},
            "_meta": {"ui": {"description": "kept"}},
        },
        {
            "name": "createANoteWithAVeryLongNameThatHardlyFitsOnALineOfATable",
            "description": "Creates a note.",
            "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}, "tags": {"type": "array"}}},
            "annotations": {"readOnlyHint": False},
        },
        {"name": "import", "inputSchema": {"type": "object"}},
    ],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # The command names its folder there; whatever it adds goes with the test.
    monkeypatch.setenv("FARM_CONTENT", "")
    return tmp_path / "mine"


def farm(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["new", "app", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def make(folder: Path, *more: str) -> None:
    source = folder.parent / "tools.json"
    source.write_text(json.dumps(CONTRACT), "utf-8")
    assert farm("jotter", "--from", str(source), "--content", str(folder), *more) == 0


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert farm(*arguments) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_a_new_app_keeps_the_structure_of_the_real_list_and_none_of_its_sentences(folder: Path) -> None:
    make(folder)

    search, create, last = json.loads((folder / "kernels/jotter/tools.json").read_text("utf-8"))["tools"]

    assert [search["name"], create["name"], last["name"]] == [tool["name"] for tool in CONTRACT["tools"]]
    # A property may itself be called description.
    assert search["inputSchema"]["properties"]["description"] == {"type": "string"}
    assert search["inputSchema"]["properties"]["limit"] == {"type": "integer", "default": 10}
    assert search["_meta"] == {"ui": {"description": "kept"}}
    assert "Searches for notes" not in json.dumps(search)


def test_a_new_app_serves_and_refuses_loudly(folder: Path, tmp_path: Path) -> None:
    make(folder, "--dialect", "Zod3(sdk='1.22.0')")

    app = LocalApp("jotter", tmp_path / "data")
    answers = [app.result(tool.name, description="x") for tool in content.load_app("jotter").app.tools]

    assert [answer["isError"] for answer in answers] == [True, True, True]
    assert answers[2]["content"][0]["text"] == "import is not simulated yet"
    app.close()


@pytest.mark.parametrize("source", ["captured", "none"])
def test_a_new_app_passes_the_contract_and_its_own_tests_and_the_checks(folder: Path, source: str) -> None:
    if source == "captured":
        make(folder)
    else:
        assert farm("jotter", "--content", str(folder)) == 0
    environment = {**os.environ, "FARM_CONTENT": str(folder)}

    for command in (
        ["pytest", "-q", "-p", "no:cacheprovider", "-k", "jotter", "tests/contract", f"{folder}/tests"],
        ["ruff", "check", "--no-cache", "--config", "pyproject.toml", str(folder)],
        ["ruff", "format", "--no-cache", "--check", "--config", "pyproject.toml", str(folder)],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=ROOT, env=environment, capture_output=True, text=True
        )

        assert done.returncode == 0, done.stdout


def test_a_list_of_tools_is_read_in_each_of_its_forms(tmp_path: Path) -> None:
    tools = [{"name": "a", "inputSchema": {"type": "object"}}]
    path = tmp_path / "tools.json"

    for form in (tools, {"tools": tools}, {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}):
        path.write_text(json.dumps(form), "utf-8")

        assert [tool["name"] for tool in read_contract(path).tools] == ["a"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("{}", "no list 'tools'"),
        ('{"tools": [{"name": "a"}]}', "needs 'name' and 'inputSchema'"),
    ],
)
def test_what_is_no_list_of_tools_is_refused(
    text: str, said: str, tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "tools.json"
    source.write_text(text, "utf-8")

    assert said in refused(capsys, "jotter", "--from", str(source), "--content", str(folder))
    assert not (folder / "kernels").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Jotter"], "lower-case letters"),
        (["../x"], "lower-case letters"),
        (["class"], "lower-case letters"),
        ([content.app_names()[0]], "already"),
        (["jotter", "--dialect", "Zod9()"], "a dialect is one of"),
        (["jotter", "--dialect", "__import__('os')"], "a dialect is one of"),
        (["jotter", "--dialect", "Zod3(colour=1)"], "colour"),
        (["jotter", "--dialect", "Zod3("], "a dialect is one of"),
        (["jotter", "--from", "nowhere.json"], "nowhere.json"),
    ],
)
def test_a_mistake_is_told_in_one_line_and_writes_nothing(
    arguments: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, *arguments, "--content", str(folder))
    assert not (folder / "kernels").exists()
