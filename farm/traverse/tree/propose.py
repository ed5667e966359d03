"""From a pool to a proposed hierarchy."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from farm.traverse.tree.bodies import Bodies
from farm.traverse.tree.calls import Pool, words
from farm.traverse.tree.effects import tool_effects
from farm.traverse.tree.keys import Key, asked_values, contradiction, key_values, propose_key
from farm.traverse.tree.kinds import Cell, Kind, group, join_by_key, plural, singular
from farm.traverse.tree.making import column_type, made, time_form, values_of
from farm.traverse.tree.model import BELOW, Entity, Field, Place, Tree
from farm.traverse.tree.references import Keyed, Reference, around_names, flat, refer, unknown_value
from farm.traverse.tree.rows import VALUE, Collector, Row, is_scalar, owner_among, whole

_OF_NO_KIND = words("result results item items data list value values entry entries object record match")
_VERBS = words(
    "get list search read find query retrieve fetch show create add update delete set post send put patch batch all "
    "open by api v1 v2 recent"
)
_OF_PARENT = re.compile(r"^parent(_?id|Id)?($|\.)")
_EXAMPLES = 3
_EXAMPLE_CHARACTERS = 60
_ALWAYS = 0.95
_MOST = 0.8
_MENTIONED_MIN = 0.6


@dataclass(eq=False)
class _Found:
    """A kind on its way to an entity."""

    kind: Kind
    key: Key
    name: str
    parent: _Found | None = None
    places: list[Place] = field(default_factory=list)
    extra: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    aliases: list[str] = field(default_factory=list)

    @property
    def keyed(self) -> Keyed | None:
        """Its keys, where one field of its own is one."""
        if len(self.key.fields) - len(self.key.around) != 1 or self.parent is not None:
            return None
        return self.own_keys

    @property
    def own_keys(self) -> Keyed:
        """The values of the field of its key that is its own; within their owner where it is a part of one."""
        name = self.key.fields[-1]
        return Keyed(self.name, name, frozenset(key_values(self.kind.rows, name) | set(map(str, self.extra[name]))))


def propose(pool: Pool) -> Tree:
    """Return the hierarchy that a pool suggests."""
    bodies = Bodies(pool)
    rows = list(Collector(pool, bodies).rows())
    kinds, loose = group(rows, sorted(bodies.said_kinds))
    asked = asked_values([each.named for each in pool.calls if each.is_success and each.is_seed])
    kinds = [kind for kind in kinds if any(cell.where[0] == "answer" for cell in kind.cells)]
    known = {id(row) for kind in kinds for row in kind.rows}
    for row in rows:
        row.owner = owner_among(row, known)
    keys = {at: propose_key(kind, pool, asked).fields for at, kind in enumerate(kinds)}
    kinds = join_by_key(kinds, keys)
    kinds = _without_frames(kinds, pool, asked)
    founds = _name([_Found(kind, propose_key(kind, pool, asked), "") for kind in kinds], pool)
    founds += _asked_for(founds, loose, pool)
    founds = _join_aliases(founds)
    _tell_apart(founds)
    founds = _place(founds, pool, asked)
    _take_loose(founds, loose, pool)
    tree = Tree(calls=len(pool.calls))
    targets = _targets(founds)
    tree.entities = [_entity(each, pool, targets, _parts(each, founds)) for each in founds]
    _set_views_aside(tree)
    tree.entities += _named_only(tree)
    names = {each.name for each in tree.entities}
    links = [link for each in tree.entities if not each.is_receipt for link in _links(each)]
    tree.entities += [link for link in links if link.name not in names]
    _choose_owners(tree)
    tree.account = _account(tree)
    kept = [each for each in founds if (entity := tree.find(each.name)) and entity.key and not entity.is_receipt]
    tree.tools = tool_effects(pool, tree, [each.own_keys for each in kept])
    return tree


def _without_frames(kinds: list[Kind], pool: Pool, asked: frozenset[str]) -> list[Kind]:
    """Return the kinds without those that have no key and only stand around rows of others, as a page does."""
    home = {id(row): kind for kind in kinds for row in kind.rows}
    around = [home[id(row.owner)] for kind in kinds for row in kind.rows if id(row.owner) in home]
    held = {id(kind) for kind in around}
    kept = [kind for kind in kinds if id(kind) not in held or propose_key(kind, pool, asked).fields]
    known = {id(row) for kind in kept for row in kind.rows}
    for kind in kept:
        for row in kind.rows:
            row.owner = owner_among(row, known)
    return kept


def _targets(founds: Sequence[_Found]) -> list[Keyed]:
    """Return what fields may refer to: all kinds but those that show another's keys in one place."""
    keyed = [(each, key) for each in founds if (key := each.keyed)]
    return [
        key
        for each, key in keyed
        if len(each.kind.cells) > 1
        or not any(
            len(other.values) > len(key.values) and len(other.values & key.values) >= _MENTIONED_MIN * len(key.values)
            for _, other in keyed
        )
    ]


