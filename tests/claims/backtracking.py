"""Tells from a pattern's syntax tree where matching it costs more than its text is long.

A tree becomes an automaton of positions (Glushkov's): one for each sign that the pattern reads, with the signs that
may stand there, and edges to the positions that may follow. A position is in a loop where an unbounded repeat leads
back to it. Backtracking is superlinear where one word leads along two ways:

- ``exponential``: twice round one loop on different ways (``(a*)*b``);
- ``two loops``: round one loop, from it to another, and round that one (``\\s*(?:a|\\s)*b``);
- ``search``: from the start to a loop, and round it: a search that fails behind the loop reads it again from every
  sign of a run (``\\s*$``). A sign before the loop, or a look behind that refuses the loop's own signs, prevents it.

A repeat of more than ``COUNTED_MAX`` counts as unbounded, a smaller one as a constant. What a look ahead reads is a way
that ends there. Matches may also be tried by ``fullmatch``, so its failure behind the last loop is looked at, too. The
automaton knows less than the pattern (back references read anything, looks behind of more than one sign hold anywhere):
it may refuse a pattern that is linear, never the other way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from re import _constants as codes  # type: ignore[attr-defined]  # syntax trees have no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

COUNTED_MAX = 100
# One sign of each sort that a class may tell apart, beside those that the pattern names.
SAMPLES = "aZz09 \t\n\r\v\x85\u2028_-!~'\"“～é一龥五٣½¹º\u0300\U0001f44d\u2421\u3042\x00"
Mask = int  # the signs of the alphabet, one a bit


@dataclass(frozen=True)
class Edge:
    """A way into a position: what must stand before it and at it, and whether only the text's start will do."""

    to: int
    before: Mask
    here: Mask
    is_anchored: bool = False


@dataclass(frozen=True)
class Exit:
    """A way out of a part from one of its positions (-1: without reading), with what must follow."""

    position: int
    after: Mask
    is_sure: bool  # nothing is asserted behind the position
    before: Mask
    is_anchored: bool = False


@dataclass
class Part:
    """A part of a pattern: the ways into it, and out of it."""

    first: list[Edge]
    last: list[Exit]


@dataclass
class Automaton:
    """Positions and edges of one pattern."""

    alphabet: str
    signs: list[Mask] = field(default_factory=list)
    atoms: list[tuple[int, ...]] = field(default_factory=list)  # the atomic groups around a position
    edges: list[list[Edge]] = field(default_factory=list)
    starts: list[Edge] = field(default_factory=list)
    accepting: set[int] = field(default_factory=set)  # positions behind which nothing can fail
    loops: dict[int, set[int]] = field(default_factory=dict)


def faults(pattern: str, flags: int = 0) -> list[str]:
    """Return how a search for a pattern, or a match of it, is superlinear; none where it is linear."""
    return list(dict.fromkeys(_Analysis(pattern, flags, COUNTED_MAX).faults()))


def is_multiplied(pattern: str, flags: int = 0) -> bool:
    """Whether a counted repeat reads one word on several ways each time: ``(?:\\w+s?){0,3}``."""
    return any(_Analysis(pattern, flags, counted_max=2).exponential())


