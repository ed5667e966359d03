"""The pool: recorded calls, judged and divided into those from which a kernel is written and those that measure it.

All calls of a trace stay in place, because later ones depend on them; the scored ones are marked. A call without
information about the server is rejected with the reason: its network failed, or the server's state was unknown.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm.errors import ConflictError, FarmError
from farm.traverse import capture
from farm.traverse.perturb.plan import Step, cover
from farm.traverse.pool.split import HELD, SIDES, TraceCounts, choose_scored, split
from farm.traverse.pool.tool_list import require_tool_list
from farm.traverse.pool.volatile import candidates
from farm.traverse.recordings.calls import Recorded, Request, read_calls
from farm.traverse.recordings.recording import CALLS, as_json, read_again, read_recording

POOL = "pool.jsonl"
REJECTED = "rejected.jsonl"
MANIFEST = "manifest.json"
MASKS = "masks.toml"

SUCCESS, REFUSED, INFRASTRUCTURE = "success", "refused", "infrastructure"
# A line's state if the calls before it have an unknown effect.
UNKNOWN = "unknown"

Line = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """One recording of a pool.

    Attributes:
        lines: its calls, in the order of trace and step.
        tools: its tools.json, or None.
        sha256: the hash of its calls' file.
    """

    folder: Path
    lines: tuple[Line, ...]
    tools: Mapping[str, Any] | None
    sha256: str


@dataclass(frozen=True)
class Hold:
    """Hold all traces of a pool back.

    Attributes:
        seen: the lines of an earlier pool, which do not count again.
    """

    seen: Sequence[Line] = ()


@dataclass(frozen=True)
class Pool:
    """Judged and divided lines.

    Attributes:
        lines: the scored calls and those before them, with ``verdict``, ``why``, ``side`` and ``scored``.
        rejected: the calls without information about the server; ``rejected`` is the reason.
        manifest: versions, counts and hashes.
    """

    lines: tuple[Line, ...]
    rejected: tuple[Line, ...]
    tools: Mapping[str, Any]
    manifest: Mapping[str, Any] = field(default_factory=dict)


def read_parts(folders: Sequence[Path]) -> list[Part]:
    """Return recordings of one server.

    Raises:
        FarmError: a recording is unreadable or has an invalid line, or no recording has its tools.json.
        ConflictError: the recordings are of several servers.
    """
    found = [_part(folder) for folder in folders]
    names = {str(line["server"]) for each in found for line in each.lines if line.get("server")}
    if len(names) > 1:
        raise ConflictError(f"a pool is of one server, and these recordings are of {', '.join(sorted(names))}")
    if not any(each.tools for each in found):
        raise FarmError(f"{folders[0]} has no {capture.FILE}; farm traverse capture writes it there")
    return found


def make_pool(
    parts: Sequence[Part], judged: Sequence[Sequence[tuple[str, str]]], *, seed: int, hold: Hold | None = None
) -> Pool:
    """Return the pool of some recordings.

    Args:
        judged: for each recording, each line's verdict and reason.
        seed: the same seed gives the same pool.
        hold: all traces are held back, for a pool that only measures.
    """
    kept, rejected = _judged(parts, judged)
    if not kept:
        raise FarmError("no call is left: every answer was an infrastructure failure, or came after one")
    traces: defaultdict[str, Counter[Any]] = defaultdict(Counter)
    for line in kept:
        traces[str(line["trace"])][line["tool"], line["error_class"], line["verdict"]] += 1
    counts = [TraceCounts(key, kinds) for key, kinds in traces.items()]
    sides = split(counts, seed) if hold is None else dict.fromkeys(traces, HELD)
    for line in kept:
        line["side"] = sides[str(line["trace"])]
    _mark(kept, random.Random(seed), () if hold is None else hold.seen)
    tools = next(each.tools for each in reversed(parts) if each.tools)
    pool = Pool(tuple(kept), tuple(rejected), tools)
    return Pool(pool.lines, pool.rejected, tools, _manifest(pool, parts, seed))


def write_pool(pool: Pool, folder: Path) -> None:
    """Write all files of a pool, or none; an unredacted pool is readable by its owner only.

    Raises:
        ConflictError: the folder holds something else, or a pool whose redaction differs from this one's.
        FarmError: the folder is not writable.
    """
    files = {POOL: _jsonl(pool.lines), REJECTED: _jsonl(pool.rejected), capture.FILE: _indented(pool.tools)}
    hashes = {name: hashlib.sha256(raw).hexdigest() for name, raw in files.items()}
    files[MANIFEST] = _indented({**pool.manifest, "sha256": hashes})
    is_redacted = "redacted" in pool.manifest
    drafts = {name: folder / f".{name}.draft" for name in files}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        known = {*files, MASKS, *(each.name for each in drafts.values())}
        if others := sorted(each.name for each in folder.iterdir() if each.name not in known):
            raise ConflictError(f"{folder} is in use: it holds {others[0]}; give another --out")
        if not is_redacted and _was_redacted(folder / MANIFEST):
            raise ConflictError(f"the pool in {folder} was redacted; give --redact FILE again, or another --out")
        for name, raw in files.items():
            drafts[name].unlink(missing_ok=True)
            with open(os.open(drafts[name], os.O_WRONLY | os.O_CREAT | os.O_EXCL, _mode(is_redacted)), "wb") as file:
                file.write(raw)
        for name, draft in drafts.items():
            draft.replace(folder / name)
    except OSError as problem:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink()
        raise FarmError(f"{folder} cannot be written ({problem.strerror})") from None


def _mode(is_redacted: bool) -> int:
    return 0o644 if is_redacted else 0o600


def _was_redacted(manifest: Path) -> bool:
    with suppress(OSError, ValueError):
        said = json.loads(manifest.read_bytes())
        return isinstance(said, dict) and "redacted" in said
    return False


def _indented(said: Mapping[str, Any]) -> bytes:
    return (json.dumps(said, ensure_ascii=False, indent=2) + "\n").encode(errors="surrogatepass")


def read_pool(folder: Path) -> list[Recorded]:
    """Return a pool's lines.

    Raises:
        FarmError: there is no pool, or a line is not a recorded call; the message names the line.
    """
    file = folder / POOL
    if not file.exists():
        raise FarmError(f"{folder} is no pool: it has no {POOL}; farm traverse pool makes one of recordings")
    return read_calls(file)


def read_lines(folder: Path) -> list[Line]:
    """Return a pool's lines as JSON objects.

    Raises:
        FarmError: there is no pool, or a line is not a recorded call; the message names the line.
    """
    read_pool(folder)
    return [json.loads(line) for line in (folder / POOL).read_bytes().splitlines() if line.strip()]


def read_tools(folder: Path) -> list[dict[str, Any]]:
    """Return the tools of a pool's server.

    Raises:
        FarmError: there is no tools.json, or it lists no tools.
    """
    tools: list[dict[str, Any]] = read_wire(folder)["tools"]
    return tools


def read_wire(folder: Path) -> Mapping[str, Any]:
    """Return a pool's tools.json: the server, its handshake, its tools.

    Raises:
        FarmError: there is no tools.json, or it lists no tools.
    """
    said = _find_wire(folder)
    if said is None:
        raise FarmError(f"{folder} has no {capture.FILE}; farm traverse pool writes it")
    return said


def read_manifest(folder: Path) -> Mapping[str, Any]:
    """Return a pool's manifest, empty if there is none."""
    said = _find_json(folder / MANIFEST)
    return said if isinstance(said, dict) else {}


