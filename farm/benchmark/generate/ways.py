"""The way to a value: the calls that lead a person to it, with references from each result to the next call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from farm.benchmark.generate.answers import PROSE, at_path, set_path
from farm.benchmark.generate.explore import Seen
from farm.benchmark.generate.universe import AppView, Universe

_LABEL_MAX = 60
_PASSAGE_MAX = 40
_NO_LABEL = re.compile(r"[\]\[={}~\n]")


@dataclass
class Script:
    """Calls that follow each other, as an oracle's steps.

    Attributes:
        calls: (app, tool, arguments as JSON with references) → the call, in the order they are made.
    """

    calls: dict[tuple[str, str, str], dict[str, Any]] = field(default_factory=dict)

    def add(self, app: str, tool: str, arguments: Mapping[str, Any], step: int) -> str:
        """Return the name of a call, which is made at most once."""
        key = (app, tool, json.dumps(arguments, sort_keys=True, ensure_ascii=False))
        if key not in self.calls:
            name = f"{app}{len(self.calls) + 1}"
            self.calls[key] = {"app": app, "tool": tool, "arguments": dict(arguments), "as": name, "step": step}
        return str(self.calls[key]["as"])

    @property
    def steps(self) -> list[list[dict[str, Any]]]:
        """The calls, grouped into steps whose calls do not depend on each other."""
        numbers = sorted({each["step"] for each in self.calls.values()})
        plain = [{name: value for name, value in each.items() if name != "step"} for each in self.calls.values()]
        steps = [each["step"] for each in self.calls.values()]
        return [[call for call, at in zip(plain, steps, strict=True) if at == number] for number in numbers]

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools in the order they are called: what two chains alike have alike."""
        return tuple(f"{call['app']}.{call['tool']}" for step in self.steps for call in step)

    @property
    def last_step(self) -> int:
        """The number of the last step; 0 without any."""
        return max((each["step"] for each in self.calls.values()), default=0)


@dataclass(frozen=True)
class Reached:
    """A value at the end of a way.

    Attributes:
        expression: how an argument refers to it: ``{slack1.channels[name=general].id}``; the value itself where an
            answer cannot be referred to.
        step: the step that shows it.
        label: what people call the row; empty if the answer does not say.
    """

    expression: Any
    step: int
    label: str


class Ways:
    """Finds ways in a universe."""

    def __init__(self, universe: Universe) -> None:
        self._universe = universe

    def reach(
        self, script: Script, app: str, kind: str, value: Any, *, before: float = inf, turn: int = 0
    ) -> Reached | None:
        """Add the calls that lead to a key to a script, and return how to refer to it; None if nothing shows it.

        Args:
            before: the number of the call that needs it; one with a smaller number shows it.
            turn: 0 for the best way, 1 for the best by another tool, and so on in a circle.
        """
        view = self._universe.apps[app]
        sources = (each for each in self._sources(view, kind, value) if each[1].call < before)
        by_tool: dict[str, tuple[tuple[Any, ...], Seen, str]] = {}
        for each in sorted(sources, key=lambda each: each[0]):
            by_tool.setdefault(view.calls[each[1].call].tool, each)
        if not by_tool:
            return None
        _, seen, path = [*by_tool.values()][turn % len(by_tool)]
        name, step = self._add(script, app, seen.call)
        expression, label = refer(view, seen, path, name, value)
        return Reached(expression, step, label)

    def play(self, script: Script, app: str, call: int, turn: int = 0) -> int:
        """Add a call of the universe with all that leads to it, and return its step.

        Args:
            turn: which way leads to its ids, as for ``reach``.
        """
        return self._add(script, app, call, turn)[1]

    def _add(self, script: Script, app: str, call: int, turn: int = 0) -> tuple[str, int]:
        """Return the name and the step of a call of the universe, added to a script with all that leads to it."""
        view = self._universe.apps[app]
        played = view.calls[call]
        arguments, step = self._referring(script, view, call, turn)
        return script.add(app, played.tool, arguments, step), step

    def _referring(self, script: Script, view: AppView, call: int, turn: int) -> tuple[dict[str, Any], int]:
        """Return a call's arguments with references in place of ids, and its step."""
        played, step = view.calls[call], 1
        arguments: dict[str, Any] = json.loads(json.dumps(played.arguments))
        for argument in view.units.units[played.tool].of_role("id"):
            value = at_path(arguments, argument.path.replace("[]", "")) or at_path(arguments, argument.path)
            for kind in argument.kinds if value is not None else ():
                reached = self.reach(script, view.app, kind, value, before=call, turn=turn)
                if reached is not None:
                    set_path(arguments, argument.path, reached.expression)
                    step = max(step, reached.step + 1)
                    break
        return arguments, step

    def _sources(self, view: AppView, kind: str, value: Any) -> Iterator[tuple[tuple[Any, ...], Seen, str]]:
        """Yield what shows a key, with its rank: with a label, few calls before it, no words to guess, one list."""
        for seen in view.by_key.get((kind, str(value)), ()):
            path = seen.typed[kind][1]
            if path.startswith("<"):
                continue
            played = view.calls[seen.call]
            unit = view.units.units[played.tool]
            is_search = bool(unit.of_role("query"))
            label = _label(view, seen, path)
            yield (label is None, played.depth, is_search, path.count("[]"), PROSE in path, seen.call), seen, path


def refer(view: AppView, seen: Seen, path: str, name: str, value: Any) -> tuple[Any, str]:
    """Return the expression that refers to a field of a result, and what people call its row."""
    label = _label(view, seen, path)
    said = label[2] if label else ""
    if PROSE in path or path.count("[]") > 1:
        return value, said
    if "[]" not in path:
        return f"{{{name}{path}}}", said
    if label is not None:
        field_path, sign, text = label
        alike = {
            str(each.values.get(path))
            for each in view.by_call[seen.call]
            if each.path == seen.path and _holds(str(each.values.get(_beside(path, field_path), "")), sign, text)
        }
        if len(alike) == 1:
            return f"{{{name}{path.replace('[]', f'[{field_path}{sign}{text}]')}}}", said
    return value, said


def _holds(value: str, sign: str, text: str) -> bool:
    return value == text if sign == "=" else text in value


def _beside(path: str, inner: str) -> str:
    """Return the field of an item whose name is relative to the item that another field stands in."""
    return (path.rpartition("[]")[0] + "[]." if "[]" in path else ".") + inner


def _label(view: AppView, seen: Seen, path: str) -> tuple[str, str, str] | None:
    """Return the field beside a key that tells what people call its row, how to compare it, and the text."""
    base = _beside(path, "")
    names = view.kinds.names_of(seen.values.get(path, ""))
    body: tuple[str, str, str] | None = None
    for field_path, value in seen.values.items():
        inner = field_path.removeprefix(base)
        if not field_path.startswith(base) or "[]" in inner or PROSE in inner:
            continue
        if names and str(value) not in names:
            continue
        if view.kinds.is_label(value) and len(str(value)) <= _LABEL_MAX and not _NO_LABEL.search(str(value)):
            return inner, "=", str(value)
        if view.kinds.is_body(value) and (words := _passage(str(value))) and len(words) > len(body[2] if body else ""):
            body = (inner, "~", words)
    return body


def _passage(text: str) -> str:
    """Return the longest part of a text that a reference can hold, at most a line's."""
    parts = [each.strip() for each in _NO_LABEL.split(text)]
    return max(parts, key=len, default="")[:_PASSAGE_MAX].strip()
