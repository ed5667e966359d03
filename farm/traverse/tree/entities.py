"""Convert kinds of rows to entities: their fields and owners, and link tables for lists of keys."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from farm.traverse.tree.columns import choose_generation, column_type, enumerated_values, time_form
from farm.traverse.tree.keys import Key, contradiction, key_values
from farm.traverse.tree.model import Entity, Field, RowLocation, Tree
from farm.traverse.tree.pool_calls import PoolCalls
from farm.traverse.tree.references import Keyed, Reference, flat, refer, unknown_value
from farm.traverse.tree.row_kinds import RowKind, plural, singular
from farm.traverse.tree.rows import is_scalar, without_lone_surrogates

_OF_PARENT = re.compile(r"^parent(_?id|Id)?($|\.)")
_EXAMPLES = 3
_EXAMPLE_CHARACTERS = 60
_ALWAYS = 0.95


@dataclass(eq=False)
class EntityDraft:
    """A kind that is being converted to an entity."""

    kind: RowKind
    key: Key
    name: str
    parent: EntityDraft | None = None
    places: list[RowLocation] = field(default_factory=list)
    extra: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    aliases: list[str] = field(default_factory=list)

    @property
    def keyed(self) -> Keyed | None:
        """Its key values, if a single field of its own is the key."""
        if len(self.key.fields) - len(self.key.around) != 1 or self.parent is not None:
            return None
        return self.own_keys

    @property
    def own_keys(self) -> Keyed:
        """The values of its own key field; if it is a part of an owner, they are unique only within the owner."""
        name = self.key.fields[-1]
        return Keyed(self.name, name, frozenset(key_values(self.kind.rows, name) | set(map(str, self.extra[name]))))


def make_entity(found: EntityDraft, pool: PoolCalls, targets: Sequence[Keyed], parts: Mapping[str, str]) -> Entity:
    rows = found.kind.rows
    answers = [row for row in rows if row.side == "answer"]
    tools = {row.call.tool for row in answers}
    is_receipt = bool(answers) and not any(pool.reads(tool)[0] for tool in tools)
    entity = Entity(
        name=found.name,
        table=plural(found.name),
        rows=len(rows),
        why=f"objects of one shape in {len(tools) or 'the arguments of several'} tools",
        is_receipt=is_receipt,
    )
    if is_receipt:
        entity.why = f"only in answers of tools that write ({', '.join(sorted(tools)[:3])}): it says what a call did"
    around = list(found.key.around)
    parents = _parent_key(found.parent) if found.parent else ()
    key = (*(name for name, _, _ in parents), *found.key.fields)
    values: dict[str, list[Any]] = defaultdict(list)
    clean: dict[str, list[Any]] = defaultdict(list)
    for row in answers or rows:
        shown = [*row.fields.items(), *((name, row.around[name]) for name in around if name in row.around)]
        for name, value in shown:
            values[name].append(value)
            if row.call.line in pool.clean:
                clean[name].append(value)
    for name, more in found.extra.items():
        values[name].extend(more)
    for name, target, _ in parents:
        entity.fields.append(
            Field(
                name,
                _column(name),
                references=target,
                is_owner=True,
                is_enforced=True,
                generation="authentic",
                why="holds the key of another row",
                reference_why="stands inside it",
            )
        )
    for name in values:
        member, _, rest = name.partition(".")
        if _is_part(name, values) or (rest and name not in key and rest != parts.get(member, rest)):
            continue
        entity.fields.append(_field(name, values[name], clean[name], name in key, found, targets))
    entity.key, entity.key_why = key, found.key.why
    entity.places = _places(found) + found.places
    if key and (own := entity.find(key[-1])) is not None:
        own.aliases = tuple(found.aliases)
    _unique_columns(entity)
    if key and (against := contradiction(rows, found.key.fields)):
        entity.is_unique, entity.contradicts = False, against
    return entity


def _parent_key(parent: EntityDraft) -> tuple[tuple[str, str, str], ...]:
    """Return name, kind and field of each part of an owner's key, as rows below the owner name them."""
    parts = _parent_key(parent.parent) if parent.parent else ()
    own = tuple((f"{parent.name}.{name}", parent.name, name) for name in parent.key.fields)
    return (*parts, *own)


