"""An app's tables as a tree from the account holder down, and paths in it: ``calendars[a.b@x].events[*]``.

A path is an alias of a table with conditions. Keys may hold dots; one with ``]``, a comma or ``=`` stands in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import INTEGER, REAL, Column, ForeignKeyConstraint, Table

from farm._util.names import list_names
from farm.appkit.schema import Generation, Schema
from farm.errors import FarmError

_STEP = re.compile(r'(\w+)(?:\[(?:"((?:[^"\\]|\\.)*)"|([^\]"]*))\])?')
_CONDITION = re.compile(r"(\w+)=(.*)", re.DOTALL)
_NEAREST = 8


class PathError(FarmError):
    """A path leads nowhere; the message names the step and what there is."""


@dataclass(frozen=True)
class TreeField:
    """A field of an entity.

    Attributes:
        type: TEXT, INTEGER or REAL.
        generation: how its content is made.
        role: what it is (``farm.appkit.column_vocabulary``); None if that is not declared.
        references: the entity whose key it holds, as ``table.column``; empty for none.
        is_key: whether it identifies a row, alone or with others.
    """

    name: str
    type: str
    generation: Generation
    role: str | None
    references: str
    is_key: bool


@dataclass(frozen=True)
class TreeNode:
    """An entity with what it owns.

    Attributes:
        table: its name.
        key: the columns that identify a row.
        fields: its fields, as declared.
        is_holder: whether its rows are accounts of people.
        children: the entities that belong to it.
    """

    table: str
    key: tuple[str, ...]
    fields: tuple[TreeField, ...]
    is_holder: bool
    children: tuple[TreeNode, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON, with children."""
        own = {name: value for name, value in vars(self).items() if name not in ("children", "fields")}
        return {
            **own,
            "key": list(self.key),
            "fields": [vars(each) for each in self.fields],
            "children": [each.as_json() for each in self.children],
        }


def context_tree(schema: Schema) -> tuple[TreeNode, ...]:
    """Return the entities that nothing owns, with what they own; accounts of people come first."""
    owners = {str(each.name): _owner(each) for each in schema.tables}
    tables = {str(each.name): each for each in schema.tables}

    def node(name: str, above: tuple[str, ...]) -> TreeNode:
        children = (other for other, owner in owners.items() if owner == name and other not in above)
        return _node(tables[name], tuple(node(other, (*above, name)) for other in children))

    roots = [node(name, ()) for name, owner in owners.items() if owner is None]
    return tuple(sorted(roots, key=lambda each: not each.is_holder))


def _is_holder(table: Table) -> bool:
    return any(column.info.get("person") for column in table.columns)


def _node(table: Table, children: tuple[TreeNode, ...]) -> TreeNode:
    fields = tuple(
        TreeField(
            str(column.name),
            str(column.type),
            column.info["generation"],
            column.info["role"],
            next((str(each.target_fullname) for each in column.foreign_keys), ""),
            bool(column.primary_key),
        )
        for column in table.columns
    )
    key = tuple(str(column.name) for column in table.primary_key.columns)
    return TreeNode(str(table.name), key, fields, _is_holder(table), children)


def _owner(table: Table) -> str | None:
    """Return the table that owns another: a thing before a person; an account belongs to nobody."""
    if _is_holder(table):
        return None
    owners = [each.referred_table for each in _links(table) if _is_owning(each) and each.referred_table is not table]
    things = [each for each in owners if not _is_holder(each)]
    return next((str(each.name) for each in (*things, *owners)), None)


def _links(table: Table) -> list[ForeignKeyConstraint]:
    """Return the foreign keys of a table, in the order of its columns."""
    order = [str(column.name) for column in table.columns]
    return sorted(table.foreign_key_constraints, key=lambda each: order.index(str(each.elements[0].parent.name)))


def _is_owning(link: ForeignKeyConstraint) -> bool:
    return link.ondelete == "CASCADE"


# -- paths -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A step of a path.

    Attributes:
        table: the table.
        where: the conditions that the step itself names: column → value.
    """

    table: str
    where: Mapping[str, Any]


@dataclass(frozen=True)
class Selection:
    """What a path leads to.

    Attributes:
        table: the table.
        where: the conditions on its rows: column → value.
        column: the column of these rows, if the path ends in one.
        steps: the steps of the path, for messages.
    """

    table: str
    where: Mapping[str, Any]
    column: str | None = None
    steps: tuple[Step, ...] = field(default=())

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Return whether a row of the table is meant."""
        return all(row.get(name) == value for name, value in self.where.items())


def is_path(text: str) -> bool:
    """Return whether a text is more than the name of a table."""
    return "[" in text or "." in text


def resolve_path(schema: Schema, text: str) -> Selection:
    """Return the table and conditions that a path stands for.

    Raises:
        PathError: a step is unknown, ambiguous or has the wrong key; one line says what there is.
    """
    steps = _parsed(text)
    tables = {str(each.name): each for each in schema.tables}
    name, selector = steps[0]
    if name not in tables:
        raise PathError(f"'{text}': no '{name}'; have {list_names(tables, name)}")
    table, known = tables[name], _conditions(text, tables[name], selector, ())
    done = [Step(name, known)]
    for number, (name, selector) in enumerate(steps[1:], start=2):
        below = _below(tables, table)
        if name not in below and number == len(steps) and selector is None and name in table.columns:
            return Selection(str(table.name), known, name, tuple(done))
        if name not in below:
            raise PathError(f"'{text}': {_nothing_below(table, name, below)}")
        linked = _linked(text, table, _chosen(below[name], selector), known)
        own = _conditions(text, tables[name], selector, [*linked])
        table, known = tables[name], {**linked, **own}
        done.append(Step(name, own))
    return Selection(str(table.name), known, None, tuple(done))


