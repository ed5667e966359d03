"""Determine each tool's effect on which entity, and which of its arguments name the row."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from farm.traverse.tree.model import Effect, Entity, RowLocation, Tool, Tree
from farm.traverse.tree.pool_calls import UNSAID, PoolCalls, words
from farm.traverse.tree.references import Keyed, refer

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_EFFECTS: tuple[tuple[Effect, frozenset[str]], ...] = (
    ("deletes", words("delete remove trash destroy drop purge")),
    # For such a call, it is unknown whether the row existed before.
    ("sets", words("put append upsert write save upload set")),
    ("changes", words("update patch edit change modify rename move complete archive mark")),
    ("creates", words("create add new post send insert reply invite register")),
)


def tool_effects(pool: PoolCalls, tree: Tree, targets: Sequence[Keyed]) -> list[Tool]:
    """Return the effect of each tool of a pool.

    Args:
        targets: the keys that arguments may refer to.
    """
    values: defaultdict[str, defaultdict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for call in pool.calls:
        values[call.tool]
        if call.is_success:
            for name, value in call.named.items():
                values[call.tool][name].append(value)
    shown: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for entity in tree.entities:
        for place in entity.places:
            if place.side == "answer" and not entity.is_receipt:
                shown[place.tool].append((place.path.count(".") + place.path.count("[]"), entity.name))
    # The outermost entity first: it is the subject of an answer.
    found = {name: [each for _, each in sorted(shown[name])] for name in values}
    return [_tool(name, pool, tree, values[name], targets, found[name]) for name in sorted(values)]


def _tool(
    name: str, pool: PoolCalls, tree: Tree, values: dict[str, list[Any]], targets: Sequence[Keyed], shown: list[str]
) -> Tool:
    reads, why = pool.reads(name)
    named: dict[str, dict[str, str]] = defaultdict(dict)
    for argument, given in values.items():
        if (to := refer(argument, given, targets)) is not None:
            entity = tree.find(to.target)
            if entity is not None:
                named[to.target][argument] = entity.key[-1]
    # If an entity and its owner are both named, the inner one is meant.
    about = max(named, key=lambda each: len(_key(tree, each)), default=None)
    names = {argument: part for each in named.values() for argument, part in each.items()}
    if about is not None:
        names = _qualified(tree, tree.find(about), named)
    if not reads and shown and why == UNSAID and any(pool.reads(place.tool)[0] for place in _shows(tree, shown[0])):
        reads, why = True, f"its name says nothing, and its answers show {shown[0]} as reading tools do"
    if reads:
        return Tool(name, reads, why, "reads", about, names)
    said = [word.lower() for word in _WORD.findall(name)]
    effect: Effect = next((each for each, known in _EFFECTS if known.intersection(said)), "unknown")
    if effect == "creates" and (new := next((each for each in shown if each not in named), None)):
        # An entity that the answer shows and no argument names was created.
        return Tool(name, reads, why, effect, new, {})
    if effect == "creates" and about is not None and not shown:
        # A complete key may name a row that existed before; a partial key names the row to which something is added.
        effect = "sets" if set(names.values()) >= set(_key(tree, about)) and len(_key(tree, about)) > 1 else "changes"
    return Tool(name, reads, why, effect, about or (shown[0] if shown else None), names)


def _shows(tree: Tree, name: str) -> list[RowLocation]:
    entity = tree.find(name)
    return entity.places if entity else []


def _key(tree: Tree, name: str) -> tuple[str, ...]:
    entity = tree.find(name)
    return entity.key if entity else ()


def _qualified(tree: Tree, entity: Entity | None, named: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return which argument gives which part of a key, including parts of the owners' keys."""
    if entity is None:
        return {}
    found = dict(named[entity.name])
    for part in entity.key:
        target = _target(tree, entity, part)
        if target in named and target != entity.name:
            found |= dict.fromkeys(named[target], part)
    return found


def _target(tree: Tree, entity: Entity, part: str) -> str | None:
    """Return the entity that a part of a key refers to; a part of the owner's key is followed to its own target."""
    each = entity.find(part)
    owner = tree.find(each.references) if each is not None and each.is_owner else None
    if owner is not None and owner is not entity and part.startswith(f"{owner.name}."):
        own = part.removeprefix(f"{owner.name}.")
        return owner.name if own == owner.key[-1] else _target(tree, owner, own)
    return each.references if each is not None else None
