"""Mail addresses in headers: ``Wan Lin <wan@example.com>, "Bauer, Jan" <jan@example.com>``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.headerregistry import Address as _Parsed
from email.headerregistry import AddressHeader, HeaderRegistry

_PLAIN_NAME = re.compile(r"[\w!#$%&'*+/=?^`{|}~ .-]*")
_REGISTRY = HeaderRegistry(default_class=AddressHeader, use_default_map=True)


@dataclass(frozen=True)
class Address:
    """One mailbox: ``name`` is empty where the header gives the bare address."""

    name: str
    address: str

    def __str__(self) -> str:
        """Return it as a header shows it; the name in quotes where it has to be."""
        if not self.name:
            return self.address
        if _PLAIN_NAME.fullmatch(self.name) and "." not in self.name:
            return f"{self.name} <{self.address}>"
        escaped = self.name.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}" <{self.address}>'


def parse_addresses(header: str) -> list[Address]:
    """Return the mailboxes of a To, Cc or From header, in order; what is none is left out.

    A text without ``@`` is no mailbox: ``somebody`` gives nothing.
    """
    try:
        parsed = _REGISTRY("to", header.replace("\r", " ").replace("\n", " "))
    except (HeaderParseError, AttributeError, IndexError, ValueError):
        # Broken headers break the standard library's parser in more ways than it declares.
        return []
    found: list[_Parsed] = list(getattr(parsed, "addresses", ()))
    return [Address(each.display_name, each.addr_spec) for each in found if each.username and each.domain]
