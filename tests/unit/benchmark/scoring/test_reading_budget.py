"""Texts that nobody would write: they are not read, their checkpoint is unsure, and all else is judged as ever."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.scoring import reading_budget
from farm.benchmark.scoring.evidence import CheckpointScore, Evidence, TaskScore
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.reading_budget import TEXT_MAX, ReadingBudget, Unread, UnreadError, read_within
from farm.benchmark.tasks import Operate, Other, Search
from farm.context.operators import seen, texts_in
from farm.server.deadline import CallTimeoutError
from farm.testing import LocalWorld
from tests.unit._score import NOW, START, call, message, score, task

# Matching it with this pattern takes time that doubles with each letter.
ENDLESS, ENDLESS_PATTERN = "a" * 60 + "!", "^(a+)+$"
LONG = "Nine. " * (TEXT_MAX // 6 + 1)


def posted(id: str = "posted", where: Mapping[str, Any] | None = None, **after: Any) -> Operate:
    return Operate(id, "create", "slack", "messages", where or {}, after)


def named(score: TaskScore, id: str) -> CheckpointScore:
    return next(each for each in score.checkpoints if each.id == id)


def hurried(wanted: Any, *, answer: str = "", calls: tuple[Any, ...] = (), text: str = "", **limits: Any) -> TaskScore:
    evidence = Evidence({"slack": {"messages": [message(text)]}}, calls, answer, NOW)
    return grade(wanted, evidence, START, ReadingBudget(**limits))


def test_a_text_that_is_too_long_is_not_read_and_its_checkpoint_is_unsure() -> None:
    found = score(task(posted(text={"claims": [{"number": 9}]})), slack_messages=[message(LONG)])

    (point,) = found.checkpoints
    assert (point.score, point.low, point.high) == (0.5, 0.5, 1.0)
    assert f"not read: {len(LONG):,} characters, more than {TEXT_MAX:,}" in point.why
    assert found.damage == ()


def test_the_log_has_the_beginning_of_a_text_that_was_not_read_and_says_so() -> None:
    (point,) = score(task(posted(text={"claims": [{"number": 9}]})), slack_messages=[message(LONG)]).checkpoints

    (contested,) = point.contested
    assert LONG.startswith(contested.text.removesuffix("…"))
    assert len(contested.text) < 2000
    assert (contested.is_read, contested.guess) == (False, False)


def test_every_other_checkpoint_has_its_true_verdict() -> None:
    unread = posted("unread", text={"claims": [{"number": 9}]})
    right = Search("right", "personal_search", {"claims": [{"number": 8}]})
    wrong = Search("wrong", "personal_search", {"claims": [{"number": 7}]})
    place = posted("place", user_id=message("")["new"]["user_id"])

    found = score(task(unread, right, wrong, place), answer="There are 8.", slack_messages=[message(LONG)])

    assert [named(found, each).score for each in ("right", "wrong", "place")] == [1.0, 0.0, 1.0]
    assert [named(found, each).low == named(found, each).high for each in ("right", "wrong", "place")] == [True] * 3
    assert named(found, "unread").low < named(found, "unread").high


def test_a_text_may_be_longer_by_what_it_keeps() -> None:
    before = "A line of a long note.\n" * (TEXT_MAX // 20)
    wanted = posted(text={"keeps": before, "claims": [{"number": 9}]})

    (point,) = score(task(wanted), slack_messages=[message(f"{before}Nine.\n")]).checkpoints

    assert (point.score, point.low) == (1.0, 1.0)


def test_an_answer_that_is_not_read_may_be_right_or_wrong() -> None:
    (point,) = score(task(Search("said", "personal_search", {"claims": [{"number": 9}]})), answer=LONG).checkpoints

    assert (point.score, point.low, point.high) == (0.0, 0.0, 1.0)


def test_matching_a_pattern_is_cut_and_leaves_the_checkpoint_unsure() -> None:
    found = hurried(task(posted(text={"regex": ENDLESS_PATTERN})), text=ENDLESS, text_s=0.05)

    (point,) = found.checkpoints
    assert (point.score, point.low, point.high) == (0.5, 0.5, 1.0)
    assert "not read: it took more than 0.05 s" in point.why


def test_texts_after_those_that_took_all_the_time_are_not_read() -> None:
    slow, late = posted("slow", text={"regex": ENDLESS_PATTERN}), posted("late", text={"regex": "^a"})

    found = hurried(task(slow, late), text=ENDLESS, text_s=0.05, texts_s=0.05)

    assert "the texts before it took 0.05 s" in named(found, "late").why
    assert named(found, "late").high == 1.0


def test_a_row_that_is_looked_for_by_a_text_that_is_not_read_leaves_the_verdict_open() -> None:
    found = hurried(task(posted(where={"text": {"regex": ENDLESS_PATTERN}})), text=ENDLESS, text_s=0.05)

    (point,) = found.checkpoints
    assert (point.score, point.low, point.high) == (0.0, 0.0, 1.0)
    assert "not read" in point.why


def test_a_row_beside_the_one_that_counts_may_be_the_right_one_unread() -> None:
    wanted = posted(text={"claims": [{"number": 9}]})

    (point,) = score(task(wanted), slack_messages=[message("Eight."), message(LONG, ts="2.0")]).checkpoints

    assert (point.score, point.low, point.high) == (0.5, 0.5, 1.0)
    assert [each.is_read for each in point.contested] == [False]


def test_a_call_that_is_looked_for_by_a_text_that_is_not_read_leaves_the_verdict_open() -> None:
    options = {"app": "slack", "tool": "slack_post_message", "arguments": {"text": {"regex": ENDLESS_PATTERN}}}
    called = Other("called", "called", options)

    found = hurried(task(called), calls=(call(1, "slack_post_message"),), text_s=0.05)
    open_ = hurried(
        task(called), calls=(call(1, "slack_post_message") | {"arguments": {"text": ENDLESS}},), text_s=0.05
    )

    assert [(each.low, each.high) for each in (*found.checkpoints, *open_.checkpoints)] == [(0.0, 0.0), (0.0, 1.0)]


@pytest.mark.parametrize(
    ("problem", "why"),
    [(MemoryError(), "not read: it took too much memory"), (RecursionError(), "not read: it is nested too deep")],
)
def test_a_text_that_takes_too_much_is_not_read(problem: BaseException, why: str) -> None:
    def reading() -> None:
        raise problem

    with ReadingBudget() as budget, pytest.raises(UnreadError, match=why):
        budget.read("text", reading, 10, is_timed=True)

    assert [each.text for each in budget.unread] == ["text"]


def test_nothing_but_texts_is_left_out_when_no_text_is_read() -> None:
    claimed, placed = posted("claimed", text={"claims": [{"number": 9}]}), posted("placed", text="Nine.")

    found = hurried(task(claimed, placed), text="Nine.", why_not="judging took more than 30 s")

    assert (named(found, "claimed").low, named(found, "claimed").high) == (0.5, 1.0)
    assert named(found, "placed").low == 1.0
    assert "not read: judging took more than 30 s" in named(found, "claimed").why


DEEP = "[" * 900 + '"text"' + "]" * 900


def test_a_text_that_nests_lists_deeper_than_anybody_means_is_read_as_it_stands() -> None:
    assert texts_in(DEEP) == DEEP
    assert texts_in("[" * 90 + '"text"' + "]" * 90) == "text"
    assert texts_in({"a": ["one", None, [], {"b": 2}], "c": "three"}) == "one\n\n\n2\nthree"


def test_a_column_that_nests_deep_is_judged_as_a_whole() -> None:
    assert seen(DEEP, ("text",)) == DEEP


def test_a_deep_message_in_a_world_is_judged(tmp_path: Path) -> None:
    point = {"id": "p", "kind": "operate", "change": "create", "app": "slack", "table": "messages"}
    with LocalWorld("mini", ["slack"], data=tmp_path) as world:
        world.call("slack", "slack_post_message", channel_id="#opening", text=DEEP)

        (found,) = world.check({"checkpoints": [{**point, "after": {"text": {"contains": "text"}}}]})["checkpoints"]

    assert found["score"] == 1.0


# -- the limits ------------------------------------------------------------------------------------------------------


class Thread:
    """The processor time of a thread and its alarm: time passes only as a reading says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.alarms: list[Any] = []
        monkeypatch.setattr(reading_budget, "time", self)
        monkeypatch.setattr(reading_budget, "ThreadAlarm", self._alarm)

    def _alarm(self) -> Thread:
        self.alarms.append("made")
        return self

    def thread_time(self) -> float:
        return self.now

    def arm(self, ns: int) -> None:
        self.alarms.append(ns / 1e9)

    def disarm(self) -> None:
        self.alarms.append("disarmed")

    def close(self) -> None:
        self.alarms.append("closed")

    def takes(self, seconds: float) -> Callable[[], str]:
        """Return a reading that takes so long."""

        def reading() -> str:
            self.now += seconds
            return "read"

        return reading


