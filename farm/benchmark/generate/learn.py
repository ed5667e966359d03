"""Learns the units of an app in a world: by play, and from one example call of a tool."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from farm.benchmark.agents.scripted import rendered
from farm.benchmark.generate.answers import at_path, items_in, leaves_of, set_path, with_value
from farm.benchmark.generate.examples import Example, examples_of
from farm.benchmark.generate.explore import TOKEN, Explorer, Seen, cast
from farm.benchmark.generate.kinds import kind_of_column
from farm.benchmark.generate.personal import is_personal
from farm.benchmark.generate.player import Player
from farm.benchmark.generate.units import ID, PAYLOAD, AppUnits, Argument, Edge, Role, Unit
from farm.benchmark.runner.in_process_farm import LocalFarm

MARK = "zzqqxv mark"
_VALUES_TRIED = 3
_EXAMPLES_MAX = 4
# A shorter value of an example may be a key by chance.
_KEY_LETTERS_MIN = 8
_ISO = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?")
_SECONDS, _MILLISECONDS = range(10**9, 10**10), range(10**12, 10**13)
_DATE = re.compile(r"\{\{(?!fact|noise)[^{}]+\}\}")


def learn_units(farm: LocalFarm, app: str, world: str, suites: Sequence[str], tries_max: int = 400) -> AppUnits:
    """Return the units of an app, learned in a world with the example calls of suites.

    Raises:
        NotFoundError: there is no such app, world or suite, or the world does not have the app.
    """
    session = farm.create(world, [app])
    try:
        player = Player(session, app)
        examples = examples_of(farm, app, world, suites)
        learner = _Learner(player, examples, world, tries_max)
        units, missing = learner.units()
        return AppUnits(app, world, tuple(suites), units, tuple(sorted(set(learner.edges()))), missing)
    finally:
        session.close()


class _Learner:
    def __init__(self, player: Player, examples: Mapping[str, list[Example]], world: str, tries_max: int) -> None:
        self.player, self.examples, self.world = player, examples, world
        self.explorer = Explorer(player, tries_max=tries_max)
        self.arguments: dict[str, dict[str, Argument]] = defaultdict(dict)
        self.accepted: dict[str, Mapping[str, Any]] = {}  # tool → sent arguments of an accepted call
        self.setup: dict[str, Sequence[tuple[str, Mapping[str, Any]]]] = {}  # tool → calls that it needs before it
        self.before: Sequence[tuple[str, Mapping[str, Any]]] = ()
        self.written: dict[str, Mapping[str, Any]] = {}  # writing tool → its example, ids and payloads left open
        self.fresh: dict[str, list[Seen]] = {}  # writing tool → objects with the keys that it made

    def units(self) -> tuple[dict[str, Unit], dict[str, str]]:
        """Return tool → unit, and tool → why there is none."""
        self.explorer.run()
        self._know_tokens()
        for tool in self.player.tools:
            self._learn_examples(tool)
        for tool in self.explorer.reading:
            for each in self.examples.get(tool, ()):
                self.explorer.look(tool, each.sent, 1)
        self.explorer.run()
        for played in self.explorer.calls:
            self.accepted.setdefault(played.tool, played.arguments)
        units, missing = {}, {}
        for tool in self.player.tools:
            if tool in self.accepted:
                units[tool] = self._unit(tool)
            else:
                missing[tool] = (
                    "no example call" if tool not in self.examples else "no example is accepted at the start"
                )
        return units, missing

    def _know_tokens(self) -> None:
        """Know the values that only programs compare, so that an argument that takes one is an id."""
        for each in self.explorer.seen:
            for kind, (value, _) in each.typed.items():
                if kind.startswith(TOKEN):
                    self.player.kinds.add(value, kind)

    # -- examples --------------------------------------------------------------------------------------------------

    def _learn_examples(self, tool: str) -> None:
        """Learn the roles of arguments from example calls that differ in which arguments they have."""
        shapes: dict[frozenset[str], Example] = {}
        for each in self.examples.get(tool, ()):
            shapes.setdefault(frozenset(path for path, _ in leaves_of(each.sent)), each)
        for example in list(shapes.values())[:_EXAMPLES_MAX]:
            writing = [each for each in example.before if each[0] not in self.explorer.reading]
            body, diff = self.player.changes(tool, example.sent)
            self.before = []
            if body is None or (tool not in self.explorer.reading and not diff):
                self.before = writing
                body, diff = self._changes(tool, example.sent)
            if body is None or (tool not in self.explorer.reading and not diff):
                continue
            self._know_made()
            if tool not in self.accepted:
                self.accepted[tool], self.setup[tool] = example.sent, self.before
            roles = {}
            for path, value in leaves_of(example.sent):
                roles[path] = self._role(tool, example, path, value, body, diff)
                self.arguments[tool].setdefault(path, roles[path])
            if tool in self.explorer.reading:
                self._teach(tool, example, roles)
            elif tool not in self.written:
                self.written[tool] = _open(example, roles)
                self.fresh[tool] = [*self._made(tool, example, body, diff)]

    def _changes(self, tool: str, arguments: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Play a call after the calls that the example at hand needs before it."""
        return self.player.changes(tool, arguments, self.before)

    def _know_made(self) -> None:
        """Know the keys of the rows that the calls before an example make."""
        for number, (earlier, given) in enumerate(self.before):
            _, diff = self.player.changes(earlier, given, self.before[:number])
            for value, kind in self._keys_made(diff).items():
                self.player.kinds.add(value, kind)

    def _keys_made(self, diff: Mapping[str, Any]) -> dict[str, str]:
        """Return the keys of new rows → their kinds."""
        keys: dict[str, str] = {}
        for table, rows in diff.items():
            for column in self.player.schema.metadata.tables[table].columns:
                kind = kind_of_column(column)
                if kind and not column.foreign_keys:
                    keys |= {str(row["new"][column.name]): kind for row in rows if row["op"] == "insert"}
        return keys

    def _role(self, tool: str, example: Example, path: str, value: Any, body: Any, diff: Mapping[str, Any]) -> Argument:
        """Return the role of an argument, from what happens with another value in its place."""
        declared = {each.path: each for each in self.player.tools[tool]}.get(path.replace("[]", ""))
        if isinstance(value, bool) or (declared and declared.choices):
            return Argument(path, "choice")
        if (moved := _later(value)) is not None:
            other, changed = self._changes(tool, with_value(example.sent, path, value, moved))
            if other is not None:
                return Argument(path, "instant", columns=_differing(diff, changed))
        kinds = self.player.kinds.of(value)
        mutated, changed = self._changes(tool, with_value(example.sent, path, value, mutated_id(value)))
        if kinds and (mutated is None or (_text(mutated) != _text(body) and not _holding(changed, mutated_id(value)))):
            return Argument(path, "id", kinds=tuple(sorted(kinds)))
        if not isinstance(value, str):
            columns = _differing(diff, changed) if changed else ()
            return Argument(path, "payload" if columns else "option", columns=columns)
        for template in templates(value):
            marked, changed = self._changes(tool, with_value(example.sent, path, value, template(MARK)))
            if marked is not None and (columns := _holding(changed, MARK)):
                return Argument(path, "payload", columns=columns)
            if marked is not None and tool in self.explorer.reading and len(_text(marked)) < len(_text(body)):
                return Argument(path, "query")
        return Argument(path, "option")

    def _teach(self, tool: str, example: Example, roles: Mapping[str, Argument]) -> None:
        """Tell the explorer how an example calls a reading tool: its ids, and what else it gives."""
        ids = [path for path, each in roles.items() if each.role == "id"]
        queries = [path for path, each in roles.items() if each.role == "query"]
        dated = _with_dates(example)
        base: dict[str, Any] = {}
        for path, value in leaves_of(dated):
            if path not in ids and path not in queries:
                set_path(base, path, rendered(value, self.world) if isinstance(value, str) else value)
        known = self.explorer.known
        if tool not in known.base:
            known.base[tool] = base
            self.explorer.learn_sizes(tool, dict(example.sent))
        if ids:
            known.accepts[tool].setdefault(tuple(ids), set()).add(tuple(roles[path].kinds[0] for path in ids))
        elif len(queries) == 1:
            known.queries.setdefault(tool, queries[0])

    def _made(self, tool: str, example: Example, body: Any, diff: Mapping[str, Any]) -> Iterator[Seen]:
        """Yield the objects of a writing tool's answer that show keys of the rows it made."""
        keys = self._keys_made(diff)
        given = dict(leaves_of(example.sent))
        for item in items_in(body):
            typed = {keys[str(value)]: (value, path) for path, value in item.values.items() if str(value) in keys}
            for path, value in item.values.items():
                for kind in self.player.kinds.of(value):
                    typed.setdefault(kind, (value, path))
            for path, value in given.items():
                for kind in self.player.kinds.of(value):
                    typed.setdefault(kind, (value, f"<{path}>"))
            if any(not path.startswith("<") for _, path in typed.values()):
                yield Seen(-1, item.path, typed, item.values, frozenset(item.own))

    # -- units -----------------------------------------------------------------------------------------------------

    def _unit(self, tool: str) -> Unit:
        known, is_reading = self.explorer.known, tool in self.explorer.reading
        arguments = self._arguments(tool)
        forms = known.accepts.get(tool, {})
        ids = next((form for form, combos in forms.items() if combos), ())
        if not is_reading:
            ids = tuple(path for path, each in arguments.items() if each.role == "id")
        calls = [played for played in self.explorer.calls if played.tool == tool]
        shows = {path: kind for kind, path in self._shown(tool)}
        return Unit(
            tool,
            tuple(self.player.writes[tool]),
            arguments,
            ids,
            tuple(sorted(forms.get(ids, ()))) if is_reading else (),
            self.written.get(tool) or self._base(tool),
            shows,
            is_personal(self.player, tool, [each.arguments for each in calls] or [self.accepted[tool]]),
        )

    def _base(self, tool: str) -> Mapping[str, Any]:
        """Return the arguments of a reading tool besides ids; dates as the example has them."""
        dated = next((_with_dates(each) for each in self.examples.get(tool, ())), {})
        base: dict[str, Any] = {}
        for path, value in leaves_of(self.explorer.known.base.get(tool, {})):
            written = at_path(dated, path)
            set_path(base, path, written if isinstance(written, str) and _DATE.fullmatch(written) else value)
        return base

    def _arguments(self, tool: str) -> dict[str, Argument]:
        known = self.explorer.known
        found = dict(self.arguments[tool])
        for form, combos in known.accepts.get(tool, {}).items():
            for number, path in enumerate(form):
                kinds = {combo[number] for combo in combos} | set(found[path].kinds if path in found else ())
                if kinds:
                    found[path] = Argument(path, "id", tuple(sorted(kinds)))
        for path, argument in found.items():
            kinds = {*argument.kinds, *self._kinds_taken(tool, path)}
            if kinds and argument.role in ("id", "option"):
                found[path] = Argument(path, "id", tuple(sorted(kinds)))
        if tool in known.queries:
            found[known.queries[tool]] = Argument(known.queries[tool], "query")
        for path in self.explorer.sizes[tool]:
            found[path] = Argument(path, "page")
        for each in self.player.tools[tool]:
            role: Role = "choice" if each.choices else "option"
            if not any(path.replace("[]", "").startswith(each.path) for path in found):
                found[each.path] = Argument(each.path, role)
        order = {each.path: number for number, each in enumerate(self.player.tools[tool])}
        return dict(sorted(found.items(), key=lambda each: (order.get(each[0].replace("[]", ""), 99), each[0])))

    def _kinds_taken(self, tool: str, path: str) -> Iterator[str]:
        """Yield the kinds of the values that example calls have at an argument."""
        for example in self.examples.get(tool, ()):
            for at, value in leaves_of(example.sent):
                if at == path and len(str(value)) >= _KEY_LETTERS_MIN:
                    yield from self.player.kinds.of(value)

    def _shown(self, tool: str) -> Iterator[tuple[str, str]]:
        for each in self._seen_of(tool):
            yield from ((kind, path) for kind, (_, path) in each.typed.items() if not path.startswith("<"))

    def _seen_of(self, tool: str) -> Iterable[Seen]:
        return self.fresh.get(tool, ()) or (
            each for each in self.explorer.seen if self.explorer.calls[each.call].tool == tool
        )

    # -- edges -----------------------------------------------------------------------------------------------------

    def edges(self) -> Iterator[Edge]:
        """Yield which fields feed which arguments: a value of that very field was accepted there."""
        shown, fields, taken = self._values_shown(), self._fields(), self._values_taken()
        for tool in self.accepted:
            for argument in self._arguments(tool).values():
                for kind in argument.kinds:
                    accepted = taken[tool, argument.path.replace("[]", "")]
                    for (source, path), some in fields.get(kind, {}).items():
                        is_shown = not accepted.isdisjoint(shown[source, path])
                        if is_shown or any(self._feeds(source, each, kind, tool, argument) for each in some):
                            yield Edge(source, path, tool, argument.path, kind)

    def _values_taken(self) -> dict[tuple[str, str], set[str]]:
        """Return (tool, argument) → the values with which calls were accepted, examples included."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        calls = [(each.tool, each.arguments) for each in self.explorer.calls]
        calls += [(each.tool, each.sent) for some in self.examples.values() for each in some]
        for tool, arguments in calls:
            for path, value in leaves_of(arguments):
                found[tool, path.replace("[]", "")].add(str(value))
        return found

    def _values_shown(self) -> dict[tuple[str, str], set[str]]:
        """Return (tool, field) → its values with a kind."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for tool in self.accepted:
            for each in self._seen_of(tool):
                for value, path in each.typed.values():
                    found[tool, path].add(str(value))
        return found

    def _fields(self) -> dict[str, dict[tuple[str, str], list[Seen]]]:
        """Return kind → (tool, field) → some objects that show such a value there."""
        found: dict[str, dict[tuple[str, str], list[Seen]]] = defaultdict(lambda: defaultdict(list))
        for tool in self.accepted:
            for each in self._seen_of(tool):
                for kind, (_, path) in each.typed.items():
                    some = found[kind][tool, path]
                    if not path.startswith("<") and len(some) < _VALUES_TRIED:
                        some.append(each)
        return found

    def _feeds(self, source: str, seen: Seen, kind: str, tool: str, argument: Argument) -> bool:
        """Return whether a value that a tool showed is accepted as an argument of another."""
        arguments = self._call_with(tool, argument, kind, seen)
        for earlier, given in self.setup.get(tool, ()):
            self.player.play(earlier, given, keep=True)
        if source in self.fresh:
            for earlier, given in (*self.setup.get(source, ()), (source, self.accepted[source])):
                self.player.play(earlier, given, keep=True)
        is_accepted = self.player.play(tool, arguments, keep=True) is not None
        self.player.clean()
        return is_accepted

    def _call_with(self, tool: str, argument: Argument, kind: str, seen: Seen) -> Mapping[str, Any]:
        """Return an accepted call of a tool with the ids of an object in place of its own."""
        arguments: dict[str, Any] = json.loads(json.dumps(self.accepted[tool]))
        types = {each.path: each.type for each in self.player.tools[tool]}
        for path, each in self._arguments(tool).items():
            wanted = kind if path == argument.path else next((one for one in each.kinds if one in seen.typed), None)
            if wanted and (path == argument.path or at_path(arguments, path) is not None):
                set_path(arguments, path, cast(types.get(path, "any"), seen.typed[wanted][0]))
        return arguments


