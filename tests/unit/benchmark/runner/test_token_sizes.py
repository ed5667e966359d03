"""What fills an agent's context: the menu, and each tool's answers."""

from __future__ import annotations

from typing import Any

from farm import content
from farm._util.token_estimate import estimate_tools
from farm.benchmark.runner.token_sizes import answer_sizes, context_tokens, menu_tokens


def call(tool: str, text: str) -> dict[str, Any]:
    return {"app": "slack", "tool": tool, "result": {"content": [{"type": "text", "text": text}]}}


def test_the_answers_of_a_tool_are_counted_over_all_trials_and_the_dearest_stand_first() -> None:
    trials = [{"calls": [call("a", "x" * 40), call("b", "x" * 400)]}, {"calls": [call("a", "x" * 80)]}]

    found = answer_sizes(trials)

    assert list(found) == ["slack.b", "slack.a"]
    assert found["slack.a"] == {"calls": 2, "tokens": 30, "mean": 15, "largest": 20}


def test_chinese_counts_by_its_bytes_and_a_protocol_error_by_its_words() -> None:
    trials = [
        {"calls": [call("a", "灯" * 40), {"app": "slack", "tool": "c", "result": {"error": {"message": "x" * 86}}}]}
    ]

    found = answer_sizes(trials)

    assert found["slack.a"]["tokens"] == 30
    assert found["slack.c"]["tokens"] == 25


def test_a_menu_is_the_tools_that_are_shown() -> None:
    whole = content.load_app("slack").tool_schemas
    some = [whole[0]["name"], whole[1]["name"]]

    assert menu_tokens((["slack"], None)) == estimate_tools(whole)
    assert menu_tokens((["slack"], {"slack": some})) == estimate_tools(whole[:2])
    assert menu_tokens((None, None)) > menu_tokens((["slack"], None))


def test_a_run_without_a_held_trial_has_no_mean_menu() -> None:
    assert context_tokens([{"calls": []}]) == {"menu_tokens": None, "menu_tools": None, "answer_tokens": {}}
    assert context_tokens([{"calls": [], "menu_tokens": 10}, {"calls": [], "menu_tokens": 20}])["menu_tokens"] == 15


def test_what_a_model_reads_of_an_answer_are_its_texts_line_by_line() -> None:
    texts = [{"type": "text", "text": "x" * 3}, {"type": "image", "data": "y" * 99}, {"type": "text", "text": "x" * 3}]
    trials = [
        {
            "calls": [
                {"app": "a", "tool": "many", "result": {"content": texts}},
                {"app": "a", "tool": "none", "result": None},
                {"app": "a", "tool": "empty", "result": {}},
                {"app": "a", "tool": "missing"},
            ]
        }
    ]

    found = answer_sizes(trials)

    # Two texts on two lines, without the image between: 3 + 1 + 3 bytes; four of them are a token.
    nothing = {"calls": 1, "tokens": 0, "mean": 0, "largest": 0}
    assert found == {
        "a.many": {"calls": 1, "tokens": 1, "mean": 1, "largest": 1},
        "a.empty": nothing,
        "a.missing": nothing,
        "a.none": nothing,
    }
    assert list(found) == ["a.many", "a.empty", "a.missing", "a.none"]


def test_a_mean_is_a_whole_number() -> None:
    trials = [
        {
            "calls": [call("a", "x" * 4), call("a", "x" * 4), call("a", "x" * 8)],
            "menu_tokens": each,
            "menu_tools": shown,
        }
        for each, shown in ((3, 20), (4, 8), (4, 9))
    ]

    found = context_tokens(trials)

    assert found == {
        "menu_tokens": 4,
        "menu_tools": [8, 20],
        "answer_tokens": {"slack.a": {"calls": 9, "tokens": 12, "mean": 1, "largest": 2}},
    }


def test_a_menu_of_an_older_version_is_counted_as_that_version_has_it() -> None:
    older, newer = (content.load_app("lark").in_profile(each).tool_schemas for each in ("paper-2025", "latest"))

    assert menu_tokens((["lark"], None), "paper-2025") == estimate_tools(older)
    assert menu_tokens((["lark"], None)) == estimate_tools(newer) != estimate_tools(older)
    # An app of the episode without a tool of the menu shows none.
    assert menu_tokens((["lark", "slack"], {"slack": []})) == 2 * estimate_tools([])
    every = sum(menu_tokens(([app], None)) for app in content.app_names())
    assert menu_tokens((None, None)) == every
