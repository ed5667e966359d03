"""Which kinds of changes a trial made, besides those of one call; an app numbers its own calls."""

from __future__ import annotations

from farm.benchmark.scoring.changes_made import ChangesMade
from farm.benchmark.scoring.evidence import Evidence
from tests.unit._score import message, moved


def made(**apps: dict[str, list[dict[str, object]]]) -> ChangesMade:
    return ChangesMade.of(Evidence(apps, ()))


def test_a_message_is_sent_and_created_and_an_event_that_moves_is_updated() -> None:
    changes = made(slack={"messages": [message("Hi")]}, lark={"events": [moved()]})

    assert changes.kinds() == {"create", "send", "update"}


def test_the_changes_of_a_messages_own_call_do_not_count_for_it() -> None:
    own = message("I have told her.")

    assert made(slack={"messages": [own]}).besides("slack", own) == frozenset()


def test_the_first_call_of_another_app_is_another_call() -> None:
    own, event = message("I have moved it."), moved()

    assert own["call"] == event["call"]
    assert made(slack={"messages": [own]}, lark={"events": [event]}).besides("slack", own) == {"update"}


def test_a_second_message_counts_for_the_first() -> None:
    first, second = message("I have told her."), {**message("Told you.", ts="1773018000.000002"), "call": 2}

    assert made(slack={"messages": [first, second]}).besides("slack", first) == {"create", "send"}
