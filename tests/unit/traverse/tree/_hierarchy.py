"""How much of what a person found in a recording the rules find, and how much of what they find is so."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farm.traverse.tree.model import Entity, Field, Tree

HIERARCHIES = Path(__file__).parent / "hierarchies"


@dataclass(frozen=True)
class Share:
    """Hits among what was found and what there is.

    Attributes:
        missed: names of what was not found.
        false: names of what was found and is not so.
    """

    hits: int
    missed: tuple[str, ...]
    false: tuple[str, ...]

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + len(self.false)) if self.hits + len(self.false) else 1.0

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + len(self.missed)) if self.hits + len(self.missed) else 1.0


@dataclass(frozen=True)
class Score:
    entities: Share
    keys: Share
    references: Share


def score(app: str, tree: Tree) -> Score:
    """Hold a proposal against the hierarchy written by hand."""
    expected = tomllib.loads((HIERARCHIES / f"{app}.toml").read_text("utf-8"))
    proposed = [each for each in tree.entities if not each.is_receipt]
    matched = _match(expected["entities"], proposed)
    needed = [each for each in expected["entities"] if not each.get("optional")]
    names = {id(found): name for name, found in matched.items()}
    entities = Share(
        sum(each["name"] in matched for each in needed),
        tuple(each["name"] for each in needed if each["name"] not in matched),
        tuple(each.name for each in proposed if id(each) not in names),
    )
    keys = [each["name"] for each in needed if each["name"] in matched and _same_key(each, matched[each["name"]])]
    wrong = [each["name"] for each in needed if each["name"] in matched and each["name"] not in keys]
    return Score(
        entities,
        Share(
            len(keys),
            tuple(each["name"] for each in needed if each["name"] not in keys),
            tuple(name for name in wrong if matched[name].key),
        ),
        _references(expected["references"], proposed, matched, names),
    )


def _match(expected: Iterable[Mapping[str, Any]], proposed: list[Entity]) -> dict[str, Entity]:
    """Pair each expected entity with a proposal that shows half of its marks: one of its name, else the one with most.

    What is only named by others shows no marks, and goes by its name alone.
    """
    pairs = sorted(
        (
            (found.name == each["name"], _marks(each, found), -len(found.fields), each["name"], at)
            for each in expected
            for at, found in enumerate(proposed)
        ),
        reverse=True,
    )
    matched: dict[str, Entity] = {}
    taken: set[int] = set()
    for is_named, share, _, name, at in pairs:
        is_bare = is_named and len(proposed[at].fields) == 1
        if (share >= 0.5 or is_bare) and name not in matched and at not in taken:
            matched[name] = proposed[at]
            taken.add(at)
    return matched


def _marks(expected: Mapping[str, Any], found: Entity) -> float:
    return sum(_shows(found, mark) for mark in expected["shows"]) / len(expected["shows"])


def _shows(entity: Entity, mark: str) -> bool:
    names = {part for each in entity.fields for part in (each.name, *each.name.split("."), *each.aliases)}
    return any(name in names for name in mark.split("|"))


def _same_key(expected: Mapping[str, Any], found: Entity) -> bool:
    parts = [set(part.split("|")) for part in expected["key"]]
    fields = [{name, name.rpartition(".")[2], *_aliases(found, name)} for name in found.key]
    return len(parts) == len(fields) and all(any(part & names for names in fields) for part in parts)


def _aliases(entity: Entity, name: str) -> tuple[str, ...]:
    each = entity.find(name)
    return each.aliases if each else ()


def _references(
    expected: Iterable[Mapping[str, Any]],
    proposed: list[Entity],
    matched: Mapping[str, Entity],
    names: Mapping[int, str],
) -> Share:
    found = [
        (names[id(entity)], each, next((names.get(id(to)) for to in proposed if to.name == each.references), None))
        for entity in proposed
        if id(entity) in names
        for each in entity.fields
        if each.references
    ]
    hits, missed, explained = 0, [], set()
    for each in expected:
        start, _, path = each["from"].partition(".")
        those = [
            at for at, (name, field, to) in enumerate(found) if name == start and to == each["to"] and _is(field, path)
        ]
        explained.update(those)
        if not each.get("optional"):
            hits += bool(those)
            missed += [] if those else [each["from"]]
    false = [f"{name}.{field.name}→{to}" for at, (name, field, to) in enumerate(found) if at not in explained]
    return Share(hits, tuple(missed), tuple(false))


def _is(field: Field, path: str) -> bool:
    for each in path.split("|"):
        if field.name == each or field.name.endswith(f".{each}") or field.name.startswith(f"{each}."):
            return True
    return False