def _parts(found: _Found, founds: Sequence[_Found]) -> dict[str, str]:
    """Return the members of a kind that are rows of another one → the field of their key."""
    places = {(cell.where[1], cell.where[2]) for cell in found.kind.cells}
    parts = {}
    for other in founds:
        for cell in other.kind.cells if other.key.fields else ():
            above, _, member = cell.where[2].rpartition(".")
            if other is not found and member and "[]" not in member and (cell.where[1], above) in places:
                parts[member] = other.key.fields[-1]
    return parts


def _name(founds: list[_Found], pool: Pool) -> list[_Found]:
    """Give every kind a name of its own: what marks it, what its lists are called, or its tools."""
    taken: Counter[str] = Counter()
    for each in sorted(founds, key=lambda found: -len(found.kind.rows)):
        mark = each.kind.mark
        names = Counter[str]()
        for cell in each.kind.cells:
            named = cell.name if cell.where[0] == "answer" else ""
            if not named or named in _OF_NO_KIND:
                named = tool_noun(cell.where[1])
            names[named] += len(cell.rows) if cell.where[2] else 1
        name = re.sub(r"\W+", "_", mark[1] if mark else names.most_common(1)[0][0]).strip("_").lower() or "thing"
        taken[name] += 1
        each.name = name if taken[name] == 1 else f"{name}_{taken[name]}"
    return founds


def tool_noun(tool: str) -> str:
    """Return what a tool is about, as far as its name tells."""
    named = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", tool)]
    nouns = [word for word in named if word not in _VERBS]
    return singular(nouns[-1]) if nouns else "thing"


def _asked_for(founds: Sequence[_Found], loose: Sequence[Cell], pool: Pool) -> list[_Found]:
    """Return kinds that only arguments name: things that several tools take by one name and answer with texts."""
    texts = {
        cell.where[1]
        for cell in loose
        if cell.where[0] == "answer" and not cell.where[2] and all(VALUE in row.members for row in cell.rows)
    }
    tools: defaultdict[str, set[str]] = defaultdict(set)
    values: defaultdict[str, set[str]] = defaultdict(set)
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    for call in pool.calls:
        if not (call.is_success and call.is_seed):
            continue
        for name, value in call.named.items():
            if isinstance(value, str) and value and "\n" not in value:
                tools[name].add(call.tool)
                values[name].add(value)
                rows[name].append(Row(call, "arguments", "", call.named, {name: value}, None, {}, None))
    found: list[_Found] = []
    for name, by in tools.items():
        reading = [tool for tool in by if pool.reads(tool)[0] and tool in texts]
        if not reading or len(by) < 2 or len(values[name]) < _EXAMPLES:
            continue
        if (same := _same_thing(name, values[name], founds, found)) is not None:
            if not same.aliases and not same.kind.mark:
                same.name = _noun(name, reading)
            same.aliases.append(name)
            same.extra[same.key.fields[-1]].extend(sorted(values[name]))
            continue
        kind = Kind(
            [Cell(("arguments", tool, "", None), [row for row in rows[name] if row.call.tool == tool]) for tool in by]
        )
        key = Key((name,), f"{len(by)} tools take it, and answer with what it names")
        found.append(_Found(kind, key, _noun(name, reading)))
    return found


