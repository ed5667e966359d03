"""Predicates over the calls, and whether a fact was looked up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.scoring import predicates
from farm.benchmark.scoring.evidence import CheckpointScore
from farm.benchmark.tasks import Other, Search, Task
from farm.benchmark.tasks.value_syntax import PREDICATES
from farm.errors import FarmError
from tests.unit._score import START, call, score, task

# Two apps, a refusal, and the same tool twice.
CALLS = (
    call(1, "slack_get_users"),
    call(2, "slack_post_message", refused=True, text="38 of 600", channel_id="C1"),
    call(3, "slack_post_message", text="Sent: 38 of 600", channel_id="C1", text_of={"lines": ["a", "b"]}),
    {**call(4, "docx_read", text="nothing"), "app": "lark"},
)


def judged(predicate: str, options: Mapping[str, Any], calls: tuple[Any, ...] = CALLS) -> CheckpointScore:
    [point] = score(task(Other("o", predicate, options)), calls=calls).checkpoints
    return point


def test_what_a_task_file_may_write_is_what_can_be_judged() -> None:
    assert PREDICATES.keys() == predicates.IMPLEMENTED


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ({}, 4),
        ({"app": "slack"}, 3),
        ({"app": "lark"}, 1),
        ({"app": "wecom"}, 0),
        ({"tool": "slack_post_message"}, 2),
        ({"tool": ["slack_get_users", "docx_read"]}, 2),
        ({"tool": "slack_post"}, 0),
        ({"tool": "slack_get_users_list"}, 0),
        ({"app": "lark", "tool": "slack_get_users"}, 0),
        ({"arguments": {"channel_id": "C1"}}, 2),
        ({"arguments": {"channel_id": "C2"}}, 0),
        ({"arguments": {"channel_id": {"prefix": "c", "suffix": "1"}}}, 2),
        ({"arguments": {"channel_id": {"prefix": "c", "suffix": "2"}}}, 0),
        ({"arguments": {"channel_id": "C1", "text_of.lines": ["a", "b"]}}, 1),
        ({"arguments": {"channel_id.deeper": "C1"}}, 0),
        # Nothing is shown by a refusal.
        ({"contains": "38 OF 600"}, 1),
        ({"contains": "sent"}, 1),
        ({"contains": "received"}, 0),
        ({"contains": 600}, 1),
        ({"contains": "{{date:+17 en}}"}, 0),
        ({"tool": "slack_get_users", "contains": "38"}, 0),
    ],
)
def test_a_call_is_meant_when_all_that_is_said_of_it_holds(pattern: dict[str, Any], count: int) -> None:
    found = judged("called", {**pattern, "min": count, "max": count})

    assert (found.score, found.why.rpartition(" ")[2]) == (1.0, str(count))


def test_what_a_call_is_to_show_may_be_a_day_of_the_world() -> None:
    shown = call(1, "slack_get_users", text="on 26 March")

    assert judged("called", {"contains": "{{date:+17 en}}"}, (shown,)).score == 1.0


def test_a_text_that_is_answered_as_json_shows_what_it_says() -> None:
    shown = call(1, "slack_get_users", text=json.dumps("试拨，记在 T-20466"))

    assert judged("called", {"contains": "记在 T-20466"}, (shown,)).score == 1.0


def test_an_argument_may_be_an_account_in_the_app_that_is_called() -> None:
    helen, mei = ({"arguments": {"to": {"person": person}}} for person in ("helen.zhou", "chen.mei"))
    for app in ("slack", "lark"):
        first, then = ({**call(n, "x", to=START.account(app, "helen.zhou")), "app": app} for n in (1, 2))
        assert judged("called", helen, (first,)).score == 1.0
        assert judged("called", mei, (first,)).score == 0.0
        then["arguments"] = {"to": START.account(app, "chen.mei")}
        assert judged("order", {"first": helen, "then": mei}, (first, then)).score == 1.0
        assert judged("order", {"first": mei, "then": helen}, (first, then)).score == 0.0


@pytest.mark.parametrize(
    ("predicate", "options", "expected", "why"),
    [
        ("called", {"app": "lark"}, 1.0, "expected 1 or more calls of lark.any tool, found 1"),
        ("called", {"min": 4}, 1.0, "expected 4 or more calls of any app.any tool, found 4"),
        ("called", {"min": 5}, 0.0, "expected 5 or more calls of any app.any tool, found 4"),
        ("called", {"max": 4}, 1.0, "expected 1 to 4 calls of any app.any tool, found 4"),
        ("called", {"max": 3}, 0.0, "expected 1 to 3 calls of any app.any tool, found 4"),
        ("called", {"app": "wecom"}, 0.0, "expected 1 or more calls of wecom.any tool, found 0"),
        ("called", {"app": "wecom", "min": 0}, 1.0, "expected 0 or more calls of wecom.any tool, found 0"),
        ("called", {"tool": ["a", "b"]}, 0.0, "expected 1 or more calls of any app.a/b, found 0"),
        ("not_called", {"app": "lark", "tool": "x"}, 1.0, "expected no call of lark.x, found 0"),
        ("not_called", {"tool": "docx_read"}, 0.0, "expected no call of any app.docx_read, found 1"),
        (
            "not_called",
            {"arguments": {"channel_id": {"person": "me"}}},
            1.0,
            "expected no call of any app.any tool, found 0",
        ),
        (
            "order",
            {"first": {"app": "slack"}, "then": {"app": "lark"}},
            1.0,
            "expected slack.any tool before lark.any tool, found calls [1] and [4]",
        ),
        (
            "order",
            {"first": {"app": "lark"}, "then": {"app": "slack"}},
            0.0,
            "expected lark.any tool before slack.any tool, found calls [4] and [1]",
        ),
        # The first of each counts, and one call is not before itself.
        (
            "order",
            {"first": {"tool": "slack_post_message"}, "then": {"tool": "slack_post_message"}},
            0.0,
            "expected any app.slack_post_message before any app.slack_post_message, found calls [3] and [3]",
        ),
        (
            "order",
            {"first": {"app": "slack"}, "then": {"tool": "x"}},
            0.0,
            "expected slack.any tool before any app.x, found calls [1] and []",
        ),
        (
            "order",
            {"first": {"tool": "x"}, "then": {"app": "slack"}},
            0.0,
            "expected any app.x before slack.any tool, found calls [] and [1]",
        ),
        ("calls_max", {"max": 5}, 1.0, "expected at most 5 calls, found 4"),
        ("calls_max", {"max": 4}, 1.0, "expected at most 4 calls, found 4"),
        ("calls_max", {"max": 3}, 0.0, "expected at most 3 calls, found 4"),
        ("no_refusals", {}, 0.0, "expected calls, and none refused; found 4, 1 refused"),
        ("no_refusals", {"app": "slack"}, 0.0, "expected calls, and none refused; found 3, 1 refused"),
        ("no_refusals", {"app": "lark"}, 1.0, "expected calls, and none refused; found 1, 0 refused"),
        ("no_refusals", {"app": "wecom"}, 0.0, "expected calls, and none refused; found 0, 0 refused"),
    ],
)
def test_a_predicate_looks_at_the_calls_and_says_what_it_found(
    predicate: str, options: dict[str, Any], expected: float, why: str
) -> None:
    found = judged(predicate, options)

    assert (found.id, found.kind, found.score, found.low, found.high, found.why) == (
        "o",
        "other",
        expected,
        expected,
        expected,
        why,
    )


def test_who_did_nothing_has_kept_within_no_limit() -> None:
    one = CALLS[:1]

    for predicate, options in (("calls_max", {"max": 1}), ("no_refusals", {})):
        assert judged(predicate, options, one).score == 1.0
        assert judged(predicate, options, ()).score == 0.0


def test_a_predicate_is_no_part_of_what_was_executed() -> None:
    assert score(task(Other("o", "called", {})), calls=CALLS).exec_acc is None


def own_predicate(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Task:
    """Return a task with a predicate of its own in a content folder."""
    suite = folder / "tasks" / "mine"
    suite.mkdir(parents=True)
    (suite / "be-kind.toml").touch()
    (suite / "be_kind.py").write_text(f"def is_kind(evidence, start):\n    {code}\n")
    monkeypatch.setenv("FARM_CONTENT", str(folder))
    return replace(task(Other("kind", "is_kind")), suite="mine", id="be-kind")


@pytest.mark.parametrize(
    ("returned", "expected"),
    [("True", 1.0), ("False", 0.0), ("1.0", 1.0), ("0.5", 0.5), ("0", 0.0)],
)
def test_a_predicate_of_the_tasks_own_gives_marks_with_a_sentence(
    returned: str, expected: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = f"return {returned}, f'{{start.world.name}}: {{evidence.answer}}'"
    wanted = own_predicate(code, tmp_path, monkeypatch)

    [found] = score(wanted, answer="With pleasure.").checkpoints

    assert (found.id, found.kind, found.score, found.why) == ("kind", "other", expected, "harbor: With pleasure.")


# -- what was looked up ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("looked_up", "expected"),
    [
        ((), 1.0),
        (({"contains": "38 of 600"},), 1.0),
        (({"contains": "39 of 600"},), 0.0),
        (({"contains": "39 of 600"}, {"app": "lark"}), 1.0),
        # A refused call is none that looked something up, whatever it was to show.
        (({"arguments": {"channel_id": "C1"}, "tool": "slack_post_message"},), 0.0),
        (({"app": "wecom"},), 0.0),
    ],
)
def test_an_answer_counts_when_some_call_showed_it(looked_up: tuple[dict[str, Any], ...], expected: float) -> None:
    point = Search("s", "generic_search", {"contains": "38"}, looked_up)
    calls = (CALLS[1], {**CALLS[2], "arguments": {}}, CALLS[3])

    found = score(task(point), answer="38", calls=calls)

    assert (found.acc, found.exec_acc) == (expected, expected)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("return 1 / 0, 'x'", r"is_kind\(\) raised ZeroDivisionError: division by zero \(.*be_kind.py:2\)"),
        ("return True", r"must return whether it holds \(or 0, 0.5, 1\) and a sentence, not True"),
        ("return None", "not None"),
        ("return 0.7, 'x'", "not \\(0.7, 'x'\\)"),
        ("return True, None", "not \\(True, None\\)"),
    ],
)
def test_a_predicate_of_the_tasks_own_that_goes_wrong_is_one_line_that_names_it(
    code: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = own_predicate(code, tmp_path, monkeypatch)

    with pytest.raises(FarmError, match=f"task 'be-kind', checkpoint 'kind': .*{told}") as raised:
        score(wanted, answer="With pleasure.")

    assert "\n" not in str(raised.value)
