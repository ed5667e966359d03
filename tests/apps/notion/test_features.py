"""The server's prompts, its two guides and the pages of its interactive apps."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from farm import content
from farm.testing import LocalApp

# Prompt → its arguments.
PROMPTS = {
    "notion_find_target": ("target",),
    "notion_create_data_source_item_workflow": ("data_source", "item"),
    "notion_query_data_source_items_workflow": ("data_source", "query"),
    "notion_append_page_content": ("page", "content"),
}
PAGES = {
    "ui://notion/data-source-explorer": {
        "notion_inspect_data_source",
        "notion_query_data_source_by_values",
        "notion_create_data_source_item_from_values",
    },
    "ui://notion/page-workbench": {"notion_read_page", "notion_update_content", "notion_append_markdown"},
}
TOOL = re.compile(r"notion_[a-z_]+")


def _tools() -> set[str]:
    return {entry["name"] for entry in content.load_app("notion").tool_schemas}


def _text(app: LocalApp, uri: str) -> str:
    (found,) = app.request("resources/read", uri=uri)["contents"]
    return str(found["text"])


@pytest.mark.fact("prompts")
@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_repeats_its_arguments_and_names_tools_that_exist(notion: LocalApp, name: str) -> None:
    arguments = {each: f"the {each}" for each in PROMPTS[name]}

    told = notion.request("prompts/get", name=name, arguments=arguments)

    (message,) = told["messages"]
    text = message["content"]["text"]
    assert message["role"] == "user"
    assert told["description"]
    assert all(value in text for value in arguments.values())
    assert set(TOOL.findall(text)) <= _tools()
    assert TOOL.findall(text)


@pytest.mark.fact("prompts")
def test_a_prompt_wants_each_argument_and_no_empty_one(notion: LocalApp) -> None:
    name = "notion_query_data_source_items_workflow"

    def error(arguments: Any) -> dict[str, Any]:
        found: dict[str, Any] = notion.request("prompts/get", name=name, arguments=arguments)["error"]
        return found

    absent, empty = error({"query": "x"}), error({"data_source": "", "query": ""})

    assert (absent["code"], empty["code"]) == (-32602, -32603)
    start = f"MCP error -32602: Invalid arguments for prompt {name}: "
    assert json.loads(absent["message"].removeprefix(start)) == [
        {
            "expected": "string",
            "code": "invalid_type",
            "path": ["data_source"],
            "message": "Invalid input: expected string, received undefined",
        }
    ]
    assert empty["message"] == "Missing required prompt argument: data_source"


@pytest.mark.fact("guides")
def test_the_guides_name_every_tool_that_exists_and_no_other(notion: LocalApp) -> None:
    guide, tool_map = (_text(notion, f"notion://server/{each}") for each in ("guide", "tools"))

    assert guide.startswith("# Notion MCP Workflow Guide\n")
    assert set(TOOL.findall(guide)) <= _tools()
    # The real map leaves out the two tools that only open a page.
    assert set(TOOL.findall(tool_map)) == _tools() - {"notion_open_data_source_app", "notion_open_page_workbench"}


@pytest.mark.fact("pages")
@pytest.mark.parametrize("uri", PAGES)
def test_a_page_of_an_app_loads_nothing_and_calls_the_tools_of_its_work(notion: LocalApp, uri: str) -> None:
    (found,) = notion.request("resources/read", uri=uri)["contents"]

    assert (found["uri"], found["mimeType"]) == (uri, "text/html;profile=mcp-app")
    assert found["_meta"]["ui"]["csp"]["connect-src"] == ["'none'"]
    page = found["text"]
    assert page.startswith("<!doctype html>")
    assert set(re.findall(r'callTool\("(\w+)"', page)) == PAGES[uri]
    assert not re.search(r"(?:src|href)=|//BRIDGE|/\*STYLE", page)
    assert '"ui/initialize"' in page


@pytest.mark.fact("pages")
def test_the_tools_that_open_a_page_name_a_resource_that_is_served(notion: LocalApp) -> None:
    for tool in ("notion_open_data_source_app", "notion_open_page_workbench"):
        told = notion.result(tool)["structuredContent"]

        assert "<title>" in _text(notion, told["resource_uri"])
