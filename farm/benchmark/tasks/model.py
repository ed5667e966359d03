"""The classes of a task file's tables, with the meaning of each key.

A task gives an agent an instruction in a world and defines how state and answer show whether it was carried out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from farm._util.json_strings import strings_in
from farm._util.names import list_names
from farm.benchmark.tasks.checkpoints import CHANGES, Change, Checkpoint, Search, module_name
from farm.benchmark.tasks.dependency_order import in_order
from farm.benchmark.tasks.toml_schema import WholeFromZero, key, table
from farm.errors import NotFoundError

RevertedRule = Literal["noticed", "damage", "ignore"]
Turns = Literal["once", "until quiet"]


@table
class OracleCall:
    """One tool call of the oracle."""

    app: str = key("one of the task's apps")
    tool: str = key("a tool of this app")
    arguments: Mapping[str, Any] = key(
        "the call's arguments; their texts can contain ``{name.path}`` (a part of an earlier result) and "
        "dates such as ``{{date:+17 iso}}``",
        default={},
    )
    name: str | None = key("the name by which later calls refer to the result", default=None, name="as")
    woken: bool = key(
        "in the first call of a step: whether the clock moves to the next notice before the step", default=False
    )
    again: bool = key(
        "whether the oracle makes the call again at once if it fails as planned; false where the oracle waits before, "
        "and makes the call again in a later step",
        default=True,
    )


Steps = tuple[tuple[OracleCall, ...], ...]


@table
class Allow:
    """Rows that may change without being damage."""

    app: str = key("an app")
    table: str = key("a table of this app")
    changes: tuple[Change, ...] = key("the allowed changes; all three if absent", default=CHANGES)
    where: Mapping[str, Any] = key("the values that select the rows; if absent, all rows", default={})
    columns: tuple[str, ...] = key(
        "the columns of an updated row that are allowed to change; if absent, all columns", default=()
    )


@table
class Fault:
    """Calls that fail as planned."""

    app: str = key("one of the task's apps")
    kind: str = key("``rate_limited``, ``lost``, ``slow``, …")
    id: str | None = key("the name in traces; if absent, the kind and a number", default=None)
    tools: str | tuple[str, ...] = key("tools or globs, ``reads`` or ``writes``; if absent, all", default=("*",))
    where: Mapping[str, Any] = key("path of an argument → a value, or a table of operators", default={})
    attempts: tuple[Any, ...] = key("which attempts of one call fail; ``[1]`` if nothing is said", default=())
    calls: tuple[Any, ...] = key("which of the matching calls fail, by order of arrival", default=())
    share: float = key("the part of the matching calls that fails, drawn by the seed", default=1.0)
    from_: str | None = key("the simulated time from which calls fail, such as ``+0 09:30``", default=None, name="from")
    until: str | None = key("the simulated time until which they fail", default=None)
    retry_after: str = key("the delay that the vendor promises; ``30s`` if absent", default="30s")
    heals_after: WholeFromZero = key("the number of failed calls after which the fault is over", default=0)
    delay: str | None = key("how late a ``slow`` answer comes; ``5s`` if absent", default=None)
    items_max: int | None = key("the largest page of a ``partial`` answer; 1 if absent", default=None)


@table
class PersonRule:
    """What somebody does when a call changes rows."""

    who: str = key("the key of the person")
    when: Mapping[str, Any] = key("``app``, ``table``, ``change`` (``create`` if absent) and ``where`` of the rows")
    then: tuple[Any, ...] = key("what they do, in order: ``do``, ``after``, ``app`` and what the verb takes")
    id: str | None = key("the name in traces; if absent, the person and a number", default=None)
    times: WholeFromZero = key("how often in all, or for each value of ``per``; 0 for each time", default=1)
    per: str = key("a column for whose values ``times`` and ``nth`` count apart", default="")
    nth: WholeFromZero = key("only the nth such row; 0 for all", default=0)
    after_rule: str = key("the id of an earlier rule, after whose end this one is in force", default="")
    unless: str = key("the id of an earlier rule, whose end ends this one", default="")
    by: str = key("``agent``, or ``anyone``: also what other people do counts", default="agent")


@table
class StartRow:
    """A row that stands in the start besides the world's."""

    app: str = key("one of the task's apps")
    table: str = key("a table of this app")
    values: Mapping[str, Any] = key(
        "column → its value, as the table stores it; the columns left out have their defaults. Days and times can be "
        "references such as ``{{ms:-1 17:20}}``, ids and times ``{{name}}`` of ``[lookups]``, and accounts "
        "``{ person = … }``"
    )


@table
class Variant:
    """Another script for a task that the audit tries: a right one, or a near miss."""

    why: str = key("the difference from the oracle, in one phrase")
    answer: str | None = key("the final answer, if it differs from the oracle's", default=None)
    change: Mapping[str, Mapping[str, Any]] = key(
        "``as`` name of an oracle call → the arguments that differ", default={}
    )
    drop: tuple[str, ...] = key("``as`` names of the oracle calls that are omitted", default=())
    steps: Steps | None = key("steps that replace those of the oracle", default=None)


@table
class KnownSurvivor:
    """Scripts of the audit that are misjudged for a known reason."""

    kind: str = key("the kind of script, such as ``hedge``")
    why: str = key("why the wrong verdict is acceptable, in a sentence")
    script: str = key(
        "a part of the script's description; if absent, the entry covers all scripts of this kind", default=""
    )


