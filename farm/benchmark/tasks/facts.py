"""Facts in task files: references like those of a world's texts, and claims that name a fact (docs/facts.md)."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any

from farm import content
from farm.appkit.world_spec.facts import Fact, Ledger
from farm.context.template import load_ledger

_VERSION = re.compile(r"([\w.]+)(?:#(\w+))?")
_DATED = ("moment", "day")


def ledger_of(world: str) -> Ledger:
    """Return the facts of a world.

    Raises:
        NotFoundError: there is no such world.
        FactError: the ledger is invalid.
    """
    return load_ledger(tuple(content.world_dirs(world)))


def with_claims(raw: Mapping[str, Any], ledger: Ledger) -> Mapping[str, Any]:
    """Return a parsed task in which each claim that names a fact has the fact's value instead.

    Former and wrong values of the fact become ``only.stale``: a text may deny them or call them old.

    Raises:
        ValueError: a claim names no fact, or a part that the fact lacks.
    """
    made: Mapping[str, Any] = _converted(raw, ledger)
    return made


def _converted(value: Any, ledger: Ledger) -> Any:
    if isinstance(value, list):
        return [_converted(each, ledger) for each in value]
    if not isinstance(value, Mapping):
        return value
    made = {name: _converted(each, ledger) for name, each in value.items()}
    claims = made.get("claims")
    if isinstance(claims, list) and any(map(_names_fact, claims)):
        made["claims"] = [
            new for each in claims for new in (claims_of_fact(each, ledger) if _names_fact(each) else [each])
        ]
        claimed = {
            str(value) for each in made["claims"] for value in each.values() if isinstance(value, str | float | int)
        }
        outdated = [text for each in claims if _names_fact(each) for text in _outdated(each, ledger, claimed)]
        if outdated:
            only = made.get("only", {})
            stale = only.get("stale", [])
            stale = [stale] if isinstance(stale, str) else [*stale]
            made["only"] = {**only, "stale": [*stale, *(text for text in outdated if text not in stale)]}
    return made


def _names_fact(claim: Any) -> bool:
    return isinstance(claim, Mapping) and "fact" in claim


def _fact_of(claim: Mapping[str, Any], ledger: Ledger) -> tuple[Fact, str]:
    """Return the fact that a claim names, and the version."""
    named = _VERSION.fullmatch(str(claim["fact"]))
    if named is None:
        raise ValueError(f"'{claim['fact']}' names no fact; write KEY or KEY#VERSION")
    return ledger.require(named[1]), named[2] or ""


def _outdated(claim: Mapping[str, Any], ledger: Ledger, claimed: Container[str]) -> list[str]:
    """Return the fact's other values that no claim has, as texts: former ones, and what somebody takes for true."""
    fact, version = _fact_of(claim, ledger)
    part, found = claim.get("part"), list[str]()
    for other in (each.key for each in fact.versions if each.key != version):
        values = _values(fact, other, ledger)
        if "date" in values and part in (None, "date") and values["date"] not in claimed:
            found.append(str(ledger.write(fact.key, other, "iso")))
        if "clock" in values and part in (None, "clock") and values["clock"] not in claimed:
            found.append(str(ledger.write(fact.key, other, "clock")))
        if "number" in values and fact.kind != "span" and str(values["number"]) not in claimed:
            found.append(str(ledger.write(fact.key, other, "digits")) + ("%" if fact.kind == "percent" else ""))
        if "id" in values and values["id"] not in claimed:
            found.append(str(values["id"]))
    return list(dict.fromkeys(found))


def claims_of_fact(claim: Mapping[str, Any], ledger: Ledger) -> list[Any]:
    """Return the claims of a fact's value: two for a moment, unless ``part`` names one of them."""
    fact, version = _fact_of(claim, ledger)
    values = _values(fact, version, ledger)
    part = claim.get("part")
    if part is not None and part not in values:
        raise ValueError(f"the fact '{fact.key}' ({fact.kind}) has no part '{part}'; have {', '.join(values)}")
    own = {name: each for name, each in claim.items() if name not in ("fact", "part")}
    subject = {"of": list(fact.names)} if fact.names else {}
    more: dict[str, Any] = {"unit": ["", fact.unit]} if fact.unit and fact.kind in ("amount", "number") else {}
    more |= {"unit": "%"} if fact.kind == "percent" else {}
    shared: dict[str, Any] = {**more, **subject, **own, "fact": claim["fact"]}
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