def _part(folder: Path) -> Part:
    read_recording(folder)  # raises an error that names the invalid line
    raw = (folder / CALLS).read_bytes()
    lines = [json.loads(line) for line in raw.splitlines() if line.strip()]
    again = read_again(folder)
    for line in lines:
        if (told := again.get((line.get("trace"), line.get("step")))) is not None:
            line["again"] = told
    lines.sort(key=lambda line: (line.get("trace", 0), line.get("step", 0)))
    return Part(folder, tuple(lines), _find_wire(folder), hashlib.sha256(raw).hexdigest())


def _find_wire(folder: Path) -> Mapping[str, Any] | None:
    file = folder / capture.FILE
    said = _find_json(file)
    return None if said is None else require_tool_list(said, file)


def _find_json(file: Path) -> Any:
    """Return what a JSON file holds, or None if there is no file."""
    try:
        return json.loads(file.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise FarmError(f"{file} cannot be read ({problem.strerror})") from None
    except ValueError as problem:
        raise FarmError(f"{file} is not JSON: {problem}") from None


def _judged(parts: Sequence[Part], judged: Sequence[Sequence[tuple[str, str]]]) -> tuple[list[Line], list[Line]]:
    """Return the lines with information about the server and the other lines; traces are numbered anew."""
    kept: list[Line] = []
    rejected: list[Line] = []
    numbers: dict[tuple[int, Any], int] = {}
    for at, (part, verdicts) in enumerate(zip(parts, judged, strict=True)):
        for line, (verdict, why) in zip(part.lines, verdicts, strict=True):
            number = numbers.setdefault((at, line.get("trace", 0)), len(numbers))
            meant = line.get("error_class") or SUCCESS
            told = {**line, "trace": number, "error_class": meant, "verdict": verdict, "why": why}
            if "again" in line:
                # The later answer has been judged already; no kernel is written from it.
                told["again"] = {"at": line["again"].get("at")}
            if verdict == INFRASTRUCTURE:
                rejected.append({**told, "rejected": why})
            elif line.get("state") == UNKNOWN:
                rejected.append({**told, "rejected": "a call before it was not answered: nobody knows what it met"})
            else:
                kept.append(told)
    return kept, rejected


def _mark(lines: Sequence[Line], draw: random.Random, before: Iterable[Line] = ()) -> None:
    """Mark the scored lines: equal calls once, on the first side that has them, with as many refusals as successes."""
    seen = {_call_key(line) for line in before}
    for side in SIDES:
        own = [line for line in lines if line["side"] == side]
        fresh = []
        for line in own:
            key = _call_key(line)
            if key in seen:
                line["duplicate"] = True
            else:
                fresh.append(line)
            seen.add(key)
        places = {verdict: [at for at, line in enumerate(fresh) if line["verdict"] == verdict] for verdict in _COUNTED}
        scored = choose_scored(places[REFUSED], places[SUCCESS], draw)
        for at, line in enumerate(fresh):
            line["scored"] = at in scored
        for line in own:
            line.setdefault("scored", False)


def _call_key(line: Line) -> str:
    return json.dumps([line["tool"], line.get("arguments"), line["result"]], sort_keys=True)


_COUNTED = (SUCCESS, REFUSED)


def _manifest(pool: Pool, parts: Sequence[Part], seed: int) -> dict[str, Any]:
    server = pool.tools.get("server") or {}
    return {
        "server": server,
        **{key: pool.tools[key] for key in ("package", "libraries") if key in pool.tools},
        "protocol": pool.tools.get("protocol"),
        "seed": seed,
        "recordings": [{"lines": len(each.lines), "sha256": each.sha256} for each in parts],
        "lines": len(pool.lines),
        "duplicates": sum("duplicate" in line for line in pool.lines),
        "sides": {side: _counts(line for line in pool.lines if line["side"] == side) for side in SIDES},
        "by_class": _table(pool.lines, "error_class"),
        "by_tool": {tool: _table(own, "error_class") for tool, own in _grouped(pool.lines, "tool").items()},
        "coverage": _coverage(pool),
        "never_called": sorted({str(tool["name"]) for tool in pool.tools["tools"]} - {x["tool"] for x in pool.lines}),
        "rejected": dict(Counter(line["rejected"] for line in pool.rejected)),
        "volatile_candidates": candidates(_not_held(pool.lines), pool.tools["tools"]),
    }


def _coverage(pool: Pool) -> dict[str, dict[str, dict[str, int]]]:
    """Return tool → argument → class → number of calls that were wrong in this argument."""
    schemas = {str(tool["name"]): tool.get("inputSchema") or {} for tool in pool.tools["tools"]}
    steps = [
        Step(Request(line["tool"]), line["error_class"], line.get("operation"), tuple(line.get("path") or ()))
        for line in pool.lines
    ]
    cells = cover(steps, schemas).cells
    return {
        tool: {argument: dict(sorted(classes.items())) for argument, classes in arguments.items()}
        for tool, arguments in cells.items()
    }


def _not_held(lines: Iterable[Line]) -> list[Line]:
    # Authors of the kernel read the manifest, so it must not quote held-back calls.
    return [line for line in lines if line["side"] != HELD]


def _counts(lines: Iterable[Line]) -> dict[str, int]:
    own = list(lines)
    return {
        "traces": len({line["trace"] for line in own}),
        "lines": len(own),
        "scored": sum(line["scored"] for line in own),
        **{verdict: sum(line["verdict"] == verdict for line in own) for verdict in _COUNTED},
    }


def _table(lines: Iterable[Line], key: str) -> dict[str, dict[str, int]]:
    return {name: dict(Counter(line["verdict"] for line in own)) for name, own in _grouped(lines, key).items()}


def _grouped(lines: Iterable[Line], key: str) -> dict[str, list[Line]]:
    found: defaultdict[str, list[Line]] = defaultdict(list)
    for line in lines:
        found[line[key]].append(line)
    return dict(sorted(found.items()))


def _jsonl(lines: Iterable[Line]) -> bytes:
    return b"".join(as_json(line) + b"\n" for line in lines)