def _is_part(name: str, values: dict[str, list[Any]]) -> bool:
    """Return whether a field is null or empty in some rows and an object in others."""
    return any(other.startswith(f"{name}.") for other in values) and all(not each for each in values[name])


def _places(found: EntityDraft) -> list[RowLocation]:
    places = []
    for cell in found.kind.cells:
        side, tool, path, mark = cell.where
        adds = {name: name for name in found.key.around}
        if side == "arguments" and not path:
            continue
        places.append(RowLocation(side, tool, path, dict([mark]) if mark else {}, {}, adds))
    return places


def _field(
    name: str, shown: Sequence[Any], clean: Sequence[Any], is_key: bool, found: EntityDraft, targets: Sequence[Keyed]
) -> Field:
    """Return a field of these values.

    Args:
        clean: the values that no perturbed call can have written.
    """
    filled = [each for each in shown if each is not None]
    is_list = any(isinstance(each, list) for each in filled)
    is_json = any(isinstance(each, list | dict) for each in filled)
    scalars = [each for each in filled if is_scalar(each)]
    others = [each for each in targets if each.name != found.name or not is_key]
    trusted = [each for each in clean if each is not None] or filled
    to = None if is_json and not any(True for _ in flat(filled)) else refer(name, trusted, others, found.name)
    if to is not None and to.unknown is None:
        to = replace(to, unknown=unknown_value(filled, next(each for each in others if each.name == to.target)))
    if to is not None and to.target == found.name and name == found.key.fields[-1]:
        to = None
    form = None if is_json or to is not None else time_form(name, scalars)
    method, why = choose_generation(name, filled, is_key=is_key, refers=to is not None, time=form)
    texts = list(dict.fromkeys(_example(each) for each in filled))
    entry = Field(
        name,
        _column(name),
        type="TEXT" if is_json else column_type(scalars),
        generation=method,
        why=why,
        count=len(shown),
        distinct=len(texts),
        examples=tuple(texts[:_EXAMPLES]),
        values=enumerated_values(method, scalars),
        time=form,
        is_json=is_json,
        is_list=is_list,
    )
    return _refer_to(entry, to, name in found.key.around)


def _refer_to(entry: Field, to: Reference | None, is_around: bool) -> Field:
    if to is None:
        return entry
    return replace(
        entry,
        references=to.target,
        is_owner=is_around or _OF_PARENT.match(entry.name) is not None,
        # A success referred to a value that no read shows: the server does not enforce the reference.
        is_enforced=to.unknown is None,
        reference_why=to.why,
        contradicts="" if to.unknown is None else f"{_example(to.unknown)} is no key that a read showed",
    )


