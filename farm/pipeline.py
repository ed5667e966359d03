"""One call: check the arguments, run the handler in a transaction, log it, commit, answer.

``call`` knows no transport, so an MCP server, a test in process and anything else give the same outcome. It runs on the
caller's thread; on the main thread it is cut after 250 ms, which is also the longest it can hold up its neighbours.
"""

from __future__ import annotations

import atexit
import json
import logging
import re
import signal
import sqlite3
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from types import FrameType
from typing import Any

import orjson

from farm.app import Tool
from farm.context.context import Context
from farm.dialects import ArgumentsRefused, Check
from farm.kernel import Result, VendorError
from farm.render import text_result

CUT_AFTER_S = 0.25
_CUT_AFTER_NS = int(CUT_AFTER_S * 1e9)
_TICK_S = 0.025
_QUIET_TICKS_MAX = 40
INTERNAL_ERROR = -32603
_NAME_MAX = 128  # names kept in the cache below: a client may call a tool by a name of any length
_monotonic_ns, _time_ns = time.monotonic_ns, time.time_ns
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_logger = logging.getLogger("farm.pipeline")


@dataclass(slots=True)
class Outcome:
    """What a call came to.

    Attributes:
        result: bytes of the CallToolResult, or of the JSON-RPC error object when ``is_protocol_error``.
        is_protocol_error: whether the answer is a JSON-RPC error.
        refused: whether it was refused, cut or failed; the context is then as it was.
        call: the call's number within the app.
        wrote: whether it was committed as a writing call.
        cut: whether it took too long.
        error: what was raised when it was refused, for callers in process.
    """

    result: bytes
    is_protocol_error: bool
    refused: bool
    call: int
    wrote: bool = False
    cut: bool = False
    error: Exception | None = None


class _Cut(BaseException):
    """The alarm went off. Not an Exception, so that no handler can swallow it by accident."""


class _Alarm:
    """Interrupts the main thread in a call that takes too long; does nothing on other threads and without such a timer.

    Setting a timer anew for every call would be the dearest part of a short one, so one timer ticks as long as calls
    come, and every tick looks whether the call in progress is due.
    """

    def __init__(self) -> None:
        self._due_ns = 0
        self._is_ticking = False
        self._quiet_ticks = 0
        self._is_installed = False
        self.fired = False

    def _tick(self, _signal: int, _frame: FrameType | None) -> None:
        if not self._due_ns:
            self._quiet_ticks += 1
            if self._quiet_ticks > _QUIET_TICKS_MAX:
                self._is_ticking = False
                signal.setitimer(signal.ITIMER_REAL, 0)
        elif _monotonic_ns() >= self._due_ns:
            self._due_ns = 0
            self.fired = True
            raise _Cut

    def install(self) -> None:
        """Take over SIGALRM in this process, if this is its main thread."""
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, self._tick)
            if not self._is_installed:
                # A tick after Python has put the signal's default back would kill the process on its way out.
                atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)
            self._is_installed = True
            self._is_ticking = False  # a forked process has no timer, whatever its parent had

    def arm(self) -> None:
        """Cut what follows once it has taken too long."""
        self.fired = False
        if self._is_installed:
            self._due_ns = _monotonic_ns() + _CUT_AFTER_NS
            if not self._is_ticking:
                self._is_ticking = True
                self._quiet_ticks = 0
                signal.setitimer(signal.ITIMER_REAL, _TICK_S, _TICK_S)

    def disarm(self) -> None:
        """Let what follows take its time."""
        self._due_ns = 0


_alarm = _Alarm()


def install_cut() -> None:
    """Let calls on this process's main thread be cut after 250 ms. Call once, from the main thread."""
    _alarm.install()


def protocol_error(code: int, message: str) -> bytes:
    """Return the bytes of a JSON-RPC error object."""
    return orjson.dumps({"code": code, "message": message})


def _refusal(refused: ArgumentsRefused) -> tuple[bytes, bool]:
    if refused.code is None:
        return text_result(refused.message, is_error=refused.is_error), False
    return protocol_error(refused.code, refused.message), True


def _without_surrogates(value: Any) -> Any:
    """Replace what UTF-8 cannot carry, as the real servers' encoders do."""
    match value:
        case str():
            return _LONE_SURROGATE.sub("\ufffd", value)
        case list():
            return [_without_surrogates(each) for each in value]
        case dict():
            return {_without_surrogates(k): _without_surrogates(v) for k, v in value.items()}
        case _:
            return value


def call(context: Context, name: str, arguments: Any) -> Outcome:
    """Run one tool call and return its outcome; it is logged whatever it comes to.

    Args:
        context: the app's open context in the episode.
        name: the tool's name.
        arguments: the raw ``arguments``; None when the key was absent.
    """
    tools = context.loaded.bound
    bound = tools.get(name) or tools.get(context.loaded.app.dialect.runs_unknown or "")
    if bound is None:
        return refuse_unknown(context, name, arguments)
    tool, check = bound
    return _run(context, tool, check, arguments)


def refuse_unknown(context: Context, name: str, arguments: Any) -> Outcome:
    """Answer and log a call of a tool that does not exist, or that the episode's menu does not show."""
    refused = context.loaded.app.dialect.unknown_tool(name)
    now_ms = context.now_ms(False)
    return _finish_refused(context, name, arguments, *_refusal(refused), now_ms, _monotonic_ns(), refused)


