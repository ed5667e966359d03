"""The manifest of a run: its conditions, so that a run is resumed only under the same ones."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson

from farm import __version__, content
from farm.benchmark.agents.base import Agent
from farm.benchmark.runner import answer_sheet, distractor_paragraphs, prompts
from farm.benchmark.runner.options import Options
from farm.benchmark.tasks import Suite

_CONTENT = ("kernels", "contexts", "tasks")
_GIT_S_MAX = 10.0

# Keys that may differ when a run is resumed. Of named entries, such as tasks, those in both must be equal.
_MAY_DIFFER = frozenset({"started_at", "parallel", "k", "shards"})
_BY_NAME = frozenset({"tasks", "tools_sha256"})


def manifest(suite: Suite, agent: Agent, options: Options, tools_sha256: Mapping[str, str]) -> dict[str, Any]:
    """Return the manifest of a run; ``tools_sha256`` are the hashes of ``listed_tools``."""
    return {
        "suite": suite.name,
        "agent": agent.name,
        "sealed": agent.is_sealed,
        "about_agent": dict(agent.about()),
        "started_at": datetime.now(UTC).isoformat(timespec="seconds"),
        **asdict(options),
        "prompt_sha256": prompts.fingerprint(options.prompt, options.own_prompt),
        "sheet_sha256": answer_sheet.fingerprint(),
        **({"paragraphs_sha256": distractor_paragraphs.fingerprint()} if options.paragraphs else {}),
        "tasks": hash_tasks(suite),
        "tools_sha256": dict(tools_sha256),
        "versions": _versions(),
        "content_commits": [commit_of(root.folder) for root in content.roots()],
    }


def hash_tasks(suite: Suite) -> dict[str, str]:
    """Return id → hash of each task of a suite."""
    return {task.id: hashlib.sha256(task.raw).hexdigest()[:16] for task in suite.tasks}


def differences(before: Mapping[str, Any], now: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Return the differences between a run and its continuation: key, old and new value."""
    found = []
    for key in dict.fromkeys([*before, *now]):
        was, is_ = before.get(key), now.get(key)
        if was == is_ or (not prefix and key in _MAY_DIFFER):
            continue
        if isinstance(was, Mapping) and isinstance(is_, Mapping):
            common = was.keys() & is_.keys() if not prefix and key in _BY_NAME else was.keys() | is_.keys()
            kept, given = ({name: each[name] for name in each if name in common} for each in (was, is_))
            found += differences(kept, given, f"{prefix}{key}.")
        else:
            found.append(f"{prefix}{key} was {_format(was)}, is {_format(is_)}")
    return found


def joined(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest of a resumed run, with added tasks and tools."""
    known = {key: value for key, value in before.items() if key != "shards"}
    return {**known, "k": max(before["k"], now["k"]), **{key: {**before[key], **now[key]} for key in _BY_NAME}}


def shards_of(manifest: Mapping[str, Any]) -> list[str]:
    """Return the shards that a run consists of, as ``i/n``: several for a merged one, none for a run of all tasks."""
    shards: list[str] = manifest.get("shards") or [each for each in (manifest.get("shard"),) if each]
    return shards


def _format(value: Any) -> str:
    return "nothing" if value is None else orjson.dumps(value).decode()


def _versions() -> dict[str, str]:
    system = f"{platform.system()} {platform.machine()}"
    return {"farm": __version__, "python": platform.python_version(), "mcp": version("mcp"), "system": system}


def commit_of(folder: Path) -> str | None:
    """Return the last commit that changed a folder; None if git does not track it.

    For uncommitted changes, a plus sign and a hash of them follow.
    """
    commit = _git(folder, "log", "-1", "--format=%H", "--", *_CONTENT)
    if not commit:
        return None
    changed = _git(folder, "diff", "HEAD", "--", *_CONTENT)
    added = _git(folder, "-c", "core.quotePath=false", "ls-files", "--others", "--exclude-standard", "--", *_CONTENT)
    if not changed and not added:
        return commit.strip()
    differs = hashlib.sha256((changed or "").encode())
    for name in (added or "").splitlines():
        differs.update(name.encode() + (folder / name).read_bytes())
    return f"{commit.strip()}+{differs.hexdigest()[:8]}"


def _git(folder: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, timeout=_GIT_S_MAX, check=True)
    except (OSError, subprocess.SubprocessError):
        return None  # no git, or no repository
    return done.stdout.decode("utf-8", "replace")
