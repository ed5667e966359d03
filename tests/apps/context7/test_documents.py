"""query-docs, and get-library-docs of the older version: pieces of a library's documentation."""

from __future__ import annotations

import pytest

from tests.apps.context7.conftest import Known, library, said, snippet, titles, version

LAMP = "/a/lamp"


@pytest.mark.fact("pieces")
def test_a_piece_shows_title_source_text_and_code(known: Known) -> None:
    app = known([library(LAMP), snippet(LAMP, 1, "Dim it"), snippet(LAMP, 2, "Why dim", kind="info")])

    assert app.text("query-docs", libraryId=LAMP, query="dim") == (
        "### Dim it\n\nSource: https://lamp.example/a\n\nText.\n\n```js\nx\n```\n\n--------------------------------\n\n"
        "### Why dim\n\nSource: https://lamp.example/a\n\nText.\n\n--------------------------------\n"
    )


@pytest.mark.fact("pieces")
def test_the_pieces_nearest_to_a_question_come_first_and_five_at_most(known: Known) -> None:
    pieces = [snippet(LAMP, number, f"Schedule {number}") for number in range(1, 6)]
    named = snippet(LAMP, 6, "Evenings", keywords="schedule timer", text="A timer for schedules")
    app = known([library(LAMP), *pieces, named, snippet(LAMP, 7, "Colours")])

    shown = titles(app.text("query-docs", libraryId=LAMP, query="How do schedules work with a timer?"))

    assert shown == ["Evenings", "Schedule 1", "Schedule 2", "Schedule 3", "Schedule 4"]


@pytest.mark.fact("pieces")
@pytest.mark.parametrize("query", ["kettles", " ", "how do I"])
def test_a_question_that_no_piece_is_near_shows_the_first_three(known: Known, query: str) -> None:
    app = known([library(LAMP), *(snippet(LAMP, number, f"Dim {number}") for number in range(1, 5))])

    assert titles(app.text("query-docs", libraryId=LAMP, query=query)) == ["Dim 1", "Dim 2", "Dim 3"]


@pytest.mark.fact("pieces")
@pytest.mark.parametrize("query", ["useEffect", "cleanup of an effect", "清理 use effects"])
def test_names_in_code_are_found_by_their_parts_and_in_the_plural(known: Known, query: str) -> None:
    app = known([library(LAMP), snippet(LAMP, 1, "Other"), snippet(LAMP, 2, "Clean", code="useEffect(on)")])

    assert titles(app.text("query-docs", libraryId=LAMP, query=query)) == ["Clean"]


@pytest.mark.fact("empty")
def test_a_library_without_documentation_is_a_sentence(known: Known) -> None:
    app = known([library(LAMP)])

    shown = app.text("query-docs", libraryId=LAMP, query="dim")

    assert shown.startswith("Documentation not found or not finalized for this library. ")


@pytest.mark.fact("version")
@pytest.mark.parametrize(
    ("library_id", "shown"),
    [
        (LAMP, ["Dim", "Dim in 2"]),
        (f"{LAMP}/v2", ["Dim", "Dim in 2"]),
        (f"{LAMP}/v1", ["Dim", "Dim in 1"]),
        (f"{LAMP}@v1", ["Dim", "Dim in 1"]),
    ],
)
def test_a_version_shows_what_holds_for_it_and_none_means_the_newest(
    known: Known, library_id: str, shown: list[str]
) -> None:
    versions = [version(LAMP, 1, "v2"), version(LAMP, 2, "v1")]
    pieces = [snippet(LAMP, 1, "Dim"), snippet(LAMP, 2, "Dim in 1", tag="v1"), snippet(LAMP, 3, "Dim in 2", tag="v2")]
    app = known([library(LAMP), *versions, *pieces])

    assert titles(app.text("query-docs", libraryId=library_id, query="dim")) == shown


@pytest.mark.fact("not-found")
@pytest.mark.parametrize("profile", [None, "paper-2025"])
@pytest.mark.parametrize(
    ("library_id", "message"),
    [
        ("/a/kettle", 'Library "/a/kettle" not found. Please check the library ID or your access permissions.'),
        ("/a/kettle/v1", 'Library "/a/kettle" not found. Please check the library ID or your access permissions.'),
        ("/a/lamp/v3", 'Tag "v3" not found for library "/a/lamp". Available tags: v2, v1'),
        ("/a/lamp@v3", 'Tag "v3" not found for library "/a/lamp". Available tags: v2, v1'),
    ],
)
def test_a_library_or_version_that_is_not_there_is_told(
    known: Known, library_id: str, message: str, profile: str | None
) -> None:
    rows = [library(LAMP), version(LAMP, 1, "v2"), version(LAMP, 2, "v1"), snippet(LAMP, 1, "Dim")]
    if profile is None:
        result = known(rows).result("query-docs", libraryId=library_id, query="dim")
    else:
        result = known(rows, profile=profile).result("get-library-docs", context7CompatibleLibraryID=library_id)

    assert result == {"content": [{"type": "text", "text": message}]}


