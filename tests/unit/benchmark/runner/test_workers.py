"""Work on several threads: its results, its failures, and what becomes of it when nobody waits for it any more."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest

from farm.benchmark.runner import workers
from farm.benchmark.runner.workers import Workers

WAIT_S = 30.0


def test_every_piece_is_done_once_and_no_more_threads_are_started_than_asked_for() -> None:
    names: list[str] = []

    def work(number: int) -> int:
        names.append(threading.current_thread().name)
        return number

    made = Workers([partial(work, number) for number in range(20)], 3)

    assert sorted(made.results()) == list(range(20))
    assert len(names) == 20
    assert set(names) <= {"trial-0", "trial-1", "trial-2"}
    assert made.cancelled.is_set()


@pytest.mark.parametrize(("count", "pieces"), [(4, 1), (4, 4), (1, 4)])
def test_as_many_pieces_are_worked_on_at_once_as_there_are_threads(count: int, pieces: int) -> None:
    at_once = min(count, pieces)
    together = threading.Barrier(at_once, timeout=WAIT_S)

    made = Workers([together.wait] * pieces, count)

    assert sorted(made.results()) == sorted([*range(at_once)] * (pieces // at_once))


def test_no_work_is_done_at_once() -> None:
    assert list(Workers([], 4).results()) == []


def test_results_come_as_they_are_done_and_not_as_they_were_asked_for() -> None:
    second_is_done = threading.Event()

    def first() -> str:
        assert second_is_done.wait(WAIT_S)
        return "first"

    results = Workers([first, lambda: "second"], 2).results()

    assert next(results) == "second"
    second_is_done.set()
    assert list(results) == ["first"]


def test_what_the_work_raises_is_raised_where_its_results_are_read() -> None:
    def work() -> None:
        raise KeyError("oops")

    made = Workers([work], 1)

    with pytest.raises(KeyError, match="oops"):
        list(made.results())
    assert made.cancelled.is_set()


def test_nothing_begins_after_the_results_are_no_longer_read_and_what_runs_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "_CLEARING_S_MAX", WAIT_S)
    begun: list[str] = []

    def endless() -> str:
        begun.append("endless")
        assert made.cancelled.wait(WAIT_S)
        time.sleep(0.01)  # it clears up
        begun.append("cleared up")
        return "endless"

    def later() -> str:
        begun.append("later")
        return "later"

    def first() -> str:
        return "first"

    made: Workers[str] = Workers([first, endless, later], 1)
    results = made.results()
    assert next(results) == "first"
    results.close()

    # It was waited for, if it had begun.
    assert begun in ([], ["endless", "cleared up"])
    assert made.cancelled.is_set()


def test_work_that_hangs_is_waited_for_no_longer_than_it_may_clear_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_CLEARING_S_MAX", 0.05)
    ends = threading.Event()
    made: Workers[bool | str] = Workers([lambda: "done", *[partial(ends.wait, WAIT_S)] * 3], 4)
    results = made.results()
    assert next(results) == "done"
    before = time.monotonic()

    results.close()

    assert time.monotonic() - before < WAIT_S / 2
    hanging = [thread for thread in threading.enumerate() if thread.name.startswith("trial-")]
    assert all(thread.daemon for thread in hanging)
    ends.set()
