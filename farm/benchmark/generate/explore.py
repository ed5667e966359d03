"""Plays the reading tools of an app until nothing new is seen: what one person can find.

Nothing is known beforehand but the tools' input schemas and, to name what a value is, the app's rows. A value of some
kind fits an argument if a call with it is accepted, and a call with nonsense in its place is refused or answered
otherwise. With the units of the app known, nothing is tried: every tool is called as its unit says.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from farm.benchmark.generate.answers import Scalar, items_in, leaves_of, set_path
from farm.benchmark.generate.player import Declared, Player

Paths = tuple[str, ...]
Combo = tuple[str, ...]

NONSENSE: Mapping[str, Any] = {"number": 987654321, "integer": 987654321, "array": ["zzqqxv"]}
# Sizes of pages to try, the largest first.
_SIZES = (1000, 500, 200, 100, 50, 20)
# A long value beside an id, with digits in it, that no row holds: a token.
_OPAQUE = re.compile(r"^(?=.*\d)[\w=+/.@%-]{16,}$")
_WORD = re.compile(r"[A-Za-z][A-Za-z-]{3,}|[\u4e00-\u9fff]{2}")
_WORDS_MAX = 60
TOKEN = "~"


@dataclass(frozen=True)
class Played:
    """A call that was accepted.

    Attributes:
        depth: how many answers had to be read before it.
    """

    tool: str
    arguments: Mapping[str, Any]
    depth: int
    body: Any


@dataclass(frozen=True)
class Seen:
    """An object that an answer showed, with a key in it.

    Attributes:
        call: the number of the call.
        path: where it stands in the answer.
        typed: kind → (value, its field); a field ``<argument>`` is one that the call itself had.
        values: field → value, of all its scalars.
        own: the fields that belong to the object itself.
    """

    call: int
    path: str
    typed: Mapping[str, tuple[Scalar, str]]
    values: Mapping[str, Scalar]
    own: frozenset[str]


@dataclass
class Knowledge:
    """How the tools of an app are called.

    Attributes:
        accepts: tool → arguments that are ids together → tuples of kinds that were accepted.
        queries: tool → the argument that takes words to search for.
        base: tool → the other arguments that it is called with.
    """

    accepts: dict[str, dict[Paths, set[Combo]]] = field(default_factory=lambda: defaultdict(dict))
    queries: dict[str, str] = field(default_factory=dict)
    base: dict[str, dict[str, Any]] = field(default_factory=dict)


class Explorer:
    """Explores an app.

    Attributes:
        calls: the accepted calls, in the order they were made.
        seen: the objects with keys in their answers.
        known: how the tools are called.
        sizes: tool → arguments that set how many items an answer has.
    """

    def __init__(self, player: Player, known: Knowledge | None = None, *, tries_max: int = 400) -> None:
        self.player, self.kinds = player, player.kinds
        self.is_learning = known is None
        self.known = known or Knowledge()
        self.calls: list[Played] = []
        self.seen: list[Seen] = []
        self.sizes: dict[str, set[str]] = defaultdict(set)
        self._tries_max = tries_max
        self._done: set[tuple[str, str]] = set()
        reads = (tool for tool in player.tools if not self._leaves_marks(tool))
        self.reading = tuple(reads)

    def _leaves_marks(self, tool: str) -> bool:
        """Return whether a tool changes more than what is marked as read."""
        return bool(set(self.player.writes[tool]) - self.player.schema.read_marks.keys())

    # -- one call --------------------------------------------------------------------------------------------------

    def ids_of(self, tool: str) -> list[Declared]:
        """Return the arguments that must be given, and that the schema does not settle."""
        base = self.known.base.get(tool, {})
        given = {path for path, _ in leaves_of(base)}
        return [
            each
            for each in self.player.tools[tool]
            if each.is_required and not each.choices and each.path not in given and each.type != "object"
        ]

    def base_of(self, tool: str) -> dict[str, Any]:
        """Return the arguments of a tool besides ids: a page as long as it may be, the first of listed values."""
        if tool in self.known.base:
            copied: dict[str, Any] = json.loads(json.dumps(self.known.base[tool]))
            return copied
        arguments: dict[str, Any] = {}
        for each in self.player.tools[tool]:
            if each.is_required and each.choices:
                set_path(arguments, each.path, each.choices[0])
        return arguments

    def filled(self, tool: str, paths: Sequence[str], values: Sequence[Scalar]) -> dict[str, Any]:
        """Return the arguments of a tool with values for its ids."""
        arguments = self.base_of(tool)
        types = {each.path: each.type for each in self.player.tools[tool]}
        for path, value in zip(paths, values, strict=True):
            set_path(arguments, path, cast(types.get(path, "any"), value))
        return arguments

    def look(self, tool: str, arguments: Mapping[str, Any], depth: int) -> bool:
        """Make a call unless it was made before; return whether its answer showed objects with keys."""
        mark = (tool, json.dumps(arguments, sort_keys=True, ensure_ascii=False))
        if mark in self._done:
            return False
        self._done.add(mark)
        body = self.player.play(tool, arguments)
        if body is None:
            return False
        number = len(self.calls)
        self.calls.append(Played(tool, arguments, depth, body))
        fresh = [*self.objects(number, self.calls[-1])]
        self.seen += fresh
        return bool(fresh)

    def objects(self, number: int, played: Played) -> Iterator[Seen]:
        """Yield the objects with keys in an answer."""
        given = [(path, value) for path, value in leaves_of(played.arguments) if isinstance(value, str | int)]
        for item in items_in(played.body):
            typed: dict[str, tuple[Scalar, str]] = {}
            for path, value in {**item.own, **item.above}.items():
                for kind in self.kinds.of(value) or _token(path, value):
                    typed.setdefault(kind, (value, path))
            for path, value in given:
                for kind in self.kinds.of(value):
                    typed.setdefault(kind, (value, f"<{path}>"))
            if typed:
                yield Seen(number, item.path, typed, item.values, frozenset(item.own))

    # -- all calls -------------------------------------------------------------------------------------------------

    def run(self, rounds: int = 4, calls_max: int = 4000) -> None:
        """Play until a round shows nothing new."""
        for tool in self.reading:
            if self.is_learning:
                self._settle_numbers(tool)
            if not self.ids_of(tool):
                if self.is_learning:
                    self.learn_sizes(tool, self.base_of(tool))
                self.look(tool, self.base_of(tool), 0)
        for tool in self.reading:
            self._search(tool)
        for depth in range(1, rounds + 1):
            before = len(self.calls)
            for tool in self.reading:
                self._play_ids(tool, depth, calls_max)
            if len(self.calls) == before:
                break

    def _play_ids(self, tool: str, depth: int, calls_max: int) -> None:
        at_hand = list(self.seen)
        paths = tuple(each.path for each in self.ids_of(tool))
        if self.is_learning and paths and tool not in self.known.queries:
            self._learn_ids(tool, paths, at_hand)
        for form, combos in self.known.accepts.get(tool, {}).items():
            for combo, each in itertools.product(sorted(combos), at_hand):
                if len(self._done) > calls_max:
                    return
                if all(kind in each.typed for kind in combo):
                    self.look(tool, self.filled(tool, form, [each.typed[kind][0] for kind in combo]), depth)

    def _search(self, tool: str) -> None:
        """Play a tool that takes words with the words that occur most."""
        if self.is_learning and not self._learn_query(tool):
            return
        if tool in self.known.queries:
            for word in self.words:
                self.look(tool, self.filled(tool, [self.known.queries[tool]], [word]), 0)

    @property
    def words(self) -> list[str]:
        """The words that most texts of the app have: what somebody would search for."""
        counts: dict[str, int] = defaultdict(int)
        schema = self.player.schema
        for table in schema.tables:
            columns = [c.name for c in table.columns if c.info.get("searched") or c.info["role"] == "title"]
            for row in self.player.session.rows(self.player.app, table.name) if columns else ():
                for word in {word for name in columns for word in _WORD.findall(str(row.get(name) or ""))}:
                    counts[word] += 1
        return sorted(counts, key=lambda word: (-counts[word], word))[:_WORDS_MAX]

    # -- learning --------------------------------------------------------------------------------------------------

    def _settle_numbers(self, tool: str) -> None:
        """Keep a page's first number or size where the schema requires one and any is accepted."""
        ids = self.ids_of(tool)
        numbers = [each for each in ids if each.type in ("number", "integer")]
        if numbers and len(numbers) == len(ids):
            arguments = self.base_of(tool)
            for each in numbers:
                set_path(arguments, each.path, max(1, int(each.schema.get("minimum", 1))))
            if self.player.play(tool, arguments) is not None:
                self.known.base[tool] = arguments

    def learn_sizes(self, tool: str, arguments: dict[str, Any]) -> None:
        """Learn which numbers set the length of an answer, from a call that is accepted; keep the largest."""
        for each in self.player.tools[tool]:
            if each.type not in ("number", "integer") or each.path in self.sizes[tool]:
                continue
            if each.path in {path for path, _ in leaves_of(arguments)} and not each.schema:
                continue
            sized = {size: self._items_of_size(tool, arguments, each.path, size) for size in self._sizes(each)}
            accepted = [size for size, count in sized.items() if count is not None]
            if len(accepted) < 2:
                continue
            largest, smallest = max(accepted), min(accepted)
            if (sized[smallest] or 0) < (sized[largest] or 0):
                self.sizes[tool].add(each.path)
                base = self.base_of(tool)
                set_path(base, each.path, largest)
                self.known.base[tool] = base

    def _sizes(self, argument: Declared) -> list[int]:
        maximum = int(argument.schema.get("maximum", _SIZES[0]))
        usable = [size for size in (maximum, *_SIZES) if size <= maximum]
        return list(dict.fromkeys([*usable, max(1, int(argument.schema.get("minimum", 1)))]))

    def _items_of_size(self, tool: str, arguments: Mapping[str, Any], path: str, size: int) -> int | None:
        tried = json.loads(json.dumps(arguments))
        set_path(tried, path, size)
        body = self.player.play(tool, tried)
        return None if body is None else sum(1 for _ in items_in(body))

    def _learn_query(self, tool: str) -> bool:
        """Return whether the only argument that a tool needs is words: nonsense is accepted, and finds less."""
        ids = self.ids_of(tool)
        if len(ids) != 1 or ids[0].type != "string":
            return False
        path = ids[0].path
        nothing = self.player.play(tool, self.filled(tool, [path], ["zzqqxv"]))
        if nothing is None:
            return False
        empty = len(json.dumps(nothing, default=str))
        for word in self.words[:20]:
            body = self.player.play(tool, self.filled(tool, [path], [word]))
            if body is not None and len(json.dumps(body, default=str)) > empty + 2 * len(word):
                self.known.queries[tool] = path
                self.learn_sizes(tool, self.filled(tool, [path], [word]))
                return True
        return False

    def _learn_ids(self, tool: str, paths: Paths, at_hand: Sequence[Seen]) -> None:
        """Try values of each kind in each id, until every kind that a shape of object has was tried."""
        got = self.known.accepts[tool].setdefault(paths, set())
        nonsense = self._answer(tool, paths, [self._nonsense(tool, path) for path in paths])
        by_shape: dict[frozenset[str], list[Seen]] = defaultdict(list)
        for each in at_hand:
            by_shape[frozenset(each.typed)].append(each)
        tries = 0
        for shape, some in sorted(by_shape.items(), key=lambda each: (len(each[0]), sorted(each[0]))):
            for combo in itertools.permutations(sorted(shape), len(paths)):
                if combo in got:
                    continue
                for each in {0: some[0], 1: some[len(some) // 2]}.values():
                    tries += 1
                    if tries > self._tries_max:
                        return
                    if self._fits(tool, paths, [each.typed[kind][0] for kind in combo], nonsense):
                        got.add(combo)
                        break

    def _fits(self, tool: str, paths: Paths, values: Sequence[Scalar], nonsense: str | None) -> bool:
        """Return whether values are accepted as ids, each of which decides the answer."""
        types = {each.path: each.type for each in self.player.tools[tool]}
        if any(
            types[path] in ("number", "integer") and not _is_number(value)
            for path, value in zip(paths, values, strict=True)
        ):
            return False
        answer = self._answer(tool, paths, values)
        if answer is None or answer == nonsense:
            return False
        for number, path in enumerate(paths):
            other = [*values[:number], self._nonsense(tool, path), *values[number + 1 :]]
            if (len(paths) > 1 or nonsense is not None) and self._answer(tool, paths, other) == answer:
                return False
        if self.is_learning and tool not in self.known.base:
            self.known.base[tool] = self.base_of(tool)
            self.learn_sizes(tool, self.filled(tool, paths, values))
        return True

    def _answer(self, tool: str, paths: Sequence[str], values: Sequence[Any]) -> str | None:
        body = self.player.play(tool, self.filled(tool, paths, values))
        return None if body is None else json.dumps(body, sort_keys=True, default=str)

    def _nonsense(self, tool: str, path: str) -> Any:
        types = {each.path: each.type for each in self.player.tools[tool]}
        return NONSENSE.get(types[path], "zzqqxv")


def cast(type_: str, value: Any) -> Any:
    """Return a value as an argument of a JSON type takes it."""
    if type_ in ("number", "integer"):
        return int(value) if _is_number(value) else value
    if type_ == "array":
        return value if isinstance(value, list) else [str(value)]
    return str(value) if type_ == "string" else value


def _is_number(value: Any) -> bool:
    return str(value).lstrip("-").isdigit()


def _token(path: str, value: Scalar) -> Iterable[str]:
    """Return the kind of a value that only programs compare, named by its field."""
    if isinstance(value, str) and _OPAQUE.match(value) and "://" not in value:
        return (TOKEN + re.split(r"[.\]#]", path)[-1].replace("_", "").lower(),)
    return ()
