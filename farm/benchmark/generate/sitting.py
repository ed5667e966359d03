"""Sitting a task: a person, or a program, plays the agent with nothing but the instruction and the tools.

In the terminal, lines are commands. With files, each trial writes ``TRIAL.json`` (what an agent is told, the URLs of
the servers, the bearer and the limits) and waits for ``TRIAL.answer``, the final answer, whole at once.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm._util.json_io import loads
from farm._util.json_lines import append_line
from farm.benchmark.runner.play import Play
from farm.benchmark.runner.trial_line import Trial
from farm.errors import FarmError

SITTINGS = "sittings.jsonl"
HELP = """\
  list [APP]             the tools, of one app or of all
  schema APP TOOL        what a tool takes
  APP TOOL {JSON}        calls a tool
  answer TEXT            the final answer; ends the trial
  note TEXT              what was unclear, unfair or unreal
  skip                   ends the trial without a verdict
  quit                   ends the sitting"""
_POLL_S = 0.3
_LINE_MAX = 600


class QuitError(Exception):
    """The sitter wants to stop."""


@dataclass
class Sitting:
    """One trial by a sitter.

    Attributes:
        notes: what the sitter said of the task.
        calls: how many calls were made.
        answer: the final answer; None until there is one.
    """

    play: Play
    notes: list[str] = field(default_factory=list)
    calls: int = 0
    answer: str | None = None

    @property
    def opening(self) -> str:
        """What the sitter is told: the prompt, the instruction and the limits."""
        limits = self.play.limits
        apps = ", ".join(self.play.session.apps)
        most = f"at most {limits.calls_max} calls and {limits.time_s_max:.0f} seconds; apps: {apps}"
        return f"{self.play.system}\n\n{self.play.instruction}\n\n({most}; 'help' lists the commands)"

    def command(self, line: str) -> str:
        """Do what a line says, and return what is to be shown.

        Raises:
            QuitError: the line is ``quit``.
        """
        word, _, rest = line.strip().partition(" ")
        match word:
            case "":
                return ""
            case "help":
                return HELP
            case "quit":
                raise QuitError
            case "list":
                return "\n".join(self._listed(rest.strip()))
            case "schema":
                return self._schema(*rest.split())
            case "answer":
                self.answer = rest.strip()
                return ""
            case "note":
                self.notes.append(rest.strip())
                return "noted"
        return self._call(word, rest)

    def _listed(self, app: str) -> Iterable[str]:
        for name in self.play.session.apps:
            for tool in self.play.session.tools(name) if app in ("", name) else ():
                said = " ".join((tool.get("description") or "").split())[:_LINE_MAX]
                yield f"{name} {tool['name']}: {said}"

    def _schema(self, app: str = "", tool: str = "") -> str:
        tools = self.play.session.tools(app) if app in self.play.session.apps else []
        found = next((each for each in tools if each["name"] == tool), None)
        if found is None:
            return f"no tool '{tool}' of '{app}'; 'list' has them"
        return json.dumps(found["inputSchema"], ensure_ascii=False)

    def _call(self, app: str, rest: str) -> str:
        tool, _, written = rest.strip().partition(" ")
        if app not in self.play.session.apps or not tool:
            return "no such command; 'help' lists them"
        try:
            arguments = loads(written or "{}")
        except ValueError as problem:
            return f"the arguments are no JSON: {problem}"
        if not isinstance(arguments, dict):
            return "the arguments are an object: {…}"
        self.calls += 1
        result = self.play.session.call(app, tool, arguments)
        if "error" in result:
            return f"ERROR {json.dumps(result['error'], ensure_ascii=False)}"
        begin = "[refused] " if result.get("isError") else ""
        return "\n".join(f"{begin}{_shown(each)}" for each in result.get("content", ()))

    def finish(self) -> Trial:
        """Grade the trial, and return its line."""
        return self.play.finish(self.answer or "")


def _shown(part: Mapping[str, Any]) -> str:
    if "text" in part:
        return str(part["text"])
    return json.dumps({**part, **({"data": f"{len(part['data'])} characters"} if "data" in part else {})})


def wait_for_answer(play: Play, folder: Path, sleep: Callable[[float], None] = time.sleep) -> str | None:
    """Write a trial's file, wait for its answer, and return it; None if the time is over or the folder says STOP.

    Raises:
        FarmError: the folder cannot be written.
    """
    job = {
        "trial": play.trial,
        "system": play.system,
        "instruction": play.instruction,
        "mcp": {app: server.url for app, server in play.servers.items()},
        "token": play.session.token,
        "calls_max": play.limits.calls_max,
        "time_s_max": play.limits.time_s_max,
        "deadline": play.limits.deadline.isoformat() if play.limits.deadline else None,
    }
    answer = folder / f"{play.trial}.answer"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{play.trial}.json").write_text(json.dumps(job, ensure_ascii=False, indent=1), "utf-8")
    except OSError as problem:
        raise FarmError(f"{folder} cannot be written: {problem.strerror}") from None
    began = time.monotonic()
    while not answer.exists():
        if (folder / "STOP").exists() or time.monotonic() - began > play.limits.time_s_max:
            return None
        sleep(_POLL_S)
    return answer.read_text("utf-8", errors="replace")


def sat_line(task: str, sitting: Sitting, line: Trial) -> dict[str, Any]:
    """Return what is kept of a trial.

    ``counts`` is false for a trial that was given up before half of its limits.
    """
    limits, made = sitting.play.limits, len(line["calls"])
    is_late = made * 2 >= limits.calls_max or line["time_s"] * 2 >= limits.time_s_max
    calls = [{key: each[key] for key in ("app", "tool", "arguments") if key in each} for each in line["calls"]]
    return {
        "task": task,
        "trial": sitting.play.trial,
        "outcome": line["outcome"],
        "acc": line["acc"],
        "counts": bool(sitting.answer) or is_late,
        "calls_made": made,
        "calls_max": limits.calls_max,
        "time_s": line["time_s"],
        "answer": sitting.answer or "",
        "notes": sitting.notes,
        "calls": calls,
    }


def keep(folder: Path, line: Mapping[str, Any]) -> None:
    """Append a trial to the sittings of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    append_line(folder / SITTINGS, json.dumps(line, ensure_ascii=False).encode())
