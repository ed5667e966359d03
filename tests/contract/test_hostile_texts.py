"""No text or structure that an agent sends ends in an internal error, however often its brackets or marks nest.

Whatever reads an agent's words by recursion (searches, formulas, Markdown, YAML, JSON, patterns) is bounded, and says
what its vendor would.
"""

from __future__ import annotations

import copy
import logging
import signal
import sqlite3
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path
from types import NoneType
from typing import Any

import pytest

from farm import content
from farm.appkit import VendorError
from farm.appkit.dialects import InvalidArgumentsError
from farm.context.template import load_world
from farm.server.deadline import SignalAlarm
from farm.server.pipeline import call
from farm.testing import EPISODE, LocalApp
from tests.suites import parsed_suite

WORLD = "harbor"
# What opens something in a language that somebody may send.
OPENINGS = (
    *("(", "[", "{", "if(", "from:(", "-(", "NOT (", "(a OR ", "1+(", "(?:"),
    *("> ", "- ", "**", "_", "[a](", "<b>", "<!--"),
    *('{"a":', '{"and":[', "a: [", "'", '"', "-"),
)
# Of those, what nests in the YAML at the head of a note; the others are words there.
OPENINGS_OF_YAML = ("[", "{", "> ", "- ", '{"a":', '{"and":[', "a: [", "'", '"', "-")
CLOSINGS = {"(": ")", "[": "]", "{": "}"}
# Below the 200 brackets that some vendors' words allow, and above what Python's stack bears with two frames a level.
FEW, MANY = 199, 450
KEYS = ("a", "and", "children", "elements", "if")
DEEP = 180  # the farm's own parser refuses arguments that are deeper


def _closing(opening: str) -> str:
    return "".join(CLOSINGS.get(letter, "") for letter in reversed(opening)) or opening[::-1]


def hostile_texts() -> Iterator[str]:
    """Yield texts that nest or repeat."""
    for opening in OPENINGS:
        yield opening * FEW
    for opening in OPENINGS:
        yield f"{opening * MANY}1{_closing(opening) * MANY}"
    for opening in OPENINGS_OF_YAML:
        yield f"---\na: {opening * MANY}1{_closing(opening) * MANY}\n---\n"
    yield "\n".join("  " * depth + "- a:" for depth in range(200))