def _noun(argument: str, tools: Sequence[str]) -> str:
    """Return what an argument names: its own words, else what the tools that take it are about."""
    noun = re.sub(r"_?(id|path|name|uri|url|key)$", "", argument, flags=re.IGNORECASE).lower()
    return noun or tool_noun(min(tools, key=len))


def _tell_apart(founds: Sequence[_Found]) -> None:
    """Give each kind a name that no other has."""
    taken: Counter[str] = Counter()
    for each in founds:
        taken[each.name] += 1
        if taken[each.name] > 1:
            each.name = f"{each.name}_{taken[each.name]}"
            taken[each.name] += 1


def _same_thing(name: str, values: set[str], *founds: Sequence[_Found]) -> _Found | None:
    """Return what an argument names by its key: most of the keys are among its values, or its values among them."""
    for each in (one for several in founds for one in several):
        keyed = each.keyed
        if keyed is None:
            continue
        if refer(name, values, [keyed]) or refer(
            keyed.field, keyed.values, [Keyed(each.name, name, frozenset(values))]
        ):
            return each
    return None


def _join_aliases(founds: list[_Found]) -> list[_Found]:
    """Let rows that hold only a thing's key under another name be rows of the thing."""
    kept = []
    for each in founds:
        own = {name for row in each.kind.rows for name in row.fields}
        to = next((one for one in founds if one is not each and own.intersection(one.aliases)), None)
        if to is None or (each.key.fields and each.key.fields[0] not in to.aliases):
            kept.append(each)
            continue
        (alias, *_) = own.intersection(to.aliases)
        key = to.key.fields[-1]
        for cell in each.kind.cells:
            side, tool, path, mark = cell.where
            to.places.append(Place(side, tool, path, dict([mark]) if mark else {}, {alias: key}))
        for row in each.kind.rows:
            for name, value in row.fields.items():
                to.extra[key if name == alias else name].append(value)
    return kept


def _place(founds: list[_Found], pool: Pool, asked: frozenset[str]) -> list[_Found]:
    """Return the kinds with keys that say in what they count anew; parts without a key go back to their owners."""
    targets = [keyed for each in founds if (keyed := each.keyed)]
    home = {id(row): each for each in founds for row in each.kind.rows}
    kept = []
    for each in founds:
        rows = [row for row in each.kind.rows if row.side == "answer"]
        nested = [row for row in rows if row.owner is not None]
        owners = Counter(home[id(row.owner)].name for row in nested if id(row.owner) in home)
        # What a perturbed call was answered may lack the part that makes the owner one.
        seeds = [row for row in rows if row.call.is_seed] or rows
        is_nested = bool(owners) and sum(row.owner is not None for row in seeds) >= _MOST * len(seeds)
        if not each.key.fields and rows and len(nested) >= len(rows) / 2:
            continue
        if is_nested and _is_document(each, asked):
            continue
        if is_nested and _is_local(each, nested):
            each.parent = next(one for one in founds if one.name == owners.most_common(1)[0][0])
            if each.parent is each or not each.parent.key.fields:
                continue
        elif not is_nested:
            owning = [
                name
                for name, values in around_names(rows).items()
                if (to := refer(name, values, targets)) is not None and to.target != each.name
            ]
            each.key = propose_key(each.kind, pool, asked, owning) if each.kind.rows[0].side == "answer" else each.key
        kept.append(each)
    names = {id(each) for each in kept}
    return [each for each in kept if each.parent is None or id(each.parent) in names]


def _is_document(found: _Found, asked: frozenset[str]) -> bool:
    """Whether rows are parts of a document: they hold lists of objects of their own, and nobody asks for one."""
    rows = found.kind.rows
    is_listed = all(row.listing is not None for row in rows)
    is_deep = any(
        isinstance(part, dict)
        for row in rows
        for value in row.members.values()
        if isinstance(value, list)
        for part in value
    )
    return is_listed and is_deep and not key_values(rows, found.key.fields[-1]) & asked


def _is_local(found: _Found, rows: Sequence[Row]) -> bool:
    """Whether a key says which part of its owner it is, and not which of all things."""
    owners: defaultdict[str, set[int]] = defaultdict(set)
    for row in rows:
        owners[str(row.fields.get(found.key.fields[-1]))].add(id(row.owner))
    return re.search(r"(^|[._])(id|uuid|guid)$", found.key.fields[-1]) is None


