"""Names and mail addresses of a world's people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def addresses(person: Mapping[str, Any]) -> list[str]:
    """Return a person's mail addresses: the general one, then those of single apps."""
    own = (account.get("address") for account in person.get("accounts", {}).values())
    return list(dict.fromkeys(filter(None, (person.get("email"), *own))))


def names_of(key: str, people: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a person's unique names: both languages, either order, mail, and the given name if nobody shares it."""
    who = people[key]
    names = [key, str(who.get("name_zh") or ""), str(who.get("name_en") or ""), *addresses(who)]
    parts = str(who.get("name_en") or "").split()
    if len(parts) > 1:
        names.append(" ".join([parts[-1], *parts[:-1]]))
        given = parts[0]
        if not any(given in str(each.get("name_en") or "").split() for each in people.values() if each is not who):
            names.append(given)
    return list(dict.fromkeys(filter(None, names)))