def test_a_text_of_the_greatest_length_is_read_and_one_that_is_longer_by_a_letter_is_not() -> None:
    with ReadingBudget() as budget:
        assert read_within(budget, "x" * TEXT_MAX, lambda: "read") == "read"
        assert read_within(budget, "x" * 1200, lambda: "read", chars_max=1200) == "read"
        for text, chars_max in (("x" * 1201, 1200), ("x" * 100_001, TEXT_MAX)):
            with pytest.raises(UnreadError) as refused:
                read_within(budget, text, lambda: pytest.fail("it is read"), chars_max=chars_max)
            assert str(refused.value) == f"not read: {len(text):,} characters, more than {chars_max:,}"

    assert budget.unread == [
        Unread("x" * 1201, "not read: 1,201 characters, more than 1,200"),
        Unread("x" * 100_001, "not read: 100,001 characters, more than 100,000"),
    ]
    assert read_within(None, "x" * 1201, lambda: "read", chars_max=1200) == "read"


def test_a_short_text_is_not_timed_unless_it_may_take_long_and_one_alarm_serves_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thread = Thread(monkeypatch)

    with ReadingBudget() as budget:
        assert read_within(budget, "x" * 500, thread.takes(0)) == "read"
        assert thread.alarms == []
        assert read_within(budget, "x" * 501, thread.takes(0)) == "read"
        assert read_within(budget, "x", thread.takes(0), is_timed=True) == "read"

    assert thread.alarms == ["made", 2.0, "disarmed", 2.0, "disarmed", "closed"]
    with ReadingBudget() as budget:  # closed without an alarm, and twice with one
        pass
    assert len(thread.alarms) == 6