def _parsed(text: str) -> list[tuple[str, str | None]]:
    """Return (name, selector) of each step; ``*`` and no selector are None."""
    found: list[tuple[str, str | None]] = []
    at = 0
    while True:
        step = _STEP.match(text, at)
        if step is None:
            raise PathError(f"'{text}' is no path at '{text[at : at + 20]}'; write calendars[KEY].events[*]")
        quoted = None if step[2] is None else f'"{step[2]}"'
        selector = quoted if quoted is not None else step[3]
        found.append((step[1], None if selector in (None, "*") else selector))
        at = step.end()
        if at == len(text):
            return found
        if text[at] != ".":
            raise PathError(f"'{text}' is no path at '{text[at : at + 20]}'; write calendars[KEY].events[*]")
        at += 1


def _below(tables: Mapping[str, Table], table: Table) -> dict[str, list[ForeignKeyConstraint]]:
    """Return table → the foreign keys by which its rows belong to those of a table; references count if none owns."""
    found: dict[str, list[ForeignKeyConstraint]] = {}
    for name, other in tables.items():
        links = [each for each in _links(other) if each.referred_table is table]
        if links:
            found[name] = [each for each in links if _is_owning(each)] or links
    return found


def _nothing_below(table: Table, name: str, below: Iterable[str]) -> str:
    columns = [str(each.name) for each in table.columns]
    return f"no '{name}' below {table.name}; have {list_names([*below, *columns], name)}"


def _chosen(links: Sequence[ForeignKeyConstraint], selector: str | None) -> Sequence[ForeignKeyConstraint]:
    """Return the foreign key whose column a selector names, ``messages[user_id=…]``; all, if it names none."""
    found = _CONDITION.fullmatch(selector or "")
    return [each for each in links if found and each.elements[0].parent.name == found[1]] or links


def _linked(text: str, above: Table, links: Sequence[ForeignKeyConstraint], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the conditions by which the rows of a step belong to those of the step above it."""
    if not known:
        return {}
    table = str(links[0].table.name)
    # Of two ways, the one by the first column of the key leads to the owner: contacts[owner_id, user_id].
    first = next(iter(links[0].table.primary_key.columns))
    links = [each for each in links if each.elements[0].parent is first] or links
    if len(links) > 1:
        names = ", ".join(f"{table}[{each.elements[0].parent.name}=…]" for each in links)
        raise PathError(f"'{text}': {table} belongs to {above.name} in more than one way; write {names}")
    found = {}
    for each in links[0].elements:
        if str(each.column.name) not in known:
            key = ", ".join(str(column.name) for column in above.primary_key.columns)
            raise PathError(f"'{text}': what is below {above.name} is named by its key, {key}")
        found[str(each.parent.name)] = known[str(each.column.name)]
    return found


def _conditions(text: str, table: Table, selector: str | None, given: Sequence[str]) -> dict[str, Any]:
    """Return the conditions that a selector stands for; ``given`` are the columns that the step above decides."""
    if selector is None:
        return {}
    is_quoted = selector.startswith('"')
    value = re.sub(r"\\(.)", r"\1", selector[1:-1]) if is_quoted else selector
    if not is_quoted and (found := _CONDITION.fullmatch(value)):
        if found[1] not in table.columns:
            columns = [str(each.name) for each in table.columns]
            raise PathError(f"'{text}': {table.name} has no column '{found[1]}'; have {list_names(columns, found[1])}")
        return {found[1]: _typed(text, table.columns[found[1]], found[2])}
    key = [column for column in table.primary_key.columns if column.name not in given]
    key = key or [*table.primary_key.columns]
    parts = [value] if is_quoted or len(key) == 1 else [each.strip() for each in value.split(",")]
    if len(parts) != len(key) or not all(parts):
        names = ",".join(str(column.name).upper() for column in key)
        raise PathError(f"'{text}': the key of {table.name} here is {table.name}[{names}]; or write {table.name}[*]")
    return {str(column.name): _typed(text, column, part) for column, part in zip(key, parts, strict=True)}


def _typed(text: str, column: Column[Any], value: str) -> Any:
    try:
        return (
            int(value) if isinstance(column.type, INTEGER) else float(value) if isinstance(column.type, REAL) else value
        )
    except ValueError:
        raise PathError(f"'{text}': {column.table.name}.{column.name} is a number, not '{value}'") from None


def explain_nothing(selection: Selection, rows_of: Callable[[str], Iterable[Mapping[str, Any]]]) -> str | None:
    """Return why no row fits: the first step whose key no row has, with the keys there are; None if all have one.

    Args:
        selection: what a path led to.
        rows_of: table → its rows.
    """
    for step in selection.steps:
        if not step.where:
            continue
        rows = [*rows_of(step.table)]
        if not any(all(row.get(name) == value for name, value in step.where.items()) for row in rows):
            return "; ".join(_missing(step, rows))
    return None


def _missing(step: Step, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    wanted = ", ".join(f"{name} '{value}'" for name, value in step.where.items())
    yield f"{step.table} has no row with {wanted}"
    column, value = next(iter(step.where.items()))
    have = list(dict.fromkeys(str(row[column]) for row in rows if row.get(column) is not None))
    yield f"have {list_names(have, str(value))}" if have else "it has no rows"
