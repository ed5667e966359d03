"""Chains about what a place was told, and whether it still holds: *compare* and *branch*."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from farm.appkit.world_spec.facts import Fact
from farm.appkit.world_spec.facts.model import MEASURED, Version
from farm.benchmark.generate.chains import Chain
from farm.benchmark.generate.samplers.builder import Builder, UnreachableError
from farm.benchmark.generate.samplers.ground import Ground, Target, story_of
from farm.benchmark.generate.samplers.tell import DRAWS, pairs

_OTHERS_MAX = 2


def compare(ground: Ground) -> Iterator[Chain]:
    """Compare what a place was told with what holds now, and tell there the new value and how far it has moved."""
    for turn, (fact, target) in product(range(DRAWS), [*pairs(ground)]):
        old = _old_value(ground, fact, target)
        if old is None or ground.is_past(fact) or not ground.distance(fact, old.key):
            continue
        builder = Builder(ground, "compare", turn)
        try:
            expression = builder.place(target)
            builder.hear(target, f"{fact.key}#{old.key}")
            builder.read(fact)
            _tell_distance(builder, target, expression, fact, old)
        except UnreachableError:
            continue
        yield builder.chain(
            f"How {'many days' if _is_day(fact) else 'much'} has {{FACT}} moved since {{PLACE}} was told? "
            "Post the new one there, and the difference.",
            f"{{FACT}}跟{{PLACE}}里说过的差{'几天' if _is_day(fact) else '多少'}？把新的和差的发到那里。",
            priority=ground.interest(fact),
        )


def _old_value(ground: Ground, fact: Fact, target: Target) -> Version | None:
    """Return the former value that a place was told, if it was told one and no other that is not right."""
    told = [each for each in fact.versions if ground.knows(target, f"{fact.key}#{each.key}")]
    return told[0] if len(told) == 1 and told[0].until else None


def _tell_distance(builder: Builder, target: Target, expression: Any, fact: Fact, old: Version) -> None:
    """Tell a fact and how far it has moved; the old value, and the new one alone, are near misses."""
    far = builder.ground.distance(fact, old.key)
    is_day = _is_day(fact)
    units, form, how = (["d", "days", "天"], "iso", "duration") if is_day else (["", fact.unit], "number", "difference")
    claim = {
        "number": abs(far),
        "unit": [*dict.fromkeys(units)],
        "of": [],
        "from": [f"{{{{fact:{fact.key} {form}}}}}", f"{{{{fact:{fact.key}#{old.key} {form}}}}}"],
        "how": how,
    }
    size = f"{abs(far):,} {('天' if builder.chinese else 'days') if is_day else fact.unit}".strip()
    texts = {each: f"{builder.sentence(fact, each)} ({'+' if far > 0 else '-'} {size})" for each in ("", old.key)}
    builder.post(target, expression, texts[""], {"claims": [{"fact": fact.key}, claim]})
    builder.miss(target, expression, f"the value '{old.key}', which holds no more", texts[old.key])
    builder.miss(target, expression, "how far it has moved is left out", builder.sentence(fact))


def _is_day(fact: Fact) -> bool:
    return fact.kind in ("day", "moment")


def branch(ground: Ground) -> Iterator[Chain]:
    """See whether what a place was told still holds: if not, tell it the new value, otherwise tell another place.

    Both happen: to the eyes of whoever asks, a fact that has moved is as one that has not.
    """
    for turn, (fact, asked, other) in product(range(DRAWS), [*_doubted(ground)]):
        builder = Builder(ground, "branch", turn)
        try:
            first, second = builder.place(asked), builder.place(other, "OTHER_PLACE")
            old = _old_value(ground, fact, asked)
            builder.hear(asked, f"{fact.key}#{old.key}" if old else fact.key)
            builder.read(fact, but=asked)
            (right, there), (wrong, elsewhere) = ((asked, first), (other, second))[:: 1 if old else -1]
            builder.say(right, there, fact)
            if (right.app, right.unit) == (wrong.app, wrong.unit):
                builder.miss(wrong, elsewhere, "the other place", builder.sentence(fact))
        except UnreachableError:
            continue
        yield builder.chain(
            "Does {FACT} still hold as {PLACE} was told? If not, post the new one there, otherwise in {OTHER_PLACE}.",
            "{PLACE}里说的{FACT}还对吗？变了就把新的发到那里，没变就发到{OTHER_PLACE}。",
            priority=ground.interest(fact),
        )


def _doubted(ground: Ground) -> Iterator[tuple[Fact, Target, Target]]:
    """Yield a fact that may have moved, a place that was told a value of it, and one of its story that was not.

    A fact that has not moved may seem to have if it is a day to come or a sum, and others of its story have moved.
    """
    moving = {story_of(each) for each in ground.facts if each.former}
    for fact in (each for each in ground.facts if each.kind in MEASURED and not ground.is_past(each)):
        targets = ground.targets(fact)
        asked = [each for each in targets if _old_value(ground, fact, each)]
        if not fact.former and fact.kind in ("day", "moment", "amount") and story_of(fact) in moving:
            asked = ground.informed(fact)
        others = [each for each in targets if not each.is_stale and ground.reports_in(each)]
        yield from ((fact, one, other) for one, other in product(asked[:_OTHERS_MAX], others[:_OTHERS_MAX]))
