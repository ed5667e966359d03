"""The kinds of checkpoints: the keys of each, how it is read, and what the order, the audit and the lists need of it.

``farm.benchmark.scoring.kinds`` has how each kind is judged.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal, Self, get_args

from farm.benchmark.tasks.reader import Reader
from farm.benchmark.tasks.text_rules import How
from farm.benchmark.tasks.toml_schema import key, keys_of, table
from farm.benchmark.tasks.value_syntax import PREDICATES

SearchKind = Literal["generic_search", "personal_search"]
CheckpointKind = Literal["generic_search", "personal_search", "operate", "other"]
Change = Literal["create", "update", "delete"]
CHANGES: tuple[Change, ...] = get_args(Change)
# Calls beside those that a task needs.
FurtherCalls = Literal["reads", "refused"]


_OPERANDS = "for the audit: what a further value of the oracle's text follows from, as in a claim"
_HOW = "for the audit: how it follows"


class Checkpoint(ABC):
    """A checkpoint of any kind.

    Attributes:
        has_rows: whether it is satisfied by rows, to which other checkpoints can refer.
        is_on_answer: whether it judges the final answer.
    """

    id: str
    kind: str
    has_rows: ClassVar[bool] = False
    is_on_answer: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def read(cls, raw: Mapping[str, Any], where: str, reader: Reader) -> Self | None:
        """Build one from its table; if the table is invalid, report the problems and return None."""

    @property
    @abstractmethod
    def references(self) -> tuple[object, ...]:
        """The values that can refer to the rows of other checkpoints."""

    @property
    def conditions(self) -> Mapping[str, Any]:
        """What it requires, for people; not what proves it to the audit."""
        return {name: value for name, value in vars(self).items() if name not in ("operands", "how")}

    @property
    def fails_on(self) -> Collection[FurtherCalls]:
        """The further calls that make a right trial fail it."""
        return ()


# In ``free``: every column of the created row.
EVERY_COLUMN = "*"


@table
class Search(Checkpoint):
    """Information that the final answer must contain."""

    is_on_answer = True

    id: str = key("the name within the task")
    kind: SearchKind = key(
        "``generic_search`` if the answer is the same for every user, ``personal_search`` if it depends on the user"
    )
    answer: Mapping[str, Any] = key("the conditions on the final answer: operators, or keys such as ``claims``")
    looked_up: tuple[Mapping[str, Any], ...] = key(
        "descriptions of calls; at least one such call must have been made; if absent, no call is required", default=()
    )
    sheet: Mapping[str, Mapping[str, Any]] = key(
        "field → its type and value: the same facts as ``answer``, for runs that ask for an answer sheet", default={}
    )
    operands: tuple[Any, ...] = key(_OPERANDS, default=(), name="from")
    how: How | None = key(_HOW, default=None)

    @classmethod
    def read(cls, raw: Mapping[str, Any], where: str, reader: Reader) -> Self | None:
        if not reader.fits(cls, raw, where):
            return None
        reader.checker.operands(raw, where, None)
        if not raw["answer"]:
            reader.say(f"{where}.answer", "names nothing, so any answer would do")
        reader.checker.answer(raw["answer"], f"{where}.answer")
        reader.checker.sheet(raw.get("sheet", {}), f"{where}.sheet")
        for number, each in enumerate(raw.get("looked_up", ())):
            reader.call_pattern(each, f"{where}.looked_up[{number}]")
        return reader.made(cls, raw)

    @property
    def references(self) -> tuple[object, ...]:
        return self.answer, self.sheet, self.looked_up

    @property
    def conditions(self) -> Mapping[str, Any]:
        return self.answer


@table
class Operate(Checkpoint):
    """Rows that must have been created, updated or deleted."""

    has_rows = True

    id: str = key("the name within the task")
    change: Change = key("what the agent must have done with the rows")
    app: str = key("one of the task's apps")
    table: str = key("a table of this app")
    where: Mapping[str, Any] = key("the values that select the rows: the new values for ``create``, else the old ones")
    after: Mapping[str, Any] = key(
        "values that the rows must have afterwards; if ``where`` finds a row but a value here is wrong, the "
        "checkpoint earns half",
        default={},
    )
    count: int = key("how many rows must match (default 1)", default=1)
    may_change: tuple[str, ...] = key(
        "further columns that are allowed to change, besides those in ``after``", default=()
    )
    free: tuple[str, ...] = key(
        "columns of a created row that can hold anything, ``*`` for all of them; any other column that is not named "
        "holds what the app gives to a row about which nothing was said",
        default=(),
    )
    kind: Literal["operate"] = key("always ``operate``", default="operate", is_required=True)
    operands: tuple[Any, ...] = key(_OPERANDS, default=(), name="from")
    how: How | None = key(_HOW, default=None)

    @classmethod
    def read(cls, raw: Mapping[str, Any], where: str, reader: Reader) -> Self | None:
        if reader.is_loose:
            raw = {"where": {}, **raw}
        if not reader.fits(cls, raw, where):
            return None
        point = reader.made(cls, raw)
        reader.checker.operands(raw, where, point.app)
        if not point.where and not reader.is_loose:
            reader.say(f"{where}.where", "names no column, so any row would do")
        if point.change == "delete" and point.after:
            reader.say(f"{where}.after", "a deleted row holds nothing afterwards; leave it out")
        if point.change == "update" and not point.after and not reader.is_loose:
            reader.say(f"{where}.after", "missing; say what an updated row must hold")
        if reader.checker.row(point.app, point.table, point.where, f"{where}.where"):
            reader.checker.row(point.app, point.table, point.after, f"{where}.after")
            reader.checker.columns(point.app, point.table, point.may_change, f"{where}.may_change")
            named = [each for each in point.free if each != EVERY_COLUMN]
            reader.checker.columns(point.app, point.table, named, f"{where}.free")
        if point.free and point.change != "create":
            reader.say(f"{where}.free", "is for created rows; 'may_change' lists further columns of others")
        return point

    @property
    def references(self) -> tuple[object, ...]:
        return self.where, self.after


@table
class Other(Checkpoint):
    """A named predicate over the trace, or a function of ``<task>.py`` beside the task.

    Attributes:
        options: every other key of the table.
    """

    id: str = key("the name within the task")
    predicate: str = key("a built-in predicate, or the name of your own function")
    options: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["other"] = key("always ``other``", default="other", is_required=True)

    @classmethod
    def read(cls, raw: Mapping[str, Any], where: str, reader: Reader) -> Self | None:
        if not reader.fits(cls, raw, where, is_open=True):
            return None
        options = {name: value for name, value in raw.items() if name not in keys_of(cls)}
        point = reader.made(cls, raw, options=options)
        form = PREDICATES.get(point.predicate)
        if form is None:
            have = ", ".join(PREDICATES)
            if reader.is_loose:
                reader.say(f"{where}.predicate", f"no predicate '{point.predicate}'; have {have}")
            else:
                module = reader.path.with_name(f"{module_name(reader.path.stem)}.py")
                reader.checker.function(point.predicate, module, point.id)
        elif reader.fits(form, options, where):
            reader.checker.calls(options, where)
            for name in options.keys() & {"first", "then"}:
                reader.call_pattern(options[name], f"{where}.{name}")
        return point

    @property
    def references(self) -> tuple[object, ...]:
        return (self.options,)

    @property
    def fails_on(self) -> Collection[FurtherCalls]:
        return _FAIL_ON.get(self.predicate, ())


_FAIL_ON: Mapping[str, tuple[FurtherCalls, ...]] = {"calls_max": ("reads", "refused"), "no_refusals": ("refused",)}
KINDS: Mapping[CheckpointKind, type[Checkpoint]] = {
    "generic_search": Search,
    "personal_search": Search,
    "operate": Operate,
    "other": Other,
}
ROW_KINDS = tuple(kind for kind, form in KINDS.items() if form.has_rows)


@table
class _Kind:
    """The key that determines a checkpoint's other keys."""

    kind: CheckpointKind = key("what it is decided on")


def read_checkpoint(raw: Mapping[str, Any], where: str, reader: Reader) -> Checkpoint | None:
    """Build a checkpoint of any kind, as ``Checkpoint.read`` does."""
    if not reader.fits(_Kind, raw, where, is_open=True):
        return None
    return KINDS[raw["kind"]].read(raw, where, reader)


def module_name(task: str) -> str:
    """Return the name of the module beside a task: ``launch-moved.toml`` has ``launch_moved.py``."""
    return task.replace("-", "_")
