"""A proposed hierarchy: what a person reads, corrects, and what drafts and starts are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from farm.context.schema import Made, TimeForm
from farm.traverse.tree.rows import Side

# In ``Place.adds``: the row's own key stands below that scalar, as a file in a folder does.
BELOW = "<below>"
ColumnType = Literal["TEXT", "INTEGER", "REAL"]
Effect = Literal["reads", "creates", "sets", "changes", "deletes", "unknown"]


@dataclass(frozen=True)
class Place:
    """Where rows of a kind stand.

    Attributes:
        path: in the answer or the arguments; empty for the whole.
        when: members that only rows of this kind have so, as ``{"object": "page"}``.
        fields: how its members are called among the fields, where that is not the same.
        adds: names of scalars around the row (arguments, members of the answer) → the field that each is.
    """

    side: Side
    tool: str
    path: str
    when: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    adds: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Field:
    """One field of a kind of thing.

    Attributes:
        name: its path in the answers, ``topic.value``.
        column: its column.
        count: how many rows showed it.
        contradicts: which call speaks against what is proposed.
        references: the kind of thing whose key it holds.
        is_owner: the thing referred to owns this one.
        is_enforced: the database may refuse a value that refers to nothing.
        aliases: other names under which its values are given.
    """

    name: str
    column: str
    type: ColumnType = "TEXT"
    made: Made = "free-form"
    why: str = ""
    count: int = 0
    distinct: int = 0
    examples: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    time: TimeForm | None = None
    is_json: bool = False
    is_list: bool = False
    references: str | None = None
    is_owner: bool = False
    is_enforced: bool = False
    reference_why: str = ""
    contradicts: str = ""
    aliases: tuple[str, ...] = ()
    default: Any = None


@dataclass
class Entity:
    """A kind of thing that the server keeps.

    Attributes:
        key: the fields that tell two of them apart; empty where nothing does.
        is_unique: whether no call showed two of one key in one list, perturbed ones included.
        is_receipt: it says what a call did, and is kept nowhere.
    """

    name: str
    table: str
    rows: int
    why: str
    key: tuple[str, ...] = ()
    key_why: str = ""
    is_unique: bool = True
    contradicts: str = ""
    is_receipt: bool = False
    fields: list[Field] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def find(self, name: str) -> Field | None:
        """Return the field of this name, or None."""
        return next((each for each in self.fields if each.name == name), None)

    @property
    def owner(self) -> str | None:
        """The kind of thing that owns it, or None: the account does."""
        return next((each.references for each in self.fields if each.is_owner and each.references != self.name), None)


@dataclass(frozen=True)
class Tool:
    """What a tool does to which kind of thing.

    Attributes:
        names: arguments → the field of the entity's key that each gives.
    """

    name: str
    reads: bool
    why: str
    effect: Effect = "unknown"
    entity: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Tree:
    """A whole proposal.

    Attributes:
        calls: how many it was made from.
        account: the kind of thing that people who sign in are, or None.
    """

    calls: int
    entities: list[Entity] = field(default_factory=list)
    tools: list[Tool] = field(default_factory=list)
    account: str | None = None
    given: list[dict[str, Any]] = field(default_factory=list)

    def link(self, entity: Entity, each: Field) -> Entity | None:
        """Return the kept entity that holds a list of keys one by one, or None."""
        if not (each.is_list and each.references) or each.name in entity.key:
            return None
        return next(
            (
                other
                for other in self.entities
                if not other.is_receipt and not other.places and other.owner == entity.name and other.find(each.name)
            ),
            None,
        )

    def find(self, name: str | None) -> Entity | None:
        """Return the entity of this name, or None."""
        return next((each for each in self.entities if each.name == name), None)
