"""Waiting for calls: nothing is told twice or left out, whatever the farm goes through."""

from __future__ import annotations

import queue
from typing import Any

import pytest

from farm.cli import watch
from farm.cli.watch import Update, Watcher, choose
from farm.errors import FarmError, NotFoundError


class Farm:
    """Answers each request for calls with the next of its answers, and notes what was asked."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.asked: list[int | None] = []

    def watch(self, episode: str, app: str, after: int | None) -> dict[str, Any]:
        assert (episode, app) == ("default", "slack")
        self.asked.append(after)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return {"calls": [{"n": n} for n in answer[0]], "last": answer[1]}


def _updates(farm: Farm, after: int | None = None) -> list[Update]:
    out: queue.Queue[Update] = queue.Queue()
    Watcher(farm, "default", "slack", after, out).run()  # type: ignore[arg-type] # only watch is called
    return list(out.queue)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_RETRY_S", 0)


GONE = NotFoundError("no episode 'default'")


def test_each_request_asks_for_what_came_after_the_last() -> None:
    farm = Farm(([], 7), ([8, 9], 9), ([], 9), GONE)

    told = _updates(farm)

    assert farm.asked == [None, 7, 9, 9]
    assert [[call["n"] for call in each.calls] for each in told[:-1]] == [[8, 9]]


def test_a_page_that_does_not_hold_all_calls_is_followed_by_the_next() -> None:
    farm = Farm(([1, 2], 4), ([3, 4], 4), GONE)

    _updates(farm, after=0)

    assert farm.asked == [0, 2, 4]


def test_an_app_that_restarts_is_waited_for() -> None:
    farm = Farm(([], 3), FarmError("slack does not answer"), FarmError("slack does not answer"), ([4], 4), GONE)

    told = _updates(farm)

    assert farm.asked == [None, 3, 3, 3, 4]
    assert told[0].calls == ({"n": 4},)


def test_a_farm_that_stays_away_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "GONE_AFTER_S", -1.0)

    told = _updates(Farm(([], 3), FarmError("no farm answers")))

    assert str(told[-1].problem) == "no farm answers"


def test_a_farm_that_stays_away_is_said_and_said_again_when_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_SAID_AFTER_S", -1.0)
    away = FarmError("no farm answers")

    told = _updates(Farm(([], 3), away, away, ([4], 4), away, GONE))

    said = [(each.waits_for, each.is_back, len(each.calls)) for each in told[:-1]]
    assert said == [(away, False, 0), (None, False, 1), (None, True, 0), (away, False, 0)]


def test_what_an_app_needs_to_start_again_is_not_worth_a_word() -> None:
    told = _updates(Farm(([], 3), FarmError("slack does not answer"), ([], 3), GONE))

    assert [each.problem for each in told] == [GONE]


def test_one_line_says_that_the_farm_does_not_answer_and_one_that_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    waiting, away = watch._Waiting(), FarmError("no farm answers")
    waits = [Update("default", app, waits_for=away) for app in ("lark", "slack")]
    back = [Update("default", app, is_back=True) for app in ("lark", "slack")]

    for each in (*waits, *back):
        waiting.take(each)

    assert capsys.readouterr().err.splitlines() == [
        "no farm answers; waiting for it, 20 s at most",
        "the farm answers again",
    ]


def test_the_first_line_stays_short_however_much_is_watched() -> None:
    many = [_episode("default"), *(_episode(f"c0-0-{n:032x}", f"a label of some length {n}") for n in range(9))]

    assert watch._summary(many) == "default, a label of some…, a label of some… and 7 more"
    assert watch._summary(many[:1]) == "default"


def test_after_a_reset_the_count_begins_anew() -> None:
    farm = Farm(([5], 5), ([], 0), ([1], 1), GONE)

    told = _updates(farm, after=4)

    assert farm.asked == [4, 5, 0, 1]
    assert [each.went_back for each in told] == [False, True, False, False]


def test_an_episode_that_is_gone_ends_the_watch() -> None:
    told = _updates(Farm(GONE))

    assert told[-1].problem is GONE


def _episode(id_: str, label: str | None = None) -> dict[str, Any]:
    return {"id": id_, "label": label, "apps": ["slack"]}


EPISODES = [
    _episode("default"),
    _episode("e1", "claude-desktop"),
    _episode("e2", "run 7"),
    _episode("e3", "claude-desktop"),
    _episode("e4", "codex"),
]


@pytest.mark.parametrize(
    ("wanted", "watched"),
    [
        (None, ["default", "e3", "e4"]),
        ("default", ["default"]),
        ("e1", ["e1"]),
        ("claude-desktop", ["e3"]),
        ("run 7", ["e2"]),
    ],
)
def test_an_episode_is_found_by_id_or_label_and_without_one_the_clients_are_watched(
    wanted: str | None, watched: list[str]
) -> None:
    assert [each["id"] for each in choose(EPISODES, wanted)] == watched


def test_an_unknown_episode_names_those_there_are() -> None:
    with pytest.raises(NotFoundError, match="no episode 'x'; have default, e1"):
        choose(EPISODES, "x")
