"""Facts in task files: references like those of a world's texts, and claims that name a fact (docs/facts.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from farm import content
from farm.appkit.world_spec.facts import Fact, Ledger

_VERSION = re.compile(r"([\w.]+)(?:#(\w+))?")
_DATED = ("moment", "day")


@lru_cache(maxsize=8)
def ledger_of(world: str) -> Ledger:
    """Return the facts of a world, loaded once per process like the world.

    Raises:
        NotFoundError: there is no such world.
        FactError: the ledger is invalid.
    """
    return Ledger.load(content.world_dirs(world))


def with_claims(raw: Mapping[str, Any], ledger: Ledger) -> Mapping[str, Any]:
    """Return a parsed task in which each claim that names a fact has the fact's value instead.

    Raises:
        ValueError: a claim names no fact, or a part that the fact lacks.
    """
    made: Mapping[str, Any] = _mapped(raw, lambda claim: _claim(claim, ledger))
    return made


def _mapped(value: Any, convert: Callable[[Mapping[str, Any]], list[Any]]) -> Any:
    if isinstance(value, list):
        return [_mapped(each, convert) for each in value]
    if not isinstance(value, Mapping):
        return value
    made = {name: _mapped(each, convert) for name, each in value.items()}
    if isinstance(claims := made.get("claims"), list):
        made["claims"] = [new for each in claims for new in (convert(each) if _names_fact(each) else [each])]
    return made


def _names_fact(claim: Any) -> bool:
    return isinstance(claim, Mapping) and "fact" in claim


def _claim(claim: Mapping[str, Any], ledger: Ledger) -> list[Any]:
    """Return the claims of a fact's value: two for a moment, unless ``part`` names one of them."""
    named = _VERSION.fullmatch(str(claim["fact"]))
    if named is None:
        raise ValueError(f"'{claim['fact']}' names no fact; write KEY or KEY#VERSION")
    fact = ledger.require(named[1])
    values = _values(fact, named[2] or "", ledger)
    part = claim.get("part")
    if part is not None and part not in values:
        raise ValueError(f"the fact '{fact.key}' ({fact.kind}) has no part '{part}'; have {', '.join(values)}")
    own = {name: each for name, each in claim.items() if name not in ("fact", "part")}
    subject = {"of": list(fact.names)} if fact.names else {}
    more: dict[str, Any] = {"unit": ["", fact.unit]} if fact.unit and fact.kind in ("amount", "number") else {}
    more |= {"unit": "%"} if fact.kind == "percent" else {}
    shared: dict[str, Any] = {**more, **subject, **own}
    if not shared.get("of", True):
        del shared["of"]  # an empty list: the value needs no subject
    return [{kind: value, **shared} for kind, value in values.items() if part in (None, kind)]


def _values(fact: Fact, version: str, ledger: Ledger) -> dict[str, Any]:
    """Return kind of claim → value."""

    def write(form: str) -> Any:
        return ledger.write(fact.key, version, form)

    found = {"date": write("offset")} if fact.kind in _DATED else {}
    if fact.kind in ("moment", "clock"):
        return found | {"clock": write("clock")}
    if fact.kind in _DATED:
        return found
    if fact.kind == "span":
        return {"number": write("number")}
    if fact.kind in ("amount", "number", "percent"):
        return {"number": write("number")}
    if fact.kind == "id":
        return {"id": write("")}
    forms = ((version and fact.version(version)) or fact).forms
    return {"choice": list(dict.fromkeys((str(write("")), *forms.values())))}
