"""A small reference of its own beside the one that is shipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from farm import content
from farm.appkit.schema import Schema
from farm.context.shared_start import SharedStart
from farm.context.template import build
from farm.testing import LocalApp

Known = Callable[..., LocalApp]


@pytest.fixture
def known(start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch) -> Known:
    """Start Context7 with the libraries of ``rows`` alone."""

    def make(rows: Iterable[Mapping[str, Any]], **options: Any) -> LocalApp:
        schema = Schema(content.reference_metadata("libraries"))
        only = SharedStart(build(schema, rows), schema.searched)
        monkeypatch.setattr("farm.context.context.load_reference", lambda name: only)
        return start("context7", **options)

    return make


def said(app: LocalApp, tool: str, **arguments: Any) -> str:
    """Return the text of an answer, a refusal or not."""
    return str(app.result(tool, **arguments)["content"][0]["text"])


def library(library_id: str, title: str = "Lamp", **more: Any) -> dict[str, Any]:
    return {"table": "libraries", "library_id": library_id, "title": title, "description": "Turns lamps on", **more}


def version(library_id: str, position: int, tag: str) -> dict[str, Any]:
    return {"table": "versions", "library_id": library_id, "position": position, "tag": tag}


def snippet(library_id: str, position: int, title: str, **more: Any) -> dict[str, Any]:
    row = {"table": "snippets", "library_id": library_id, "position": position, "kind": "code", "title": title}
    row |= {"source_url": "https://lamp.example/a", "text": "Text.", "language": "js", "code": "x", **more}
    return row | {"language": None, "code": None} if row["kind"] == "info" else row


def titles(text: str) -> list[str]:
    """Return the titles of the pieces in an answer, in order."""
    return [line.removeprefix("### ") for line in text.splitlines() if line.startswith("### ")]


def ids(text: str) -> list[str]:
    """Return the ids of the libraries in an answer, in order."""
    start = "- Context7-compatible library ID: "
    return [line.removeprefix(start) for line in text.splitlines() if line.startswith(start)]
