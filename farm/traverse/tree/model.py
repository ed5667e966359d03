"""A proposed tree: a person reviews and corrects it, and schema drafts and starts are made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from farm.appkit.schema import Generation, TimeForm
from farm.traverse.tree.rows import Side

# In ``RowLocation.adds``: the row's own key is a path below that scalar, as a file is below a folder.
BELOW = "<below>"
ColumnType = Literal["TEXT", "INTEGER", "REAL"]
Effect = Literal["reads", "creates", "sets", "changes", "deletes", "unknown"]


@dataclass(frozen=True)
class RowLocation:
    """A place where answers or arguments show rows of an entity.

    Attributes:
        path: in the answer or the arguments; empty for the whole.
        when: member values that only rows of this entity have, as ``{"object": "page"}``.
        fields: member → field, where their names differ.
        adds: name of a scalar around the row (an argument, or a member of the answer) → its field.
    """

    side: Side
    tool: str
    path: str
    when: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    adds: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Field:
    """One field of an entity.

    Attributes:
        name: its path in the answers, ``topic.value``.
        column: its column.
        count: how many rows showed it.
        contradicts: the call that contradicts the proposal.
        references: the entity whose key it holds.
        is_owner: whether the referenced entity owns this one.
        is_enforced: whether the database may reject a value without a referenced row.
        aliases: other names under which its values are given.
    """

    name: str
    column: str
    type: ColumnType = "TEXT"
    generation: Generation = "free-form"
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
    """An entity that the server stores.

    Attributes:
        key: the fields that identify a row; empty if none do.
        is_unique: whether no call, perturbed ones included, showed two rows with one key in one list.
        is_receipt: whether it only reports a call's effect and is not stored.
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
    places: list[RowLocation] = field(default_factory=list)

    def find(self, name: str) -> Field | None:
        """Return the field with this name, or None."""
        return next((each for each in self.fields if each.name == name), None)

    @property
    def owner(self) -> str | None:
        """The entity that owns it; None: the account owns it."""
        return next((each.references for each in self.fields if each.is_owner and each.references != self.name), None)


@dataclass(frozen=True)
class Tool:
    """A tool's effect on an entity.

    Attributes:
        names: argument → the field of the entity's key that it gives.
    """

    name: str
    reads: bool
    why: str
    effect: Effect = "unknown"
    entity: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Tree:
    """A complete proposal.

    Attributes:
        calls: how many calls it was made from.
        account: the entity of people who sign in, or None.
    """

    calls: int
    entities: list[Entity] = field(default_factory=list)
    tools: list[Tool] = field(default_factory=list)
    account: str | None = None
    given: list[dict[str, Any]] = field(default_factory=list)

    def link(self, entity: Entity, each: Field) -> Entity | None:
        """Return the kept link table of a list of keys, or None."""
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
        """Return the entity with this name, or None."""
        return next((each for each in self.entities if each.name == name), None)
