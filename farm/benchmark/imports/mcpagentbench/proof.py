"""Plays the gold of imported tasks, to find the calls that their own mocks refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from farm.appkit.envelope import body_of
from farm.benchmark.imports.mcpagentbench.write import NAME
from farm.benchmark.runner.play import Play, play_oracle
from farm.benchmark.tasks import Task, load_suite

_WHY_MAX = 160


@dataclass(frozen=True)
class Played:
    """The verdicts on an imported suite's oracle.

    Attributes:
        tfs: the share of calls that belong to finished tasks, as the original scores it.
        tefs: the same for efficiently finished tasks.
        refused: id of a task → tool and words of the first call of its gold that its mock refuses.
    """

    tfs: float
    tefs: float
    refused: dict[str, str]


def play_gold(on_task: Callable[[Task], None] = lambda _: None) -> Played:
    """Play the oracle of every task of the imported suite, which is found by ``FARM_CONTENT``."""
    weight = finished = efficient = 0
    refused: dict[str, str] = {}
    for task in load_suite(NAME).tasks:
        on_task(task)
        with Play(task) as play:
            result = play_oracle(play)
            calls = play.session.calls()
            line = play.finish_result(result)
        weight += line["weight"]
        finished += line["weight"] * bool(line["tfs_exact"])
        efficient += line["weight"] * bool(line["tefs"])
        for call in calls:
            if call["refused"]:
                refused.setdefault(task.id, f"{call['tool']}: {_words(body_of(call['result']))}")
    return Played(finished / weight if weight else 0.0, efficient / weight if weight else 0.0, refused)


def _words(body: object) -> str:
    text = " ".join(str(body).partition(": ")[2].split())
    return text if len(text) <= _WHY_MAX else f"{text[: _WHY_MAX - 1]}…"
