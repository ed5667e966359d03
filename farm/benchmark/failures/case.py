"""A missed trial beside what its task expected: the calls, what the agent had seen before each, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from farm._util.json_io import dumps
from farm.appkit.envelope import texts_of
from farm.benchmark.scoring.call_metrics import ToolUse, reading_tools
from farm.benchmark.scoring.evidence import Evidence
from farm.benchmark.scoring.initial_state import Start
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
    def diff(self) -> Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]:
        """The rows that the agent changed: app → table → changes."""
        return Evidence(self.trial["diff"], self.trial["calls"]).of_agent().diff

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

    def called(self, app: str, *, writing: bool | None = None, refused: bool | None = None) -> list[Call]:
        """Return the agent's calls of an app, of those that may write or only read, refused or not."""
        reading = self.reading if app in self.task.apps else reading_tools([app])
        return [
            call
            for call in self.calls
            if call["app"] == app
            and (writing is None or (name_of(call) not in reading) == writing)
            and (refused is None or call["refused"] == refused)
        ]

    def seen_before(self, call: Call) -> str:
        """Return all that the agent could have read before a call: what it was told, and earlier answers."""
        return "\n".join([self.told, *(answer_of(each) for each in self.calls if each["n"] < call["n"])])

    @cached_property
    def seen(self) -> str:
        """All that the agent could have read in the trial."""
        return "\n".join([self.told, *map(answer_of, self.calls)])

    @cached_property
    def written(self) -> str:
        """The texts that the agent wrote: its answer, and the texts of the rows that it changed."""
        rows = (change["new"] or {} for tables in self.diff.values() for each in tables.values() for change in each)
        texts = (value for row in rows for value in row.values() if isinstance(value, str))
        return "\n".join([self.trial["answer"], *texts])


def name_of(call: Call) -> str:
    """Return a call's tool as ``app.tool``."""
    return f"{call['app']}.{call['tool']}"


def answer_of(call: Call) -> str:
    """Return what a call answered, as the agent could read it."""
    result = call.get("result") or {}
    if "error" in result:
        return dumps(result["error"]).decode()
    return "\n".join(texts_of(result))


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