def _example(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _EXAMPLE_CHARACTERS else text[: _EXAMPLE_CHARACTERS - 1] + "…"


def _column(name: str) -> str:
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    column = re.sub(r"\W+", "_", without_lone_surrogates(snake)).strip("_").lower()
    # Reserved in a world's rows: «table» names the table, and «due_at_s» is the time of a scheduled row.
    is_free = column and not column[0].isdigit() and column not in ("table", "due_at_s", "row_id")
    return column if is_free else f"field_{column}"


def _unique_columns(entity: Entity) -> None:
    taken: Counter[str] = Counter()
    for each in entity.fields:
        taken[each.column] += 1
        if taken[each.column] > 1:
            each.column = f"{each.column}_{taken[each.column]}"


def link_tables(entity: Entity) -> list[Entity]:
    """Return a link table for each field that is a list of keys."""
    if not entity.key:
        return []
    found = []
    for each in entity.fields:
        if each.references is None or not each.is_list:
            continue
        parts = [part for name in entity.key if (part := entity.find(name))]
        own = [
            Field(
                f"{entity.name}.{part.name}",
                _column(f"{entity.name}.{part.name}"),
                part.type,
                "authentic",
                "holds the key of another row",
                references=entity.name,
                is_owner=True,
                is_enforced=True,
                reference_why="the list stands in it",
            )
            for part in parts
        ]
        name = f"{entity.name}_{singular(each.name.rpartition('.')[2])}"
        held = replace(
            each, column=_column(singular(each.name.rpartition(".")[2])), is_list=False, is_json=False, type="TEXT"
        )
        key = (*(part.name for part in own), held.name)
        link = Entity(
            name,
            plural(name),
            each.count,
            f"{each.name} of {entity.name} lists keys of {each.references}",
            key,
            "one of each belongs to it once",
            fields=[*own, held],
        )
        _unique_columns(link)
        found.append(link)
    return found


def set_views_aside(tree: Tree) -> None:
    """Mark an entity that is identified by another entity's key as a view of that entity."""
    for entity in tree.entities:
        own = entity.find(entity.key[0]) if len(entity.key) == 1 else None
        target = tree.find(own.references) if own is not None else None
        is_less = target is not None and len(entity.fields) <= len(target.fields)
        if target is not None and target is not entity and is_less and not target.is_receipt:
            entity.is_receipt = True
            entity.why = f"{own.name if own else ''} is the key of {target.name}: it shows one of those in another form"


def named_only(tree: Tree) -> list[Entity]:
    """Return entities that no answer shows but that several others refer to by ids of one form and one word."""
    named: defaultdict[str, list[tuple[Entity, Field]]] = defaultdict(list)
    for entity in tree.entities:
        if entity.is_receipt:
            continue
        for each in entity.fields:
            if (
                each.generation == "random"
                and each.type == "TEXT"
                and each.time is None
                and each.references is None
                and each.name not in entity.key
            ):
                last = each.name.rpartition(".")[2]
                for word in re.findall(r"[a-z]+", re.sub(r"(_?ids?|Ids?|ID)$", "", last).lower()):
                    named[word].append((entity, each))
    found = []
    for word, fields in named.items():
        values = [set(each.examples) for _, each in fields]
        shares = any(one & other for one, other in combinations(values, 2))
        if len({entity.name for entity, _ in fields}) < 2 or not shares or tree.find(word):
            continue
        for _, each in fields:
            each.references, each.generation, each.why = word, "authentic", "holds the key of another row"
            each.reference_why = f"{len(fields)} fields name a {word} by ids they share; no answer shows one"
        first = fields[0][1]
        key = Field(
            "id", "id", first.type, "random", "looks drawn: an id, a hash or a token", count=0, examples=first.examples
        )
        found.append(
            Entity(word, plural(word), 0, "only named by others", ("id",), "what others name it by", fields=[key])
        )
    return found


def choose_owners(tree: Tree) -> None:
    """Make ``<kind>_id`` the owner reference if every row has it and the entity has no other owner."""
    for entity in tree.entities:
        if entity.owner is not None:
            continue
        for each in entity.fields:
            target = each.references
            if target in (None, entity.name) or each.is_list or each.count < _ALWAYS * entity.rows:
                continue
            if re.fullmatch(rf"(context_)?{target}(_id|Id)?", each.name) and each.name not in entity.key:
                each.is_owner = True
                break


def find_account(tree: Tree) -> str | None:
    """Return the entity of people who sign in: the one with a mail address of its own."""
    best: tuple[int, str] | None = None
    for entity in tree.entities:
        mails = [each for each in entity.fields if re.search(r"(^|[._])e?mail$", each.name, re.IGNORECASE)]
        if mails and entity.key and not entity.is_receipt and len(entity.key) == 1:
            best = max(best or (0, ""), (max(each.count for each in mails), entity.name))
    return best[1] if best else None
