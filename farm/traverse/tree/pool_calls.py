"""The calls of a pool as the tree uses them: which answers are successes, and which tools only read."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from farm.errors import FarmError
from farm.traverse.capture import FILE
from farm.traverse.pool.pool import POOL
from farm.traverse.recordings.calls import Recorded, kind_of, read_calls

UNSAID = "neither a hint nor its name says that it only reads"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_WRITES = words(
    "create add update delete remove set post send append insert write edit move rename archive unarchive put "
    "upload invite join leave kick mark pin unpin reply complete cancel clear reset configure setup modify change "
    "copy merge enable disable start stop restore share upsert"
)
_READS = words(
    "get list search read find query retrieve fetch show view describe lookup info history replies inspect check "
    "count export test status tree stat open whoami"
)
_HTTP = {"get": True, "head": True, "post": False, "put": False, "patch": False, "delete": False}


@dataclass(frozen=True)
class PoolCall:
    """One call of a pool.

    Attributes:
        line: its line number in the pool.
        is_success: whether the server did what was requested.
        is_seed: whether it is a client's own call and not a perturbed one.
    """

    line: int
    trace: int
    step: int
    tool: str
    arguments: Any
    result: Mapping[str, Any]
    is_success: bool
    is_seed: bool

    @property
    def named(self) -> Mapping[str, Any]:
        """The arguments, empty if they are not an object."""
        return self.arguments if isinstance(self.arguments, dict) else {}


@dataclass(frozen=True)
class PoolCalls:
    """The calls from which a tree is proposed.

    Attributes:
        hints: tool → its readOnlyHint, for tools that declare one.
    """

    path: Path
    calls: tuple[PoolCall, ...]
    hints: Mapping[str, bool] = field(default_factory=dict)

    @cached_property
    def clean(self) -> frozenset[int]:
        """The lines of seeds that no perturbed call can have affected."""
        return clean_calls(self)

    def reads(self, tool: str) -> tuple[bool, str]:
        """Return whether a tool only reads, and the evidence."""
        if tool in self.hints:
            return self.hints[tool], f"readOnlyHint is {str(self.hints[tool]).lower()}"
        return reads_by_name(tool)


def clean_calls(pool: PoolCalls) -> frozenset[int]:
    """Return the lines of seeds before which no perturbed call of their trace has written.

    Later answers show the effects of a perturbed call, such as two objects with one name.
    """
    spoilt: set[int] = set()
    found = set()
    for call in sorted(pool.calls, key=lambda each: (each.trace, each.step, each.line)):
        if call.is_seed and call.trace not in spoilt:
            found.add(call.line)
        elif call.is_success and not call.is_seed and not pool.reads(call.tool)[0]:
            spoilt.add(call.trace)
    return frozenset(found)


def reads_by_name(tool: str) -> tuple[bool, str]:
    """Return whether a tool's name indicates that it only reads, and the decisive word."""
    verb, space, rest = tool.partition(" ")
    is_http = bool(space) and verb.isupper()
    named = [word.lower() for word in _WORD.findall(rest if is_http else tool)]
    for known, answer in ((_WRITES, False), (_READS, True)):
        if word := next((each for each in named if each in known), None):
            return answer, f"its name says {word}"
    if is_http:
        return _HTTP.get(verb.lower(), False), f"{verb} is what it is asked with"
    return False, UNSAID


def read_pool_calls(path: Path, sides: Collection[str] | None = None) -> PoolCalls:
    """Return the calls of a pool: a folder with ``pool.jsonl``, or such a file.

    Args:
        sides: include only calls of these sides; a file that was never divided has no sides, and all its calls count.

    Raises:
        FarmError: the file is unreadable or has no such call, or a line is invalid; the message names the line.
    """
    file = path / POOL if path.is_dir() else path
    if path.is_dir() and not file.exists():
        raise FarmError(f"{path} is no pool: it has no {POOL}; farm traverse pool makes one of recordings")
    recorded = [each for each in read_calls(file) if sides is None or each.side in (None, *sides)]
    if not recorded:
        raise FarmError(f"{file} has no call on the side '{', '.join(sides or ())}'")
    return PoolCalls(file, tuple(map(_call, recorded)), _hints(file.parent / FILE))


def _call(each: Recorded) -> PoolCall:
    if each.verdict is None:
        is_success = "content" in each.result and kind_of(each.result) == "success"
    else:
        is_success = each.verdict == "success"
    return PoolCall(
        line=each.line,
        trace=each.trace or 0,
        step=each.step if each.step is not None else each.sequence or each.line,
        tool=each.tool,
        arguments=each.request.arguments,
        result=each.result,
        is_success=is_success,
        is_seed=each.operation is None and each.error_class == "success",
    )


def _hints(path: Path) -> dict[str, bool]:
    if not path.is_file():
        return {}
    try:
        raw = json.loads(path.read_bytes())
    except ValueError as problem:
        raise FarmError(f"{path} is not JSON: {problem}") from None
    tools = raw.get("tools", []) if isinstance(raw, dict) else []
    found = {}
    for each in tools:
        hint = (each.get("annotations") or {}).get("readOnlyHint") if isinstance(each, dict) else None
        if isinstance(hint, bool) and isinstance(each.get("name"), str):
            found[each["name"]] = hint
    return found
