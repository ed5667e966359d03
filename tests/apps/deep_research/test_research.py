"""The prompt, and what stands in it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "deep_research" / "envelope_samples.jsonl"


@pytest.fixture
def research(start: Callable[..., LocalApp]) -> LocalApp:
    return start("deep_research")


def known(text: str) -> str:
    """Return the section of the prompt that says what is known."""
    return text.partition("# Known Information\n")[2].partition("\n\n# Analysis Steps")[0]


def titles(text: str) -> list[str]:
    return re.findall(r"^Title: (.*)$", known(text), re.MULTILINE)


@pytest.mark.fact("prompt")
def test_a_session_without_a_network_is_answered_to_the_letter(start: Callable[..., LocalApp]) -> None:
    if not RECORDED.is_file():
        pytest.skip("the recorded calls are not on this machine")
    calls = [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]
    for call in calls:
        text = call["result"]["content"][0]["text"]
        (said,) = re.findall(r"Current Time: (.*)", text)
        at = datetime.strptime(said, "%m/%d/%Y, %I:%M:%S %p").replace(tzinfo=UTC)
        app = start("deep_research", now=at.isoformat())
        # No search got through, and none is here: its keywords are all refused.
        arguments: dict[str, Any] = call["arguments"] | (
            {"keywords": ["" for _ in call["arguments"]["keywords"]]} if "keywords" in call["arguments"] else {}
        )

        assert app.result(call["tool"], **arguments) == call["result"]


@pytest.mark.fact("key")
@pytest.mark.parametrize("arguments", [{}, {"question": 1}, {"question": "What is MCP?"}])
@pytest.mark.parametrize("tool", ["deep-research", "no-such-tool"])
def test_a_server_without_a_key_says_so_whatever_is_asked(tmp_path: Path, tool: str, arguments: dict[str, Any]) -> None:
    with LocalApp("deep_research", tmp_path, rows=[{"table": "servers", "server_id": 1, "has_key": 0}]) as app:
        result = app.result(tool, **arguments)

    said = "Please configure the `TAVILY_API_KEY` environment variable, get it from https://tavily.com/"
    assert result == {"content": [{"type": "text", "text": said}], "isError": True}


@pytest.mark.fact("arguments")
def test_bad_arguments_are_protocol_errors_in_the_schema_s_order(research: LocalApp) -> None:
    error = research.result("deep-research", topic="sports", keywords=["a"] * 6)["error"]

    assert error["code"] == -32603
    issues = json.loads(error["message"])
    assert [(issue["path"], issue["code"]) for issue in issues] == [
        (["question"], "invalid_type"),
        (["keywords"], "too_big"),
        (["topic"], "invalid_enum_value"),
    ]


@pytest.mark.fact("any-name")
def test_any_name_runs_the_tool(research: LocalApp) -> None:
    assert research.text("no-such-tool", question="q") == research.text("deep-research", question="q")


@pytest.mark.fact("rounds")
@pytest.mark.parametrize(
    ("given", "shown", "then"), [(1, "1", "2"), (0, "0", "1"), (1.5, "1.5", "2.5"), (99, "99", "100")]
)
def test_any_number_is_a_round(research: LocalApp, given: float, shown: str, then: str) -> None:
    text = research.text("deep-research", question="q", rounds=given)

    assert f"Current Search Round: {shown}\n" in text
    assert f"Set rounds parameter to {then}\n" in text
    assert f"has reached {shown}/5," in text


@pytest.mark.fact("results")
def test_results_stand_keyword_by_keyword_right_behind_the_reference(research: LocalApp) -> None:
    text = research.text("deep-research", question="q", reference="REF", keywords=["led flicker", "xyzzy", "明渡"])

    assert known(text).startswith("REF## Search Results for `led flicker`\n### Reference 1:\nTitle: Why dimmed LEDs")
    assert len(titles(text)) == 5 + 0 + 2
    assert "\n\n## Search Results for `xyzzy`\n\n## Search Results for `明渡`\n### Reference 1:\n" in text


@pytest.mark.fact("topics")
def test_a_topic_leaves_out_what_is_not_of_it(research: LocalApp) -> None:
    asked = {"question": "q", "keywords": ["melatonin lamp makers"]}

    of_all = titles(research.text("deep-research", **asked))
    of_finance = titles(research.text("deep-research", **asked, topic="finance"))

    assert "How lamp makers without factories are valued" in of_finance
    assert any("elatonin" in title for title in of_all)
    assert not any("elatonin" in title for title in of_finance)


@pytest.mark.fact("dropped")
@pytest.mark.parametrize("keyword", ["", "  ", "a" * 401])
def test_a_search_that_is_refused_is_left_out(research: LocalApp, keyword: str) -> None:
    assert known(research.text("deep-research", question="q", keywords=[keyword])) == ""


@pytest.mark.fact("shared")
def test_an_article_says_the_same_at_medical(start: Callable[..., LocalApp], research: LocalApp) -> None:
    title = "Auto-injectors left in hot and cold cars: potency after one season"
    medical = start("medical")
    pmid = medical.episode.reference.scalar("SELECT pmid FROM articles WHERE title = ?", title)

    text = research.text("deep-research", question="q", keywords=[title])

    abstract = medical.text("get-article-details", pmid=pmid).partition("**Abstract:**\n")[2].partition("\n")[0]
    assert titles(text)[0] == title
    assert f"Content: {abstract}\n" in text


@pytest.mark.fact("results")
def test_five_keywords_of_any_words_are_found_in_time(research: LocalApp) -> None:
    # As many different words as Tavily takes: each stood in a pattern that SQLite held against every text.
    keywords = ["".join(chr(0x4E00 + 400 * number + each) for each in range(400)) for number in range(5)]
    research.text("deep-research", question="?", keywords=keywords)  # what is read once for all has been read
    started = time.process_time()
    research.text("deep-research", question="?", keywords=keywords)

    assert time.process_time() - started < 0.25
