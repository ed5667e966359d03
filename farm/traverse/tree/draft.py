"""Draft ``contexts/<app>/schema.py`` from a tree: one table for each entity, rooted at the account."""

from __future__ import annotations

from collections.abc import Iterator

from farm.errors import FarmError
from farm.traverse.tree.model import Entity, Field, Tree
from farm.traverse.tree.rows import without_lone_surrogates

_ACCOUNTS = "accounts"


def draft_schema(tree: Tree, title: str) -> str:
    """Return the text of a ``schema.py``.

    Args:
        title: the name in its first line.

    Raises:
        FarmError: no entity is kept, or two kept entities have the same table.
    """
    entities = _ordered(tree)
    if not entities:
        raise FarmError("no entity is kept, so there is no table to write; set keep = true on one")
    tables = [each.table for each in entities]
    if twice := next((each for each in tables if tables.count(each) > 1), None):
        raise FarmError(f"two entities have the table '{twice}'; give one of them another name")
    body: list[str] = []
    if tree.account is None:
        body += _account()
    for at, entity in enumerate(entities):
        body += _table(entity, tree, frozenset(each.name for each in entities[: at + 1]))
    text = "\n".join(body)
    names = [
        name for name in ("INTEGER", "REAL", "column", "parent", "person", "reference", "table") if _uses(text, name)
    ]
    head = [
        f'"""The context tree of {title}, proposed from recorded calls; read it before you build on it."""',
        "",
        *(["from sqlalchemy import Index", ""] if "Index(" in text else []),
        f"from farm.appkit.schema import {', '.join(sorted(['MetaData', *names], key=_import_order))}",
        "",
        "METADATA = MetaData()",
        "",
    ]
    return without_lone_surrogates("\n".join(head) + text + "\n")


def _import_order(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _uses(text: str, name: str) -> bool:
    return f"{name}(" in text or f", {name}" in text


def _ordered(tree: Tree) -> list[Entity]:
    """Return the kept entities, owners first."""
    kept = [each for each in tree.entities if not each.is_receipt and each.table and each.fields]
    depth = {each.name: _depth(each, tree) for each in kept}
    return sorted(kept, key=lambda each: depth[each.name])


def _depth(entity: Entity, tree: Tree) -> int:
    seen, at, deep = {entity.name}, entity, 0
    while at.owner is not None and at.owner not in seen and (up := tree.find(at.owner)) is not None:
        seen.add(up.name)
        at, deep = up, deep + 1
    return deep


def _account() -> list[str]:
    return [
        "# No answer shows who is signed in: the root stands for that.",
        f"{_ACCOUNTS} = table(",
        f'    "{_ACCOUNTS}",',
        "    METADATA,",
        '    column("id", generation="random", primary_key=True),',
        "    person(),",
        ")",
        "",
    ]


def _table(entity: Entity, tree: Tree, made: frozenset[str]) -> list[str]:
    lines = [f"{_identifier(entity.table)} = table(", f'    "{entity.table}",', "    METADATA,"]
    is_numbered = not entity.key or not entity.is_unique
    if is_numbered:
        lines += [
            f"    # {entity.contradicts or 'nothing tells two of them apart'}.",
            '    column("row_id", INTEGER, generation="random", primary_key=True),',
        ]
    for each in _keys_first(entity):
        if each.column and tree.link(entity, each) is None:
            lines += _column(each, entity, tree, made, is_key=each.name in entity.key and not is_numbered)
        if entity.name == tree.account and each.name == entity.key[-1]:
            lines.append("    person(),")
    if tree.account is None and _is_root(entity, tree):
        lines.append(f'    column("account_id", parent("{_ACCOUNTS}.id"), generation="authentic"),')
    if is_numbered and entity.key:
        columns = ", ".join(f'"{part.column}"' for name in entity.key if (part := entity.find(name)))
        lines.append(f'    Index("{entity.table}_key", {columns}),')
    return [*lines, ")", ""]


def _is_root(entity: Entity, tree: Tree) -> bool:
    owner = tree.find(entity.owner)
    return (owner is None or owner.is_receipt) and all(each.column != "account_id" for each in entity.fields)


def _keys_first(entity: Entity) -> Iterator[Field]:
    yield from (found for name in entity.key if (found := entity.find(name)) is not None)
    yield from (each for each in entity.fields if each.name not in entity.key)


def _column(each: Field, entity: Entity, tree: Tree, made: frozenset[str], *, is_key: bool) -> list[str]:
    if entity.name == tree.account and each.column == "person":
        return []
    parts = [f'"{each.column}"']
    if foreign := _foreign(each, entity, tree, made):
        parts.append(foreign)
    elif each.type != "TEXT":
        parts.append(each.type)
    parts.append(f'generation="{each.generation}"')
    if each.time is not None:
        parts.append(f'time="{each.time}"')
    if each.is_json:
        parts.append("json=True")
    if is_key:
        parts.append("primary_key=True")
    line = f"    column({', '.join(parts)}),"
    notes = []
    if each.references is not None and not foreign:
        notes.append(f"    # Holds keys of {each.references}; {each.contradicts or each.reference_why}.")
    elif each.values and each.generation == "enumerate":
        notes.append(f"    # Seen: {', '.join(each.values)[:90]}.")
    return [note.replace("\n", " ") for note in notes] + [line]


def _foreign(each: Field, entity: Entity, tree: Tree, made: frozenset[str]) -> str | None:
    """Return a column's foreign key if the database can enforce it: it refers to a one-column key and always holds."""
    target = tree.find(each.references)
    if target is None or target.name not in made:
        return None  # left out, or its table comes later: tables in a reference cycle accept no rows
    if not each.is_enforced or each.is_list or each.is_json or len(target.key) != 1 or not target.is_unique:
        return None
    to = target.find(target.key[0])
    if to is None or each.type != "TEXT" or to.type != "TEXT" or target is entity:
        return None  # rows that refer to each other could not be inserted one by one
    return f'{"parent" if each.is_owner else "reference"}("{target.table}.{to.column}")'


def _identifier(table: str) -> str:
    name = "".join(each if each.isalnum() or each == "_" else "_" for each in table)
    return name if name.isidentifier() else f"table_{name}"
