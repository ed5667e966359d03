"""Rows about growth: what a call costs with more rows in the context and with more clients at the gate."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from farm.testing import LocalApp
from tests.bench.call_bench import start_slack
from tests.bench.context_rows import COMMON_WORD, NOTES_A_WORD, channel, rednote_of, slack_of, word
from tests.bench.environment import Stage, load
from tests.bench.largest_lists import LISTS, GrowingList
from tests.bench.measure import Measurement, Sizes, exponent, take_turns, timed
from tests.bench.measured_apps import PAGE_TOOL, THREAD_TOOL, WRITE_TOOL

_CALLS = 400
_SEARCHES = 40
_PAGES_NS = 20_000_000
# Flat or logarithmic: a call on a hundred times the rows may cost 1.6 times as much.
_FLAT = 0.1


def _counts(sizes: Sizes) -> list[int]:
    """Return how many rows there are; fewer than a thousand would hide growth behind what every call costs."""
    return [1_000, 16_000] if sizes.is_quick else [1_000, 10_000, 100_000]


def _rounds(sizes: Sizes) -> int:
    """Return how often each size is measured; the least counts, and even a quick run has to find it."""
    return max(sizes.rounds, 3)


def message_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """CPU of a keyed read, a page and a write in process, from a thousand messages to a hundred thousand."""
    counts = _counts(sizes)
    apps = {count: slack_of(stage.data(f"rows{count}"), count) for count in counts}
    things: dict[str, Callable[[], float]] = {}
    for kind in ("thread", "page", "write"):
        for count, app in apps.items():
            turn = itertools.count()
            things[f"{kind} {count}"] = lambda app=app, kind=kind, count=count, turn=turn: _cpu_us(  # type: ignore[misc]
                app, kind, count, turn
            )
    found = take_turns(_rounds(sizes), things)
    for app in apps.values():
        app.close()
    names = {"thread": "growth_messages_read", "page": "growth_messages_page", "write": "growth_messages_write"}
    return [
        _growth(name, {count: found[f"{kind} {count}"] for count in counts}, "CPU of a call")
        for kind, name in names.items()
    ]


def _growth(name: str, found: Mapping[int, Sequence[float]], against: str) -> Measurement:
    """Return a row about growth: count of rows → what a call cost in each round. Noise only adds: the least counts."""
    points = [(count, min(costs)) for count, costs in found.items()]
    notes = {"points": points}
    return Measurement(name, "exponent", exponent(points), against=against, target=_FLAT, bounds="value", notes=notes)


def _cpu_us(app: LocalApp, kind: str, count: int, turn: itertools.count[int]) -> float:
    """Return the CPU of one call, over a few hundred that never ask for the same twice in a row."""
    started_ns = time.process_time_ns()
    for _ in range(_CALLS):
        number = next(turn) * 7919 % count
        tool, arguments = _asked(kind, number)
        app.outcome(tool, arguments)
    return (time.process_time_ns() - started_ns) / _CALLS / 1000


def _asked(kind: str, number: int) -> tuple[str, dict[str, Any]]:
    if kind == "thread":
        ts = f"{1_700_000_000 + number}.000100"
        return THREAD_TOOL, {"channel_id": channel(number), "thread_ts": ts}
    if kind == "page":
        return PAGE_TOOL, {"channel_id": channel(number), "limit": 10}
    return WRITE_TOOL, {"channel_id": channel(number), "text": "One more."}


def list_rows(app: str, stage: Stage, sizes: Sizes) -> list[Measurement]:
    """CPU of a page of an app's largest list in process, from a thousand entries to a hundred thousand."""
    grown = next(each for each in LISTS if each.app == app)
    apps = {count: grown.start(stage.data(f"{app}{count}"), count) for count in _counts(sizes)}
    found = take_turns(
        _rounds(sizes),
        {str(count): (lambda each=each: _page_cpu_us(each, grown)) for count, each in apps.items()},  # type: ignore[misc]
    )
    for each in apps.values():
        each.close()
    return [_growth(f"growth_list_{app}", {count: found[str(count)] for count in apps}, f"CPU of a page: {grown.name}")]


def _page_cpu_us(app: LocalApp, grown: GrowingList) -> float:
    """Return the CPU of one page, over as many as fill some milliseconds."""
    pages = taken_ns = 0
    started_ns = time.process_time_ns()
    while taken_ns < _PAGES_NS:
        outcome = app.outcome(grown.tool, grown.arguments)
        pages += 1
        taken_ns = time.process_time_ns() - started_ns
    assert not outcome.refused
    return taken_ns / pages / 1000


def search_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """Wall time of searches for Chinese words that stand in twenty notes each, among more and more notes."""
    counts = _counts(sizes)
    apps = {count: rednote_of(stage.data(f"notes{count}"), count) for count in counts}
    things: dict[str, Callable[[], float]] = {}
    for count, app in apps.items():
        turn = itertools.count()
        things[str(count)] = lambda app=app, count=count, turn=turn: _search_us(app, count, turn)  # type: ignore[misc]
    things["common"] = lambda: timed(lambda: _search(apps[counts[-1]], COMMON_WORD))
    found = take_turns(_rounds(sizes), things)
    for app in apps.values():
        app.close()
    searched_us = statistics.median(found[str(counts[-1])])
    notes = {"notes": counts[-1], "common_word_us": statistics.median(found["common"])}
    return [
        Measurement("search", "us", searched_us, target=5_000.0, bounds="value", notes=notes),
        _growth("growth_search", {count: found[str(count)] for count in counts}, "wall time of a search"),
    ]


def _search_us(app: LocalApp, count: int, turn: itertools.count[int]) -> float:
    """Return the median of some searches, each for another word."""
    words = [word(next(turn) * 7919 % (count // NOTES_A_WORD)) for _ in range(_SEARCHES)]
    return statistics.median(timed(lambda asked=asked: _search(app, asked)) for asked in words)  # type: ignore[misc]


def _search(app: LocalApp, keyword: str) -> None:
    assert app.call("search_feeds", keyword=keyword)["count"]


def client_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """CPU of a call of the usual mixture, from one client to 256."""
    counts = [1, 8] if sizes.is_quick else [1, 4, 16, 64, 256]
    slack = start_slack(stage)
    rates: dict[int, list[float]] = {count: [] for count in counts}

    def once(count: int) -> float:
        done = load(slack.farm, slack.bodies["mixed"], path="/mcp/mixed", clients=count, seconds=sizes.seconds)
        rates[count].append(done.rate)
        return done.cpu_us

    things: dict[str, Callable[[], float]] = {str(count): (lambda count=count: once(count)) for count in counts}  # type: ignore[misc]
    found = take_turns(sizes.rounds, things)
    points = [(count, statistics.median(found[str(count)])) for count in counts]
    calls_per_s = {str(count): round(statistics.median(each)) for count, each in rates.items()}
    notes = {"points": points, "calls_per_s": calls_per_s}
    return [Measurement("growth_clients", "exponent", exponent(points), target=_FLAT, bounds="value", notes=notes)]