def mutated_id(value: Any) -> Any:
    """Return nonsense in the form of a value: other letters and digits at its end."""
    if isinstance(value, int | float):
        return value + 987_654
    text = str(value)
    other = "".join(
        "7" if c.isdigit() and c != "7" else "3" if c.isdigit() else "Q" if c.isupper() else "q" if c.isalpha() else c
        for c in text[-6:]
    )
    return text[:-6] + other


def templates(value: str) -> Iterator[Any]:
    """Yield functions that put a text into an argument: as it is, or as a text inside of its JSON."""
    yield lambda text: text
    if value[:1] in "{[":
        try:
            parsed = json.loads(value)
        except ValueError:
            return
        for path, each in leaves_of(parsed):
            if isinstance(each, str):
                yield lambda text, path=path, each=each: json.dumps(
                    with_value(parsed, path, each, text), ensure_ascii=False
                )


def _open(example: Example, roles: Mapping[str, Argument]) -> dict[str, Any]:
    """Return an example's arguments with ids and texts left open, dates as they were written."""
    arguments: Any = _with_dates(example)
    for path, value in leaves_of(example.sent):
        argument = roles[path]
        written = at_path(arguments, path)
        if argument.role == "id":
            arguments = with_value(arguments, path, written, ID)
        elif argument.role == "payload" and isinstance(value, str):
            arguments = with_value(arguments, path, written, _with_payload(value))
    return dict(arguments)


