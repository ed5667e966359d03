"""People and organisations of a world, which all apps share, and their accounts in each app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Person:
    """A person of the world, independent of apps."""

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
        """The name that colleagues in China see: the Chinese one if the person has one."""
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
    """An account of a person or of an organisation in one app.

    Attributes:
        key: the key of the person or the organisation.
        person: the owner; None for an organisation's account.
        organisation: the organisation, or the person's.
        name: the name that this app shows, if it differs from the person's; else empty.
        address: the mail address in this app: the account's own, else the person's.
        handle: the account's name in addresses and mentions; empty if the app has none.
        more: values that only this app's generator reads.
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
        """The person; valid only for accounts of people."""
        assert self.person is not None, self.key
        return self.person
