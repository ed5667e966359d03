"""Propose a tree from a pool: which entities exist, where they appear, and their names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from farm.traverse.tree.answer_parser import AnswerParser
from farm.traverse.tree.effects import tool_effects
from farm.traverse.tree.entities import (
    EntityDraft,
    choose_owners,
    find_account,
    link_tables,
    make_entity,
    named_only,
    set_views_aside,
)
from farm.traverse.tree.keys import Key, asked_values, key_values, propose_key
from farm.traverse.tree.model import BELOW, RowLocation, Tree
from farm.traverse.tree.pool_calls import PoolCalls, words
from farm.traverse.tree.references import Keyed, around_names, refer
from farm.traverse.tree.row_kinds import Cell, RowKind, group, join_by_key, singular
from farm.traverse.tree.rows import VALUE, Collector, Row, owner_among

_OF_NO_KIND = words("result results item items data list value values entry entries object record match")
_VERBS = words(
    "get list search read find query retrieve fetch show create add update delete set post send put patch batch all "
    "open by api v1 v2 recent"
)
_EXAMPLES = 3
_MOST = 0.8
_MENTIONED_MIN = 0.6


def propose(pool: PoolCalls) -> Tree:
    """Return the tree that a pool suggests."""
    parser = AnswerParser(pool)
    rows = list(Collector(pool, parser).rows())
    kinds, loose = group(rows, sorted(parser.said_kinds))
    asked = asked_values([each.named for each in pool.calls if each.is_success and each.is_seed])
    kinds = [kind for kind in kinds if any(cell.where[0] == "answer" for cell in kind.cells)]
    known = {id(row) for kind in kinds for row in kind.rows}
    for row in rows:
        row.owner = owner_among(row, known)
    keys = {at: propose_key(kind, pool, asked).fields for at, kind in enumerate(kinds)}
    kinds = join_by_key(kinds, keys)
    kinds = _without_frames(kinds, pool, asked)
    founds = _name([EntityDraft(kind, propose_key(kind, pool, asked), "") for kind in kinds])
    founds += _asked_for(founds, loose, pool)
    founds = _join_aliases(founds)
    _tell_apart(founds)
    founds = _place(founds, pool, asked)
    _take_loose(founds, loose, pool)
    tree = Tree(calls=len(pool.calls))
    targets = _targets(founds)
    tree.entities = [make_entity(each, pool, targets, _parts(each, founds)) for each in founds]
    set_views_aside(tree)
    tree.entities += named_only(tree)
    names = {each.name for each in tree.entities}
    links = [link for each in tree.entities if not each.is_receipt for link in link_tables(each)]
    tree.entities += [link for link in links if link.name not in names]
    choose_owners(tree)
    tree.account = find_account(tree)
    kept = [each for each in founds if (entity := tree.find(each.name)) and entity.key and not entity.is_receipt]
    tree.tools = tool_effects(pool, tree, [each.own_keys for each in kept])
    return tree


def _without_frames(kinds: list[RowKind], pool: PoolCalls, asked: frozenset[str]) -> list[RowKind]:
    """Return the kinds without mere wrappers: those without a key that only contain others' rows, as a page does."""
    home = {id(row): kind for kind in kinds for row in kind.rows}
    around = [home[id(row.owner)] for kind in kinds for row in kind.rows if id(row.owner) in home]
    held = {id(kind) for kind in around}
    kept = [kind for kind in kinds if id(kind) not in held or propose_key(kind, pool, asked).fields]
    known = {id(row) for kind in kept for row in kind.rows}
    for kind in kept:
        for row in kind.rows:
            row.owner = owner_among(row, known)
    return kept


def _targets(founds: Sequence[EntityDraft]) -> list[Keyed]:
    """Return the keys that fields may refer to, except those of kinds that show another kind's keys in one place."""
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


def _parts(found: EntityDraft, founds: Sequence[EntityDraft]) -> dict[str, str]:
    """Return member → key field for the members of a kind that are rows of another kind."""
    places = {(cell.where[1], cell.where[2]) for cell in found.kind.cells}
    parts = {}
    for other in founds:
        for cell in other.kind.cells if other.key.fields else ():
            above, _, member = cell.where[2].rpartition(".")
            if other is not found and member and "[]" not in member and (cell.where[1], above) in places:
                parts[member] = other.key.fields[-1]
    return parts


def _name(founds: list[EntityDraft]) -> list[EntityDraft]:
    """Give every kind a distinct name: from its mark, its lists' names, or its tools."""
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
    """Return the noun in a tool's name."""
    named = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", tool)]
    nouns = [word for word in named if word not in _VERBS]
    return singular(nouns[-1]) if nouns else "thing"


def _asked_for(founds: Sequence[EntityDraft], loose: Sequence[Cell], pool: PoolCalls) -> list[EntityDraft]:
    """Return kinds that only arguments name: several tools take them under one name and answer with texts."""
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
    found: list[EntityDraft] = []
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
        kind = RowKind(
            [Cell(("arguments", tool, "", None), [row for row in rows[name] if row.call.tool == tool]) for tool in by]
        )
        key = Key((name,), f"{len(by)} tools take it, and answer with what it names")
        found.append(EntityDraft(kind, key, _noun(name, reading)))
    return found