@table
class Task:
    """One task for an agent.

    Attributes:
        suite: the suite's name.
        raw: the file with its facts rendered, for its fingerprint.
    """

    id: str = key("the file's name without ``.toml``; never reused for another task")
    suite: str
    title: str = key("one line for people who read the list of tasks")
    world: str = key("the world that the task is set in")
    apps: tuple[str, ...] = key("the apps that the task needs")
    category: str = key("a group for reports, such as ``cross/calendar``")
    instruction: str = key("what the agent is asked to do, in the words of a person")
    checkpoints: tuple[Checkpoint, ...] = key("the conditions that are scored")
    oracle: Steps = key(
        "steps that do the task, each with ``calls``; the calls of one step do not depend on each other"
    )
    oracle_answer: str = key("the oracle's final answer", default="")
    calls_max: int = key(
        "how many calls an agent can make in a trial, over all apps (default 30); the farm refuses further ones",
        default=30,
    )
    me: str | None = key("the key of the person the agent works for; if absent, the world's protagonist", default=None)
    now: str | None = key("the time at which a trial begins; if absent, the first moment of the world", default=None)
    necessary: tuple[str, ...] = key("facts that are always added to the instruction", default=())
    unnecessary: tuple[str, ...] = key(
        "true facts that don't matter; added to the instruction only with ``--context +unnecessary``", default=()
    )
    named: tuple[str, ...] = key(
        "the apps, names and places that the instruction leaves for the agent to find; added to it only with "
        "``--context +named``",
        default=(),
    )
    lookups: Mapping[str, Mapping[str, Any]] = key(
        "name → a value from the start, used as ``{{name}}`` in checkpoints", default={}
    )
    rows: tuple[StartRow, ...] = key("rows that stand in the start besides the world's", default=())
    allow: tuple[Allow, ...] = key("changes that are not damage", default=())
    faults: tuple[Mapping[str, Any], ...] = key("calls that fail as planned ([living.md](living.md))", default=())
    arrivals: bool = key("whether the rows of the world's week arrive as the clock is moved", default=False)
    turns: Turns = key(
        "``until quiet``: after each turn of the agent the clock moves to the next notice, with which the agent goes "
        "on, up to ten times; ``once`` if absent",
        default="once",
    )
    pace: str | None = key("how much simulated time a call takes, such as ``30s``; none if absent", default=None)
    user: Mapping[str, Any] | None = key(
        "how the person whom the agent works for answers questions ([living.md](living.md))", default=None
    )
    people: tuple[Mapping[str, Any], ...] = key(
        "rules by which people answer what the agent does ([living.md](living.md#people))", default=()
    )
    world_people: bool = key("whether the world's own people answer, by its rules", default=False)
    reverted: RevertedRule = key(
        "which reverted changes are damage: ``noticed`` (default): those that other people notice; ``damage``: all; "
        "``ignore``: none",
        default="noticed",
    )
    variants: tuple[Variant, ...] = key("other right ways to do the task, for the audit", default=())
    near_misses: tuple[Variant, ...] = key("wrong ways that look right, for the audit", default=())
    known_survivors: tuple[KnownSurvivor, ...] = key(
        "scripts that the audit judges wrongly, and why you accept this", default=()
    )
    compared_by_name: tuple[str, ...] | None = key(
        "tools of which TFS, TEFS and ``oracle_calls`` compare no arguments, while they compare every argument of all "
        "others; if absent, reading tools, and texts that an agent words itself are left out of the others",
        default=None,
    )
    exact_texts: bool = key(
        "whether the exact wording of the texts matters; if so, the audit does not reword them", default=False
    )
    raw: bytes = field(default=b"", repr=False, compare=False)

    @property
    def sheet(self) -> Mapping[str, Mapping[str, Any]]:
        """The fields of the answer sheet, of all checkpoints; empty if the task has none."""
        return {name: raw for each in self.checkpoints if isinstance(each, Search) for name, raw in each.sheet.items()}

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """All that the oracle and the variants say and write: right texts, in the words of the task's author."""
        answers = [self.oracle_answer, *(each.answer or "" for each in self.variants)]
        scripts = [self.oracle, *(each.steps or () for each in self.variants)]
        calls = [call.arguments for steps in scripts for step in steps for call in step]
        changed = [arguments for each in self.variants for arguments in each.change.values()]
        return tuple(filter(None, (*answers, *(text for each in (*calls, *changed) for text in strings_in(each)))))

    @cached_property
    def checkpoints_in_order(self) -> tuple[Checkpoint, ...]:
        """The checkpoints in the order in which they are judged: one that refers to another's rows comes after it.

        Raises:
            FarmError: references form a cycle.
        """
        return tuple(in_order(self.checkpoints))

    @property
    def module_name(self) -> str:
        """The module beside the task: ``launch-moved.toml`` has ``launch_moved.py``."""
        return module_name(self.id)


@dataclass(frozen=True)
class Suite:
    """A folder of tasks, in the order of their ids."""

    name: str
    title: str
    tasks: tuple[Task, ...]

    def task(self, task_id: str) -> Task:
        """Return one task, named by its id or as ``suite/id``.

        Raises:
            NotFoundError: the task does not exist; the message lists some.
        """
        for each in self.tasks:
            if each.id == task_id.removeprefix(f"{self.name}/"):
                return each
        known = list_names((task.id for task in self.tasks), task_id)
        raise NotFoundError(f"no task '{task_id}' in suite '{self.name}'; have {known}")
