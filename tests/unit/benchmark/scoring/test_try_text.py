"""Trying one text on one checkpoint, in Python and by ``farm tasks try``."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from farm.benchmark.scoring.findings import all_hold
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.try_text import try_text
from farm.benchmark.tasks import Operate, Other, Search, Task
from farm.cli import main
from farm.errors import FarmError

START = load_start("harbor")
EVENT = START.find("lark", "events", {"summary": "S2 go / no-go"})[0]
WHEN: dict[str, Any] = {"claims": [{"date": "+17"}]}
POSTED = Operate("posted", "create", "slack", "messages", {"channel_id": "C1"}, {"text": WHEN})
KEPT = Operate(
    "kept", "update", "lark", "events", {"event_id": EVENT["event_id"]}, {"summary": {"keeps": True, **WHEN}}
)
BOTH = Operate("both", "create", "lark", "events", {"status": "x"}, {"summary": WHEN, "description": WHEN})
TASK = Task(
    "t",
    "s",
    "T",
    "harbor",
    ("slack", "lark"),
    "c",
    "Say when.",
    (POSTED, KEPT, BOTH, Search("said", "personal_search", WHEN), Other("o", "called", {})),
    (),
)


@pytest.mark.parametrize(
    ("checkpoint", "text", "accepted"),
    [
        ("posted", "It is on 26 March.", True),
        ("posted", "It is not on 26 March.", False),
        ("said", "26 March", True),
        ("kept", "S2 go / no-go, on 26 March", True),
        ("kept", "On 26 March", False),
    ],
)
def test_a_text_is_judged_as_it_would_be_in_a_trial(checkpoint: str, text: str, accepted: bool) -> None:
    assert all_hold(try_text(TASK, checkpoint, text), "guess") is accepted


def test_of_several_texts_one_is_named() -> None:
    with pytest.raises(FarmError, match="judges 2 texts; name one with --column; have summary, description"):
        try_text(TASK, "both", "26 March")

    assert all_hold(try_text(TASK, "both", "26 March", "summary"), "guess")


@pytest.mark.parametrize(
    ("checkpoint", "column", "told"),
    [
        ("nowhere", None, "no checkpoint 'nowhere'; have posted, kept"),
        ("posted", "txet", "judges no column 'txet'; have text"),
        ("o", None, "is decided on the calls"),
    ],
)
def test_what_cannot_be_tried_is_named(checkpoint: str, column: str | None, told: str) -> None:
    with pytest.raises(FarmError, match=told):
        try_text(TASK, checkpoint, "26 March", column)


def test_the_command_says_what_holds_and_ends_with_the_verdict(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    where = ("tasks", "try", "demo", "slack-unlock-scheduler", "answered-in-thread")
    monkeypatch.setattr("sys.stdin", io.StringIO("Not final, stay with the 19th."))

    with pytest.raises(SystemExit) as refused:
        main([*where, "-", "--json"])
    told = json.loads(capsys.readouterr().out)
    with pytest.raises(SystemExit) as accepted:
        main([*where, "Yes, final: 26 March, 10:00."])

    assert (refused.value.code, accepted.value.code) == (1, 0)
    assert told["accepted"] is False
    assert {each["wanted"] for each in told["findings"] if not each["ok"]} >= {"to say date 2026-03-26"}
    assert capsys.readouterr().out.startswith("accepted\n")