def _noun(argument: str, tools: Sequence[str]) -> str:
    """Return the noun of an argument, or else of the tools that take it."""
    noun = re.sub(r"_?(id|path|name|uri|url|key)$", "", argument, flags=re.IGNORECASE).lower()
    return noun or tool_noun(min(tools, key=len))


def _tell_apart(founds: Sequence[EntityDraft]) -> None:
    """Make the names of the kinds distinct."""
    taken: Counter[str] = Counter()
    for each in founds:
        taken[each.name] += 1
        if taken[each.name] > 1:
            each.name = f"{each.name}_{taken[each.name]}"
            taken[each.name] += 1


def _same_thing(name: str, values: set[str], *founds: Sequence[EntityDraft]) -> EntityDraft | None:
    """Return the kind whose key an argument holds: most keys occur among its values, or its values among the keys."""
    for each in (one for several in founds for one in several):
        keyed = each.keyed
        if keyed is None:
            continue
        if refer(name, values, [keyed]) or refer(
            keyed.field, keyed.values, [Keyed(each.name, name, frozenset(values))]
        ):
            return each
    return None


def _join_aliases(founds: list[EntityDraft]) -> list[EntityDraft]:
    """Merge rows that hold only a kind's key under another name into that kind."""
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
            to.places.append(RowLocation(side, tool, path, dict([mark]) if mark else {}, {alias: key}))
        for row in each.kind.rows:
            for name, value in row.fields.items():
                to.extra[key if name == alias else name].append(value)
    return kept


def _place(founds: list[EntityDraft], pool: PoolCalls, asked: frozenset[str]) -> list[EntityDraft]:
    """Return the kinds with keys relative to what contains them; parts without a key go back to their owners."""
    targets = [keyed for each in founds if (keyed := each.keyed)]
    home = {id(row): each for each in founds for row in each.kind.rows}
    kept = []
    for each in founds:
        rows = [row for row in each.kind.rows if row.side == "answer"]
        nested = [row for row in rows if row.owner is not None]
        owners = Counter(home[id(row.owner)].name for row in nested if id(row.owner) in home)
        # Answers to perturbed calls may lack the member that makes their container a row.
        seeds = [row for row in rows if row.call.is_seed] or rows
        is_nested = bool(owners) and sum(row.owner is not None for row in seeds) >= _MOST * len(seeds)
        if not each.key.fields and (is_nested or (rows and len(nested) >= len(rows) / 2)):
            continue
        if is_nested and _is_document(each, asked):
            continue
        if is_nested and _is_local(each):
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


def _is_document(found: EntityDraft, asked: frozenset[str]) -> bool:
    """Return whether rows are parts of a document: they contain lists of objects, and no call names one by its key."""
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


def _is_local(found: EntityDraft) -> bool:
    """Return whether a key identifies a row only within its owner."""
    return re.search(r"(^|[._])(id|uuid|guid)$", found.key.fields[-1]) is None


def _take_loose(founds: Sequence[EntityDraft], loose: Sequence[Cell], pool: PoolCalls) -> None:
    """Assign texts, lists of keys and parts that were requested by a key to the kind they belong to."""
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
                    found.places.append(RowLocation(side, tool, path, {}, {VALUE: keyed.field}, adds))
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
            # Its members are an object of the requested row, such as the header of a note: store it as a whole.
            fields = {"": tool_noun(tool)}
        found.places.append(RowLocation(side, tool, path, {}, fields, {name: key}))
        for row in cell.rows:
            if row.around.get(name) not in (None, ""):
                found.extra[key].append(row.around[name])
                for member, column in fields.items():
                    value = row.members if not member else row.members.get(member)
                    if member == column and isinstance(value, dict):
                        continue  # its members are already fields
                    found.extra[column].append(value)


def _mentions(rows: Sequence[Row], keyed: Keyed) -> tuple[bool, str | None]:
    """Return whether values are keys unchanged, else the argument that is the keys' parent path."""
    values = [str(row.members[VALUE]) for row in rows]
    if sum(each in keyed.values for each in values) >= _MENTIONED_MIN * len(values):
        return True, None
    for name in rows[0].around:
        below = [f"{row.around.get(name)}/{value}" for row, value in zip(rows, values, strict=True)]
        if sum(each in keyed.values for each in below) >= _MENTIONED_MIN * len(below) / 2:
            return False, name
    return False, None


def _text_name(values: Sequence[Any], pool: PoolCalls, tool: str) -> str:
    """Return the argument name under which writing tools send a text that a read returns."""
    texts = {each for each in values if isinstance(each, str)}
    for call in pool.calls:
        if call.is_success and not pool.reads(call.tool)[0]:
            for name, value in call.named.items():
                if isinstance(value, str) and len(value) > _EXAMPLES and value in texts:
                    return name
    return tool_noun(tool)