def _take_loose(founds: Sequence[_Found], loose: Sequence[Cell], pool: Pool) -> None:
    """Give texts, lists of keys and parts that were asked for by a key to what they belong to."""
    targets = [keyed for each in founds if (keyed := each.keyed)]
    by_name = {each.name: each for each in founds}
    whole = {(cell.where[1], cell.where[2]) for each in founds for cell in each.kind.cells}
    for cell in loose:
        side, tool, path, _ = cell.where
        if side != "answer" or not pool.reads(tool)[0]:
            continue
        around = around_names(cell.rows)
        if all(set(row.members) == {VALUE} for row in cell.rows) and path:
            for keyed in targets:
                plain, joined = _mentions(cell.rows, keyed)
                if plain or joined is not None:
                    found = by_name[keyed.name]
                    adds = {joined: BELOW} if joined else {}
                    found.places.append(Place(side, tool, path, {}, {VALUE: keyed.field}, adds))
                    break
            continue
        named = [(name, to) for name, values in around.items() if (to := refer(name, values, targets)) is not None]
        if len(named) != 1 or path:
            continue
        name, to = named[0]
        found = by_name[to.target]
        key = found.key.fields[-1]
        members = Counter(member for row in cell.rows for member in row.members)
        fields = {}
        for member in members:
            values = [row.members[member] for row in cell.rows if member in row.members]
            if member == VALUE:
                fields[member] = _text_name(values, pool, tool)
            elif (
                (tool, member) not in whole
                and any(other.startswith(f"{member}.") for row in found.kind.rows for other in row.fields)
            ) or (any(isinstance(value, dict) and value for value in values) and (tool, member) not in whole):
                fields[member] = member
        is_open = VALUE not in members and not fields and not any(other == tool for other, _ in whole)
        if is_open:
            # An object whose members are of the asked one's making, as the head of a note: kept whole.
            fields = {"": tool_noun(tool)}
        found.places.append(Place(side, tool, path, {}, fields, {name: key}))
        for row in cell.rows:
            if row.around.get(name) not in (None, ""):
                found.extra[key].append(row.around[name])
                for member, column in fields.items():
                    value = row.members if not member else row.members.get(member)
                    if member == column and isinstance(value, dict):
                        continue  # its members are fields already
                    found.extra[column].append(value)


def _mentions(rows: Sequence[Row], keyed: Keyed) -> tuple[bool, str | None]:
    """Return whether values are keys as they are, and the argument below which they are."""
    values = [str(row.members[VALUE]) for row in rows]
    if sum(each in keyed.values for each in values) >= _MENTIONED_MIN * len(values):
        return True, None
    for name in rows[0].around:
        below = [f"{row.around.get(name)}/{value}" for row, value in zip(rows, values, strict=True)]
        if sum(each in keyed.values for each in below) >= _MENTIONED_MIN * len(below) / 2:
            return False, name
    return False, None


def _text_name(values: Sequence[Any], pool: Pool, tool: str) -> str:
    """Return what a text that a read answers is called by the tools that write it."""
    texts = {each for each in values if isinstance(each, str)}
    for call in pool.calls:
        if call.is_success and not pool.reads(call.tool)[0]:
            for name, value in call.named.items():
                if isinstance(value, str) and len(value) > _EXAMPLES and value in texts:
                    return name
    return tool_noun(tool)


def _entity(found: _Found, pool: Pool, targets: Sequence[Keyed], parts: Mapping[str, str]) -> Entity:
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
                made="authentic",
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


def _parent_key(parent: _Found) -> tuple[tuple[str, str, str], ...]:
    """Return name, kind and field of each part of an owner's key, as its parts hold them."""
    parts = _parent_key(parent.parent) if parent.parent else ()
    own = tuple((f"{parent.name}.{name}", parent.name, name) for name in parent.key.fields)
    return (*parts, *own)


def _is_part(name: str, values: dict[str, list[Any]]) -> bool:
    """Whether a field is null or empty where others show it to be an object."""
    return any(other.startswith(f"{name}.") for other in values) and all(not each for each in values[name])


