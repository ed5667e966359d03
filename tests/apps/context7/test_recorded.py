"""What was recorded of the running server, on libraries as its stand-in API had them; and the libraries we ship."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.appkit.tool_schemas import structure
from farm.context.reference import load_reference
from farm.testing import LocalApp, LocalWorld
from tests.apps.context7.conftest import Known, ids, library, snippet, titles, version

UPSTREAM = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "context7"
REACT = "/reactjs/react.dev"

# What the stand-in answered, as rows: libraries it listed, a page, a library without one, two statuses.
ROWS: list[dict[str, Any]] = [
    library(REACT, "React", description="React docs", code_snippets=2800, trust_score=10, benchmark_score=88.4),
    library("/x/low", "Low", description="d", trust_score=1, also_called="react"),
    version(REACT, 1, "v18.3.1"),
    version(REACT, 2, "v19.0.0"),
    snippet(REACT, 1, "Title", source_url="https://example.org/a.md"),
    library("none", "None"),
    {"table": "refusals", "asked": "r429", "status": 429},
]


@pytest.mark.fact("recorded")
def test_every_recorded_success_is_answered_to_the_letter(known: Known) -> None:
    if not UPSTREAM.is_dir():
        pytest.skip("the recorded calls are not on this machine")
    lines = [json.loads(line) for line in (UPSTREAM / "envelope_samples.jsonl").read_text("utf-8").splitlines()]
    app = known(ROWS)
    # In two, the API was stubbed with an empty list and with a 404 without a message; by its OpenAPI document it
    # answers a 404 with one.
    stubbed = ("No libraries found matching the provided name.", "The library you are trying to access does not exist.")
    held = [line for line in lines if not line["result"]["content"][0]["text"].startswith(stubbed)]

    for line in held:
        assert app.result(line["tool"], **line["arguments"]) == line["result"]
    assert (len(held), len(lines)) == (4, 6)


@pytest.mark.fact("shipped")
def test_there_are_libraries_enough_with_look_alikes_and_poor_copies(start: Callable[..., LocalApp]) -> None:
    app = start("context7")

    assert app.episode.reference.scalar("SELECT count(*) FROM libraries WHERE trust_score >= 7") >= 30
    assert app.episode.reference.scalar("SELECT count(*) FROM libraries WHERE trust_score < 4") >= 3
    assert ids(app.text("resolve-library-id", query="hooks", libraryName="React"))[:2] == [
        REACT,
        "/example-mirror/react-notes",
    ]
    assert {"/facebook/react-native", "/remix-run/react-router"} <= {
        *ids(app.text("resolve-library-id", query="how", libraryName="React"))
    }
    assert app.text("query-docs", libraryId="/mcu-tools/mcuboot", query="swap").startswith("Documentation not found")


@pytest.mark.fact("shipped")
def test_it_is_in_every_world_without_rows() -> None:
    with LocalWorld("mini") as world:
        assert titles(world.call("context7", "query-docs", libraryId=REACT, query="clean up an effect"))


@pytest.mark.fact("shipped")
def test_a_library_says_how_many_pieces_with_code_it_has(start: Callable[..., LocalApp]) -> None:
    reference = load_reference("libraries")

    said = {
        row["library_id"]: row["code_snippets"]
        for row in reference.all("SELECT * FROM libraries")
        if row["code_snippets"]
    }
    assert said == Counter(
        row["library_id"] for row in reference.all("SELECT library_id FROM snippets WHERE kind = 'code'")
    )


@pytest.mark.fact("shipped")
def test_every_piece_is_found_by_its_own_title(start: Callable[..., LocalApp]) -> None:
    app = start("context7")
    rows = app.episode.reference.all("SELECT library_id, tag, title FROM snippets ORDER BY library_id, position")

    missed = [
        row["title"]
        for row in rows
        if f"### {row['title']}\n"
        not in app.text(
            "query-docs", libraryId="/".join(filter(None, (row["library_id"], row["tag"]))), query=row["title"]
        )
    ]

    assert missed == []


@pytest.mark.fact("old-list")
def test_the_older_list_is_the_older_server_s() -> None:
    if not UPSTREAM.is_dir():
        pytest.skip("the recorded servers are not on this machine")
    real = json.loads((UPSTREAM / "tools.v1.0.33.json").read_text("utf-8"))["tools"]
    ours = content.load_app("context7", "paper-2025").tool_schemas

    for mine, theirs in zip(ours, real, strict=True):
        assert structure({**mine, "annotations": None}) == structure({**theirs, "annotations": None})
