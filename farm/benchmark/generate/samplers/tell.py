"""Chains that tell what was found: *tell*, *both* and *aggregate*."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from farm.appkit.world_spec.facts import Fact
from farm.benchmark.generate.chains import Chain
from farm.benchmark.generate.samplers.builder import Builder, UnreachableError
from farm.benchmark.generate.samplers.ground import Ground, Target

_PAIRS_MAX = 4
_SIZES = (2, 3)
DRAWS = 3  # of the ways to rows, and of the places to read a fact
# A fact that is declared as the sum of others: these are of one kind, and have nothing in common.
_SUM = re.compile(r"=\s*[a-z]\w*(?:\.\w+)+(?:\s*\+\s*[a-z]\w*(?:\.\w+)+)+\s*")
_KEY = re.compile(r"[a-z]\w*(?:\.\w+)+")


def tell(ground: Ground) -> Iterator[Chain]:
    """Find a fact out, and tell it where its story is talked of and nobody has told it yet."""
    for turn, (fact, target) in itertools.product(range(DRAWS), [*pairs(ground)]):
        builder = Builder(ground, "tell", turn)
        try:
            expression = builder.place(target)
            builder.read(fact)
            builder.say(target, expression, fact)
        except UnreachableError:
            continue
        yield builder.chain(
            "Find out {FACT} and post it in {PLACE}.",
            "查一下{FACT}，发到{PLACE}。",
            priority=_priority(ground, fact, target),
        )


def _priority(ground: Ground, fact: Fact, target: Target) -> int:
    return 2 * target.is_stale + ground.interest(fact)


def pairs(ground: Ground) -> Iterator[tuple[Fact, Target]]:
    """Yield each fact with each place to tell it."""
    for fact in ground.facts:
        yield from ((fact, target) for target in ground.targets(fact))


def both(ground: Ground) -> Iterator[Chain]:
    """Tell two facts in two places: the two have nothing to do with each other, so they can be done in any order."""
    drawn = ground.shuffled([*pairs(ground)] * DRAWS, "both")
    for turn, ((one, there), (other, elsewhere)) in enumerate(zip(drawn, drawn[1:] + drawn[:1], strict=True)):
        if one.key == other.key or (there.kind, there.value) == (elsewhere.kind, elsewhere.value):
            continue
        builder = Builder(ground, "both", turn % DRAWS)
        try:
            first, second = builder.place(there), builder.place(elsewhere, "OTHER_PLACE")
            builder.read(one)
            builder.read(other, "OTHER_FACT")
            builder.say(there, first, one)
            builder.say(elsewhere, second, other, "also")
        except UnreachableError:
            continue
        yield builder.chain(
            "Post {FACT} in {PLACE}, and {OTHER_FACT} in {OTHER_PLACE}.",
            "把{FACT}发到{PLACE}，把{OTHER_FACT}发到{OTHER_PLACE}。",
            priority=_priority(ground, one, there) + _priority(ground, other, elsewhere),
        )


def aggregate(ground: Ground) -> Iterator[Chain]:
    """Read parts of a declared sum, add them up, and tell the total where none of it is known."""
    for facts in _summands(ground):
        total = sum((float(ground.ledger.write(each.key, "", "number")) for each in facts), 0.0)
        whole = int(total) if total.is_integer() else round(total, 2)
        for turn, target in enumerate(_places_for(ground, facts)[:_PAIRS_MAX] * DRAWS):
            builder = Builder(ground, "aggregate", turn % DRAWS)
            try:
                expression = builder.place(target)
                for number, fact in enumerate(facts):
                    builder.read(fact, f"FACT_{number + 1}")
                unit = facts[0].unit
                parts = [f"{{{{fact:{each.key}}}}}" for each in facts]
                claim = {
                    "number": whole,
                    "from": parts,
                    "how": "sum",
                    "of": ["total", "together", "sum", "合计", "一共", "总共"],
                }
                claim |= {"unit": ["", unit]} if unit else {}
                text = f"{'合计' if builder.chinese else 'total'}: {whole:,} {unit}".strip()
                builder.post(target, expression, text, {"claims": [claim]})
            except UnreachableError:
                continue
            names = [f"{{FACT_{number + 1}}}" for number in range(len(facts))]
            yield builder.chain(
                f"Add up {', '.join(names[:-1])} and {names[-1]}, and post the total in {{PLACE}}.",
                f"把{'、'.join(names)}加起来，合计发到{{PLACE}}。",
            )


def _places_for(ground: Ground, facts: Sequence[Fact]) -> list[Target]:
    """Return where one of some facts could be told, and at most one of them is known."""
    found = {(each.app, each.unit.tool, each.kind, each.value): each for fact in facts for each in ground.targets(fact)}
    return [each for each in found.values() if sum(ground.knows(each, fact.key) for fact in facts) <= 1]


def _summands(ground: Ground) -> Iterator[Sequence[Fact]]:
    """Yield two or three parts of a sum that the world declares and whose total is no fact that anybody tells."""
    known = {each.key: each for each in ground.facts}
    sums = [frozenset(_KEY.findall(each)) for each in ground.ledger.formulas.values() if _SUM.fullmatch(each)]
    told = {frozenset(_KEY.findall(each)) for key, each in ground.ledger.formulas.items() if key in known}
    yielded: set[frozenset[str]] = set()
    for keys in sums:
        parts = [known[each] for each in sorted(keys) if each in known and known[each].kind in ("amount", "number")]
        for several in (each for size in _SIZES for each in itertools.combinations(parts, size)):
            names = frozenset(each.key for each in several)
            texts = [ground.texts_of(each.key) for each in several]
            is_apart = len(several) < len(keys) or not set.intersection(*texts)
            if names not in yielded and names not in told and is_apart and len({each.unit for each in several}) == 1:
                yielded.add(names)
                yield ground.shuffled(several, str(sorted(names)))
