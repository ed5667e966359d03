"""From an agent's name to the agent: ``oracle``, ``null``, ``replay:…``, ``llm:…``, ``command:…``, ``python:…``."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from farm.agents.base import Agent, Job, Result
from farm.agents.scripted import Null, Oracle, Replay
from farm.errors import FarmError

KINDS = "oracle, null, replay:FILE, llm:MODEL, command:PROGRAM ARGUMENTS, python:MODULE:CALLABLE"


def make_agent(
    wish: str, *, base_url: str | None = None, environment: Iterable[str] = (), temperature: float | None = None
) -> Agent:
    """Return the agent of this name.

    Args:
        base_url: of the OpenAI-compatible API, for ``llm:``.
        environment: variables a ``command:`` may see.

    Raises:
        FarmError: there is no such agent, or what it needs is missing.
    """
    kind, _, rest = wish.partition(":")
    if wish == "oracle":
        return Oracle()
    if wish == "null":
        return Null()
    if kind in ("replay", "llm", "command", "python") and not rest:
        raise FarmError(f"'{wish}' lacks what comes after the colon; have {KINDS}")
    match kind:
        case "replay":
            return Replay(Path(rest))
        case "llm":
            from farm.agents.llm import Llm

            return Llm(rest, base_url=base_url, temperature=temperature)
        case "command":
            from farm.agents.command import Command

            return Command(rest, environment=environment)
        case "python":
            return Python(rest)
    raise FarmError(f"no agent '{wish}'; have {KINDS}")


class Python:
    """A function of yours: is given a dict, returns the answer, or a dict with ``answer`` (and ``turns``).

    The dict holds ``system``, ``instruction``, ``mcp`` (app → URL), ``token``, ``calls_max`` and ``time_s_max``. The
    function may be a coroutine function. What it raises ends its trial without an answer.
    """

    is_sealed = False

    def __init__(self, target: str) -> None:
        """Import ``module:callable``.

        Raises:
            FarmError: there is none.
        """
        module, _, attribute = target.partition(":")
        try:
            self._function: Callable[[dict[str, Any]], Any] = getattr(importlib.import_module(module), attribute or "")
        except (ImportError, AttributeError, ValueError) as problem:
            raise FarmError(f"no function python:{target} ({problem}); write python:MODULE:CALLABLE") from None
        self.name = f"python:{target}"

    def play(self, job: Job) -> Result:
        """Call the function with the job."""
        given = {
            "system": job.system,
            "instruction": job.instruction,
            "mcp": dict(job.session.urls),
            "token": job.session.token,
            "calls_max": job.limits.calls_max,
            "time_s_max": job.limits.time_s_max,
        }
        try:
            came = self._function(given)
            if inspect.iscoroutine(came):
                came = asyncio.run(came)
        except Exception:
            # The boundary to somebody else's code: the agent failed, the run goes on.
            return Result("", "failed", transcript=({"error": traceback.format_exc(limit=-5)},))
        if isinstance(came, dict):
            turns = came.get("turns")
            return Result(str(came.get("answer", "")), turns=None if turns is None else tuple(turns))
        return Result("" if came is None else str(came))
