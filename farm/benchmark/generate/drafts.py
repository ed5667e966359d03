"""Drafts of tasks: one JSON file each, so that any writer, and git, can work on them.

A draft goes from state to state; every step is kept in its history. A draft that was edited by hand and does not parse
any more is reported in one line, and its file stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from farm._util.json_io import loads
from farm._util.whole_files import write_whole
from farm.errors import FarmError

State = Literal["draft", "proved", "written", "read", "audited", "sat", "accepted", "rejected"]
STATES: Mapping[State, str] = {
    "draft": "a chain was sampled, and its gold steps play",
    "proved": "what the instruction leaves out can be found, is unique and is nowhere contradicted",
    "written": "a writer worded it, and code found nothing wrong with the words",
    "read": "a second reader, who saw only the instruction, meant the same rows",
    "audited": "the audit proves it: only doing it scores",
    "sat": "somebody played it by instruction and tools alone",
    "accepted": "it is a task of the suite",
    "rejected": "it is none, for the reason in its history",
}


@dataclass(frozen=True)
class Draft:
    """A draft of a task.

    Attributes:
        state: how far it is.
        chain: family, tools, prototype, placeholders and support of its chain.
        task: the content of the task's file.
        proof: what proves that the instruction leaves out only what can be found.
        history: what happened, oldest first: ``state``, ``by``, ``why``.
    """

    id: str
    state: State
    chain: Mapping[str, Any]
    task: Mapping[str, Any]
    proof: Mapping[str, Any] = field(default_factory=dict)
    history: tuple[Mapping[str, Any], ...] = ()

    def to(self, state: State, by: str, why: str = "", **changed: Any) -> Draft:
        """Return the draft in another state, with its history."""
        entry: Mapping[str, Any] = {"state": state, "by": by, **({"why": why} if why else {})}
        return replace(self, state=state, history=(*self.history, entry), **changed)


def read_drafts(folder: Path) -> list[Draft]:
    """Return the drafts of a folder by their ids.

    Raises:
        FarmError: there are none, or files are no drafts; a line each.
    """
    wrong, found = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            found.append(read_draft(path))
        except FarmError as problem:
            wrong.append(str(problem))
    if wrong:
        raise FarmError("\n".join(wrong))
    if not found:
        raise FarmError(f"{folder} has no drafts; 'farm tasks generate' makes them")
    return found


def read_draft(path: Path) -> Draft:
    """Return a draft.

    Raises:
        FarmError: the file is no draft.
    """
    try:
        raw = loads(path.read_bytes())
    except ValueError as problem:
        raise FarmError(f"{path} is no JSON: {problem}") from None
    if not isinstance(raw, dict):
        raise FarmError(f"{path} is no draft: an object is expected")
    if missing := [key for key in ("id", "state", "chain", "task") if key not in raw]:
        raise FarmError(f"{path} is no draft: it lacks {', '.join(missing)}")
    if raw["state"] not in get_args(State):
        raise FarmError(f"{path}: no state '{raw['state']}'; have {', '.join(STATES)}")
    if raw["id"] != path.stem or not isinstance(raw["task"], dict) or raw["task"].get("id") != raw["id"]:
        raise FarmError(f"{path}: id, the task's id and the file's name differ")
    return Draft(
        raw["id"],
        raw["state"],
        raw["chain"],
        raw["task"],
        raw.get("proof", {}),
        tuple(dict(each) for each in raw.get("history", ())),
    )


def write_draft(folder: Path, draft: Draft) -> Path:
    """Write a draft, whole or not at all, and return its file."""
    path = folder / f"{draft.id}.json"
    data: dict[str, Any] = {"id": draft.id, "state": draft.state, "chain": draft.chain, "proof": draft.proof}
    data |= {"history": list(draft.history), "task": draft.task}
    write_whole(path, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())
    return path


def in_states(drafts: Iterable[Draft], states: Iterable[State]) -> list[Draft]:
    """Return the drafts that are in one of some states."""
    wanted = set(states)
    return [each for each in drafts if each.state in wanted]
