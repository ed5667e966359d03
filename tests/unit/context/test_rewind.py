"""A context goes back to any of its calls: rows, log, clock and ids are as they were then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.context.clock import FROZEN, Motion
from farm.errors import NotFoundError
from farm.server.pipeline import call
from farm.testing import EPISODE, LocalApp
from tests.unit._slack import GENERAL, ROWS

STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("slack_post_message", {"channel_id": GENERAL, "text": "one"}),
    ("slack_list_channels", {}),
    ("slack_post_message", {"channel_id": GENERAL, "text": "two"}),
    ("slack_post_message", {"channel_id": GENERAL, "text": "three"}),
)


@pytest.fixture
def slack(start: Callable[..., LocalApp]) -> LocalApp:
    return start("slack", rows=ROWS, me="me")


def play(slack: LocalApp, step: int) -> Any:
    name, arguments = STEPS[step]
    return call(slack.store.open(EPISODE), name, arguments).result


def state(slack: LocalApp) -> Any:
    store = slack.store
    rows = {table: store.rows(EPISODE, table, limit=1000)["rows"] for table in slack.store.loaded.schema.shapes}
    return rows, [(each["n"], each["tool"], each["result"]) for each in store.calls(EPISODE)], store.clock_ms(EPISODE)


@pytest.mark.parametrize("calls", range(5))
def test_everything_is_as_it_was_after_the_call_and_goes_on_alike(slack: LocalApp, calls: int) -> None:
    states, results = [state(slack)], []
    for step in range(4):
        results.append(play(slack, step))
        states.append(state(slack))

    slack.store.rewind(EPISODE, calls)

    assert state(slack) == states[calls]
    assert [play(slack, step) for step in range(calls, 4)] == results[calls:]
    assert state(slack) == states[4]


def test_a_rate_that_was_set_after_the_next_call_is_undone(slack: LocalApp) -> None:
    def clock() -> tuple[Motion, int]:
        return slack.store.open(EPISODE).motion, slack.store.clock_ms(EPISODE)

    before = clock()
    play(slack, 0)
    slack.store.set_clock(EPISODE, slack.store.clock_ms(EPISODE) + 60_000)
    moved = clock()
    play(slack, 2)
    slack.store.set_clock(EPISODE, slack.store.clock_ms(EPISODE), 60)
    rated = clock()
    play(slack, 3)
    slack.store.set_clock(EPISODE, slack.store.clock_ms(EPISODE), 0)

    # A move stays if no call that is undone was made before it.
    assert clock()[0] == FROZEN
    slack.store.rewind(EPISODE, 2)
    assert clock()[0] == rated[0] != FROZEN
    slack.store.rewind(EPISODE, 1)
    assert clock() == moved
    slack.store.rewind(EPISODE, 0)
    assert clock() == before == (FROZEN, before[1])


def test_the_diff_and_the_search_know_nothing_of_what_was_undone(slack: LocalApp) -> None:
    for step in range(4):
        play(slack, step)

    slack.store.rewind(EPISODE, 1)

    (change,) = slack.store.diff(EPISODE)["messages"]
    assert (change["new"]["text"], change["call"]) == ("one", 1)


def test_a_moved_clock_goes_back_with_its_calls(slack: LocalApp) -> None:
    play(slack, 0)
    before = slack.store.clock_ms(EPISODE)
    slack.store.set_clock(EPISODE, before + 60_000)
    play(slack, 2)

    slack.store.rewind(EPISODE, 0)

    assert slack.store.clock_ms(EPISODE) == before - 1


def test_it_can_be_undone_itself(slack: LocalApp) -> None:
    for step in range(4):
        play(slack, step)
    after = state(slack)
    slack.store.snapshot(EPISODE, "all")

    slack.store.rewind(EPISODE, 2)
    slack.store.restore(EPISODE, "all")

    assert state(slack) == after


def test_a_call_that_was_never_made_is_no_place_to_go_back_to(slack: LocalApp) -> None:
    play(slack, 0)

    with pytest.raises(NotFoundError, match="no call 2 of slack"):
        slack.store.rewind(EPISODE, 2)
