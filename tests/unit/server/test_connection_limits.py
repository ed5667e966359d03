"""What all connections of a server hold together is bounded, and given in turn."""

from __future__ import annotations

from farm.server.limits.connection_limits import BodyQueue, ByteBudget
from farm.server.limits.malloc_trim import DelayedTrim


class Sender:
    """One that wants its turn."""

    def __init__(self) -> None:
        self.told = 0

    def go_on(self) -> None:
        self.told += 1


def test_who_comes_when_there_is_no_room_waits_in_line_and_is_told() -> None:
    line: BodyQueue[Sender] = BodyQueue(10)
    first, large, small = Sender(), Sender(), Sender()

    assert line.take(first, 6)
    assert not line.take(large, 5)
    assert not line.take(small, 1), "it came later, and others would pass by for ever"
    assert line.is_wanted
    line.leave(first)

    assert (first.told, large.told, small.told) == (0, 1, 1)
    assert line.take(large, 5)
    assert line.take(small, 1)
    assert not line.is_wanted


def test_who_leaves_the_line_lets_others_through() -> None:
    line: BodyQueue[Sender] = BodyQueue(10)
    first, large, small = Sender(), Sender(), Sender()
    line.take(first, 6)
    line.take(large, 5)
    line.take(small, 1)

    line.leave(large)
    line.leave(large)

    assert (large.told, small.told) == (0, 1)


def test_who_holds_the_most_is_named_when_all_is_too_much() -> None:
    held: ByteBudget[Sender] = ByteBudget(10)
    much, little, last = Sender(), Sender(), Sender()

    assert held.hold(much, 6) == []
    assert held.hold(little, 3) == []
    assert held.hold(last, 2) == [much]
    assert held.hold(last, 7) == [], "what had to go counts no more, and what is held now is no addition"
    assert held.hold(last, 0) == []
    assert held.hold(little, 10) == []
    assert held.hold(little, 11) == [little]


def test_who_has_waited_longest_is_named_where_that_is_asked_for() -> None:
    held: ByteBudget[Sender] = ByteBudget(10, ends_oldest=True)
    first, second, third = Sender(), Sender(), Sender()

    assert held.hold(first, 1) == held.hold(second, 3) == held.hold(third, 4) == []
    assert held.hold(Sender(), 6) == [first, second]


def test_memory_is_given_back_once_for_all_that_was_large() -> None:
    class Loop:
        def __init__(self) -> None:
            self.later: list[tuple[float, object]] = []

        def call_later(self, seconds: float, what: object) -> None:
            self.later.append((seconds, what))

    loop, given = Loop(), []
    trim = DelayedTrim(lambda: given.append(1))

    for _ in range(3):
        trim.soon(loop)  # type: ignore[arg-type]
    ((seconds, now),) = loop.later
    assert (seconds, given) == (1.0, [])
    now()  # type: ignore[operator]
    trim.soon(loop)  # type: ignore[arg-type]

    assert (given, len(loop.later)) == ([1], 2)
