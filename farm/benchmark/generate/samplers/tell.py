"""Chains that tell what was found: *tell*, *both*, *compare*, *aggregate* and *branch*."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from farm.appkit.world_spec.facts import Fact
from farm.benchmark.generate.chains import Chain
from farm.benchmark.generate.samplers.builder import Builder, UnreachableError
from farm.benchmark.generate.samplers.ground import Ground, Target, story_of

_PAIRS_MAX = 4
_SIZES = (2, 3)
# Nobody has to ask which of two numbers is larger if one is so many times the other.
_RATIO_MAX = 4.0
_TIMES = ("day", "moment")
_DAYS_MAX = 10
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


def compare(ground: Ground) -> Iterator[Chain]:
    """Read two days or sums of one story, and tell the later or larger one."""
    for one, other in comparable(ground):
        low, high = sorted((one, other), key=lambda each: ground.size(each) or 0.0)
        for turn, target in enumerate(_ignorant(ground, low, high)[:_PAIRS_MAX] * DRAWS):
            builder = Builder(ground, "compare", turn % DRAWS)
            try:
                expression = builder.place(target)
                builder.read(one)
                builder.read(other, "OTHER")
                builder.say(target, expression, high)
                wrong = Builder(ground, "compare")
                wrong.chinese = builder.chinese
                wrong.say(target, expression, low)
            except UnreachableError:
                continue
            change = {"tell": wrong.acts[0].call["arguments"]}
            builder.near_misses.append({"why": "the smaller or earlier of the two", "change": change})
            yield builder.chain(
                f"Which is {'later' if high.kind in _TIMES else 'more'}, {{FACT}} or {{OTHER}}? "
                "Post that one in {PLACE}.",
                f"{{FACT}}和{{OTHER}}哪个更{'晚' if high.kind in _TIMES else '多'}？把那个发到{{PLACE}}。",
                priority=int(bool(one.former)) + int(bool(other.former)),
            )


def _ignorant(ground: Ground, one: Fact, other: Fact) -> list[Target]:
    """Return where the second of two facts could be told, and neither is known."""
    return [each for each in ground.targets(other) if not ground.knows(each, one.key)]


def comparable(ground: Ground) -> Iterator[tuple[Fact, Fact]]:
    """Yield two facts of one story and unit of which nobody knows at once which is larger or later.

    Days are compared if both are still to come, near each other, and both were moved; numbers if they have a unit,
    and are not far from each other.
    """
    groups: dict[tuple[str, str, str], list[Fact]] = defaultdict(list)
    for fact in ground.facts:
        if fact.kind in _TIMES and ground.is_to_come(fact):
            groups[story_of(fact), "time", ""].append(fact)
        elif fact.kind in ("amount", "percent") or (fact.kind in ("number", "span") and fact.unit):
            groups[story_of(fact), fact.kind, fact.unit].append(fact)
    for (_, kind, _), facts in groups.items():
        for one, other in itertools.combinations(facts, 2):
            sizes = ground.size(one), ground.size(other)
            if None in sizes or sizes[0] == sizes[1] or ground.is_settled(one, other):
                continue
            low, high = sorted(each or 0.0 for each in sizes)
            if kind == "time":
                is_close = bool(one.versions and other.versions) and abs(ground.days_between(one, other)) <= _DAYS_MAX
            else:
                is_close = low > 0 and high / low <= _RATIO_MAX
            if is_close:
                yield one, other


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


def branch(ground: Ground) -> Iterator[Chain]:
    """Read two facts; which of two places is told the first depends on which is larger or later.

    In the first place they know the second fact, so that it matters to them if the first exceeds it.
    """
    for pair in comparable(ground):
        for one, other in (pair, pair[::-1]):
            targets = ground.targets(one)
            concerned = [each for each in targets if ground.knows(each, other.key)][:2]
            others = [each for each in targets if not ground.knows(each, other.key)][:2]
            for turn, (there, elsewhere) in itertools.product(range(DRAWS), [*itertools.product(concerned, others)]):
                if (chain := _branched(ground, one, other, there, elsewhere, turn)) is not None:
                    yield chain


def _branched(ground: Ground, one: Fact, other: Fact, there: Target, elsewhere: Target, turn: int) -> Chain | None:
    builder = Builder(ground, "branch", turn)
    try:
        first, second = builder.place(there), builder.place(elsewhere, "OTHER_PLACE")
        builder.read(one)
        builder.read(other, "OTHER")
        is_first = (ground.size(one) or 0) > (ground.size(other) or 0)
        right, expression = (there, first) if is_first else (elsewhere, second)
        wrong, other_expression = (elsewhere, second) if is_first else (there, first)
        builder.say(right, expression, one)
        if (wrong.app, wrong.unit) == (right.app, right.unit):
            change = _elsewhere(builder, wrong, other_expression, one)
            builder.near_misses.append({"why": "the other place", "change": {"tell": change}})
    except UnreachableError:
        return None
    is_day = one.kind in _TIMES
    return builder.chain(
        f"If {{FACT}} is {'later' if is_day else 'more'} than {{OTHER}}, post it in {{PLACE}}, "
        "otherwise in {OTHER_PLACE}.",
        f"{{FACT}}要是比{{OTHER}}{'晚' if is_day else '多'}，就发到{{PLACE}}，否则发到{{OTHER_PLACE}}。",
        priority=int(bool(one.former)) + int(bool(other.former)),
    )


def _elsewhere(builder: Builder, target: Target, expression: object, fact: Fact) -> object:
    other = Builder(builder.ground, builder.family)
    other.chinese = builder.chinese
    other.say(target, expression, fact)
    return other.acts[0].call["arguments"]
