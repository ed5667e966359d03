"""What rules derive from a pool: the dialect, the form of answers, the tables that handlers write."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from farm.errors import ConflictError, FarmError
from farm.traverse.synth.answer_form import documented_form, recognise_form
from farm.traverse.synth.evidence import read_evidence
from farm.traverse.synth.recognise import documented_dialect, recognise_dialect
from farm.traverse.synth.written_tables import commits_on_error, module_of, table_names, written_tables

POOLS = Path(__file__).resolve().parents[4] / "examples/traverse"


@pytest.mark.parametrize(
    ("server", "dialect"),
    [
        ("memory", 'Zod4(sdk="1.32.2", zod="4.6.7")'),
        ("filesystem", 'Zod4(sdk="1.32.2", zod="4.6.7")'),
        ("sqlite", 'Jsonschema(sdk="1.30.0")'),
        ("time", 'Pydantic(sdk="2.3.0", pydantic="2.14")'),
        ("slack", 'Zod3(sdk="1.15.1")'),
        ("taskflow", 'FastMcp(sdk="2.3.0", pydantic="2.14")'),
    ],
)
def test_a_servers_dialect_words_all_of_its_argument_refusals(server: str, dialect: str) -> None:
    found = recognise_dialect(read_evidence(POOLS / server / "pool"))

    assert found.source == dialect
    assert found.same == found.refused > 20
    assert found.wrong == 0


@pytest.mark.parametrize(
    ("server", "envelope"),
    [
        ("memory", "Envelope(json=JavaScriptJson(indented=True), structured=by_output_schema)"),
        ("sqlite", 'Envelope(json=Json(indented=True), is_error=False, refusal=Worded("{message}", is_error=False))'),
        (
            "time",
            "Envelope(json=Json(indented=True), is_error=False, structured=by_output_schema, "
            'refusal=Worded("Error executing tool {tool}: {message}"))',
        ),
        ("slack", 'Envelope(json=JavaScriptJson(), refusal=Worded("{message}", is_error=None))'),
    ],
)
def test_the_form_of_answers_is_recognised(server: str, envelope: str) -> None:
    evidence = read_evidence(POOLS / server / "pool")

    assert recognise_form(evidence, recognise_dialect(evidence)).source == envelope


@pytest.mark.parametrize(
    ("server", "documents", "dialect"),
    [
        ("time", "It is built on the SDK's high-level `MCPServer`.", 'Pydantic(sdk="2.3.0", pydantic="2.14")'),
        ("time", "It answers MCP clients; its errors come from pydantic.", "GenericJsonSchema()"),
        ("taskflow", "Made with FastMCP.", 'FastMcp(sdk="2.3.0", pydantic="2.14")'),
        ("memory", "Uses @modelcontextprotocol/sdk.", 'Zod4(sdk="1.32.2", zod="4.6.7")'),
        ("memory", "Install @modelcontextprotocol/server-memory.", "GenericJsonSchema()"),
        ("memory", "", "GenericJsonSchema()"),
    ],
)
def test_documentation_decides_the_dialect_only_if_it_names_the_library(
    server: str, documents: str, dialect: str
) -> None:
    assert documented_dialect(read_evidence(POOLS / server / "pool"), documents).source == dialect


@pytest.mark.parametrize(
    ("server", "documents", "envelope"),
    [
        ("memory", "", "Envelope(json=Json(), structured=by_output_schema)"),
        ("sqlite", "", "Envelope(json=Json(), is_error=False)"),
        ("discord", "Install it by uv pip install.", "Envelope(json=Json(), is_error=False)"),
        ("discord", "", "Envelope(json=Json())"),
    ],
)
def test_the_form_of_answers_follows_from_output_schemas_and_the_documented_language(
    server: str, documents: str, envelope: str
) -> None:
    assert documented_form(read_evidence(POOLS / server / "pool"), documents).source == envelope


def test_structured_content_that_is_neither_the_body_nor_by_the_schema_is_recognised_tool_by_tool() -> None:
    evidence = read_evidence(POOLS / "memory/pool")

    beside = recognise_form(evidence, recognise_dialect(evidence)).beside

    assert beside["create_entities"] == 'Beside("entities")'
    assert beside["delete_entities"] == "Beside(\"message\", {'success': True})"
    assert "read_graph" not in beside


def test_a_pool_is_read_without_what_is_held_back() -> None:
    evidence = read_evidence(POOLS / "memory/pool")

    assert {each.side for each in evidence.seen} == {"train", "check"}


def _copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(POOLS / "memory/pool", tmp_path / "pool"))


def test_a_pool_without_calls_to_write_from_is_told(tmp_path: Path) -> None:
    pool = _copy(tmp_path)
    lines = [line for line in (pool / "pool.jsonl").read_bytes().splitlines() if b'"side": "held"' in line]
    (pool / "pool.jsonl").write_bytes(b"\n".join(lines))

    with pytest.raises(FarmError, match="has no call on its train side"):
        read_evidence(pool)


def test_an_empty_pool_is_told(tmp_path: Path) -> None:
    pool = _copy(tmp_path)
    (pool / "pool.jsonl").write_bytes(b"")

    with pytest.raises(FarmError, match="holds no recorded call"):
        read_evidence(pool)


def test_calls_and_tools_of_two_versions_of_a_server_are_told(tmp_path: Path) -> None:
    pool = _copy(tmp_path)
    said = json.loads((pool / "tools.json").read_bytes())
    said["server"]["version"] = "9.9.9"
    (pool / "tools.json").write_text(json.dumps(said))

    with pytest.raises(ConflictError, match=r"are of version .* of the server, its tools of version 9\.9\.9"):
        read_evidence(pool)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"tools": [{}]}, "tool 1 has no name"),
        ({"tools": [3]}, "tool 1 has no name"),
        ({"tools": [{"name": "a"}, {"name": "a"}]}, "lists the tool 'a' twice"),
        ({"tools": [{"name": "a", "inputSchema": "x"}]}, "the inputSchema of 'a' is no object"),
        (
            {"tools": [{"name": "a", "inputSchema": {"properties": {"b": {"$ref": "#/$defs/c"}}}}]},
            "the inputSchema of 'a' refers to '#/\\$defs/c', which it does not have",
        ),
        ({"server": "x"}, "'server' is no object"),
        ({"libraries": [1]}, "'libraries' is no object"),
    ],
)
def test_a_tool_list_of_another_form_is_told(changes: dict[str, object], problem: str, tmp_path: Path) -> None:
    pool = _copy(tmp_path)
    said = json.loads((pool / "tools.json").read_bytes())
    (pool / "tools.json").write_text(json.dumps(said | changes))

    with pytest.raises(FarmError, match=f"tools.json.*{problem}"):
        read_evidence(pool)


FILES = {
    "books.py": """
COMMITS_ON_ERROR = ("add",)

def add(ep, *, title):
    ep.db.insert("books", title=title)
    log(ep)

def log(ep):
    ep.db.execute(f"INSERT OR REPLACE INTO log VALUES ({1})")

def look(ep):
    return ep.db.all("SELECT * FROM books WHERE title = 'UPDATE me'")

def remove(ep, *, table):
    ep.db.delete(table, a=1)
"""
}


def test_the_tables_that_a_handler_writes_are_read_from_the_code_and_from_what_it_calls() -> None:
    written = written_tables(FILES, ("books", "log", "other"))

    assert written["add"] == ("books", "log")
    assert written["look"] == ()
    assert written["remove"] == ("books", "log", "other")  # any table


def test_a_modules_functions_and_its_kept_refusals_are_found() -> None:
    assert module_of(FILES)["add"] == "books"
    assert commits_on_error(FILES) == {"add"}


def test_the_tables_of_a_schema_are_found_in_its_order() -> None:
    assert table_names('a = table("first", M)\nb = table("second", M)') == ("first", "second")
