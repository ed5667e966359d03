"""The tree as a TOML file for a person to correct: written with the evidence, and loaded with the corrections."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from farm._util.renamed_words import called
from farm.appkit.schema import Generation, TimeForm
from farm.errors import FarmError
from farm.traverse.tree.model import ColumnType, Effect, Entity, Field, RowLocation, Tool, Tree
from farm.traverse.tree.rows import without_lone_surrogates

_HEAD = """\
# What `farm traverse tree` proposes. Correct it; then `farm traverse tree --from THIS --out DIR` writes schema.py.
#
# An entity is a table. `keep = false` leaves it out: only answers of writing tools hold it, or it shows another one.
# `table = ""` leaves out the table and keeps its parts; `column = ""` leaves out a column.
# `key`: the fields that tell two apart. `unique = false`: a call showed two, so rows get a number of their own.
# A field is a column. `generation` is one of enumerate, free-form, random, authentic. `references` names an entity.
# `owner = true` makes that one the owner, `enforced = true` a foreign key: where no success named what no read knows.
# count, distinct, examples, why and contradicts say what was seen; they may stay as they are.
# [tools] says what a tool does: reads, creates, sets (creates or changes), changes, deletes or unknown.
# [[given]] is a row that you know and no call shows, {table = "…", column = …}, for `farm traverse reconstruct`.
"""


def write_tree(tree: Tree) -> str:
    """Return the TOML of a tree."""
    lines = [_HEAD, _pair("calls", tree.calls), _pair("account", tree.account)]
    for tool in tree.tools:
        lines += ["", f"[tools.{_key(tool.name)}]"]
        lines += [
            _pair("effect", tool.effect),
            _pair("entity", tool.entity),
            _pair("names", tool.names),
            _pair("why", tool.why),
        ]
    for entity in tree.entities:
        lines += ["", "", "[[entities]]", *_entity(entity)]
        for place in entity.places:
            lines += ["", "[[entities.places]]", *_place(place)]
        for each in entity.fields:
            lines += ["", "[[entities.fields]]", *_field(each)]
    for row in tree.given:
        lines += ["", "[[given]]", *(_pair(name, value) for name, value in row.items())]
    return "\n".join(line for line in lines if line is not None) + "\n"


def _entity(entity: Entity) -> list[str | None]:
    return [
        _pair("name", entity.name),
        _pair("table", entity.table),
        _pair("keep", not entity.is_receipt),
        _pair("key", list(entity.key)),
        _pair("key_why", entity.key_why),
        _pair("unique", entity.is_unique),
        _pair("contradicts", entity.contradicts or None),
        _pair("rows", entity.rows),
        _pair("why", entity.why),
    ]


def _place(place: RowLocation) -> list[str | None]:
    return [
        _pair("side", place.side),
        _pair("tool", place.tool),
        _pair("path", place.path),
        _pair("when", place.when or None),
        _pair("fields", place.fields or None),
        _pair("adds", place.adds or None),
    ]


def _field(each: Field) -> list[str | None]:
    return [
        _pair("name", each.name),
        _pair("column", each.column),
        _pair("type", each.type),
        _pair("generation", each.generation),
        _pair("why", each.why),
        _pair("values", list(each.values) or None),
        _pair("time", each.time),
        _pair("json", each.is_json or None),
        _pair("list", each.is_list or None),
        _pair("references", each.references),
        _pair("owner", each.is_owner or None),
        _pair("enforced", each.is_enforced if each.references else None),
        _pair("reference_why", each.reference_why or None),
        _pair("contradicts", each.contradicts or None),
        _pair("aliases", list(each.aliases) or None),
        _pair("default", each.default),
        _pair("count", each.count),
        _pair("distinct", each.distinct),
        _pair("examples", list(each.examples)),
    ]


def _pair(name: str, value: Any) -> str | None:
    return None if value is None else f"{_key(name)} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_value(each)}" for name, each in value.items()) + "}"
    return "[" + ", ".join(_value(each) for each in value) + "]"


def _key(name: str) -> str:
    is_bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if is_bare else _text(name)


def _text(value: str) -> str:
    # TOML's escapes are JSON's, except for this one.
    return json.dumps(without_lone_surrogates(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def read_tree(path: Path) -> Tree:
    """Load the tree of a TOML file.

    Raises:
        FarmError: the file is unreadable or invalid; the message names the place and the error.
    """
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror})") from None
    except ValueError as problem:
        raise FarmError(f"{path} is not TOML: {problem}") from None
    reader = _Reader(path)
    entities = [reader.entity(each, at) for at, each in enumerate(_list(raw, "entities", str(path)), 1)]
    tools = [reader.tool(name, each) for name, each in raw.get("tools", {}).items()]
    tree = Tree(int(raw.get("calls", 0)), entities, tools, raw.get("account"), _list(raw, "given", str(path)))
    _check(tree, path)
    return tree


def _list(raw: Mapping[str, Any], name: str, where: str) -> list[dict[str, Any]]:
    found = raw.get(name, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise FarmError(f"{where}: '{name}' must be written as [[{name}]]")
    return found


class _Reader:
    """Parses the parts of one file, and names the file in errors."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def need(self, raw: Mapping[str, Any], name: str, where: str) -> str:
        value = raw.get(name)
        if not isinstance(value, str) or not value:
            raise FarmError(f"{self.path}: {where} needs a '{name}'")
        return value

    def one_of(self, raw: Mapping[str, Any], name: str, known: Sequence[str], where: str, usual: str) -> Any:
        value = raw.get(name, usual)
        if value not in known:
            raise FarmError(f"{self.path}: {where} has {name} = '{value}'; have {', '.join(known)}")
        return value

    def entity(self, raw: Mapping[str, Any], number: int) -> Entity:
        name = self.need(raw, "name", f"[[entities]] number {number}")
        where = f"entity '{name}'"
        return Entity(
            name,
            raw.get("table", name),
            raw.get("rows", 0),
            raw.get("why", ""),
            tuple(raw.get("key", ())),
            raw.get("key_why", ""),
            raw.get("unique", True),
            raw.get("contradicts", ""),
            not raw.get("keep", True),
            [self.field(each, where) for each in _list(raw, "fields", f"{self.path}: {where}")],
            [self.place(each, where) for each in _list(raw, "places", f"{self.path}: {where}")],
        )

    def field(self, raw: Mapping[str, Any], where: str) -> Field:
        name = raw.get("name")
        if not isinstance(name, str):  # a member's name may be empty
            raise FarmError(f"{self.path}: a field of {where} needs a 'name'")
        where = f"field '{name}' of {where}"
        if "made" in raw:
            raise FarmError(f"{self.path}: {where} has an unknown key 'made'{called('made', 'generation')}")
        time = raw.get("time")
        if time is not None:
            self.one_of(raw, "time", get_args(TimeForm), where, "s")
        return Field(
            name,
            raw.get("column", name),
            self.one_of(raw, "type", get_args(ColumnType), where, "TEXT"),
            self.one_of(raw, "generation", get_args(Generation), where, "free-form"),
            raw.get("why", ""),
            raw.get("count", 0),
            raw.get("distinct", 0),
            tuple(raw.get("examples", ())),
            tuple(raw.get("values", ())),
            time,
            raw.get("json", False),
            raw.get("list", False),
            raw.get("references"),
            raw.get("owner", False),
            raw.get("enforced", False),
            raw.get("reference_why", ""),
            raw.get("contradicts", ""),
            tuple(raw.get("aliases", ())),
            raw.get("default"),
        )

    def place(self, raw: Mapping[str, Any], where: str) -> RowLocation:
        return RowLocation(
            self.one_of(raw, "side", ("answer", "arguments"), f"a place of {where}", "answer"),
            self.need(raw, "tool", f"a place of {where}"),
            raw.get("path", ""),
            raw.get("when", {}),
            raw.get("fields", {}),
            raw.get("adds", {}),
        )

    def tool(self, name: str, raw: Mapping[str, Any]) -> Tool:
        effect = self.one_of(raw, "effect", get_args(Effect), f"tool '{name}'", "unknown")
        return Tool(name, effect == "reads", raw.get("why", ""), effect, raw.get("entity"), raw.get("names", {}))


def _check(tree: Tree, path: Path) -> None:
    known = {each.name: each for each in tree.entities}
    if len(known) < len(tree.entities):
        raise FarmError(f"{path}: two entities have one name; names tell them apart")
    have = ", ".join(sorted(known))
    if tree.account is not None and tree.account not in known:
        raise FarmError(f"{path}: account = '{tree.account}' is no entity; have {have}")
    for entity in tree.entities:
        columns = [each.column for each in entity.fields if each.column]
        if twice := next((each for each in columns if columns.count(each) > 1), None):
            raise FarmError(f"{path}: two fields of entity '{entity.name}' have the column '{twice}'")
        for name in entity.key:
            if entity.find(name) is None:
                raise FarmError(f"{path}: the key of entity '{entity.name}' names '{name}', which is no field of it")
        for each in entity.fields:
            if each.references is not None and each.references not in known:
                raise FarmError(
                    f"{path}: field '{each.name}' of entity '{entity.name}' references '{each.references}'; have {have}"
                )
    for tool in tree.tools:
        if tool.entity is not None and tool.entity not in known:
            raise FarmError(f"{path}: tool '{tool.name}' names the entity '{tool.entity}'; have {have}")
