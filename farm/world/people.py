"""Who is in a world: people and organisations, the same in every app, and what each app knows of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Person:
    """Someone of the world, whatever apps they use."""

    key: str
    name_en: str
    email: str
    organisation: str
    city: str
    time_zone: str
    language: str
    name_zh: str = ""
    phone: str = ""
    title_en: str = ""
    title_zh: str = ""
    department: str = ""
    manager: str = ""
    note: str = ""
    status: str = "active"  # active, left

    @property
    def name(self) -> str:
        """The name colleagues in China see: the Chinese one if there is one."""
        return self.name_zh or self.name_en


@dataclass(frozen=True)
class Organisation:
    """A company or circle of people."""

    key: str
    name_en: str
    domain: str
    name_zh: str = ""
    note: str = ""


@dataclass(frozen=True)
class Account:
    """What one app knows of a person, or of an organisation that has an account of its own.

    Attributes:
        key: of the person or the organisation.
        person: whose it is; None for an organisation's own.
        organisation: the organisation, or the person's.
        name: the name this app shows, where it is another one than the person's; else empty.
        address: the mail address in this app: the account's own, else the person's.
        handle: the account's own name in addresses and mentions; empty where an app has none.
        more: what only this app's generator reads.
    """

    key: str
    person: Person | None
    organisation: Organisation
    name: str = ""
    address: str = ""
    handle: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def owner(self) -> Person:
        """The person; only for accounts that are known to be a person's."""
        assert self.person is not None, self.key
        return self.person
