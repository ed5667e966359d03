"""Names and mail addresses of a world's people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any


def addresses(person: Mapping[str, Any]) -> list[str]:
    """Return a person's mail addresses: the general one, then those of single apps."""
    own = (account.get("address") for account in person.get("accounts", {}).values())
    return list(dict.fromkeys(filter(None, (person.get("email"), *own))))


def names_of(key: str, people: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a person's unique names: both languages, either order, mail, and the given name if nobody shares it."""
    return _names(key, people[key], _shared_parts(people))


def names_of_all(people: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return key → unique names of every person."""
    parts = _shared_parts(people)
    return {key: _names(key, who, parts) for key, who in people.items()}


def _shared_parts(people: Mapping[str, Mapping[str, Any]]) -> Counter[str]:
    """Return how many people have a part of a name."""
    return Counter(part for who in people.values() for part in {*_parts(who)})


def _names(key: str, who: Mapping[str, Any], bearers: Mapping[str, int]) -> list[str]:
    names = [key, str(who.get("name_zh") or ""), str(who.get("name_en") or ""), *addresses(who)]
    parts = _parts(who)
    if len(parts) > 1:
        names.append(" ".join([parts[-1], *parts[:-1]]))
        names += [parts[0]] if bearers[parts[0]] == 1 else []
    return list(dict.fromkeys(filter(None, names)))


def _parts(who: Mapping[str, Any]) -> list[str]:
    return str(who.get("name_en") or "").split()
