"""No fact of a vendor's tool list is lost in our words: each has a piece of text that tells it.

docs/tool-descriptions.md says how they are written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.appkit.tool_schemas import NAMED
from tests.contract._own import OWN

ITEMS = ("inputSchema", "items")


def facts_file(app: str) -> Path:
    """Apps from elsewhere bring their tests along."""
    return content.load_app(app).root.folder / "tests" / "apps" / app / "description_facts.jsonl"


APPS = [app for app in content.app_names() if facts_file(app).is_file()]


def descriptions(part: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield path and text of every description in a tool; the tool's own is at ``/``."""
    if isinstance(part, list):
        for number, each in enumerate(part):
            yield from descriptions(each, f"{path}[{number}]")
    if not isinstance(part, dict):
        return
    for key, value in part.items():
        if key == "description" and isinstance(value, str):
            yield path or "/", value
        elif key in NAMED and isinstance(value, dict):
            for name, inner in value.items():
                yield from descriptions(inner, f"{path}/{name}")
        else:
            yield from descriptions(value, path if key in ITEMS else f"{path}/{key}")


def test_the_apps_of_this_project_say_what_they_tell() -> None:
    assert {*OWN} == {*APPS}


@pytest.mark.parametrize("app", APPS)
def test_every_fact_of_the_vendor_s_list_is_told(app: str) -> None:
    texts = {tool["name"]: dict(descriptions(tool)) for tool in content.load_app(app).tool_schemas}
    lost = []
    for line in facts_file(app).read_text("utf-8").splitlines():
        entry = json.loads(line)
        ours = texts[entry["tool"]]
        assert entry["path"] in ours, f"{entry['tool']} has no description at {entry['path']}"
        whole = "\n".join(ours.values())
        lost += [
            f"{entry['tool']} {entry['path']}: {fact}"
            for fact, piece in entry["facts"].items()
            if not piece or piece not in whole
        ]

    assert lost == []


@pytest.mark.parametrize("app", APPS)
def test_every_description_has_its_line(app: str) -> None:
    there = [
        (entry["tool"], entry["path"]) for entry in map(json.loads, facts_file(app).read_text("utf-8").splitlines())
    ]

    assert there == [
        (tool["name"], path) for tool in content.load_app(app).tool_schemas for path, _ in descriptions(tool)
    ]
    assert all(text.strip() for tool in content.load_app(app).tool_schemas for _, text in descriptions(tool))