@pytest.mark.fact("id-form")
@pytest.mark.parametrize("library_id", ["lamp", "a/lamp", "/a/lamp/", "/", "/a", "/a/lamp/v2/src", "//lamp"])
def test_an_id_of_another_form_is_told_the_form(known: Known, library_id: str) -> None:
    app = known([library(LAMP), version(LAMP, 1, "v2"), snippet(LAMP, 1, "Dim")])

    result = app.result("query-docs", libraryId=library_id, query="dim")

    text = (
        "Invalid library ID format. Expected: `/owner/repo` for GitHub repositories, or `/<source>/<id>` for other"
        " sources (the URL path of the library on context7.com)"
    )
    assert result == {"content": [{"type": "text", "text": text}]}


@pytest.mark.fact("lengths")
def test_a_question_has_one_to_five_hundred_characters(known: Known) -> None:
    app = known([library(LAMP), snippet(LAMP, 1, "Dim")])

    assert titles(app.text("query-docs", libraryId=LAMP, query="d" * 500)) == ["Dim"]
    assert "500" in said(app, "query-docs", libraryId=LAMP, query="d" * 501)
    assert said(app, "query-docs", libraryId=LAMP, query="") == "Query is required"
    assert said(app, "query-docs", libraryId="", query="dim") == "Library ID is required"


@pytest.mark.fact("moved")
@pytest.mark.parametrize("library_id", ["/b/lamp", "/b/lamp/v1"])
def test_a_library_that_has_moved_is_told(known: Known, library_id: str) -> None:
    moved = {"table": "refusals", "asked": "/b/lamp", "status": 301, "message": "Moved to /a/lamp."}
    app = known([library("/b/lamp"), version("/b/lamp", 1, "v1"), snippet("/b/lamp", 1, "Dim"), moved])

    result = app.result("query-docs", libraryId=library_id, query="dim")

    assert result == {"content": [{"type": "text", "text": "Moved to /a/lamp."}]}


@pytest.mark.fact("aliases")
@pytest.mark.parametrize("name", ["libraryId", "context7CompatibleLibraryID", "libraryID", "libraryName"])
def test_the_id_is_taken_by_other_names(known: Known, name: str) -> None:
    app = known([library(LAMP), snippet(LAMP, 1, "Dim")])

    assert titles(app.text("query-docs", userQuery="dim", **{name: LAMP})) == ["Dim"]


@pytest.mark.fact("old-docs")
def test_the_older_version_shows_ten_pieces_a_page_of_one_mode(known: Known) -> None:
    code = [snippet(LAMP, number, f"Dim {number}") for number in range(1, 12)]
    app = known([library(LAMP), *code, snippet(LAMP, 12, "Why", kind="info")], profile="paper-2025")

    def snippet_titles(**more: object) -> list[str]:
        return titles(app.text("get-library-docs", context7CompatibleLibraryID=LAMP, **more))

    assert snippet_titles() == snippet_titles(page=1) == [f"Dim {number}" for number in range(1, 11)]
    assert snippet_titles(page=2, mode="code") == ["Dim 11"]
    assert snippet_titles(mode="info") == ["Why"]
    assert snippet_titles(topic="11", page=1)[:2] == ["Dim 11", "Dim 1"]


@pytest.mark.fact("old-docs")
@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"page": 2}, "No code documentation available for this library. Try mode='info' for guides and tutorials."),
        (
            {"mode": "info"},
            "No info documentation available for this library. Try mode='code' for API references and code examples.",
        ),
    ],
)
def test_the_older_version_names_the_other_mode_where_nothing_is_left(
    known: Known, more: dict[str, object], message: str
) -> None:
    app = known([library(LAMP), snippet(LAMP, 1, "Dim")], profile="paper-2025")

    assert app.text("get-library-docs", context7CompatibleLibraryID=LAMP, **more) == message


@pytest.mark.fact("old-id")
@pytest.mark.parametrize("library_id", ["lamp", "/lamp", "", "/"])
def test_the_older_version_refuses_an_id_of_one_part(known: Known, library_id: str) -> None:
    app = known([library(LAMP), snippet(LAMP, 1, "Dim")], profile="paper-2025")

    result = app.result("get-library-docs", context7CompatibleLibraryID=library_id)

    text = (
        f"Error fetching library documentation. Please try again later. Error: Invalid library ID format: {library_id}."
        " Expected format: /username/library or /username/library/tag"
    )
    assert result == {"content": [{"type": "text", "text": text}]}


@pytest.mark.fact("old-id")
@pytest.mark.parametrize("library_id", ["/a/lamp", "a/lamp", "/a/lamp/", "a/lamp/v2", "/a/lamp/v2/src"])
def test_the_older_version_reads_three_parts_of_an_id(known: Known, library_id: str) -> None:
    app = known([library(LAMP), version(LAMP, 1, "v2"), snippet(LAMP, 1, "Dim")], profile="paper-2025")

    assert titles(app.text("get-library-docs", context7CompatibleLibraryID=library_id)) == ["Dim"]
