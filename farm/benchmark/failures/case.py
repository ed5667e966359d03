"""A missed trial beside what its task expected: the calls, what the agent had seen before each, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from farm import content
from farm._util.json_io import dumps
from farm.appkit.envelope import texts_of
from farm.benchmark.scoring.call_metrics import FREE_TEXTS, ToolUse, reading_tools
from farm.benchmark.scoring.evidence import CheckpointVerdict, Evidence
from farm.benchmark.scoring.grade import judge_checkpoints
from farm.benchmark.scoring.initial_state import Start
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.tasks import Operate, Task
from farm.context.trace import Call


@dataclass(frozen=True)
class Case:
    """A trial that missed something.

    Attributes:
        trial: its line in the run's log.
        steps: the oracle's calls, with every id filled in.
        told: what the agent was told: the system prompt and the instruction.
        start: the rows at the start.
    """

    task: Task
    trial: Mapping[str, Any]
    steps: Sequence[Sequence[ToolUse]]
    told: str
    start: Start

    @cached_property
    def calls(self) -> list[Call]:
        """The agent's own calls."""
        return [call for call in self.trial["calls"] if "by" not in call]

    @cached_property
    def evidence(self) -> Evidence:
        """What the trial was graded by."""
        asked = any("expected an answer sheet" in point["why"] for point in self.trial["checkpoints"])
        now = datetime.fromisoformat(self.trial["now"])
        whole = Evidence(self.trial["diff"], self.trial["calls"], self.trial["answer"], now)
        return replace(whole, asked="sheet" if asked else "prose").of_agent()

    @cached_property
    def diff(self) -> Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]:
        """The rows that the agent changed: app → table → changes."""
        return self.evidence.diff

    @cached_property
    def verdicts(self) -> Mapping[str, CheckpointVerdict]:
        """Id of each checkpoint → its verdict, with the rows that it accounts for."""
        return judge_checkpoints(self.task, self.evidence, self.start)

    @cached_property
    def values(self) -> ValueResolver:
        """The values of the task's references."""
        known = ValueResolver.from_task(self.task, self.start, self.evidence.now)
        return known.knowing({name: verdict.matched for name, verdict in self.verdicts.items()})

    @cached_property
    def missed(self) -> list[Mapping[str, Any]]:
        """The checkpoints without full marks."""
        return [point for point in self.trial["checkpoints"] if point["score"] < 1]

    @cached_property
    def missed_changes(self) -> list[Operate]:
        """The changes that were asked for and not made, or not rightly."""
        ids = {point["id"] for point in self.missed}
        return [point for point in self.task.checkpoints if isinstance(point, Operate) and point.id in ids]

    @cached_property
    def reading(self) -> frozenset[str]:
        """``app.tool`` of every tool of the task's apps that only reads."""
        return reading_tools(self.task.apps)

    @cached_property
    def expected_writes(self) -> list[ToolUse]:
        """The oracle's calls that change rows."""
        return [(tool, given) for step in self.steps for tool, given in step if tool not in self.reading]

    def why(self, point: str) -> str:
        """Return the sentence of a checkpoint's verdict."""
        return next(str(each["why"]) for each in self.trial["checkpoints"] if each["id"] == point)

    def seen_before(self, call: Call) -> str:
        """Return all that the agent could have read before a call: what it was told, and earlier answers."""
        return "\n".join([self.told, *(answer_of(each) for each in self.calls if each["n"] < call["n"])])


def name_of(call: Call) -> str:
    """Return a call's tool as ``app.tool``."""
    return f"{call['app']}.{call['tool']}"


def answer_of(call: Call) -> str:
    """Return what a call answered, as the agent could read it."""
    result = call.get("result") or {}
    if "error" in result:
        return dumps(result["error"]).decode()
    return "\n".join(texts_of(result))


def tables_of(tool: str) -> frozenset[str]:
    """Return the tables that a tool, ``app.tool``, may change; none if there is no such tool."""
    app, _, name = tool.partition(".")
    if not content.has_app(app):
        return frozenset()
    profiles = content.load_app(app).profiles.values()
    return frozenset(
        table
        for loaded in profiles
        for each in loaded.app.tools
        if each.name == name
        for table in loaded.tables_of(each)
    )


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value, at any depth; numbers are texts of their digits."""
    match value:
        case bool() | None:
            return
        case str() | int() | float():
            yield str(value)
        case Mapping():
            for each in value.values():
                yield from texts_in(each)
        case list() | tuple():
            for each in value:
                yield from texts_in(each)


def leaves_of(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield path and value of each plain value in arguments; items of a list share its path."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from leaves_of(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for each in value:
            yield from leaves_of(each, path)
    elif value is not None:
        yield path, value


def targets_in(arguments: Any) -> dict[str, str]:
    """Return the arguments that say to what or whom a call is made, by path."""
    found: dict[str, list[str]] = {}
    for path, value in leaves_of(arguments):
        if path.rpartition(".")[2] not in FREE_TEXTS and "://" not in str(value):
            found.setdefault(path, []).append(str(value))
    return {path: " ".join(sorted(values)) for path, values in found.items()}


def pairs_in(arguments: Any) -> set[tuple[str, str]]:
    """Return path and text of each plain value in arguments."""
    return {(path, str(value)) for path, value in leaves_of(arguments)}