def _places(found: _Found) -> list[Place]:
    places = []
    for cell in found.kind.cells:
        side, tool, path, mark = cell.where
        adds = {name: name for name in found.key.around}
        if side == "arguments" and not path:
            continue
        places.append(Place(side, tool, path, dict([mark]) if mark else {}, {}, adds))
    return places


def _field(
    name: str, shown: Sequence[Any], clean: Sequence[Any], is_key: bool, found: _Found, targets: Sequence[Keyed]
) -> Field:
    """Return a field of these values.

    Args:
        clean: those of them that no perturbed call can have put there.
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
    method, why = made(name, filled, is_key=is_key, refers=to is not None, time=form)
    texts = list(dict.fromkeys(_shown(each) for each in filled))
    entry = Field(
        name,
        _column(name),
        type="TEXT" if is_json else column_type(scalars),
        made=method,
        why=why,
        count=len(shown),
        distinct=len(texts),
        examples=tuple(texts[:_EXAMPLES]),
        values=values_of(method, scalars),
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
        # A value that no read knows was named by a success: the server does not enforce it.
        is_enforced=to.unknown is None,
        reference_why=to.why,
        contradicts="" if to.unknown is None else f"{_shown(to.unknown)} is no key that a read showed",
    )


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _EXAMPLE_CHARACTERS else text[: _EXAMPLE_CHARACTERS - 1] + "…"


def _column(name: str) -> str:
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    column = re.sub(r"\W+", "_", whole(snake)).strip("_").lower()
    # A row of a world says with «table» whose it is, and with «comes_s» when it comes.
    is_free = column and not column[0].isdigit() and column not in ("table", "comes_s", "row_id")
    return column if is_free else f"field_{column}"


def _unique_columns(entity: Entity) -> None:
    taken: Counter[str] = Counter()
    for each in entity.fields:
        taken[each.column] += 1
        if taken[each.column] > 1:
            each.column = f"{each.column}_{taken[each.column]}"


def _links(entity: Entity) -> list[Entity]:
    """Return a table for each list of keys: which of the one belong to which of the other."""
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


def _set_views_aside(tree: Tree) -> None:
    """Let what is told apart by the key of another kind of thing be that thing, shown in another form."""
    for entity in tree.entities:
        own = entity.find(entity.key[0]) if len(entity.key) == 1 else None
        target = tree.find(own.references) if own is not None else None
        is_less = target is not None and len(entity.fields) <= len(target.fields)
        if target is not None and target is not entity and is_less and not target.is_receipt:
            entity.is_receipt = True
            entity.why = f"{own.name if own else ''} is the key of {target.name}: it shows one of those in another form"


def _named_only(tree: Tree) -> list[Entity]:
    """Return kinds of things that several others name by an id of one form and one word, and no answer shows."""
    named: defaultdict[str, list[tuple[Entity, Field]]] = defaultdict(list)
    for entity in tree.entities:
        if entity.is_receipt:
            continue
        for each in entity.fields:
            if (
                each.made == "random"
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
            each.references, each.made, each.why = word, "authentic", "holds the key of another row"
            each.reference_why = f"{len(fields)} fields name a {word} by ids they share; no answer shows one"
        first = fields[0][1]
        key = Field(
            "id", "id", first.type, "random", "looks drawn: an id, a hash or a token", count=0, examples=first.examples
        )
        found.append(
            Entity(word, plural(word), 0, "only named by others", ("id",), "what others name it by", fields=[key])
        )
    return found


def _choose_owners(tree: Tree) -> None:
    """Let what every row names with ``<kind>_id`` own it, where nothing else does."""
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


def _account(tree: Tree) -> str | None:
    """Return the kind of thing that people who sign in are: what has an address for mail of its own."""
    best: tuple[int, str] | None = None
    for entity in tree.entities:
        mails = [each for each in entity.fields if re.search(r"(^|[._])e?mail$", each.name, re.IGNORECASE)]
        if mails and entity.key and not entity.is_receipt and len(entity.key) == 1:
            best = max(best or (0, ""), (max(each.count for each in mails), entity.name))
    return best[1] if best else None
