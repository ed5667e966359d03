"""``farm new app``: what it writes serves, refuses and keeps the rules, before anybody has touched it."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.appkit import dialects
from farm.appkit.tool_schemas import read_tool_schemas
from farm.cli import main
from farm.testing import LocalApp
from farm.traverse import scaffold
from farm.traverse.fidelity.overview import overview

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
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


DIALECTS = [name for name in dialects.__all__ if hasattr(getattr(dialects, name), "compile") and name != "Dialect"]
# Ends a string, a docstring, a line of TOML, a cell of a table; and escapes what comes behind it.
ODD = 'a"""\');\t| \x7f`raise SystemExit(9)` \N{LINE SEPARATOR}\\'
ODD_SCHEMAS: dict[str, dict[str, Any]] = {
    # What handlers.py imports, or says its types with.
    **{
        name: {"limit": {"type": "integer"}, "items": {"type": "array"}}
        for name in ("errors", "annotations", "str", "list")
    },
    "getAnything": {"id": {"type": "string"}},
    "normalised-to-another": {"\ufb01le": {"type": "string"}},
    "normalised-to-a-keyword": {"\u2139f": {"type": "string"}},
    "normalised-to-one": {"\ufb01le": {"type": "string"}, "file": {"type": "string"}},
    "no-name-of-an-argument": {"__debug__": {"type": "boolean"}},
    "would-hide-errors": {"errors": {"type": "string"}},
    "has-a-long-argument": {"a" * 300: {"type": "string"}},
    "has-a-long-default": {"text": {"type": "string", "default": "long " * 50}},
    "has-odd-defaults": {"text": {"type": "string", "default": ODD}, "most": {"type": "number", "default": 1e20}},
    "n" * 500: {},
    "N" * 500: {"limit": {"type": "integer"}, "title": {"type": "string"}},
}
ODD_CONTRACT: dict[str, Any] = {
    "serverInfo": {"name": ODD, "version": ODD},
    "tools": [
        *({"name": name, "inputSchema": {"type": "object", "properties": each}} for name, each in ODD_SCHEMAS.items()),
        {"name": 'say "it"\\', "inputSchema": {"type": "object"}, "annotations": None, "title": None},
    ],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # The command names its folder there; whatever it adds goes with the test.
    monkeypatch.setenv("FARM_CONTENT", "")
    return tmp_path / "mine"


def nested(levels: int) -> dict[str, Any]:
    """Return a schema of an array of arrays."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels - 1):
        schema = {"type": "array", "items": schema}
    return schema


def listed(**given: Any) -> str:
    """Return a list of one tool, as the real server sends it."""
    return json.dumps([{"name": "a", "inputSchema": {"type": "object"}, **given}])


def farm(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["new", "app", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def make(folder: Path, *more: str, contract: Any = CONTRACT) -> None:
    source = folder.parent / "tools.json"
    source.write_text(json.dumps(contract), "utf-8")
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


def test_a_new_app_is_shown_with_tools_that_do_nothing_yet(folder: Path) -> None:
    make(folder, "--dialect", "Zod3(sdk='1.22.0')")

    (row,) = [line for line in overview().splitlines() if line.startswith("| [jotter]")]

    assert "| 0 of 3 |" in row


def test_what_a_foreign_list_says_is_text_and_never_code(folder: Path, tmp_path: Path) -> None:
    names = [ODD, '"+exit(9)+"', "'" * 3, "\n", "$name", "a{b}"]
    contract = {**ODD_CONTRACT, "tools": [{"name": name, "inputSchema": {}} for name in names]}

    make(folder, "--title", ODD, "--category", ODD, contract=contract)
    loaded = content.load_app("jotter")
    app = LocalApp("jotter", tmp_path / "data")
    answers = [app.result(name)["content"][0]["text"] for name in names]
    app.close()

    assert [tool.name for tool in loaded.app.tools] == names
    assert answers == [f"{name} is not simulated yet" for name in names]
    assert (loaded.app.title, loaded.app.category) == (ODD, ODD)
    said = tomllib.loads((loaded.folder / "PROVENANCE.toml").read_text("utf-8"))
    assert (said["server"], said["version"]) == (ODD, ODD)


def test_arguments_of_odd_names_reach_a_handler_as_they_are_called(folder: Path) -> None:
    make(folder, contract=ODD_CONTRACT)

    for name, bound in content.load_app("jotter").bound.items():
        parameters = inspect.signature(bound.tool.handler).parameters
        own = ODD_SCHEMAS.get(name, {})

        assert list(parameters) in (["ep", *own], ["ep", "arguments"]), name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_schema_as_deep_as_may_be_is_served_in_every_dialect(dialect: str, folder: Path) -> None:
    # A tool, its schema, the properties around it.
    properties = {"type": "object", "properties": {"text": nested(61)}}

    make(folder, "--dialect", dialect, contract=[{"name": "a", "inputSchema": properties}])

    assert list(content.load_app("jotter").bound) == ["a"]


def test_what_python_could_not_read_is_not_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Nobody knows of such a list; should there be one, nothing of it is written.
    monkeypatch.setattr(scaffold, "_literal", lambda text: f'"{text}"')
    source = folder.parent / "tools.json"
    source.write_text(listed(name='a"b'), "utf-8")

    assert """tool 'a"b' cannot be written""" in refused(
        capsys, "jotter", "--from", str(source), "--content", str(folder)
    )
    assert not (folder / "kernels").exists()


def test_a_file_that_is_there_is_not_written_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = folder / "contexts/jotter/schema.py"
    schema.parent.mkdir(parents=True)
    schema.write_text("mine", "utf-8")

    assert f"there is {schema} already" in refused(capsys, "jotter", "--content", str(folder))
    assert schema.read_text("utf-8") == "mine"
    assert not (folder / "kernels").exists()


@pytest.mark.parametrize("source", ["captured", "odd", "none"])
def test_a_new_app_passes_the_contract_and_its_own_tests_and_the_checks(folder: Path, source: str) -> None:
    if source == "captured":
        make(folder)
    elif source == "odd":
        make(folder, "--title", ODD, "--category", ODD, contract=ODD_CONTRACT)
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

        assert [tool["name"] for tool in read_tool_schemas(path).tools] == ["a"]


@pytest.mark.parametrize(
    ("capture", "handshake"),
    [
        ({}, {}),
        ({"protocol": "2024-11-05"}, {"protocol": "2024-11-05"}),
        ({"protocol": "later", "capabilities": ["tools"]}, {}),
        (
            {"capabilities": {"prompts": {}, "tools": {"listChanged": True}}},
            {"capabilities": {"tools": {"listChanged": True}}},
        ),
        ({"capabilities": {"tools": {"listChanged": "a sentence"}}}, {"capabilities": {"tools": {}}}),
    ],
)
def test_of_a_capture_s_handshake_what_needs_no_code_is_taken_over(
    capture: dict[str, Any], handshake: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({**capture, "tools": [{"name": "a", "inputSchema": {"type": "object"}}]}), "utf-8")

    assert read_tool_schemas(path).handshake == handshake


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("{}", "no list 'tools'"),
        ('{"result": []}', "no list 'tools'"),
        ('{"tools": ["a"]}', "needs 'name' and 'inputSchema'"),
        ('{"tools": [{"name": "a"}]}', "tool 'a' needs 'inputSchema'"),
        (listed(inputSchema=True), "tool 'a' needs 'inputSchema'"),
        (listed(inputSchema=None), "tool 'a' needs 'inputSchema'"),
        (listed(inputSchema="object"), "tool 'a' needs 'inputSchema'"),
        (listed(inputSchema={"properties": ["b"]}), "tool 'a': 'properties' is no object"),
        (listed(inputSchema={"properties": {"b": "string"}}), "tool 'a': 'properties' is no object"),
        (listed(inputSchema={"required": "b"}), "tool 'a': 'required' is no list"),
        (listed(inputSchema={"required": [["b"]]}), "tool 'a': 'required' is no list"),
        (listed(annotations=[]), "tool 'a': 'annotations' is no object"),
        (listed(inputSchema=nested(100)), "tool 'a' is nested too deeply"),
        # A reader that calls itself for each level would not come back from this one.
        (listed(inputSchema=nested(900)), "tool 'a' is nested too deeply"),
        (listed(name="a\nb", annotations=[]), "tool 'a\\nb': 'annotations' is no object"),
        (json.dumps([{"name": "a", "inputSchema": {}}] * 2), "two tools are called 'a'"),
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