def test_each_text_has_its_time_and_no_more_than_is_left_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    thread = Thread(monkeypatch)

    with ReadingBudget(text_s=2.0, texts_s=5.0) as budget:
        for seconds in (1.75, 2.0, 0.25):
            assert read_within(budget, "x", thread.takes(seconds), is_timed=True) == "read"
        assert read_within(budget, "x", thread.takes(1.0), is_timed=True) == "read"
        with pytest.raises(UnreadError) as refused:
            read_within(budget, "late", thread.takes(0), is_timed=True)
        with pytest.raises(UnreadError):
            read_within(budget, "late and short", thread.takes(0))

    assert [each for each in thread.alarms if isinstance(each, float)] == [2.0, 2.0, 1.25, 1.0]
    assert str(refused.value) == "not read: the texts before it took 5 s"
    assert [each.text for each in budget.unread] == ["late", "late and short"]


def test_a_text_that_takes_too_long_says_how_long_it_might_have_taken_and_its_time_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thread = Thread(monkeypatch)

    def endless() -> str:
        thread.now += 1.5
        raise CallTimeoutError

    with ReadingBudget(text_s=1.5, texts_s=2.0) as budget:
        said = []
        for _ in range(3):
            with pytest.raises(UnreadError) as refused:
                read_within(budget, "x", endless, is_timed=True)
            said.append(str(refused.value))

    assert said == [
        "not read: it took more than 1.5 s",
        "not read: it took more than 0.5 s",
        "not read: the texts before it took 2 s",
    ]


def test_without_a_reason_to_read_not_even_a_short_text_is_read() -> None:
    with ReadingBudget(why_not="the last check took too long") as budget, pytest.raises(UnreadError) as refused:
        read_within(budget, "x", lambda: pytest.fail("it is read"))

    assert str(refused.value) == "not read: the last check took too long"
    assert budget.unread == [Unread("x", "not read: the last check took too long")]
