"""Another value of a fact: which facts a task asks for, and the task with another value in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from farm.appkit.world_spec.facts import Fact, Ledger
from farm.appkit.world_spec.facts.formula import names_fact
from farm.appkit.world_spec.facts.measures import measure, unmeasure
from farm.appkit.world_spec.facts.model import MEASURED, Value
from farm.benchmark.audit.attacks.script import writes
from farm.benchmark.audit.truth.passages import Passage
from farm.benchmark.audit.truth.standing import stands_in
from farm.benchmark.generate.answers import mapped_texts
from farm.benchmark.generate.raises.scene import Raw, Scene
from farm.benchmark.generate.wording import forms_in
from farm.benchmark.scoring.claims import Claim
from farm.benchmark.scoring.texts import wanted_of
from farm.benchmark.tasks import OracleCall
from farm.benchmark.tasks.facts import claims_of_fact
from farm.errors import FarmError

_FACT = re.compile(r"\{\{fact:([\w.]+)(?: ([^{}#]*))?\}\}")
# A part of an earlier result, whose brackets may name a fact: it selects a row that is there.
_SELECTS = re.compile(r"(?<!\{)\{[a-z_][a-z0-9_]*[.\[](?:[^{}]|\{\{[^{}]*\}\})*\}(?!\})")
_DAY, _WEEK = 1440, 7
_OPEN, _SHUT = 7 * 60, 21 * 60  # what people set the time of lies between
_FEW = 12  # up to so many, things are counted one by one
# What a claim says besides the value, its unit and the words around it.
_NOT_SUBJECT = ("fact", "part", "rivals", "not_of", "former", "denied", "from", "how")
# What a condition has besides the value: it decides nothing by itself.
_BESIDE = ("only", "judge", "rivals", "not_of", "of", "beside", "stance", "bans", "free")
# How the former value is written where it may be called so.
_STALE = {"date": "iso", "clock": "clock", "number": "digits"}


@dataclass(frozen=True)
class OtherValue:
    """Another value of a fact.

    Attributes:
        fact: the fact as it is in the world.
        former: the world's facts.
        ledger: the same, with the other value.
    """

    fact: Fact
    former: Ledger
    ledger: Ledger

    @property
    def value(self) -> str:
        """The other value, as a ledger has it."""
        return str(self.ledger[self.fact.key].value)

    def claims(self, scene: Scene, *, former: bool = False) -> list[Claim]:
        """Return the claims of the other value, or of the world's, of which a text that tells it has every one."""
        raw = claims_of_fact({"fact": self.fact.key, "of": []}, self.former if former else self.ledger)
        plain = [{name: each for name, each in claim.items() if name != "fact"} for claim in raw]
        return list(wanted_of({"claims": plain}, "", scene.played.clock_context).claims)

    def asked(self, scene: Scene) -> list[Claim]:
        """Return the other value as the task claims it: beside the words that it must belong to."""
        named = [each for each in _claims_in(scene.raw["checkpoints"]) if each.get("fact") == self.fact.key]
        raw = [new for each in named for new in claims_of_fact(each, self.ledger)]
        kept = [{name: _texts(each[name], scene) for name in each if name not in _NOT_SUBJECT} for each in raw]
        return list(wanted_of({"claims": kept}, "", scene.played.clock_context).claims)

    def is_told(self, scene: Scene, passage: Passage, *, former: bool = False) -> bool:
        """Return whether a passage tells what is particular about the other value, or about the world's."""
        mine = self.claims(scene, former=former)
        other = {(each.kind, each.values) for each in self.claims(scene, former=not former)}
        own = [each for each in mine if (each.kind, each.values) not in other]
        found = [stands_in(each, [passage]) for each in own]
        return any(found) if former else all(found)

    def write(self, form: str = "", *, former: bool = False) -> str:
        """Return the other value, or the world's, in a form."""
        return str((self.former if former else self.ledger).write(self.fact.key, "", form))


def _claims_in(value: Any) -> Iterator[Mapping[str, Any]]:
    match value:
        case Mapping():
            claims = value.get("claims")
            yield from (each for each in claims if isinstance(each, Mapping)) if isinstance(claims, list) else ()
            for each in value.values():
                yield from _claims_in(each)
        case list():
            for each in value:
                yield from _claims_in(each)


def _texts(value: Any, scene: Scene) -> Any:
    match value:
        case str():
            return scene.text(value)
        case list():
            return [_texts(each, scene) for each in value]
        case _:
            return value


def asked_facts(scene: Scene) -> list[Fact]:
    """Return the facts with a measured value that a task asks for: a checkpoint and the oracle have it, the instruction
    has not; and none from which another one that it asks for follows."""
    raw = scene.raw
    checked = set(_keys_in([_judged(each) for each in raw["checkpoints"]]))
    written = set(_keys_in([raw.get("oracle_answer", ""), *(each["arguments"] for each in _writing(raw["oracle"]))]))
    found = []
    for key in sorted(checked & written):
        fact = scene.ledger.require(key)
        depend = [
            name
            for name, formula in scene.ledger.formulas.items()
            if name in checked | written and name != key and names_fact(formula, key)
        ]
        if fact.kind in MEASURED and not depend and not forms_in(scene.instruction, fact, scene.ledger, scene.world):
            found.append(fact)
    return found


