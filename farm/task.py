"""One task of a suite, as its TOML file describes it.

A task asks an agent for something in a world and says how to tell from the state and the answer whether it was done.
The classes here say what each key means; ``load_task`` refuses a file with one line for each thing wrong in it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from farm import content
from farm.errors import FarmError, NotFound

SUITE_FILE = "suite.toml"
STEPS_MAX = 30

SearchKind = Literal["generic_search", "personal_search"]
Change = Literal["create", "update", "delete"]


class TaskError(FarmError):
    """A task file is wrong. ``problems`` holds one line for each thing to mend."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@dataclass(frozen=True)
class Call:
    """One tool call of the oracle.

    Attributes:
        arguments: as sent; texts may hold ``{name.path}``, a piece of an earlier result, and date placeholders.
        name: what later calls refer to its result by (``as`` in the file).
    """

    app: str
    tool: str
    arguments: Mapping[str, Any]
    name: str | None = None


Steps = tuple[tuple[Call, ...], ...]


@dataclass(frozen=True)
class Search:
    """Something to be found out and said in the final answer.

    Attributes:
        answer: operators of ``farm.score.operators`` that the answer must satisfy.
        looked_up: calls (``app``, ``tool``, ``contains``) one of which must be in the trace; empty: not asked for.
    """

    id: str
    kind: SearchKind
    answer: Mapping[str, Any]
    looked_up: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Operate:
    """Rows that must have been created, updated or deleted.

    Attributes:
        where: what makes a row the right one: on its new values when created, else on its old ones.
        after: what the row must hold afterwards; a right row with something wrong here earns half.
        count: how many rows must fit.
        may_change: columns of these rows that may change besides those named.
    """

    id: str
    change: Change
    app: str
    table: str
    where: Mapping[str, Any]
    after: Mapping[str, Any] = field(default_factory=dict)
    count: int = 1
    may_change: tuple[str, ...] = ()
    kind: Literal["operate"] = "operate"


@dataclass(frozen=True)
class Other:
    """A named predicate over the trace, or a function of ``<task>.py`` beside the task."""

    id: str
    predicate: str
    options: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["other"] = "other"


Checkpoint = Search | Operate | Other


@dataclass(frozen=True)
class Allow:
    """Rows that may change without being damage: fitting ``where``, in any of ``changes``, in ``columns`` if given."""

    app: str
    table: str
    changes: tuple[Change, ...] = ("create", "update", "delete")
    where: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Variant:
    """Another way to go about a task that the audit tries: a right one, or a near miss.

    Attributes:
        why: what it stands for, one phrase.
        answer: the final answer instead of the oracle's.
        change: name of an oracle call → arguments laid over its own.
        drop: names of oracle calls that are not made.
        steps: calls instead of the oracle's.
    """

    why: str
    answer: str | None = None
    change: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    steps: Steps | None = None


@dataclass(frozen=True)
class Task:
    """One thing an agent is asked to do.

    Attributes:
        id: the file's name; never reused.
        world: where it plays; ``me`` and ``now`` are the world's own when None.
        apps: the apps needed.
        category: for reports, such as ``cross/lark-centric``.
        steps_max: how many calls an agent may make.
        instruction: what the person says.
        necessary: facts told beside it.
        unnecessary: true facts that don't matter, shown on request.
        lookups: name → a value found in the start, used as ``{{name}}`` in checkpoints.
        oracle: steps that do it; the calls of one step count as parallel.
        oracle_answer: the final answer that goes with them.
        variants: other right ways. near_misses: wrong ones.
        exact_texts: the wording of what is written matters, so the audit does not reword it.
        raw: the file as read, for its fingerprint.
    """

    id: str
    suite: str
    title: str
    world: str
    apps: tuple[str, ...]
    category: str
    instruction: str
    checkpoints: tuple[Checkpoint, ...]
    oracle: Steps
    oracle_answer: str = ""
    steps_max: int = STEPS_MAX
    me: str | None = None
    now: str | None = None
    necessary: tuple[str, ...] = ()
    unnecessary: tuple[str, ...] = ()
    lookups: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    allow: tuple[Allow, ...] = ()
    variants: tuple[Variant, ...] = ()
    near_misses: tuple[Variant, ...] = ()
    exact_texts: bool = False
    raw: bytes = field(default=b"", repr=False, compare=False)


@dataclass(frozen=True)
class Suite:
    """A folder of tasks, in the order of their ids."""

    name: str
    title: str
    tasks: tuple[Task, ...]

    def task(self, task_id: str) -> Task:
        """Return one task.

        Raises:
            NotFound: there is none of this id; the message lists some.
        """
        for each in self.tasks:
            if each.id == task_id:
                return each
        known = ", ".join(task.id for task in self.tasks[:12])
        raise NotFound(f"no task '{task_id}' in suite '{self.name}'; have {known}{', …' * (len(self.tasks) > 12)}")


def load_task(path: Path, suite: str, *, allow: tuple[Allow, ...] = ()) -> Task:
    """Read one task file.

    Raises:
        TaskError: with one line for each problem.
    """
    from farm._task_file import read_task

    return read_task(path, suite, allow)


def load_suite(name: str) -> Suite:
    """Read every task of a suite; lines of ``suite.toml`` (``title`` and ``allow``) hold for all of them.

    Raises:
        NotFound: there is no such suite.
        TaskError: with the problems of every file.
    """
    from farm._task_file import read_suite_file

    folder = content.suite_dir(name)
    title, allow = read_suite_file(folder / SUITE_FILE)
    tasks, problems = [], []
    for path in sorted(folder.glob("*.toml")):
        if path.name == SUITE_FILE:
            continue
        try:
            tasks.append(load_task(path, name, allow=allow))
        except TaskError as wrong:
            problems += wrong.problems
    if problems:
        raise TaskError(problems)
    return Suite(name, title or name, tuple(tasks))


def read_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file.

    Raises:
        TaskError: it is missing or not TOML.
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise TaskError([f"{path.name}: no such file in {path.parent}"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise TaskError([f"{path.name}: not TOML: {problem}"]) from None