class _Analysis:
    def __init__(self, pattern: str, flags: int, counted_max: int) -> None:
        self.counted_max = counted_max
        tree = parser.parse(pattern, flags)
        self.flags = tree.state.flags | flags
        self.auto = Automaton("".join(dict.fromkeys([*SAMPLES, *_named_signs(tree)])))
        self.all = (1 << len(self.auto.alphabet)) - 1
        self.atomic: tuple[int, ...] = ()
        self.count = 0
        self.possessive: list[frozenset[int]] = []  # the positions of loops of which each round is atomic
        part = self._sequence(list(tree))
        self.auto.starts = part.first
        self.auto.accepting = {out.position for out in part.last if out.position >= 0 and self._is_sure(out)}

    def _is_sure(self, out: Exit) -> bool:
        """Whether a pattern has matched once a run that leads out has been read to its end."""
        own = self.auto.signs[out.position]
        run = 0
        for edge in self.auto.edges[out.position]:
            run |= edge.here & own if edge.to == out.position else 0
        return out.is_sure and (out.after | run) == self.all and own & ~out.before == 0

    # From the tree to the automaton.
    def _sequence(self, items: Sequence[tuple[Any, Any]]) -> Part:
        part = self._nothing()
        for code, argument in items:
            part = self._join(part, self._item(code, argument))
        return part

    def _nothing(self) -> Part:
        return Part([], [Exit(-1, self.all, True, self.all)])

    def _join(self, left: Part, right: Part) -> Part:
        first = list(left.first)
        for out in left.last:
            for into in right.first:
                if out.position < 0:
                    edge = Edge(
                        into.to, into.before & out.before, into.here & out.after, into.is_anchored or out.is_anchored
                    )
                    first.append(edge)
                elif not into.is_anchored:
                    edge = Edge(into.to, into.before & out.before, into.here & out.after)
                    self.auto.edges[out.position].append(edge)
        last = [out for out in right.last if out.position >= 0]
        for out in right.last:
            if out.position < 0:
                last += [
                    Exit(
                        each.position,
                        each.after & out.after,
                        each.is_sure and out.is_sure,
                        each.before & out.before,
                        each.is_anchored or (out.is_anchored and each.position < 0),
                    )
                    for each in left.last
                    if not (out.is_anchored and each.position >= 0)
                ]
        return Part(_distinct(first), _distinct(last))

    def _item(self, code: Any, argument: Any) -> Part:
        if code in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
            return self._position(self._mask(code, argument))
        if code is codes.GROUPREF:
            return self._position(self.all)
        if code is codes.BRANCH:
            parts = [self._sequence(list(items)) for items in argument[1]]
            return Part(
                _distinct(each for part in parts for each in part.first),
                _distinct(each for part in parts for each in part.last),
            )
        if code is codes.SUBPATTERN:
            return self._sequence(list(argument[3]))
        if code is codes.ATOMIC_GROUP:
            return self._atom(list(argument))
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least, most, items = argument
            return self._repeat(least, int(most), list(items), is_possessive=code is codes.POSSESSIVE_REPEAT)
        if code is codes.AT:
            return self._at(argument)
        if code in (codes.ASSERT, codes.ASSERT_NOT):
            return self._look(argument[0], list(argument[1]), is_not=code is codes.ASSERT_NOT)
        raise NotImplementedError(code)

    def _position(self, mask: Mask) -> Part:
        place = len(self.auto.signs)
        self.auto.signs.append(mask)
        self.auto.atoms.append(self.atomic)
        self.auto.edges.append([])
        return Part([Edge(place, self.all, self.all)], [Exit(place, self.all, True, self.all)])

    def _atom(self, items: list[tuple[Any, Any]]) -> Part:
        self.count += 1
        outer, self.atomic = self.atomic, (*self.atomic, self.count)
        part = self._sequence(items)
        self.atomic = outer
        return part

    def _repeat(self, least: int, most: int, items: list[tuple[Any, Any]], *, is_possessive: bool) -> Part:
        if most == 0:
            return self._nothing()
        begin, loops = len(self.auto.signs), len(self.auto.loops)
        body = self._atom(items) if is_possessive else self._sequence(items)
        part = body
        if most > self.counted_max:
            self.count += 1
            for out in body.last:
                for into in body.first:
                    if out.position >= 0 and not into.is_anchored:
                        self.auto.edges[out.position].append(
                            Edge(into.to, into.before & out.before, into.here & out.after)
                        )
            if is_possessive and len(self.auto.loops) == loops:
                self.possessive.append(frozenset(range(begin, len(self.auto.signs))))
            self.auto.loops[self.count] = set(range(begin, len(self.auto.signs)))
        elif most > 1 and len(self.auto.signs) - begin > 1:
            again = self._atom(items) if is_possessive else self._sequence(items)
            part = self._join(body, self._optional(again))
        return part if least else self._optional(part)

    def _optional(self, part: Part) -> Part:
        return Part(part.first, _distinct([*part.last, *self._nothing().last]))

    def _at(self, where: Any) -> Part:
        anchored = where in (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING) and not self.flags & re.MULTILINE
        if where in (codes.AT_BOUNDARY, codes.AT_UNI_BOUNDARY):
            word = self._class("\\w")
            rest = self.all & ~word
            return Part(
                [],
                [Exit(-1, word, False, rest), Exit(-1, rest, True, word)],
            )
        return Part([], [Exit(-1, self.all, False, self.all, is_anchored=anchored)])

    def _look(self, direction: int, items: list[tuple[Any, Any]], *, is_not: bool) -> Part:
        sign = self._one_sign(items)
        if direction < 0:
            before = self.all if sign is None else self.all & ~sign if is_not else sign
            return Part([], [Exit(-1, self.all, False, before)])
        after = self.all if sign is None else self.all & ~sign if is_not else sign
        part = self._sequence(items)
        # What it reads is a way into nowhere: no end of it is an end of the pattern. At the text's end it holds if it
        # refuses one sign.
        return Part(part.first, [Exit(-1, after, is_not and sign is not None, self.all)])

    def _one_sign(self, items: list[tuple[Any, Any]]) -> Mask | None:
        """Return the signs of a part that reads exactly one."""
        if len(items) != 1:
            return None
        code, argument = items[0]
        if code in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
            return self._mask(code, argument)
        if code is codes.SUBPATTERN:
            return self._one_sign(list(argument[3]))
        if code is codes.BRANCH:
            masks = [self._one_sign(list(each)) for each in argument[1]]
            if any(each is None for each in masks):
                return None
            result = 0
            for each in masks:
                result |= each or 0
            return result
        return None

    def _mask(self, code: Any, argument: Any) -> Mask:
        if code is codes.LITERAL:
            return self._signs(lambda sign: ord(sign) == argument)
        if code is codes.NOT_LITERAL:
            return self._signs(lambda sign: ord(sign) != argument)
        if code is codes.ANY:
            return self.all if self.flags & re.DOTALL else self._signs(lambda sign: sign != "\n")
        members = [each for each in argument if each[0] is not codes.NEGATE]
        mask = 0
        for kind, value in members:
            if kind is codes.LITERAL:
                mask |= self._signs(lambda sign, value=value: ord(sign) == value)
            elif kind is codes.RANGE:
                mask |= self._signs(lambda sign, value=value: value[0] <= ord(sign) <= value[1])
            else:
                mask |= self._class(_CATEGORIES[kind if kind is not codes.CATEGORY else value])
        return self.all & ~mask if len(members) < len(argument) else mask

    def _signs(self, holds: Any) -> Mask:
        mask = 0
        for place, sign in enumerate(self.auto.alphabet):
            if holds(sign):
                mask |= 1 << place
        if self.flags & re.IGNORECASE:
            folded = {each.casefold() for place, each in enumerate(self.auto.alphabet) if mask >> place & 1}
            for place, sign in enumerate(self.auto.alphabet):
                if sign.casefold() in folded:
                    mask |= 1 << place
        return mask

    def _class(self, name: str) -> Mask:
        return _class_mask(name, self.auto.alphabet)

    # What the automaton tells.
    def faults(self) -> Iterator[str]:
        """Yield what is superlinear, and signs of its loops."""
        yield from self.exponential()
        groups = self._cycles()
        for group in groups:
            for place in group:
                if place not in self.auto.accepting and self._is_read_again(place, group):
                    yield f"search: {self._describe(group)}"
                    break
        for left in groups:
            for right in groups:
                if left is not right and self._is_followed(left, right):
                    yield f"two loops: {self._describe(left)} {self._describe(right)}"

    def exponential(self) -> Iterator[str]:
        """Yield the loops that read one word on several ways."""
        for group in self._cycles():
            if self._is_exponential(group):
                yield f"exponential: {self._describe(group)}"

    def _cycles(self) -> list[frozenset[int]]:
        """Return the positions of each loop: strongly connected ones."""
        loops = [frozenset(each) for each in self.auto.loops.values()]
        found: set[frozenset[int]] = set()
        for loop in loops:
            for place in loop - frozenset[int]().union(*found):
                ahead = self._reach(place)
                ring = frozenset(each for each in ahead if place in self._reach(each))
                if ring:
                    found.add(ring)
        return sorted(found, key=sorted)

    @cache  # noqa: B019  # one analysis lives as long as its pattern is looked at
    def _reach(self, place: int) -> frozenset[int]:
        seen: set[int] = set()
        todo = [place]
        while todo:
            for edge in self.auto.edges[todo.pop()]:
                if edge.to not in seen:
                    seen.add(edge.to)
                    todo.append(edge.to)
        return frozenset(seen)

    def _steps(self, place: int, group: frozenset[int] | None = None) -> list[tuple[int, Mask]]:
        """Return where one may go from a position, and the signs on which."""
        signs = self.auto.signs
        return [
            (edge.to, edge.here & signs[edge.to])
            for edge in self.auto.edges[place]
            if edge.here & signs[edge.to] and edge.before & signs[place] and (group is None or edge.to in group)
        ]

    def _is_exponential(self, group: frozenset[int]) -> bool:
        """Whether one word leads twice round, on different ways."""
        if self._is_atomic(group):
            return False
        for place in group:
            ways = self._steps(place, group)
            if any(a[0] == b[0] and a[1] & b[1] for at, a in enumerate(ways) for b in ways[at + 1 :]):
                return True  # two ways from one position to the next
        # Two walkers start together, part, and meet again; from there both come round to where they started.
        todo = [(place, place) for place in group]
        seen = set(todo)
        while todo:
            one, other = todo.pop()
            for a, here in self._steps(one, group):
                for b, there in self._steps(other, group):
                    if not here & there:
                        continue
                    if a == b and one != other:
                        return True
                    pair = (min(a, b), max(a, b))
                    if pair not in seen:
                        seen.add(pair)
                        todo.append(pair)
        return False

    def _is_atomic(self, group: frozenset[int]) -> bool:
        """Whether a loop is possessive, without a loop inside: there is no way back into a round."""
        return any(group <= body for body in self.possessive)

    def _is_read_again(self, place: int, group: frozenset[int]) -> bool:
        """Whether a word leads from the start to a position of a loop, and round from it."""
        # The sign before a start is the last that led round.
        last = 0
        for each in group:
            for to, mask in self._steps(each, group):
                last |= mask if to == place else 0
        starts = [edge for edge in self.auto.starts if not edge.is_anchored and edge.before & last]
        return any(self._meet(edge, place, group) for edge in starts)

    def _meet(self, start: Edge, place: int, group: frozenset[int]) -> bool:
        """Whether who starts and who goes round from a position both come to it on the same signs."""
        signs = self.auto.signs
        todo: list[tuple[int, int]] = []
        for turn, mask in self._steps(place, group):
            if mask & start.here & signs[start.to]:
                todo.append((start.to, turn))
        seen = set(todo)
        while todo:
            walker, turn = todo.pop()
            if walker == place and turn == place:
                return True
            for a, here in self._steps(walker):
                for b, there in self._steps(turn, group):
                    if here & there and (a, b) not in seen:
                        seen.add((a, b))
                        todo.append((a, b))
        return False

    def _is_followed(self, left: frozenset[int], right: frozenset[int]) -> bool:
        """Whether one word leads round a loop, from it to another, and round that."""
        one, other = min(left), min(right)
        if other not in self._reach(one):
            return False
        atoms = set(self.auto.atoms[one]) - set(self.auto.atoms[other])
        if atoms and all(set(self.auto.atoms[each]) & atoms for each in left):
            return False  # what is atomic is left on one way
        ahead = {each for each in self._reach(one) if each in right or right & self._reach(each)} | left
        for p in left:
            for q in right:
                todo = [(p, p, q)]
                seen = set(todo)
                while todo:
                    x, y, z = todo.pop()
                    for b, here in self._steps(y):
                        if b not in ahead:
                            continue
                        for a, round_ in self._steps(x, left):
                            if not here & round_:
                                continue
                            for c, there in self._steps(z, right):
                                if not here & round_ & there:
                                    continue
                                if (a, b, c) == (p, q, q):
                                    return True
                                if (a, b, c) not in seen:
                                    seen.add((a, b, c))
                                    todo.append((a, b, c))
        return False

    def _describe(self, group: Iterable[int]) -> str:
        """Return a sign for each position of a loop."""
        return "".join(self._sign(place) for place in sorted(group)[:12])

    def _sign(self, place: int) -> str:
        mask = self.auto.signs[place]
        return next((sign for at, sign in enumerate(self.auto.alphabet) if mask >> at & 1), "∅")


def _distinct(items: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(items))


_CATEGORIES = {
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
}


@cache
def _class_mask(name: str, alphabet: str) -> Mask:
    mask = 0
    for place, sign in enumerate(alphabet):
        if re.match(name, sign):
            mask |= 1 << place
    return mask


def _named_signs(items: Any) -> Iterator[str]:
    """Yield the signs that a tree names, and those beside the ends of its ranges."""
    for code, argument in items:
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            yield chr(argument)
        elif code is codes.IN:
            for kind, value in argument:
                if kind is codes.LITERAL:
                    yield chr(value)
                elif kind is codes.RANGE:
                    yield from (chr(value[0]), chr(value[1]))
        elif code is codes.BRANCH:
            for branch in argument[1]:
                yield from _named_signs(branch)
        elif code is codes.SUBPATTERN:
            yield from _named_signs(argument[3])
        elif code is codes.ATOMIC_GROUP:
            yield from _named_signs(argument)
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            yield from _named_signs(argument[2])
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _named_signs(argument[1])