def _with_payload(value: str) -> str:
    if value[:1] not in "{[":
        return PAYLOAD
    found = [template(PAYLOAD) for template in templates(value)]
    return str(found[1] if len(found) > 1 else PAYLOAD)


def _with_dates(example: Example) -> Mapping[str, Any]:
    """Return what was sent, with dates as they were written: relative to the world."""
    arguments: Any = json.loads(json.dumps(example.sent))
    written = dict(leaves_of(example.written))
    for path, value in leaves_of(example.sent):
        text = written.get(path)
        if isinstance(text, str) and _DATE.fullmatch(text):
            arguments = with_value(arguments, path, value, text)
    return dict(arguments)


def _later(value: Any) -> Any:
    """Return a moment a little later, in the form of one; None for a value that is no moment."""
    text = str(value)
    if text.isdigit() and (int(text) in _SECONDS or int(text) in _MILLISECONDS):
        moved = int(text) + (1800 if int(text) in _SECONDS else 1_800_000)
        return str(moved) if isinstance(value, str) else moved
    if isinstance(value, str) and _ISO.fullmatch(value):
        moved_at = datetime.fromisoformat(value) + timedelta(days=1)
        return moved_at.date().isoformat() if len(value) == 10 else moved_at.isoformat()
    return None


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the columns in which two calls' changes differ."""
    return tuple(sorted(name for name, values in _stored(one).items() if values != _stored(other).get(name, values)))


def _holding(diff: Mapping[str, Any], text: Any) -> tuple[str, ...]:
    """Return the columns of changed rows that hold a text."""
    found = _stored(diff).items()
    return tuple(sorted(name for name, values in found if any(str(text) in str(value) for value in values)))


def _stored(diff: Mapping[str, Any]) -> dict[str, list[Any]]:
    stored: dict[str, list[Any]] = defaultdict(list)
    for table, rows in diff.items():
        for row in rows:
            old = row["old"] or {}
            for name, value in (row["new"] or {}).items():
                if value != old.get(name):
                    stored[f"{table}.{name}"].append(value)
    return stored


def _text(body: Any) -> str:
    return json.dumps(body, sort_keys=True, ensure_ascii=False, default=str)
