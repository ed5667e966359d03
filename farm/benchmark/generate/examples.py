"""Example calls of tools, from the oracles of suites: what one accepted call of a tool looks like."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from farm.benchmark.agents.placeholders import MissingPlaceholderError
from farm.benchmark.agents.scripted import run_script
from farm.benchmark.generate.answers import leaves_of
from farm.benchmark.runner.in_process_farm import LocalFarm
from farm.benchmark.tasks import REFERENCE, Task, load_suite

_SLICE = re.compile(r"\[-?\d*:-?\d*\]")


@dataclass(frozen=True)
class Example:
    """A call that an oracle makes.

    Attributes:
        written: its arguments as the task's file has them, with dates relative to the world's first day.
        sent: the arguments as they were sent.
        before: the calls of the same app that the oracle had made before it: tool and arguments.
    """

    tool: str
    written: Mapping[str, Any]
    sent: Mapping[str, Any]
    before: tuple[tuple[str, Mapping[str, Any]], ...] = ()


@dataclass(frozen=True)
class OracleEdge:
    """A reference of an oracle's argument to an earlier result of the same app."""

    source: str
    path: str
    tool: str
    argument: str


def examples_of(farm: LocalFarm, app: str, world: str, suites: Iterable[str]) -> dict[str, list[Example]]:
    """Return tool → the calls of it that the oracles make as the world's protagonist, in the order of the tasks."""
    found: dict[str, list[Example]] = defaultdict(list)
    for task in _tasks(app, world, suites):
        session = farm.create(world, task.apps, me=task.me, now=task.now)
        try:
            sent = run_script(task.oracle, session, world)
        except MissingPlaceholderError:
            continue
        finally:
            session.close()
        before: list[tuple[str, Mapping[str, Any]]] = []
        for step, made in zip(task.oracle, sent, strict=True):
            for call, (_, tool, arguments) in zip(step, made, strict=True):
                if call.app == app:
                    found[tool].append(Example(tool, call.arguments, arguments, tuple(before)))
                    before.append((tool, arguments))
    return found


def oracle_edges(app: str, world: str, suites: Iterable[str]) -> set[OracleEdge]:
    """Return the references inside one app that the oracles of suites make."""
    found = set()
    for task in _tasks(app, world, suites):
        named = {call.name: call for step in task.oracle for call in step if call.name and call.app == app}
        for call in (call for step in task.oracle for call in step if call.app == app):
            for path, value in leaves_of(call.arguments):
                for source, field in _references(value):
                    if source in named:
                        found.add(OracleEdge(named[source].tool, field, call.tool, path))
    return found


def _references(value: Any) -> Iterator[tuple[str, str]]:
    """Yield (name of the call, field) of each reference in a text; positions in lists are left out: ``.items[].id``."""
    for match in REFERENCE.finditer(value) if isinstance(value, str) else ():
        yield match[1], field_of(match[2])


def field_of(path: str) -> str:
    """Return the field that a reference's path leads to: ``.channels[name=x].id`` is ``.channels[].id``."""
    parts = _SLICE.sub("", path).split("[")
    return parts[0] + "".join(f"[]{each.partition(']')[2]}" for each in parts[1:])


def _tasks(app: str, world: str, suites: Iterable[str]) -> Iterator[Task]:
    for suite in suites:
        yield from (
            each for each in load_suite(suite).tasks if each.world == world and app in each.apps and not each.me
        )