def hostile_values() -> Iterator[Any]:
    """Yield structures that nest as deep as a call may."""
    value: Any = "a"
    for _ in range(DEEP):
        value = [value]
    yield value
    for key in KEYS:
        value = "a"
        for _ in range(DEEP // 2):
            value = {key: [value]}
        yield value


TEXTS, VALUES = tuple(hostile_texts()), tuple(hostile_values())


def _hostile(value: Any, share: slice) -> tuple[Any, ...]:
    """Return what is put in the place of a value; in that of a number, which parses no text, one is enough."""
    if isinstance(value, dict | list):
        return VALUES[share]
    return TEXTS[share] if isinstance(value, str) else (TEXTS[0], VALUES[0])


def _calls_of_the_demo() -> dict[tuple[str, str], Any]:
    """Return, by app and tool, the arguments of an oracle's call that points to no earlier answer."""
    found: dict[tuple[str, str], Any] = {}
    for task in parsed_suite("demo").tasks:
        for each in (each for step in task.oracle for each in step):
            if not any(is_reference(text) for text in _texts(each.arguments)):
                found.setdefault((each.app, each.tool), each.arguments)
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def is_reference(text: str) -> bool:
    """Say whether a text may point to an earlier answer; of JSON in a text that is not so."""
    return "{" in text.replace('{"', "")


def _least(schema: Mapping[str, Any]) -> Any:
    """Return the least that a JSON schema allows."""
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return _least(schema[union][0])
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {name: _least(properties.get(name, {})) for name in schema.get("required", ())}
        case "array":
            return [_least(schema.get("items", {}))]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
    return "a"


def _full(schema: Mapping[str, Any], depth: int = 0) -> Any:
    """Return a value with everything that a JSON schema knows, down to a depth."""
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return _full(schema[union][0], depth)
    if schema.get("type") == "array":
        return [_full(schema.get("items", {}), depth + 1)]
    if "properties" in schema and depth < 4:
        return {name: _full(inner, depth + 1) for name, inner in schema["properties"].items()}
    return _least(schema)


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where something else can be put: every text, list and object within."""
    if at:
        yield at
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if isinstance(inner, str | list | dict):
                yield from _places(inner, (*at, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            if isinstance(inner, str | list | dict):
                yield from _places(inner, (*at, number))


def _with(arguments: Any, at: tuple[Any, ...], value: Any) -> Any:
    changed = place = copy.deepcopy(arguments)
    for key in at[:-1]:
        place = place[key]
    place[at[-1]] = value
    return changed


def _bases(schema: Mapping[str, Any], called: Any) -> Iterator[tuple[Any, list[tuple[Any, ...]]]]:
    """Yield arguments, and the places in them where hostile things are put."""
    least = _least({"type": "object", **schema})
    places_of_the_call = list(_places(called)) if called else []
    if called:
        yield called, places_of_the_call
    for name, inner in schema.get("properties", {}).items():
        arguments = {**least, name: _full(inner)}
        # The same place need not be tried twice.
        yield arguments, [at for at in _places(arguments[name], (name,)) if at not in places_of_the_call]


@pytest.fixture
def alarm() -> Iterator[SignalAlarm]:
    """What cuts a call after 250 ms, as in a farm."""
    before = signal.getsignal(signal.SIGALRM)
    alarm = SignalAlarm()
    alarm.install()
    yield alarm
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def called() -> dict[tuple[str, str], Any]:
    return _calls_of_the_demo()


# A call that is over its time is interrupted by a signal, also if Python is just running somebody's __del__.
@pytest.mark.filterwarnings("ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("app", content.app_names())
@pytest.mark.parametrize("one_in", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_nothing_that_nests_or_repeats_is_an_internal_error(
    app: str,
    one_in: int,
    tmp_path: Path,
    alarm: SignalAlarm,
    called: dict[tuple[str, str], Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL, "farm.server.pipeline")
    is_known = app in load_world(WORLD).apps
    local = LocalApp(app, tmp_path, world=WORLD if is_known else None)
    # An app that the world does not know has no account that its rows could belong to.
    allowed = (NoneType, VendorError, InvalidArgumentsError, *(() if is_known else (sqlite3.IntegrityError,)))
    broken_by = []

    def send(tool: str, arguments: Any, sent: Any) -> bool:
        """Make a call, and say whether it was cut."""
        outcome = call(local.store.open(EPISODE), tool, arguments, alarm=alarm)
        if not (outcome.timed_out or isinstance(outcome.error, allowed)):
            broken_by.append((tool, str(sent)[:60], outcome.error))
        return outcome.timed_out

    shares = cycle(slice(first, None, one_in) for first in range(one_in))  # one place after the other gets the next
    for tool in content.load_app(app).tool_schemas:
        name = tool["name"]
        for arguments, places in _bases(tool["inputSchema"], called.get((app, name))):
            for at in places:
                for sent in _hostile(_at(arguments, at), next(shares)):
                    if send(name, _with(arguments, at, sent), sent):
                        break  # what follows would be cut as well
        # What was written is read by others, too.
        for each in content.load_app(app).tool_schemas:
            send(
                each["name"], called.get((app, each["name"])) or _least({"type": "object", **each["inputSchema"]}), name
            )
        local.store.reset(EPISODE)
    local.close()

    assert broken_by == []


def _at(arguments: Any, at: tuple[Any, ...]) -> Any:
    for key in at:
        arguments = arguments[key]
    return arguments
