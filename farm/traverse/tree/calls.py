"""The calls of a pool as the hierarchy reads them: whose answer is a success, and which tools only read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from farm.errors import FarmError
from farm.traverse.calls import kind_of

UNSAID = "neither a hint nor its name says that it only reads"
_POOL, _TOOLS = "pool.jsonl", "tools.json"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WRITES = frozenset(
    "create add update delete remove set post send append insert write edit move rename archive unarchive put upload"
    " invite join leave kick mark pin unpin reply complete cancel clear reset configure setup modify change copy merge"
    " enable disable start stop restore share upsert".split()
)
_READS = frozenset(
    "get list search read find query retrieve fetch show view describe lookup info history replies inspect check count"
    " export test status tree stat open whoami".split()
)
_HTTP = {"get": True, "head": True, "post": False, "put": False, "patch": False, "delete": False}


@dataclass(frozen=True)
class PoolCall:
    """One call of a pool.

    Attributes:
        line: where it stands in the pool.
        is_success: whether the server did what was asked.
        is_seed: whether it is one that a client made in earnest, and no perturbation.
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
        """The arguments, empty where they are no object."""
        return self.arguments if isinstance(self.arguments, dict) else {}


@dataclass(frozen=True)
class Pool:
    """What a hierarchy is proposed from.

    Attributes:
        hints: tool → its readOnlyHint, for tools that give one.
    """

    path: Path
    calls: tuple[PoolCall, ...]
    hints: Mapping[str, bool] = field(default_factory=dict)

    @cached_property
    def clean(self) -> frozenset[int]:
        """The lines of seeds that no perturbation has touched."""
        return clean_calls(self)

    def reads(self, tool: str) -> tuple[bool, str]:
        """Return whether a tool only reads, and what says so."""
        if tool in self.hints:
            return self.hints[tool], f"readOnlyHint is {str(self.hints[tool]).lower()}"
        return reads_by_name(tool)


def clean_calls(pool: Pool) -> frozenset[int]:
    """Return the lines of seeds before which no perturbed call of their trace has written.

    What a perturbation leaves behind, such as two things of one name, every later answer shows.
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
    """Return whether a tool only reads, as far as its name tells, and the word that tells it."""
    verb, space, rest = tool.partition(" ")
    is_http = bool(space) and verb.isupper()
    words = [word.lower() for word in _WORD.findall(rest if is_http else tool)]
    for known, answer in ((_WRITES, False), (_READS, True)):
        if word := next((each for each in words if each in known), None):
            return answer, f"its name says {word}"
    if is_http:
        return _HTTP.get(verb.lower(), False), f"{verb} is what it is asked with"
    return False, UNSAID


def read_pool(path: Path) -> Pool:
    """Return the calls of a pool: a folder with ``pool.jsonl``, or such a file.

    Raises:
        FarmError: it cannot be read, or a line is no call; the message names the line.
    """
    file = path / _POOL if path.is_dir() else path
    try:
        lines = file.read_bytes().splitlines()
    except OSError as problem:
        raise FarmError(f"{file} cannot be read ({problem.strerror}); a pool is a folder with {_POOL}") from None
    calls = tuple(_call(number, line, file) for number, line in enumerate(lines, 1) if line.strip())
    if not calls:
        raise FarmError(f"{file} holds no call")
    return Pool(file, calls, _hints(file.parent / _TOOLS))


def _call(number: int, line: bytes, path: Path) -> PoolCall:
    where = f"{path}, line {number}"
    try:
        # Not orjson: what was sent may hold half a pair or an integer of any length.
        raw = json.loads(line)
    except ValueError as problem:
        raise FarmError(f"{where} is not JSON: {problem}") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("tool"), str) or not isinstance(raw.get("result"), dict):
        raise FarmError(f"{where} is no call; one has at least 'tool', 'arguments' and 'result'")
    result = raw["result"]
    content = result.get("content", [])
    if not isinstance(content, list) or not all(isinstance(item, dict) for item in content):
        raise FarmError(f"{where}: 'content' must be a list of objects")
    trace, step = raw.get("trace", 0), raw.get("step", raw.get("seq", number))
    if not isinstance(trace, int) or not isinstance(step, int):
        raise FarmError(f"{where}: 'trace' and 'step' must be whole numbers")
    verdict = raw.get("verdict")
    is_success = verdict == "success" if verdict else _has_answer(result) and kind_of(result) == "success"
    is_seed = raw.get("error_class", "success") == "success"
    return PoolCall(number, trace, step, raw["tool"], raw.get("arguments"), result, is_success, is_seed)


def _has_answer(result: Mapping[str, Any]) -> bool:
    return isinstance(result.get("content"), list) or "structuredContent" in result


def _hints(path: Path) -> dict[str, bool]:
    if not path.is_file():
        return {}
    try:
        raw = json.loads(path.read_bytes())
    except ValueError as problem:
        raise FarmError(f"{path} is not JSON: {problem}") from None
    tools: Iterable[Any] = raw.get("tools", []) if isinstance(raw, dict) else raw
    found = {}
    for each in tools:
        hint = (each.get("annotations") or {}).get("readOnlyHint") if isinstance(each, dict) else None
        if isinstance(hint, bool) and isinstance(each.get("name"), str):
            found[each["name"]] = hint
    return found
