"""A Python function as an agent."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from farm.benchmark.agents.base import Assignment, Result
from farm.errors import FarmError

_POLL_S = 0.1


class Python:
    """Calls a function once per trial, on a thread that is abandoned at the time limit."""

    is_sealed = False
    connects = True

    def __init__(self, target: str) -> None:
        """Import ``module:callable``.

        Raises:
            FarmError: it does not exist.
        """
        name, _, attribute = target.partition(":")
        # As `python -m` does, and a console script does not.
        if "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        try:
            module = importlib.import_module(name)
            self._function: Callable[[dict[str, Any]], Any] = getattr(module, attribute or "")
        except Exception as problem:
            # Foreign code may raise anything while it is imported.
            said = f"{type(problem).__name__}: {problem}".replace("\n", " ")
            raise FarmError(f"no function python:{target} ({said}); write python:MODULE:CALLABLE") from None
        self._file = getattr(module, "__file__", None)
        self.name = f"python:{target}"

    def about(self) -> Mapping[str, Any]:
        """Return a hash of the module's file."""
        return {"file_sha256": sha256(Path(self._file).read_bytes()).hexdigest()[:16] if self._file else None}

    def play(self, job: Assignment) -> Result:
        """Call the function with the job."""
        given = {
            "system": job.system,
            "instruction": job.instruction,
            "mcp": dict(job.session.urls),
            "token": job.session.token,
            "calls_max": job.limits.calls_max,
            "time_s_max": job.limits.time_s_max,
            "deadline": job.limits.deadline and job.limits.deadline.isoformat(timespec="seconds"),
            "trial": job.trial,
        }
        came: list[Result] = []
        # A thread cannot be killed. One that hangs is abandoned: its episode is deleted, and it is a daemon thread.
        thread = threading.Thread(target=lambda: came.append(self._called(given)), name="agent", daemon=True)
        thread.start()
        until = time.monotonic() + job.limits.time_s_max
        while thread.is_alive() and not job.cancelled.is_set() and (left_s := until - time.monotonic()) > 0:
            thread.join(min(left_s, _POLL_S))
        return came[0] if came else Result("", "time")

    def _called(self, given: dict[str, Any]) -> Result:
        try:
            came = self._function(given)
            if inspect.iscoroutine(came):
                came = asyncio.run(came)
            return _result(came)
        except BaseException:
            # Foreign code may raise anything, also SystemExit: the agent failed, and the run continues.
            return Result("", "failed", transcript=({"stderr": traceback.format_exc(limit=-5)},))


def _result(came: Any) -> Result:
    if isinstance(came, dict):
        turns = came.get("turns")
        known = None if turns is None else tuple([_call(*call) for call in turn] for turn in turns)
        return Result(str(came.get("answer", "")), turns=known, is_told=True)
    return Result("" if came is None else str(came))


def _call(app: str, tool: str, arguments: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    return str(app), str(tool), dict(arguments)
