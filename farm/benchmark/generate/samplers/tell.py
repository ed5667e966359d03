"""Chains that tell what was found: *tell*, *both*, *compare*, *aggregate* and *branch*."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence

from farm.appkit.world_spec.facts import Fact
from farm.benchmark.generate.chains import Chain
from farm.benchmark.generate.samplers.builder import Builder, UnreachableError
from farm.benchmark.generate.samplers.ground import Ground, Target

_PAIRS_MAX = 4
_PARTS = 3


def tell(ground: Ground) -> Iterator[Chain]:
    """Find a fact out, and tell it where its story is talked of and nobody has told it yet."""
    for fact, target in pairs(ground):
        builder = Builder(ground, "tell")
        try:
            expression = builder.place(target)
            builder.read(fact)
            builder.say(target, expression, fact)
        except UnreachableError:
            continue
        yield builder.chain("Find out {FACT} and post it in {PLACE}.", "查一下{FACT}，发到{PLACE}。")


def pairs(ground: Ground) -> Iterator[tuple[Fact, Target]]:
    """Yield each fact with each place to tell it."""
    for fact in ground.facts:
        yield from ((fact, target) for target in ground.targets(fact))


def both(ground: Ground) -> Iterator[Chain]:
    """Tell two facts in two places: the two have nothing to do with each other, so they can be done in any order."""
    drawn = ground.shuffled(pairs(ground), "both")
    for (one, there), (other, elsewhere) in zip(drawn, drawn[1:] + drawn[:1], strict=True):
        if one.key == other.key or (there.kind, there.value) == (elsewhere.kind, elsewhere.value):
            continue
        builder = Builder(ground, "both")
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
        )


def compare(ground: Ground) -> Iterator[Chain]:
    """Read two days or sums of one story, and tell the later or larger one."""
    for one, other in comparable(ground):
        low, high = sorted((one, other), key=lambda each: ground.size(each) or 0.0)
        for target in ground.targets(high)[:_PAIRS_MAX]:
            builder = Builder(ground, "compare")
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
            is_day = high.kind in ("day", "moment", "clock")
            yield builder.chain(
                f"Which is {'later' if is_day else 'more'}, {{FACT}} or {{OTHER}}? Post that one in {{PLACE}}.",
                f"{{FACT}}和{{OTHER}}哪个更{'晚' if is_day else '多'}？把那个发到{{PLACE}}。",
            )


def comparable(ground: Ground) -> Iterator[tuple[Fact, Fact]]:
    """Yield two facts of one story, kind and unit whose values differ."""
    groups: dict[tuple[str, str, str], list[Fact]] = defaultdict(list)
    for fact in ground.facts:
        if ground.size(fact) is not None:
            groups[fact.key.partition(".")[0], fact.kind, fact.unit].append(fact)
    for facts in groups.values():
        for one, other in itertools.combinations(facts, 2):
            if ground.size(one) != ground.size(other):
                yield one, other


def aggregate(ground: Ground) -> Iterator[Chain]:
    """Read sums or counts of one story, add them up, and tell the total."""
    for facts in _summands(ground):
        total = sum((float(ground.ledger.write(each.key, "", "number")) for each in facts), 0.0)
        whole = int(total) if total.is_integer() else round(total, 2)
        for target in ground.targets(facts[0])[:_PAIRS_MAX]:
            builder = Builder(ground, "aggregate")
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


def _summands(ground: Ground) -> Iterator[Sequence[Fact]]:
    groups: dict[tuple[str, str, str], list[Fact]] = defaultdict(list)
    for fact in ground.facts:
        if fact.kind in ("amount", "number"):
            groups[fact.key.partition(".")[0], fact.kind, fact.unit].append(fact)
    for facts in groups.values():
        for size in (2, _PARTS):
            yield from itertools.combinations(facts, size)


def branch(ground: Ground) -> Iterator[Chain]:
    """Read two facts; which of two places is told one of them depends on which is larger or later."""
    for one, other in comparable(ground):
        targets = ground.targets(one)
        for there, elsewhere in [*itertools.pairwise(targets)][:_PAIRS_MAX]:
            builder = Builder(ground, "branch")
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
                continue
            is_day = one.kind in ("day", "moment", "clock")
            yield builder.chain(
                f"If {{FACT}} is {'later' if is_day else 'more'} than {{OTHER}}, post it in {{PLACE}}, "
                "otherwise in {OTHER_PLACE}.",
                f"{{FACT}}要是比{{OTHER}}{'晚' if is_day else '多'}，就发到{{PLACE}}，否则发到{{OTHER_PLACE}}。",
            )


def _elsewhere(builder: Builder, target: Target, expression: object, fact: Fact) -> object:
    other = Builder(builder.ground, builder.family)
    other.chinese = builder.chinese
    other.say(target, expression, fact)
    return other.acts[0].call["arguments"]
