"""resolve-library-id: which libraries there are of a name."""

from __future__ import annotations

import pytest

from tests.apps.context7.conftest import Known, ids, library, said, version


@pytest.mark.fact("list")
def test_a_library_shows_what_is_known_of_it(known: Known) -> None:
    full = library("/a/lamp", code_snippets=12, trust_score=9.5, benchmark_score=88.0, source="git")
    app = known([full, library("/b/lamp"), version("/a/lamp", 1, "v2"), version("/a/lamp", 2, "v1")])

    assert app.text("resolve-library-id", query="how", libraryName="lamp") == (
        "Available Libraries:\n\n"
        "- Title: Lamp\n"
        "- Context7-compatible library ID: /a/lamp\n"
        "- Description: Turns lamps on\n"
        "- Code Snippets: 12\n"
        "- Source Reputation: High\n"
        "- Benchmark Score: 88\n"
        "- Versions: v2, v1\n"
        "- Source: git\n"
        "----------\n"
        "- Title: Lamp\n"
        "- Context7-compatible library ID: /b/lamp\n"
        "- Description: Turns lamps on\n"
        "- Source Reputation: Unknown"
    )


@pytest.mark.fact("reputation")
@pytest.mark.parametrize(
    ("score", "label"), [(7, "High"), (6.9, "Medium"), (4, "Medium"), (3.9, "Low"), (0, "Low"), (-1, "Unknown")]
)
def test_a_score_is_shown_as_a_reputation(known: Known, score: float, label: str) -> None:
    app = known([library("/a/lamp", trust_score=score)])

    assert f"- Source Reputation: {label}" in app.text("resolve-library-id", query="how", libraryName="lamp")


@pytest.mark.fact("none")
@pytest.mark.parametrize("name", ["kettle", "..."])
def test_no_library_of_a_name_is_a_sentence(known: Known, name: str) -> None:
    app = known([library("/a/lamp")])

    result = app.result("resolve-library-id", query="lamps", libraryName=name)

    text = f'No libraries found for "{name}". Try a different search term.'
    assert result == {"content": [{"type": "text", "text": text}]}


@pytest.mark.fact("lengths")
def test_a_name_and_a_query_have_one_to_five_hundred_characters(known: Known) -> None:
    app = known([library("/a/lamp")])

    result = app.result("resolve-library-id", query="lamps", libraryName="")
    assert result == {"content": [{"type": "text", "text": "Library name is required"}]}
    assert said(app, "resolve-library-id", query="", libraryName="lamp") == "Query is required"
    assert ids(app.text("resolve-library-id", query="on " * 166 + "on", libraryName="lamp")) == ["/a/lamp"]
    for query, name in (("x" * 501, "lamp"), ("x", "lamp" * 126)):
        assert "500" in said(app, "resolve-library-id", query=query, libraryName=name)


@pytest.mark.fact("order")
def test_the_same_name_comes_before_names_that_begin_so_and_names_that_hold_it(known: Known) -> None:
    app = known(
        [
            library("/a/holder", "Bed Lamp", trust_score=10),
            library("/a/begins", "Lamp.js Native", trust_score=10),
            library("/a/same", "Lamp.js", trust_score=1),
            library("/a/copy", "lampjs", trust_score=0.5),
            library("/a/other", "Kettle", trust_score=10),
        ]
    )

    found = ids(app.text("resolve-library-id", query="how", libraryName="LampJS"))

    assert found[:3] == ["/a/same", "/a/copy", "/a/begins"]
    assert ids(app.text("resolve-library-id", query="how", libraryName="lamp"))[:4] == [
        "/a/begins",
        "/a/same",
        "/a/copy",
        "/a/holder",
    ]


@pytest.mark.fact("order")
def test_a_library_is_found_by_what_it_is_also_called(known: Known) -> None:
    app = known(
        [library("/a/lamp", also_called="light,torch lamp"), library("/a/light", "Light bulb", description="Glows")]
    )

    assert ids(app.text("resolve-library-id", query="how", libraryName="Torch-Lamp")) == ["/a/lamp"]
    assert {*ids(app.text("resolve-library-id", query="how", libraryName="light"))} == {"/a/lamp", "/a/light"}


@pytest.mark.fact("order")
def test_what_a_query_is_about_puts_a_library_further_up(known: Known) -> None:
    app = known(
        [
            library("/a/red", description="Colours of lamps", trust_score=5),
            library("/a/timer", description="Timers and schedules for lamps", trust_score=4),
        ]
    )

    assert ids(app.text("resolve-library-id", query="how", libraryName="lamp")) == ["/a/red", "/a/timer"]
    assert ids(app.text("resolve-library-id", query="How do I set a schedule?", libraryName="lamp")) == [
        "/a/timer",
        "/a/red",
    ]


@pytest.mark.fact("order")
def test_at_most_ten_libraries_are_shown(known: Known) -> None:
    app = known(
        [library(f"/a/lamp{number}", trust_score=number) for number in range(1, 10)]
        + [library("/a/lamp10", trust_score=0.5), library("/a/lamp11", trust_score=0.1)]
    )

    assert ids(app.text("resolve-library-id", query="how", libraryName="lamp")) == [
        *(f"/a/lamp{number}" for number in range(9, 0, -1)),
        "/a/lamp10",
    ]


@pytest.mark.fact("refused")
@pytest.mark.parametrize(
    ("status", "message", "shown"),
    [
        (
            429,
            None,
            "Rate limited or quota exceeded. Upgrade your plan at https://context7.com/plans for higher limits.",
        ),
        (401, None, "Invalid API key. Please check your API key. API keys should start with 'ctx7sk' prefix."),
        (404, None, "The library you are trying to access does not exist. Please try with a different library ID."),
        (503, None, "Request failed with status 503. Please try again later."),
        (404, "Gone for good.", "Gone for good."),
        (503, "Back at noon.", "Back at noon."),
    ],
)
def test_what_the_api_refuses_is_an_ordinary_text(known: Known, status: int, message: str | None, shown: str) -> None:
    app = known([library("/a/lamp"), {"table": "refusals", "asked": "lamp", "status": status, "message": message}])

    result = app.result("resolve-library-id", query="on", libraryName="lamp")

    assert result == {"content": [{"type": "text", "text": shown}]}


@pytest.mark.fact("aliases")
@pytest.mark.parametrize("name", ["userQuery", "question"])
def test_the_query_is_taken_by_other_names(known: Known, name: str) -> None:
    app = known([library("/a/lamp")])

    assert ids(app.text("resolve-library-id", libraryName="lamp", **{name: "on"})) == ["/a/lamp"]


@pytest.mark.fact("old-list")
def test_the_older_version_explains_its_results(known: Known) -> None:
    app = known([library("/a/lamp", source="git")], profile="paper-2025")

    shown = app.text("resolve-library-id", libraryName="lamp")

    assert shown.startswith(
        "Available Libraries:\n\nEach result includes:\n- Library ID: Context7-compatible identifier"
    )
    assert shown.endswith(
        "\n\n----------\n\n- Title: Lamp\n- Context7-compatible library ID: /a/lamp\n- Description: Turns lamps on\n"
        "- Source Reputation: Unknown"
    )
    nothing = app.text("resolve-library-id", libraryName="kettle")
    assert nothing == "Failed to retrieve library documentation data from Context7"
