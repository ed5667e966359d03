"""A workspace of two people with one integration: a shared page with texts and a database, and one not shared."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

NOW = "2026-03-09T09:00:30+08:00"
BOT, ME, BO = (f"0b{number}00000-0000-4000-8000-000000000000" for number in (1, 2, 3))
HOME, NOTES, SECRET = (f"0a{number}00000-0000-4000-8000-000000000000" for number in (1, 2, 3))
DATABASE, SOURCE = "0db00000-0000-4000-8000-000000000000", "0d500000-0000-4000-8000-000000000000"
FIRST, SECOND, THIRD = (f"0c{number}00000-0000-4000-8000-000000000000" for number in (1, 2, 3))
LINES = tuple(f"0e{number}00000-0000-4000-8000-000000000000" for number in range(1, 6))
ABSENT = "11111111-2222-4333-8444-555555555555"
_MADE_MS = 1_767_600_000_000  # 2026-01-05T08:00Z


def rich(words: str) -> list[dict[str, Any]]:
    """Return words as rich text."""
    styles = dict.fromkeys(("bold", "italic", "strikethrough", "underline", "code"), False)
    text = {"type": "text", "text": {"content": words, "link": None}}
    return [{**text, "annotations": {**styles, "color": "default"}, "plain_text": words, "href": None}]


def made(**more: Any) -> dict[str, Any]:
    """Return by whom and when something was made and edited."""
    return {"created_ms": _MADE_MS, "created_by": ME, "edited_ms": _MADE_MS, "edited_by": ME, **more}


def block(number: int, kind: str, content: dict[str, Any], parent: str = HOME) -> dict[str, Any]:
    """Return the row of a block."""
    where = {"page_id": HOME, "parent_type": "page_id" if parent == HOME else "block_id", "parent_id": parent}
    what = {"position": float(number), "type": kind, "content": json.dumps(content)}
    return {"table": "blocks", "id": LINES[number - 1], **where, **what, **made()}


def text(words: str, **more: Any) -> dict[str, Any]:
    """Return the content of a block with words."""
    return {"rich_text": rich(words), **more, "color": "default"}


OPTIONS = [{"id": f"o{name}", "name": name, "color": "red", "description": None} for name in ("Open", "Done")]
PROPERTIES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("title", "Name", "title", {}),
    ("s:1", "State", "status", {"options": OPTIONS, "groups": []}),
    ("k1", "Kind", "select", {"options": [dict(OPTIONS[0], id="k-a", name="A")]}),
    ("t1", "Tags", "multi_select", {"options": []}),
    ("n1", "Price", "number", {"format": "number"}),
    ("d1", "Due", "date", {}),
    ("c1", "Paid", "checkbox", {}),
    ("p1", "Who", "people", {}),
    ("x1", "Double", "formula", {"expression": 'prop("Price") * 2'}),
    ("e1", "Edited", "last_edited_time", {}),
    ("u1", "No", "unique_id", {"prefix": "T"}),
]


def rows() -> list[dict[str, Any]]:
    """Return the rows that the tests start on."""
    own = {"workspace_id": "w1"}

    def page(page_id: str, words: str, **more: Any) -> dict[str, Any]:
        return {"table": "pages", "id": page_id, **own, "title": json.dumps(rich(words)), **made(), **more}

    def item(number: int, page_id: str, words: str) -> dict[str, Any]:
        where = {"parent_type": "data_source_id", "parent_id": SOURCE}
        return page(page_id, words, **where, position=float(number), number=number)

    def cell(page_id: str, property_id: str, value: Any) -> dict[str, Any]:
        return {"table": "cells", "page_id": page_id, "property_id": property_id, "value": json.dumps(value)}

    return [
        {"table": "workspaces", "id": "w1", "name": "Two"},
        {"table": "users", "id": ME, "person": "me", **own, "name": "Me", "email": "me@two.example"},
        {"table": "users", "id": BO, "person": "bo", **own, "name": "Bo", "email": "bo@two.example"},
        {"table": "users", "id": BOT, **own, "type": "bot", "name": "Helper", "is_self": 1},
        page(HOME, "Home page", is_shared=1),
        page(NOTES, "Notes", parent_type="page_id", parent_id=HOME, position=9.0),
        page(SECRET, "Secret"),
        block(1, "heading_1", text("Plan", is_toggleable=False)),
        block(2, "to_do", text("Call Bo", checked=False)),
        block(3, "toggle", text("More")),
        block(4, "paragraph", text("inside", icon=None), parent=LINES[2]),
        block(5, "divider", {}),
        {
            "table": "databases",
            "id": DATABASE,
            **own,
            "parent_type": "page_id",
            "parent_id": HOME,
            "position": 8.0,
            "title": json.dumps(rich("Bills")),
            "created_ms": _MADE_MS + 556,
            "created_by": ME,
            "edited_ms": _MADE_MS + 556,
        },
        {"table": "data_sources", "id": SOURCE, "database_id": DATABASE, "title": json.dumps(rich("Bills")), **made()},
        *(
            {
                "table": "properties",
                "data_source_id": SOURCE,
                "id": key,
                "name": name,
                "type": kind,
                "config": json.dumps(config),
            }
            for key, name, kind, config in PROPERTIES
        ),
        item(1, FIRST, "Rent"),
        item(2, SECOND, "Lamp oil"),
        item(3, THIRD, "Books"),
        cell(FIRST, "n1", 900),
        cell(SECOND, "n1", 12.5),
        cell(FIRST, "s:1", {"id": "oOpen", "name": "Open"}),
        cell(SECOND, "s:1", {"id": "oDone", "name": "Done"}),
        cell(FIRST, "d1", {"start": "2026-03-31", "end": None, "time_zone": None}),
        cell(SECOND, "d1", {"start": "2026-03-09T20:00:00.000+08:00", "end": None, "time_zone": None}),
        cell(SECOND, "c1", True),
        cell(THIRD, "p1", [{"id": BO}]),
    ]


@pytest.fixture
def notion(start: Callable[..., LocalApp]) -> LocalApp:
    return start("notion", rows=rows(), me="me", now=NOW)


@pytest.fixture
def older(start: Callable[..., LocalApp]) -> LocalApp:
    return start("notion", rows=rows(), me="me", now=NOW, profile="paper-2025")


Refusal = Callable[..., str]


@pytest.fixture
def refusal(notion: LocalApp) -> Refusal:
    """Make a call that must be refused and change nothing; return what it says."""

    def refuse(tool: str, **arguments: Any) -> str:
        before = notion.changes()
        with pytest.raises(VendorError) as refused:
            notion.call(tool, **arguments)
        assert notion.changes() == before
        return str(refused.value.message)

    return refuse
