"""Answer sheets: how a block is found in an answer, and which values of each type are right."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from farm.benchmark.scoring import sheets
from farm.benchmark.scoring.evidence import CheckpointScore, Evidence
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.tasks import Search, Task, load_suite

TASK = load_suite("demo").task("slack-boards-rate")
START = load_start("harbor")
NOW = datetime.fromisoformat("2026-03-09T09:00:00+08:00")
RIGHT = {"flickering_boards": 38, "sampled_boards": 600, "flickering_share": 6.3, "share_limit": 1}
PROSE = "38 of 600 boards flickered, that is 6.3 %; the limit (AQL) is 1.0 %."
LOOKED_UP = {"app": "slack", "tool": "x", "refused": False, "arguments": {}, "result": {"content": "38 of 600"}}


def block(values: Any) -> str:
    return f"```json\n{json.dumps(values, ensure_ascii=False)}\n```"


def fits(field: dict[str, Any], value: Any) -> bool:
    """Return whether a value of one field is right."""
    values = ValueResolver(START, {}, at=NOW)
    sheet = sheets.find_sheet(block({"x": value}), ["x"])
    assert sheet is not None
    (finding,) = sheets.judge_fields({"x": field}, sheet, values)
    assert not finding.doubts
    return finding.ok


def verdict(answer: str, task: Task = TASK, asked: Any = "sheet") -> CheckpointScore:
    point = task.checkpoints[0]
    assert isinstance(point, Search)
    open_task = replace(task, checkpoints=(replace(point, looked_up=()),))
    return grade(open_task, Evidence({}, [], answer, NOW, asked=asked), START).checkpoints[0]


# -- one field -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "right", "wrong"),
    [
        (
            {"number": 221, "unit": ["km", "kilometres"]},
            [221, 221.0, "221", "221 km", "221km", "221公里", "221 kilometres", ["221"], {"value": 221, "unit": "km"}],
            [22, "221 m", "221 miles", "220 or 221", "not 221 km", "221?", True, None, "", "about it", [221, 222], {}],
        ),
        ({"number": 0.3, "unit": "%"}, [0.3, "0.3%", "0.3 %", "0.30 percent", "0.3"], [0.003, 3, "0.3 km", "0.3 or 1"]),
        (
            {"number": 599, "unit": ["CNY", "元"]},
            ["¥599", "599元", "CNY 599", 599, "599 RMB"],
            ["$599", "599 EUR", 598],
        ),
        ({"number": 4}, [4, "4", "four", "四个", "4 seats"], [5, "4 %", "4-6", "maybe 4"]),
        ({"number": 1234}, ["1,234", 1234], ["1,235", "1.234"]),
        (
            {"date": "+17"},
            [
                "2026-03-26",
                "26 March 2026",
                "Thu 26 Mar",
                "3月26日",
                "26/03/2026",
                "2026-03-26T00:30:00+08:00",
                "20260326",
            ],
            ["2026-03-27", "2026-03-25T23:59:00+08:00", "26 or 27 March", "not 26 March", "26 March?", 26, "soon"],
        ),
        ({"date": ["+17", "+18"]}, ["2026-03-26", "2026-03-27"], ["2026-03-28"]),
        (
            {"clock": "08:30"},
            [
                "08:30",
                "8:30",
                "8:30 am",
                "0830",
                "08:30:00",
                "上午8:30",
                "08:30 (UTC+8)",
                "00:30 UTC",
                "2026-03-09T00:30:00Z",
            ],
            [
                "20:30",
                "8:30 pm",
                "08:30 UTC",
                "08:30 or 09:00",
                "not 08:30",
                "08:30-09:00",
                "早上",
                830.5,
                ["08:30", "09:00"],
            ],
        ),
        (
            {"id": "RF-3308"},
            ["RF-3308", "rf 3308", "#RF-3308", "RF3308"],
            ["RF-3309", "RF-33081", "RF-3308, RF-3309", True],
        ),
        (
            {"person": "jason.ng"},
            ["Jason Ng", "jason ng", "Ng Jason", "黄伟杰", "Jason Ng (黄伟杰)", "jason.ng", "@jason.ng"],
            ["Xu Ran", "Jason Ng or Xu Ran", "not Jason Ng", "Ng", "Jason Ngo", 7, ""],
        ),
        (
            {"choice": ["Cove", "小湾"]},
            ["cove", "小湾 Cove", "Cove（小湾）", "the Cove"],
            ["Tide", "not Cove", "Cove, Tide", "Covent"],
        ),
        ({"choice": "no", "options": ["yes", "no"]}, ["no", "No.", False], ["yes", True, "no, yes", None]),
        (
            {"clock": ["10:30", "16:30"], "all": True},
            [["10:30", "16:30"], ["4:30 pm", "10:30"], "10:30, 16:30", "10:30 and 16:30"],
            [["10:30"], ["10:30", "16:30", "17:00"], ["10:30", "10:30"], "10:30", []],
        ),
        ({"choice": [["a", "b"], ["c"]], "all": True}, [["b", "c"], ["C", "A"]], [["a", "b"], ["a"], ["a", "b", "c"]]),
        ({"text": {"contains": "到账呢"}}, ["说好的到账呢？", ["说好的到账呢"]], ["没有", 3]),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_a_value_is_compared_by_its_type(field: dict[str, Any], right: list[Any], wrong: list[Any]) -> None:
    assert [each for each in right if not fits(field, each)] == []
    assert [each for each in wrong if fits(field, each)] == []


def test_a_field_that_is_a_text_is_judged_by_what_it_asserts() -> None:
    field = {"text": {"claims": [{"date": "+17"}]}}

    assert fits(field, "It is on 26 March.")
    assert not fits(field, "It is not on 26 March.")


# -- the block -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        f"{PROSE}\n\n{block(RIGHT)}",
        block(RIGHT),
        json.dumps(RIGHT),
        f"{PROSE} {json.dumps(RIGHT)} Bye!",
        f"```\n{json.dumps(RIGHT, indent=4)}\n```\n",
        block({"answer": RIGHT, "confidence": "high"}),
        block([RIGHT]),
        block({**RIGHT, "note": "as asked", "more": {"a": [1]}}),
        block({name.replace("_", " ").title(): value for name, value in RIGHT.items()}),
        block(RIGHT).replace("}", ",}"),
        block(RIGHT).replace('"', "'"),
        block(RIGHT).replace('"', "”"),
        f"{block(RIGHT)}\n{block(RIGHT)}",
        f"{block(dict.fromkeys(RIGHT))}\n{block(RIGHT)}",
        f"f(x) = {{x | x > 0}} and {{}}: {block(RIGHT)}",
        "x" * 100_000 + block(RIGHT),
    ],
)
def test_a_sheet_is_found_in_every_form(answer: str) -> None:
    found = verdict(answer)

    assert (found.score, found.low, found.high, found.why) == (1.0, 1.0, 1.0, "the answer sheet holds what it should")


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (block({**RIGHT, "share_limit": 6.3}), 0.5),
        (block({name: value for name, value in RIGHT.items() if name != "share_limit"}), 0.5),
        (block({**RIGHT, "share_limit": None}), 0.5),
        (block({"flickering_boards": 38}), 0.0),
        (block({**RIGHT, "flickering_share": 4, "share_limit": 6.3, "sampled_boards": 60}), 0.0),
        # Two values for a field are candidates, whichever comes last.
        (block(RIGHT) + block({**RIGHT, "share_limit": 2}), 0.5),
        (block({**RIGHT, "share_limit": 2}) + block(RIGHT), 0.5),
        (block(RIGHT).replace("}", ', "share_limit": 2}'), 0.5),
        (block(RIGHT).replace("{", '{"share_limit": 2, '), 0.5),
    ],
)
def test_a_sheet_with_a_wrong_missing_or_second_value_loses(answer: str, score: float) -> None:
    found = verdict(answer)

    assert (found.score, found.low, found.high) == (score, score, score)


@pytest.mark.parametrize(
    "answer", [PROSE, f"{PROSE} {{}}", f"{PROSE} {block({'other': 1})}", block(RIGHT)[:40], '{"a":' * 9000, "{" * 9000]
)
def test_an_answer_without_the_sheet_that_was_asked_for_fails_with_one_finding(answer: str) -> None:
    found = verdict(answer)

    assert (found.score, found.high) == (0.0, 0.0)
    names = "flickering_boards, sampled_boards, flickering_share, share_limit"
    assert found.why == f"expected an answer sheet, a JSON object with {names}, found none"


def test_prose_beside_a_sheet_is_reported_and_decides_nothing() -> None:
    contradicting = verdict(f"7 of 120 boards flickered, 5.8 %. The limit is 2 %.\n{block(RIGHT)}")
    right = verdict(f"{PROSE}\n{block({**RIGHT, 'share_limit': 2})}")

    assert contradicting.by_prose is not None
    assert (contradicting.score, contradicting.by_prose.score) == (1.0, 0.0)
    assert right.by_prose is not None
    assert (right.score, right.by_prose.score) == (0.5, 1.0)


def test_the_values_of_a_sheet_are_no_prose() -> None:
    found = verdict(block(RIGHT))

    assert found.by_prose is not None
    assert (found.score, found.by_prose.score) == (1.0, 0.0)


def test_a_sheet_that_nobody_asked_for_does_not_decide() -> None:
    found = verdict(f"7 of 120 boards, 5.8 %. The limit is 1 %.\n{block(RIGHT)}", asked="prose")

    assert found.by_prose is None
    assert found.why != "the answer sheet holds what it should"


def test_a_search_that_was_never_looked_up_fails_whatever_its_sheet_holds() -> None:
    found = grade(TASK, Evidence({}, [], block(RIGHT), NOW, asked="sheet"), START).checkpoints[0]

    assert (found.score, found.why) == (0.0, "the answer was never looked up: no call shows the fact")
