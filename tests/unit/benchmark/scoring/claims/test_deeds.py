"""What a text says its writer has done is held against the kinds of changes that the trial made."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Change, Claim, Requirement, Situation, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
COUNT = Requirement((Claim("number", (8.0,)),))


def undone(text: str, *done: Change, asked: str = "How many lamps?", known: bool = True) -> bool:
    situation = Situation(NOW, (asked,), frozenset(done) if known else None)
    return any(reason.code == "undone" for reason in judge(COUNT, text, situation).reasons)


@pytest.mark.parametrize(
    "text",
    [
        "8 lamps. I have already told her.",
        "There are 8, and I've just cancelled the ninth.",
        "8. We've also emailed the warehouse about it.",
        "一共8盏，我已经跟她说了。",
        "8盏。我把第九盏取消了。",
        "8盏，顺手帮你改好了。",
        "8 lamps. I told her a minute ago.",
        "8盏，我上午已经跟她说了。",
    ],
)
def test_a_deed_that_no_change_shows_is_refused(text: str) -> None:
    assert undone(text)
    assert not undone(text, "create", "update", "delete", "send")
    assert not undone(text, known=False)


@pytest.mark.parametrize(
    "text", ["8盏，已经替你下单。", "8盏。我刚刚打通了店里的电话。", "8. I phoned the shop an hour ago."]
)
def test_what_no_tool_does_is_refused_whatever_was_changed(text: str) -> None:
    assert undone(text, "create", "update", "delete", "send")


def test_the_change_must_be_of_the_deeds_kind() -> None:
    assert undone("8 lamps. I've told her.", "update")
    assert not undone("8 lamps. I've told her.", "send")
    assert undone("8盏，我已经把它改了。", "send")
    assert not undone("8盏，我已经把它改了。", "update")


@pytest.mark.parametrize(
    "text",
    [
        "I've checked the sheet: 8 lamps.",
        "I have not told anybody: 8.",
        "I have written nothing to her: 8.",
        "I've done the sums: 8.",
        "8 lamps; I paid 68 for the first.",
        "Have I told her? 8 lamps.",
        "我看了表，一共8盏。",
        "我查过了，8盏。",
        "8盏，我还没跟她说。",
    ],
)
def test_looks_denials_and_earlier_days_are_no_deeds(text: str) -> None:
    assert not undone(text)


def test_a_deed_of_the_request_is_no_claim_of_the_writer() -> None:
    assert not undone("8, as I've told her.", asked="I've told her 8, right?")
