"""What is found on a web of our own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from farm import content
from farm.appkit.schema import Schema
from farm.context.shared_start import SharedStart
from farm.context.template import build
from farm.testing import LocalApp
from tests.apps.deep_research.test_research import known, titles

Web = Callable[..., LocalApp]


@pytest.fixture
def web(start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch) -> Web:
    """Start the server before a web that has these pages."""

    def make(*rows: Mapping[str, Any]) -> LocalApp:
        schema = Schema(content.reference_metadata("medicine"))
        only = SharedStart(build(schema, rows), schema.searched)
        monkeypatch.setattr("farm.context.context.load_reference", lambda name: only)
        return start("deep_research")

    return make


def page(number: int, title: str, text: str = "Text.", words: str = "", topics: Iterable[str] = ()) -> dict[str, Any]:
    row = {"table": "documents", "document_id": number, "title": title, "content": text, "words": words}
    return {**row, "topics": json.dumps([*topics])}


def article(pmid: str, title: str, abstract: str = "Text.", words: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {
        "table": "articles",
        "pmid": pmid,
        "title": title,
        "abstract": abstract,
        "words": words,
        "authors": '["A B"]',
    }
    row |= {"journal": "J", "abbreviation": "J", "date": "2024-01-01", "doi": "d", "is_guideline": 0, "is_cochrane": 0}
    return {**row, "cited": 0, "host": "h"}


def found(app: LocalApp, *keywords: str, **more: Any) -> list[str]:
    return titles(app.text("deep-research", question="q", keywords=[*keywords], **more))


@pytest.mark.fact("results")
def test_results_are_shown_with_title_and_content_keyword_by_keyword(web: Web) -> None:
    app = web(page(1, "A lamp", "It glows."), article("11", "Lamps", "They glow."))

    text = app.text("deep-research", question="q", reference="REF", keywords=["lamps", "kettle", "glows"])

    lamp = "Title: A lamp\nContent: It glows.\n"
    lamps = "Title: Lamps\nContent: They glow.\n"
    assert known(text) == (
        f"REF## Search Results for `lamps`\n### Reference 1:\n{lamp}### Reference 2:\n{lamps}\n"
        "## Search Results for `kettle`\n\n"
        f"## Search Results for `glows`\n### Reference 1:\n{lamp}### Reference 2:\n{lamps}"
    )
    assert known(app.text("deep-research", question="q", reference="REF")) == "REF"
    assert known(app.text("deep-research", question="q")) == ""


@pytest.mark.fact("results")
def test_rare_words_weigh_more_and_titles_twice_as_much(web: Web) -> None:
    app = web(
        page(1, "Kettles", "A lamp."),
        page(2, "Lamps", "Of nothing."),
        page(3, "Towels", "A lamp of brass."),
        page(4, "Other", "Lamp.", words="brass"),
        page(5, "Empty", "Nothing."),
        article("11", "Tables", "A lamp."),
    )

    # Brass is on two of six pages, lamps on five: ln 4 and ln 2.2 more.
    assert found(app, "brass lamps") == ["Towels", "Other", "Lamps", "Kettles", "Tables"]
    assert found(app, "lamp") == ["Lamps", "Kettles", "Towels", "Other", "Tables"]
    assert found(app, "brass towel") == ["Towels", "Other"]


@pytest.mark.fact("results")
def test_five_pages_are_shown_and_equal_ones_by_their_number(web: Web) -> None:
    app = web(
        *(page(number, f"Lamp {number}") for number in (10, 2, 1, 30)), article("12", "Lamp"), article("11", "Lamp b")
    )

    assert found(app, "lamp") == ["Lamp 1", "Lamp 2", "Lamp 10", "Lamp 30", "Lamp b"]


@pytest.mark.fact("topics")
def test_news_and_finance_are_what_is_of_them_and_general_is_all(web: Web) -> None:
    app = web(
        page(1, "Lamp one", topics=["news"]), page(2, "Lamp two", topics=["news", "finance"]), page(3, "Lamp three"),
        article("11", "Lamp four"),
    )  # fmt: skip

    assert found(app, "lamp", topic="news") == ["Lamp one", "Lamp two"]
    assert found(app, "lamp", topic="finance") == ["Lamp two"]
    assert found(app, "lamp") == ["Lamp one", "Lamp two", "Lamp three", "Lamp four"]
    assert found(app, "lamp", topic="general") == found(app, "lamp")


@pytest.mark.fact("results")
@pytest.mark.parametrize(
    ("keyword", "is_found"),
    [
        ("LAMP", True),
        ("lamps", True),
        ("lam", False),
        ("gas", True),  # too short to be a plural
        ("ga", False),
        ("2026", True),
        ("202", False),
        ("led", True),
        ("led2026", True),
        ("明渡", True),
        ("渡电", True),
        ("明电", False),
        ("灯", True),
        ("的", False),
        ("the of with", False),
        ("...", False),
    ],
)
def test_words_are_found_without_their_plural_and_chinese_by_pairs(web: Web, keyword: str, is_found: bool) -> None:
    app = web(page(1, "A lamp, gas, led2026", "明渡电 灯 的", words="the of with"))

    assert bool(found(app, keyword)) == is_found


@pytest.mark.fact("dropped")
def test_a_keyword_has_four_hundred_of_javascript_s_characters_at_most(web: Web) -> None:
    app = web(page(1, "Lamp"))

    assert found(app, "lamp" + " " * 396) == ["Lamp"]
    assert found(app, "lamp" + " " * 397) == []
    assert found(app, "lamp" + "😀" * 198) == ["Lamp"]
    assert found(app, "lamp" + "😀" * 199) == []
    left = known(app.text("deep-research", question="q", keywords=["", "lamp", " "]))
    assert left == "## Search Results for `lamp`\n### Reference 1:\nTitle: Lamp\nContent: Text.\n"
