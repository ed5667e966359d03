"""Load seeds, the successful calls from which others are derived, from a recording or a handwritten file."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farm.errors import FarmError
from farm.traverse.recordings.calls import Request, is_refusal
from farm.traverse.recordings.recording import CALLS, read_recording

# The ``error_class`` of a seed.
SEED = "success"


@dataclass(frozen=True)
class Seed:
    """A call that succeeded.

    Attributes:
        result: its answer, if it is known.
    """

    request: Request
    result: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Seeds:
    """Traces of successful calls.

    Attributes:
        traces: in order, each from one start of the server.
        left_out: tool → number of calls left out because the tool may not be called.
    """

    traces: tuple[tuple[Seed, ...], ...]
    left_out: dict[str, int]


def read_seeds(given: Path, allowed: Collection[str] | None = None) -> Seeds:
    """Return the seeds of a recording's folder, or of a file with a JSON line a call.

    A line is ``{"tool", "arguments", "trace"?}``; lines without a trace are one trace.

    Args:
        allowed: the tools that may be called; calls of others are left out. By default, all tools.

    Raises:
        FarmError: the file is unreadable, a line is not a call, or no call is left.
    """
    found = _of_recording(given) if given.is_dir() else _of_file(given)
    left_out: dict[str, int] = {}
    traces = []
    for trace in found:
        for seed in trace:
            if allowed is not None and seed.request.tool not in allowed:
                left_out[seed.request.tool] = left_out.get(seed.request.tool, 0) + 1
        traces.append(tuple(seed for seed in trace if allowed is None or seed.request.tool in allowed))
    kept = tuple(trace for trace in traces if trace)
    if not kept:
        why = f"none of its tools may be called ({', '.join(sorted(left_out))})" if left_out else "it holds no call"
        way_out = "; allow them with --allow TOOL, or all with --sandbox where the server is a throw-away one"
        raise FarmError(f"{given}: {why}{way_out if left_out else ''}")
    return Seeds(kept, left_out)


def _of_recording(folder: Path) -> Sequence[Sequence[Seed]]:
    traces: dict[int, list[Seed]] = {}
    for each in read_recording(folder):
        if each.error_class == SEED and not is_refusal(each.result) and "silence" not in each.result:
            traces.setdefault(each.trace or 0, []).append(Seed(each.request, each.result))
    return list(traces.values())


def _of_file(file: Path) -> Sequence[Sequence[Seed]]:
    try:
        lines = file.read_bytes().splitlines()
    except FileNotFoundError:
        raise FarmError(
            f"there is no {file}; seeds are a recording's folder (with {CALLS}) or a file of calls"
        ) from None
    except OSError as problem:
        raise FarmError(f"{file} cannot be read ({problem.strerror})") from None
    traces: dict[Any, list[Seed]] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            trace, seed = _seed(line, f"{file}, line {number}")
            traces.setdefault(trace, []).append(seed)
    return list(traces.values())


def _seed(line: bytes, where: str) -> tuple[str, Seed]:
    try:
        said = json.loads(line)
    except ValueError as problem:
        raise FarmError(f"{where} is not JSON: {problem}") from None
    match said:
        case {"tool": str() as tool}:
            request = Request(tool, said.get("arguments", {}), bool(said.get("arguments_omitted", False)))
            return str(said.get("trace", "")), Seed(request, said.get("result"))
    raise FarmError(f'{where} is no call; one looks like {{"tool": "read_notes", "arguments": {{}}}}')
