"""Scripts of a mock model, turn by turn: their format and parser."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm.benchmark.tasks import REFERENCE, references_in
from farm.benchmark.tasks.toml_schema import key, near, problems_in, table
from farm.errors import FarmError

ANY = "scripted"  # the name under which a script without names is listed; it answers to every name
_TURNS, _MODELS = "turns", "models"
_DATE = re.compile(r"\{\{(?:date|ms|s|rfc3339):")


class ModelScriptError(FarmError):
    """A script is invalid; the message names the place and the valid values."""


@table
class Call:
    """One tool call of the model.

    A call's result is known by ``as``, else by the tool's name.
    """

    tool: str = key("a tool's name, or the end of the name that the agent knows it by")
    arguments: Any = key(
        "a table, in whose texts ``{name.path}`` is a piece of an earlier result; a text is sent as it is", default={}
    )
    name: str | None = key(
        "what later turns refer to its result by; the tool's name when left out", default=None, name="as"
    )
    offered: bool = key("false: asked for as written, whatever tools there are", default=True)

    @property
    def known_as(self) -> str:
        """The name by which later turns refer to its result."""
        return self.name or self.tool


@table
class Usage:
    """The token usage that a turn reports."""

    input: int = key("tokens of the request", default=0)
    output: int = key("tokens of the answer", default=0)
    cached: int = key("tokens of the request that were read from a cache", default=0)


@table
class TurnTable:
    """One answer of the model, as written in the file."""

    text: str | None = key("what it says", default=None)
    tool: str | None = key("a tool that it asks for, as in ``calls``", default=None)
    arguments: Any = key("that call's, as in ``calls``", default={})
    name: str | None = key("that call's, as in ``calls``", default=None, name="as")
    offered: bool = key("that call's, as in ``calls``", default=True)
    calls: tuple[Call, ...] = key("tools that it asks for at once", default=())
    when: str | tuple[str, ...] = key("texts that must stand in what is new since its last turn", default=())
    repeat: bool = key("the last turn is said again and again", default=False)
    usage: Mapping[str, Any] = key(
        "``input``, ``output`` and ``cached`` tokens; a token for four bytes when left out", default={}
    )


_OF_ONE_CALL = ("arguments", "as", "offered")


@dataclass(frozen=True)
class Turn:
    """One answer of the model.

    Attributes:
        when: texts that the messages since the model's last turn must contain.
        is_repeated: whether it also answers every further request.
    """

    text: str | None = None
    calls: tuple[Call, ...] = ()
    when: tuple[str, ...] = ()
    is_repeated: bool = False
    usage: Usage | None = None


@dataclass(frozen=True)
class Script:
    """The turns of one model, or of several by name.

    Attributes:
        turns: the answers under any name that is not in ``models``.
        models: name → the turns of that model.
    """

    turns: tuple[Turn, ...] = ()
    models: Mapping[str, tuple[Turn, ...]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return (*self.models, *((ANY,) if self.turns else ()))

    def turns_of(self, model: str) -> tuple[Turn, ...] | None:
        """Return the turns of a model, None if the script does not define it."""
        return self.models.get(model) or self.turns or None

    def name_of(self, model: str) -> str:
        """Return the name in ``names`` under which a model is answered."""
        return model if model in self.models else ANY


def load_script(path: Path) -> Script:
    """Load a script's file.

    Raises:
        ScriptError: the file is unreadable or invalid.
    """
    try:
        text = path.read_text("utf-8")
    except OSError as problem:
        raise ModelScriptError(
            f"script {path} cannot be read ({problem.strerror}); name a .toml or .json file"
        ) from None
    except UnicodeDecodeError:
        raise ModelScriptError(f"script {path} is not UTF-8") from None
    return read_script(text, str(path))


def read_script(text: str, name: str) -> Script:
    """Parse a script's text.

    Args:
        name: the file's name, whose ending selects TOML or JSON.

    Raises:
        ScriptError: the script is invalid.
    """
    try:
        if name.endswith(".toml"):
            return parse_script(tomllib.loads(text), name)
        if name.endswith(".json"):
            return parse_script(json.loads(text), name)
    except RecursionError:
        raise ModelScriptError(f"{name} is nested too deep to be read") from None
    except tomllib.TOMLDecodeError as problem:
        raise ModelScriptError(f"{name} is not TOML: {problem}") from None
    except ValueError as problem:
        raise ModelScriptError(f"{name} is not JSON: {problem}") from None
    raise ModelScriptError(f"script {name} ends in neither .toml nor .json; it is written in one of them")


def parse_script(raw: Any, name: str = "script") -> Script:
    """Return the parsed script.

    Args:
        raw: a list of turns, or a table with ``turns``, ``models`` or both.
        name: its name in messages.

    Raises:
        ScriptError: the script is invalid.
    """
    written = {_TURNS: raw} if isinstance(raw, list) else raw
    if not isinstance(written, dict):
        raise ModelScriptError(f"{name}: a script is a list of turns, or a table with '{_TURNS}' or '{_MODELS}'")
    for each in written:
        if each not in (_TURNS, _MODELS):
            have = f"have {_TURNS}, {_MODELS}"
            raise ModelScriptError(f"{name}: {each}: unknown key; {have}{near(each, (_TURNS, _MODELS))}")
    models = written.get(_MODELS, {})
    if not isinstance(models, dict):
        raise ModelScriptError(f"{name}: {_MODELS}: must be a table of lists of turns, such as [[{_MODELS}.my-test]]")
    script = Script(
        _turns(written[_TURNS], f"{name}: {_TURNS}") if _TURNS in written else (),
        {model: _turns(turns, f"{name}: {_MODELS}.{model}") for model, turns in models.items()},
    )
    if not script.names:
        raise ModelScriptError(f'{name} has no turn; begin with [[{_TURNS}]] and text = "Done."')
    return script


def _turns(raw: Any, where: str) -> tuple[Turn, ...]:
    if not isinstance(raw, list):
        raise ModelScriptError(f"{where}: must be a list of turns, such as [[turns]]")
    if not raw:
        raise ModelScriptError(f"{where}: has no turn; a model says something")
    known: set[str] = set()
    found: list[Turn] = []
    for n, each in enumerate(raw, 1):
        place = f"{where}[{n}]"
        turn = _turn(each, place)
        if turn.is_repeated and n < len(raw):
            raise ModelScriptError(f"{place}: only the last turn can repeat; nothing after it would be said")
        _require_no_lookalike(turn, known, place)
        for name in references_in([turn.text or "", *(call.arguments for call in turn.calls)]):
            if name not in known:
                have = f"have {', '.join(sorted(known))}" if known else "there is none"
                raise ModelScriptError(
                    f"{place}: '{{{name}…}}' refers to no call of an earlier turn; {have}{near(name, known)}"
                )
        known |= {call.known_as for call in turn.calls}
        found.append(turn)
    return tuple(found)


def _require_no_lookalike(turn: Turn, known: set[str], where: str) -> None:
    """Reject text that looks like a reference to a result but would be sent literally."""
    written = json.dumps([turn.text, *(call.arguments for call in turn.calls)], ensure_ascii=False)
    if found := _DATE.search(written):
        way_out = "a script stands alone, so write the date itself"
        raise ModelScriptError(f"{where}: '{found[0]}…' is a date of a task's world; {way_out}")
    for name in sorted(known):
        if re.search(rf"\{{\{{\s*{re.escape(name)}\b", written):
            raise ModelScriptError(f"{where}: '{{{{{name}…' has a brace too many; write {{{name}…}}")
        if not REFERENCE.fullmatch(f"{{{name}}}") and re.search(rf"\{{{re.escape(name)}[.\[}}]", written):
            names = "names are lower-case letters, digits and _"
            raise ModelScriptError(f"{where}: '{{{name}…' cannot be referred to, {names}; name the call with 'as'")


def _turn(raw: Any, where: str) -> Turn:
    match raw:
        case str():
            raw = {"text": raw}
        case list():
            raw = {"calls": raw}
    if not isinstance(raw, dict):
        raise ModelScriptError(f"{where}: a turn is a text, a list of calls or a table, not {raw!r}")
    _require_fitting(TurnTable, raw, where)
    if "tool" in raw:
        if "calls" in raw:
            raise ModelScriptError(f"{where}: has 'tool' and 'calls'; put every call into 'calls'")
        calls: list[Any] = [{name: raw[name] for name in ("tool", *_OF_ONE_CALL) if name in raw}]
    else:
        for stray in _OF_ONE_CALL:
            if stray in raw:
                raise ModelScriptError(
                    f"{where}.{stray}: belongs to a call; name its 'tool' beside it, or put it into 'calls'"
                )
        calls = raw.get("calls", [])
    if not calls and "text" not in raw:
        raise ModelScriptError(f"{where}: says nothing; give it 'text', 'tool' or 'calls'")
    when = raw.get("when", ())
    usage = raw.get("usage")
    if usage is not None:
        _require_fitting(Usage, usage, f"{where}.usage")
    return Turn(
        raw.get("text"),
        tuple(_call(each, where if "tool" in raw else f"{where}.calls[{n}]") for n, each in enumerate(calls, 1)),
        (when,) if isinstance(when, str) else tuple(when),
        raw.get("repeat", False),
        None if usage is None else Usage(**usage),
    )


def _call(raw: Mapping[str, Any], where: str) -> Call:
    _require_fitting(Call, raw, where)
    arguments = raw.get("arguments", {})
    if not isinstance(arguments, dict | str):
        raise ModelScriptError(
            f"{where}.arguments: must be a table, or a text that is sent as it is, not {arguments!r}"
        )
    try:
        json.dumps(arguments, allow_nan=False)
    except (TypeError, ValueError):
        told = "holds what JSON has no form for, such as a date or nan; write it as a text"
        raise ModelScriptError(f"{where}.arguments: {told}") from None
    return Call(raw["tool"], arguments, raw.get("as"), raw.get("offered", True))


def _require_fitting(kind: type, raw: Mapping[str, Any], where: str) -> None:
    for place, problem in problems_in(kind, raw, where):
        raise ModelScriptError(f"{place}: {problem}")
