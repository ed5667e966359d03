"""Recordings of real services as lines of a pool; they stand outside the project and may be absent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

UPSTREAM = Path(__file__).resolve().parents[4] / "shared" / "upstream"
APPS = ("slack", "notion", "obsidian", "email163", "reddit", "instagram")
_ID = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")
_FILES = ("validation.jsonl", "envelope_samples.jsonl", "traces_a.jsonl")
_SUCCESSES = {"success", "type_mismatch", "schema_violation", "boundary", "semantic_conflict", None}


def lines_of(app: str) -> Iterator[dict[str, Any]]:
    """Yield the recordings of a service as lines of a pool, each file a trace."""
    for trace, name in enumerate(_FILES):
        path = UPSTREAM / app / name
        for step, raw in enumerate(_read(path)):
            line = {**raw, "result": _result(raw["result"]), "trace": trace, "step": step}
            yield line | _verdict(app, line["result"])
    for step, raw in enumerate(_read(UPSTREAM / app / "api_samples.jsonl")):
        # A union of every key ever seen, with its values blanked, is nobody's answer; an event is none to a call, nor
        # is one row of an answer, which the method says in brackets.
        if raw.get("kind") == "merged shape" or raw["method"].startswith("event ") or "(" in raw["method"]:
            continue
        if isinstance(raw["response"], dict):
            yield {**_sample(raw), "trace": len(_FILES), "step": step}


def write_pool(app: str, folder: Path, traces: tuple[int, ...] | None = None) -> Path:
    """Write the pool of a service into a folder; return the folder."""
    lines = [each for each in lines_of(app) if traces is None or each["trace"] in traces]
    (folder / "pool.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    return folder


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []


def _verdict(app: str, result: dict[str, Any]) -> dict[str, str]:
    """Return what an answer is where the service says no in prose: 163 mail begins with these (BEHAVIOUR.md)."""
    text = "".join(each.get("text", "") for each in result.get("content", []))
    return {"verdict": "refused"} if app == "email163" and text.startswith(("错误", "❌")) else {}


def _result(raw: dict[str, Any]) -> dict[str, Any]:
    if "content" in raw:
        return raw
    return {"error": raw["jsonrpc_error"]} if "jsonrpc_error" in raw else raw


def _sample(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a call of the service's own interface: its method as the tool, ids in its path as arguments."""
    method, _, query = raw["method"].partition("?")
    request = raw.get("request") or {}
    arguments = dict(parse_qsl(request["form"])) if "form" in request else dict(request)
    arguments |= dict(parse_qsl(query))
    for number, each in enumerate(_ID.findall(method)):
        arguments[f"path_{number}"] = each
    body = raw["response"]
    failed = body.get("ok") is False or body.get("object") == "error" or int(raw.get("status") or 200) >= 400
    return {
        "tool": _ID.sub("ID", method),
        "arguments": arguments,
        "result": {"content": [{"type": "text", "text": json.dumps(body)}]},
        "verdict": "refused" if failed else "success",
    }
