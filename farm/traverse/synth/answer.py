"""Read a model's answer: files, each under a heading with its name, in a fenced block."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from farm.appkit.ids import id_maker
from farm.errors import FarmError
from farm.traverse.recordings.calls import Request

SCHEMA, GUESSES, IDS, START = "schema.py", "guesses.json", "ids.json", "start.json"
# Written by rule; a model's version of them is not used.
_OURS = frozenset({"__init__.py", "tools.py"})
_HEADING = re.compile(r"^#{1,6}\s*(?:file:)?\s*`?([A-Za-z_][\w.-]*\.(?:py|json))`?\s*$", re.MULTILINE)
_GUESSES_MAX = 60
_CALLS_MAX = 12


class AnswerError(FarmError):
    """A model's answer cannot be used; the message says why, in one line."""


@dataclass(frozen=True)
class Guess:
    """Calls, each after the one before, whose answers the writer was unsure of.

    Attributes:
        calls: they begin at the server's start.
    """

    calls: tuple[Request, ...]
    why: str = ""


@dataclass(frozen=True)
class Written:
    """What a model wrote.

    Attributes:
        files: name → text, of the schema and the kernel's modules.
        ids: kind → form of the ids that handlers make.
        start: the rows at the start of every trace.
        guesses: what the writer was unsure of.
    """

    files: Mapping[str, str]
    ids: Mapping[str, str] = field(default_factory=dict)
    start: tuple[Mapping[str, Any], ...] = ()
    guesses: tuple[Guess, ...] = ()

    def with_changes(self, later: Written) -> Written:
        """Return this app with the files that a later answer has replaced."""
        return Written(
            {**self.files, **later.files}, {**self.ids, **later.ids}, later.start or self.start, later.guesses
        )


def read_answer(text: str) -> Written:
    """Return the files in a model's answer.

    Raises:
        AnswerError: it has no file, or one that cannot be read.
    """
    found = {name: _block(section) for name, section in _sections(text)}
    blocks = {name: body for name, body in found.items() if body is not None}
    files = {name: body for name, body in blocks.items() if name.endswith(".py") and name not in _OURS}
    if not files:
        said = " ".join(text.split())[:80]
        raise AnswerError(
            f"the answer has no file: no heading '### file: NAME.py' with a fenced block; it begins: {said}"
        )
    return Written(files, _ids(blocks.get(IDS)), _start(blocks.get(START)), _guesses(blocks.get(GUESSES)))


def _sections(text: str) -> list[tuple[str, str]]:
    heads = list(_HEADING.finditer(text))
    ends = [*(each.start() for each in heads[1:]), len(text)]
    return [(head[1], text[head.end() : end]) for head, end in zip(heads, ends, strict=False)]


def _block(section: str) -> str | None:
    """Return the fenced block of a section: from its first fence to its last line that is only a fence."""
    lines = section.splitlines()
    opened = next((at for at, line in enumerate(lines) if line.startswith("```")), None)
    if opened is None:
        return None
    closed = next((at for at in range(len(lines) - 1, opened, -1) if lines[at].rstrip() == "```"), None)
    return "\n".join(lines[opened + 1 : closed]) + "\n"


def _ids(block: str | None) -> dict[str, str]:
    if block is None:
        return {}
    said = _json(block, IDS)
    if not isinstance(said, dict) or not all(isinstance(each, str) for each in said.values()):
        raise AnswerError(f"{IDS} is no table of texts")
    for kind, form in said.items():
        try:
            id_maker(form)
        except (FarmError, ValueError, KeyError) as problem:
            raise AnswerError(f"{IDS}, '{kind}': {problem}") from None
    return {str(kind): form for kind, form in said.items()}


def _start(block: str | None) -> tuple[Mapping[str, Any], ...]:
    said = [] if block is None or not block.strip() else _json(block, START)
    if not isinstance(said, list) or not all(
        isinstance(each, dict) and isinstance(each.get("table"), str) for each in said
    ):
        raise AnswerError(f"{START} is no list of rows, each with its 'table'")
    return tuple(said)


def _guesses(block: str | None) -> tuple[Guess, ...]:
    if block is None or not block.strip():
        return ()
    said = _json(block, GUESSES)
    if not isinstance(said, list):
        raise AnswerError(f"{GUESSES} is no list")
    return tuple(guess for each in said[:_GUESSES_MAX] if (guess := _guess(each)) is not None)


def _guess(raw: Any) -> Guess | None:
    calls: Sequence[Any] = raw.get("calls") if isinstance(raw, dict) and "calls" in raw else [raw]  # type: ignore[assignment] # checked below
    if not isinstance(calls, list) or not 0 < len(calls) <= _CALLS_MAX:
        return None
    if not all(isinstance(each, dict) and isinstance(each.get("tool"), str) for each in calls):
        return None
    requests = tuple(Request(each["tool"], each.get("arguments", {}), "arguments" not in each) for each in calls)
    return Guess(requests, str(raw.get("why") or "") if isinstance(raw, dict) else "")


def _json(block: str, name: str) -> Any:
    try:
        return json.loads(block)
    except ValueError as problem:
        raise AnswerError(f"{name} is not JSON: {problem}") from None
