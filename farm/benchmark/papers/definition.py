"""Parses ``papers/<name>/paper.toml``: a paper's groups of tasks, its arms, its tables and its own figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm import content
from farm.benchmark.runner.menus import read_paper_file
from farm.errors import FarmError, NotFoundError

FILE = "paper.toml"
LAYOUTS = ("columns", "sweep", "scatter", "agreement", "statistics")
_GROUP_KEYS = frozenset({"name", "categories", "app", "all", "without", "shape"})
_ARM_KEYS = frozenset({"needs", "prompt", "skills", "context", "menu", "profile"})
_COLUMN_KEYS = frozenset({"name", "group", "arm", "figure", "unit"})
_PUBLISHED_KEYS = frozenset({"name", "group", "statistic", "values"})
_TABLE_KEYS = frozenset({"title", "layout", "columns", "published", "incomplete", "x", "y"})
_PAPER_KEYS = frozenset({"title", "cite", "suite", "groups", "arms", "tables", "menu"})


@dataclass(frozen=True)
class Group:
    """Tasks that a column is about.

    Attributes:
        categories: beginnings of the tasks' categories.
        apps: apps that the tasks use, all of them.
        without: apps that the tasks do not use.
        shape: the shape of the oracle's steps; None for any.
    """

    name: str
    categories: tuple[str, ...] = ("",)
    apps: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    shape: str | None = None

    def has(self, task: TaskFacts) -> bool:
        """Return whether a task belongs to the group."""
        if not f"{task.category}/".startswith(self.categories) or self.shape not in (None, task.shape):
            return False
        return set(self.apps) <= set(task.apps) and not set(self.without) & set(task.apps)


@dataclass(frozen=True)
class TaskFacts:
    """What groups ask of a task.

    Attributes:
        shape: ``single``, ``serial``, ``parallel`` or ``multi``; None if its oracle is not known.
    """

    category: str
    apps: tuple[str, ...]
    shape: str | None


def shape_of(steps: Sequence[Sequence[Any]]) -> str:
    """Return the shape of an oracle: one call, two after each other, two at once, or more."""
    calls = sum(map(len, steps))
    if calls > 2:
        return "multi"
    return "single" if calls == 1 else "parallel" if len(steps) == 1 else "serial"


@dataclass(frozen=True)
class Arm:
    """Conditions that a table compares.

    Attributes:
        options: option of a run → its value; a run belongs to the arm if its manifest has them.
        needs: what the arm needs that is not shipped; it is not run by itself.
    """

    name: str
    options: Mapping[str, Any]
    needs: str = ""


@dataclass(frozen=True)
class Column:
    """One column of a table: a figure over the tasks of a group in an arm.

    Attributes:
        unit: ``percent`` of a share, or ``plain``.
    """

    name: str
    figure: str
    group: str | None = None
    arm: str | None = None
    unit: str = "percent"


@dataclass(frozen=True)
class PublishedRow:
    """A row of the paper.

    Attributes:
        values: one for each column; None where the paper has none, or none that is here.
        group: the tasks that the row is about.
        statistic: what the row counts in a suite.
    """

    name: str
    values: tuple[float | None, ...]
    group: str | None = None
    statistic: str | None = None


@dataclass(frozen=True)
class TableDefinition:
    """One table or figure of a paper.

    Attributes:
        layout: how it is built and drawn: ``columns``, ``sweep``, ``scatter``, ``agreement`` or ``statistics``.
        incomplete: which of the paper's figures are here, if not all.
        x: the columns of a scatter's horizontal axes, each of a panel.
        y: the column of its vertical axis.
    """

    paper: Paper
    name: str
    title: str
    columns: tuple[Column, ...]
    layout: str = "columns"
    published: tuple[PublishedRow, ...] = ()
    incomplete: str = ""
    x: tuple[str, ...] = ()
    y: str | None = None

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms of the columns, in their order; empty if the table compares none."""
        return tuple(self.paper.arm(name) for name in dict.fromkeys(c.arm for c in self.columns if c.arm is not None))


@dataclass(frozen=True)
class Paper:
    """A paper that can be redone.

    Attributes:
        suite: the suite that its tables are redone with, if the user names none.
    """

    name: str
    title: str
    cite: str
    suite: str
    groups: tuple[Group, ...]
    known_arms: tuple[Arm, ...]
    tables: dict[str, TableDefinition] = field(default_factory=dict)

    def group(self, name: str) -> Group:
        """Return a group by name."""
        return next(each for each in self.groups if each.name == name)

    def arm(self, name: str) -> Arm:
        """Return an arm by name."""
        return next(each for each in self.known_arms if each.name == name)