def _run(context: Context, tool: Tool, check: Check, arguments: Any) -> Outcome:
    started_ns = _monotonic_ns()
    number = context.calls + 1
    writes = bool(tool.writes)
    now_ms = context.now_ms(writes)
    try:
        cleaned = check(arguments)
    except ArgumentsRefused as refused:
        return _finish_refused(context, tool.name, arguments, *_refusal(refused), now_ms, started_ns, refused)
    episode = context.episode
    try:
        if writes:
            context.begin(number, now_ms)
        episode.start_call(now_ms, context.writes)
        _alarm.arm()
        try:
            result = context.loaded.app.render(_handle(tool, context, cleaned))
        finally:
            _alarm.disarm()
    except VendorError as error:
        context.rollback()
        rendered = context.loaded.app.render_error(error)
        return _finish_refused(context, tool.name, arguments, rendered, False, now_ms, started_ns, error)
    except _Cut:
        _alarm.disarm()
        return _finish_cut(context, tool.name, arguments, now_ms, started_ns)
    except Exception as problem:
        if _alarm.fired and isinstance(problem, sqlite3.OperationalError):
            return _finish_cut(context, tool.name, arguments, now_ms, started_ns)
        context.rollback()
        # A bug of ours, kept away from the agent's eyes but not from the operator's.
        _logger.exception("tool %s failed on %s", tool.name, arguments)
        message = protocol_error(INTERNAL_ERROR, f"internal error in {tool.name}: {type(problem).__name__}")
        return _finish_refused(context, tool.name, arguments, message, True, now_ms, started_ns, problem)
    return _finish_done(context, tool.name, arguments, result, now_ms, started_ns, writes)


def _handle(tool: Tool, context: Context, cleaned: dict[str, Any]) -> Result:
    try:
        return tool.handler(context.episode, **cleaned)
    except UnicodeEncodeError:
        # A lone surrogate reached SQLite. The handler refuses before it writes, but begin again to be sure.
        if tool.writes:
            context.rollback()
            context.begin(context.calls + 1, context.episode.now_ms)
            context.episode.start_call(context.episode.now_ms, context.writes)
        return tool.handler(context.episode, **_without_surrogates(cleaned))


def _line(
    number: int,
    tool: str,
    arguments: Any,
    result: bytes,
    now_ms: int,
    started_ns: int,
    flags: bytes,
) -> bytes:
    try:
        call = orjson.dumps(arguments)
    except orjson.JSONEncodeError:
        # Lone surrogates or integers beyond 64 bits; the standard library takes both, and the log stays readable.
        call = json.dumps(_without_surrogates(arguments), ensure_ascii=False).encode()
    return b'{"n":%d,"tool":%b,"arguments":%b,"result":%b,"started_ns":%d,"ended_ns":%d,"at_ms":%d,"now_ms":%d%b}\n' % (
        number,
        _name(tool) if len(tool) <= _NAME_MAX else _name.__wrapped__(tool),
        call,
        result,
        started_ns,
        _monotonic_ns(),
        _time_ns() // 1_000_000,
        now_ms,
        flags,
    )


@lru_cache(maxsize=1024)
def _name(tool: str) -> bytes:
    return orjson.dumps(_without_surrogates(tool))


def _finish_refused(
    context: Context,
    tool: str,
    arguments: Any,
    result: bytes,
    is_protocol_error: bool,
    now_ms: int,
    started_ns: int,
    error: Exception,
) -> Outcome:
    number = context.calls + 1
    logged = b'{"error":' + result + b"}" if is_protocol_error else result
    context.log.append(_line(number, tool, arguments, logged, now_ms, started_ns, b',"refused":true'))
    context.calls = number
    return Outcome(result, is_protocol_error, refused=True, call=number, error=error)


def _finish_cut(context: Context, tool: str, arguments: Any, now_ms: int, started_ns: int) -> Outcome:
    context.rollback()
    number = context.calls + 1
    message = f"{tool} took longer than {CUT_AFTER_S * 1000:.0f} ms and was cut; nothing has changed"
    result = protocol_error(INTERNAL_ERROR, message)
    logged = b'{"error":' + result + b"}"
    flags = b',"refused":true,"cut":true'
    context.log.append(_line(number, tool, arguments, logged, now_ms, started_ns, flags))
    context.calls = number
    return Outcome(result, True, refused=True, call=number, cut=True)


def _finish_done(
    context: Context, tool: str, arguments: Any, result: bytes, now_ms: int, started_ns: int, writes: bool
) -> Outcome:
    number = context.calls + 1
    size = context.log.size
    try:
        context.log.append(
            _line(number, tool, arguments, result, now_ms, started_ns, b',"wrote":true' if writes else b"")
        )
        if writes:
            context.commit(number, now_ms)
    except (OSError, sqlite3.Error) as problem:
        # The disk is full: the call must not be acknowledged, and neither half of it may stay.
        context.rollback()
        context.log.cut(size)
        _logger.error("tool %s could not be recorded: %s", tool, problem)
        return Outcome(protocol_error(INTERNAL_ERROR, f"{tool} could not be recorded: {problem}"), True, True, number)
    context.calls = number
    return Outcome(result, False, refused=False, call=number, wrote=writes)