def other_values(scene: Scene, fact: Fact) -> Iterator[OtherValue]:
    """Yield other values that a fact could have, those first that people would hear of soonest."""
    taken = {str(fact.value), *(str(each.value) for each in fact.versions)}
    for number in _near(fact):
        try:
            value = unmeasure(fact.kind, number)
        except ValueError:
            continue
        if str(value) not in taken:
            yield OtherValue(fact, scene.ledger, _with_value(scene.ledger, fact, value))


def _with_value(ledger: Ledger, fact: Fact, value: Value) -> Ledger:
    changed = replace(fact, value=value, forms={}, former=(), wrong=())
    return Ledger((changed if each.key == fact.key else each for each in ledger.values()), checked=False)


def _near(fact: Fact) -> Iterator[Fraction]:
    now = measure(fact.kind, fact.value)
    match fact.kind:
        case "clock" | "moment":
            day, minute = divmod(now, _DAY) if fact.kind == "moment" else (Fraction(0), now)
            clocks = [minute + away for away in (60, 90, -60, 30) if _OPEN <= minute + away <= _SHUT]
            yield from (day * _DAY + each for each in clocks)
            if fact.kind == "moment":
                yield from (each * _DAY + minute for each in _days_after(int(day)))
        case "day":
            yield from (Fraction(each * _DAY) for each in _days_after(int(now // _DAY)))
        case "span":
            minutes = _DAY if now % _DAY == 0 else 60 if now % 60 == 0 else 15
            yield from (now + minutes, now + 2 * minutes)
        case "percent":
            last_digit = Fraction(1, 10 ** len(str(fact.value).partition(".")[2]))
            yield from (now + 2 * last_digit, now + 3 * last_digit)
        case _ if now.denominator != 1:
            yield from (now + Fraction(1, 2), now + Fraction(3, 2))
        case _:
            step = 1 if abs(now) <= _FEW else 10 ** max(0, len(str(abs(int(now))).rstrip("0")) - 2) * _zeros(now)
            yield from (now + 2 * step, now + 3 * step, now + 4 * step)


def _zeros(number: Fraction) -> int:
    """Return the power of ten with which a number ends: 100 for 5,400."""
    text = str(abs(int(number)))
    return int(10 ** (len(text) - len(text.rstrip("0"))))


def _days_after(day: int) -> Iterator[int]:
    """Yield the next days, on week-ends only if the day itself is on one."""
    weekend = day % _WEEK >= 5
    yield from (each for each in range(day + 1, day + 8) if (each % _WEEK >= 5) == weekend)


# -- the task ----------------------------------------------------------------------------------------------------------


def with_other_value(scene: Scene, other: OtherValue) -> Raw:
    """Return the task with another value of a fact, wherever it is judged or told; near misses tell the former one.

    Raises:
        FarmError: some part of the task cannot have the other value.
    """
    swap = _Swap(other)
    made = deepcopy(scene.raw)
    _name_writes(made)
    old = deepcopy(made)
    try:
        for point in made["checkpoints"]:
            for name in ("after", "answer", "sheet", *(["where"] if point.get("change") == "create" else [])):
                if name in point:
                    point[name] = swap.judged(point[name])
        for call in _writing(made["oracle"]):
            call["arguments"] = swap.told(call["arguments"])
        if made.get("oracle_answer"):
            made["oracle_answer"] = swap.told(made["oracle_answer"])
        for each in (*made.get("near_misses", ()), *made.get("variants", ())):
            for name in ("change", "answer"):
                if name in each:
                    each[name] = swap.told(each[name])
            for call in _writing(each.get("steps", ())):
                call["arguments"] = swap.told(call["arguments"])
    except ValueError as problem:
        raise FarmError(f"{other.fact.key} cannot have another value here: {problem}") from None
    if not swap.decides:
        raise FarmError(f"no checkpoint tells another value of {other.fact.key} from its own")
    made["near_misses"] = [*made.get("near_misses", ()), _telling(old, made, f"{other.fact.key} as it was before")]
    return made


def telling_other(scene: Scene, other: OtherValue, why: str) -> Mapping[str, Any]:
    """Return the near miss that tells another value of a fact, where the task's own is right.

    Raises:
        FarmError: some part of the task cannot have the other value.
    """
    wrong = with_other_value(scene, other)
    return _telling(wrong, scene.raw, why)


def named_writes(raw: Raw) -> Raw:
    """Return a task whose writing calls all have a name."""
    made = deepcopy(raw)
    _name_writes(made)
    return made


def _telling(told: Raw, right: Raw, why: str) -> dict[str, Any]:
    """Return the near miss that writes and answers what one task does, in another."""
    expected = {call.get("as"): call["arguments"] for call in _writing(right["oracle"])}
    change = {
        call["as"]: _differing(call["arguments"], expected[call["as"]])
        for call in _writing(told["oracle"])
        if call["as"] in expected and call["arguments"] != expected[call["as"]]
    }
    answer = told.get("oracle_answer", "")
    is_other = answer != right.get("oracle_answer", "")
    return {"why": why, **({"change": change} if change else {}), **({"answer": answer} if is_other else {})}


def _differing(told: Any, right: Any) -> Any:
    """Return the arguments that differ; inside of lists, whole."""
    if isinstance(told, Mapping) and isinstance(right, Mapping):
        return {name: _differing(each, right.get(name)) for name, each in told.items() if each != right.get(name)}
    return told


class _Swap:
    """Puts another value of a fact in the place of its own."""

    def __init__(self, other: OtherValue) -> None:
        self._other, self._key = other, other.fact.key
        self.decides = False  # whether some condition that it has changed tells the two values apart

    def told(self, value: Any) -> Any:
        """Return a value whose texts tell the other value; what selects rows in results stays."""
        return mapped_texts(value, self._text)

    def judged(self, value: Any) -> Any:
        """Return a condition that the other value meets; of the former one, a text may only say that it is past."""
        match value:
            case Mapping():
                made = {name: self._condition(name, each) for name, each in value.items()}
                claims = value.get("claims")
                if isinstance(claims, list) and any(self._names(each) for each in claims):
                    made["claims"] = [new for each in claims for new in self._claims(each)]
                    made["only"] = self._only(made.get("only", {}), claims)
                return made
            case list():
                return [self.judged(each) for each in value]
            case str():
                return self._text(value)
            case _:
                return value

    def _condition(self, name: str, value: Any) -> Any:
        made = self.judged(value) if name not in _BESIDE else self.told(value)
        if name not in (*_BESIDE, "claims") and isinstance(value, str) and made != value:
            self.decides = True
        return made

    def _names(self, claim: Any) -> bool:
        return isinstance(claim, Mapping) and claim.get("fact") == self._key

    def _claims(self, claim: Any) -> list[Any]:
        if not self._names(claim):
            return [self.judged(claim)]
        made = claims_of_fact(claim, self._other.ledger)
        self.decides |= made != claims_of_fact(claim, self._other.former)
        return [{name: self.judged(each) for name, each in new.items() if name != "fact"} for new in made]

    def _only(self, only: Mapping[str, Any], claims: list[Any]) -> dict[str, Any]:
        stale = only.get("stale", [])
        listed = [stale] if isinstance(stale, str) else [*stale]
        for claim in filter(self._names, claims):
            old = claims_of_fact(claim, self._other.former)
            new = claims_of_fact(claim, self._other.ledger)
            for was, now in zip(old, new, strict=True):
                for kind, form in _STALE.items():
                    if kind in was and was[kind] != now[kind]:
                        listed.append(f"{{{{fact:{self._key} {form}}}}}")
        return {**only, "stale": list(dict.fromkeys(listed))}

    def _text(self, text: str) -> Any:
        if (whole := _FACT.fullmatch(text)) and whole[1] == self._key:
            return self._other.ledger.write(self._key, "", (whole[2] or "").strip())
        kept = [found.span() for found in _SELECTS.finditer(text)]

        def put(found: re.Match[str]) -> str:
            if found[1] != self._key or any(start <= found.start() < end for start, end in kept):
                return found[0]
            return str(self._other.ledger.write(self._key, "", (found[2] or "").strip()))

        return _FACT.sub(put, text)


def _judged(point: Mapping[str, Any]) -> dict[str, Any]:
    names = ("after", "answer", "sheet", *(["where"] if point.get("change") == "create" else []))
    return {name: point[name] for name in names if name in point}


def _keys_in(value: Any) -> Iterator[str]:
    """Yield the keys of the facts, in their present value, that texts refer to and claims name."""
    match value:
        case str():
            kept = [found.span() for found in _SELECTS.finditer(value)]
            for found in _FACT.finditer(value):
                if not any(start <= found.start() < end for start, end in kept):
                    yield found[1]
        case Mapping():
            if isinstance(value.get("fact"), str) and "#" not in value["fact"]:
                yield value["fact"]
            for each in value.values():
                yield from _keys_in(each)
        case list() | tuple():
            for each in value:
                yield from _keys_in(each)


def _writing(steps: Any) -> list[dict[str, Any]]:
    """Return the writing calls of an oracle's steps."""
    calls = [call for step in steps for call in step["calls"]]
    return [each for each in calls if writes(OracleCall(each["app"], each["tool"], {}))]


def _name_writes(raw: Raw) -> None:
    taken = {call.get("as") for step in raw["oracle"] for call in step["calls"]}
    for number, call in enumerate(_writing(raw["oracle"]), 1):
        if "as" not in call:
            name = f"write{number}"
            while name in taken:
                name += "_"
            call["as"] = name
            taken.add(name)