def papers() -> list[Paper]:
    """Return every paper, by name."""
    return [load_paper(name) for name in content.paper_names()]


def find_tables(name: str) -> list[TableDefinition]:
    """Return a table of any paper, or all tables of a paper.

    Raises:
        NotFoundError: there is no such table and no such paper; the message lists the names.
    """
    known = {paper.name: list(paper.tables.values()) for paper in papers()}
    for each in [table for tables in known.values() for table in tables]:
        known.setdefault(each.name, [each])
    if name not in known:
        raise NotFoundError(f"no table or figure '{name}'; have {', '.join(known) or 'none'}")
    return known[name]


def load_paper(name: str) -> Paper:
    """Parse a paper's file.

    Raises:
        NotFoundError: there is no such paper.
        FarmError: the file is invalid; the message names the key.
    """
    path = content.paper_dir(name) / FILE
    try:
        return _Reader(path).paper(name, read_paper_file(name))
    except KeyError as problem:
        raise FarmError(f"{path} lacks the key {problem}") from None


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path

    def paper(self, name: str, raw: Mapping[str, Any]) -> Paper:
        self._require_keys(raw, _PAPER_KEYS, "the paper")
        groups = tuple(self._group(each) for each in raw.get("groups", ()))
        arms = tuple(self._arm(label, each) for label, each in raw.get("arms", {}).items())
        paper = Paper(name, raw["title"], raw["cite"], raw["suite"], groups, arms)
        for table, each in raw.get("tables", {}).items():
            paper.tables[table] = self._table(paper, table, each)
        return paper

    def _group(self, raw: Mapping[str, Any]) -> Group:
        self._require_keys(raw, _GROUP_KEYS, "a group")
        categories = tuple(raw.get("categories", ("",)))
        apps = (*raw.get("all", ()), *([raw["app"]] if "app" in raw else ()))
        return Group(raw["name"], categories, apps, tuple(raw.get("without", ())), raw.get("shape"))

    def _arm(self, name: str, raw: Mapping[str, Any]) -> Arm:
        self._require_keys(raw, _ARM_KEYS, f"arm '{name}'")
        return Arm(name, {key: value for key, value in raw.items() if key != "needs"}, raw.get("needs", ""))

    def _table(self, paper: Paper, name: str, raw: Mapping[str, Any]) -> TableDefinition:
        self._require_keys(raw, _TABLE_KEYS, f"table '{name}'")
        columns = tuple(self._column(paper, name, each) for each in raw["columns"])
        published = tuple(self._published(name, len(columns), each) for each in raw.get("published", ()))
        known = {key: raw[key] for key in ("layout", "incomplete", "y") if key in raw}
        if known.get("layout", "columns") not in LAYOUTS:
            raise FarmError(f"{self._path}: no layout '{known['layout']}'; have {', '.join(LAYOUTS)}")
        x = tuple(raw.get("x", ()))
        for axis in (*x, *([raw["y"]] if "y" in raw else ())):
            if axis not in (have := [column.name for column in columns]):
                raise FarmError(f"{self._path}: '{name}' has no column '{axis}' for an axis; have {', '.join(have)}")
        return TableDefinition(paper, name, raw["title"], columns, published=published, x=x, **known)

    def _published(self, table: str, count: int, raw: Mapping[str, Any]) -> PublishedRow:
        self._require_keys(raw, _PUBLISHED_KEYS, f"a row of '{table}'")
        values = tuple(_values(raw["values"]))
        if len(values) != count:
            raise FarmError(f"{self._path}: '{raw['name']}' in '{table}' has {len(values)} values, not {count}")
        return PublishedRow(raw["name"], values, raw.get("group"), raw.get("statistic"))

    def _column(self, paper: Paper, table: str, raw: Mapping[str, Any]) -> Column:
        self._require_keys(raw, _COLUMN_KEYS, f"a column of '{table}'")
        for key, have in (("group", paper.groups), ("arm", paper.known_arms)):
            names = [each.name for each in have]
            if key in raw and raw[key] not in names:
                raise FarmError(f"{self._path}: no {key} '{raw[key]}' for '{table}'; have {', '.join(names)}")
        return Column(raw["name"], raw["figure"], raw.get("group"), raw.get("arm"), raw.get("unit", "percent"))

    def _require_keys(self, raw: Mapping[str, Any], known: frozenset[str], what: str) -> None:
        for key in raw:
            if key not in known:
                raise FarmError(f"{self._path}: {what} has no key '{key}'; have {', '.join(sorted(known))}")


def _values(given: list[Any]) -> list[float | None]:
    """Return a row's values; an empty text stands for none, as TOML has no null."""
    return [None if value == "" else value for value in given]
