"""The classes of a task file's tables, with the meaning of each key.

A task gives an agent an instruction in a world and defines how state and answer show whether it was carried out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from farm._util.names import list_names
from farm.benchmark.tasks.toml_schema import key, table
from farm.errors import FarmError, NotFoundError

SearchKind = Literal["generic_search", "personal_search"]
CheckpointKind = Literal["generic_search", "personal_search", "operate", "other"]
Change = Literal["create", "update", "delete"]
RevertedRule = Literal["noticed", "damage", "ignore"]
CHANGES: tuple[Change, ...] = get_args(Change)


class TaskError(FarmError):
    """A task file is invalid. ``problems`` has one line for each problem."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@table
class OracleCall:
    """One tool call of the oracle."""

    app: str = key("one of the task's apps")
    tool: str = key("a tool of it")
    arguments: Mapping[str, Any] = key(
        "as sent; texts may hold ``{name.path}``, a piece of an earlier result, and date placeholders", default={}
    )
    name: str | None = key("what later calls refer to its result by", default=None, name="as")


Steps = tuple[tuple[OracleCall, ...], ...]


@table
class Search:
    """Information that the final answer must contain."""

    id: str = key("its name within the task")
    kind: SearchKind = key("generic_search: the same answer for every user; personal_search: it depends on the user")
    answer: Mapping[str, Any] = key("operators that the answer must satisfy")
    looked_up: tuple[Mapping[str, Any], ...] = key(
        "calls of which at least one must have been made; none is required if empty or absent", default=()
    )


@table
class Operate:
    """Rows that must have been created, updated or deleted."""

    id: str = key("its name within the task")
    change: Change = key("what must have happened to the rows")
    app: str = key("one of the task's apps")
    table: str = key("a table of it")
    where: Mapping[str, Any] = key("the values that select the rows: new values for ``create``, else old ones")
    after: Mapping[str, Any] = key(
        "what the row must hold afterwards; a right row with something wrong here earns half", default={}
    )
    count: int = key("how many rows must fit", default=1)
    may_change: tuple[str, ...] = key("columns that may change besides those named", default=())
    kind: Literal["operate"] = key("``operate``", default="operate")


@table
class Other:
    """A named predicate over the trace, or a function of ``<task>.py`` beside the task.

    Attributes:
        options: every other key of the table.
    """

    id: str = key("its name within the task")
    predicate: str = key("a built-in one, or the function's name")
    options: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["other"] = key("``other``", default="other")


Checkpoint = Search | Operate | Other


@table
class Allow:
    """Rows that may change without being damage."""

    app: str = key("an app")
    table: str = key("a table of it")
    changes: tuple[Change, ...] = key("what may happen to the rows", default=CHANGES)
    where: Mapping[str, Any] = key("which rows; any when left out", default={})
    columns: tuple[str, ...] = key("which columns of an updated row; any when left out", default=())


@table
class Variant:
    """Another script for a task that the audit tries: a right one, or a near miss."""

    why: str = key("what it stands for, one phrase")
    answer: str | None = key("the final answer instead of the oracle's", default=None)
    change: Mapping[str, Mapping[str, Any]] = key("name of an oracle call → arguments laid over its own", default={})
    drop: tuple[str, ...] = key("names of oracle calls that are not made", default=())
    steps: Steps | None = key("calls instead of the oracle's", default=None)


@table
class KnownSurvivor:
    """Scripts of the audit that are misjudged for a known reason."""

    kind: str = key("which attack makes them, such as ``hedge``")
    why: str = key("why this verdict is acceptable, in a sentence")
    script: str = key("a part of the audit script's description; if absent, all scripts of this kind", default="")


@table
class Task:
    """One task for an agent.

    Attributes:
        suite: the suite's name.
        raw: the parsed file, for its fingerprint.
    """

    id: str = key("the file's name; never reused")
    suite: str
    title: str = key("one line for people")
    world: str = key("where it plays")
    apps: tuple[str, ...] = key("the apps needed")
    category: str = key("for reports, such as ``cross/calendar``")
    instruction: str = key("what a person would say")
    checkpoints: tuple[Checkpoint, ...] = key("what is judged")
    oracle: Steps = key("steps that do the task; the calls of one step are independent of each other")
    oracle_answer: str = key("the final answer that goes with them", default="")
    calls_max: int = key("how many calls an agent may make over all apps; more are refused", default=30)
    me: str | None = key("the person the agent works for, when not the world's own", default=None)
    now: str | None = key("when it begins, when not at the world's start", default=None)
    necessary: tuple[str, ...] = key("facts that are always added to the instruction", default=())
    unnecessary: tuple[str, ...] = key("true facts that don't matter, shown on request", default=())
    lookups: Mapping[str, Mapping[str, Any]] = key(
        "name → a value looked up in the start, used as ``{{name}}`` in checkpoints", default={}
    )
    allow: tuple[Allow, ...] = key("what may change without being damage", default=())
    reverted: RevertedRule = key(
        "when a reverted change is damage: where others noticed it (the default), everywhere, nowhere",
        default="noticed",
    )
    variants: tuple[Variant, ...] = key("other right ways", default=())
    near_misses: tuple[Variant, ...] = key("wrong ways that look right", default=())
    known_survivors: tuple[KnownSurvivor, ...] = key("survivors of the audit that are accepted, and why", default=())
    exact_texts: bool = key("the wording of what is written matters, so the audit does not reword it", default=False)
    raw: bytes = field(default=b"", repr=False, compare=False)

    @property
    def module_name(self) -> str:
        """The module beside the task: ``launch-moved.toml`` has ``launch_moved.py``."""
        return self.id.replace("-", "_")


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
