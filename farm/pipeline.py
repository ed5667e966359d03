"""One call: check the arguments, run the handler in a transaction, log it, commit, answer.

``call`` knows no transport, so an MCP server, a test in process and anything else give the same outcome. It runs on the
caller's thread; where there is an alarm it is cut after 250 ms, which is also the longest it can hold up its
neighbours: all that grows with what a caller sends is inside, the check of the arguments and the printing of answer and
log line too.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from farm.alarm import CUT_AFTER_S, Alarm, Cut, SignalAlarm
from farm.app import Tool
from farm.content import Bound
from farm.context.context import Context
from farm.dialects import ArgumentsRefused
from farm.envelope import protocol_error, text_result
from farm.errors import FarmError
from farm.kernel import Result, VendorError
from farm.loose_json import LONE_SURROGATE, print_loose
from farm.server.kept import exact

INTERNAL_ERROR = -32603
# Longer answers are refused: an agent could not read them, and each stands in the log, too.
ANSWER_BYTES_MAX = 8 * 1024 * 1024
_SHOWN_MAX = 1000  # of a call's arguments, in what an operator reads
# What a client reads of a bug of ours, and of a call that took too long.
_BROKEN = "internal error in "
_CUT = f" took longer than {CUT_AFTER_S * 1000:.0f} ms and was cut; nothing has changed"
# What SQLite calls a disk or a file that is full, read-only, broken or gone: no bug, and a traceback says no more.
_DISK_TROUBLES = frozenset(
    (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOTADB,
    )
)
_NAME_MAX = 128  # names kept in the cache below: a client may call a tool by a name of any length
_monotonic_ns, _time_ns = time.monotonic_ns, time.time_ns
_logger = logging.getLogger("farm.pipeline")


@dataclass(slots=True)
class Outcome:
    """What a call came to.

    Attributes:
        result: bytes of the CallToolResult, or of the JSON-RPC error object when ``is_protocol_error``.
        is_protocol_error: whether the answer is a JSON-RPC error.
        refused: whether it was refused, cut or failed; the context is then as it was, unless ``wrote``.
        call: the call's number within the app.
        wrote: whether it was committed as a writing call, which a refusal is only where its tool ``keeps``.
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


_alarm = SignalAlarm()


def install_cut() -> None:
    """Let calls on this process's main thread be cut after 250 ms. Call once, from the main thread."""
    _alarm.install()


def is_crash(code: int, message: str) -> bool:
    """Say whether a JSON-RPC error is no app's but ours: a bug, or a call that was cut."""
    return code == INTERNAL_ERROR and (message.startswith(_BROKEN) or is_cut(message))


def is_cut(message: str) -> bool:
    """Say whether an error tells of a call that was cut."""
    return message.endswith(_CUT)


def _refusal(refused: ArgumentsRefused) -> tuple[bytes, bool]:
    if refused.code is None:
        return text_result(refused.message, is_error=refused.is_error), False
    return protocol_error(refused.code, refused.message), True


def _without_surrogates(value: Any) -> Any:
    """Replace what UTF-8 cannot carry, as the real servers' encoders do."""
    match value:
        case str():
            return LONE_SURROGATE.sub("\ufffd", value)
        case list():
            return [_without_surrogates(each) for each in value]
        case dict():
            return {_without_surrogates(k): _without_surrogates(v) for k, v in value.items()}
        case _:
            return value


def call(
    context: Context,
    name: str,
    arguments: Any,
    menu: frozenset[str] | None = None,
    *,
    is_null: bool = False,
    alarm: Alarm | None = None,
) -> Outcome:
    """Run one tool call and return its outcome; it is logged whatever it comes to, unless it is beyond a limit.

    Args:
        context: the app's open context in the episode.
        name: the tool's name.
        arguments: the raw ``arguments``; None when the key was absent.
        menu: the tools there are for this episode; None: all. What is not shown does not exist.
        is_null: whether the key was there and held null, which some servers do not take for absent.
        alarm: what cuts it; that of ``install_cut`` when absent.
    """
    if context.limits is not None and (why := context.limits.take(context.calls + 1)) is not None:
        said = text_result(why, is_error=True)
        return Outcome(said, False, refused=True, call=context.calls, error=FarmError(why))
    loaded = context.loaded
    if is_null and (refused := loaded.app.dialect.null_arguments()) is not None:
        return _finish_refused(
            context, name, _print(None), *_refusal(refused), context.now_ms(False), _monotonic_ns(), refused
        )
    bound = loaded.bound.get(name)
    if bound is None or (menu is not None and name not in menu):
        any_name = loaded.app.any_name
        if any_name is None or (menu is not None and any_name not in menu):
            return _refuse_unknown(context, name, arguments, alarm or _alarm)
        bound = loaded.bound[any_name]
    return _run(context, name, bound, arguments, alarm or _alarm)


def _refuse_unknown(context: Context, name: str, arguments: Any, alarm: Alarm) -> Outcome:
    started_ns = _monotonic_ns()
    now_ms = context.now_ms(False)
    try:
        alarm.arm()
        try:
            app = context.loaded.app
            refused = app.dialect.unknown_tool(name, arguments)
            # What is no result is said by the SDK below the server's own code.
            if app.serving is not None and refused.code is None:
                app.serving(context.episode)
        finally:
            alarm.disarm()
    except Cut:
        return _finish_cut(context, name, arguments, now_ms, started_ns)
    except VendorError as error:
        said, is_protocol_error = app.envelope.compile().refusal(name, error)
        return _finish_refused(context, name, _print(arguments), said, is_protocol_error, now_ms, started_ns, error)
    return _finish_refused(context, name, _print(arguments), *_refusal(refused), now_ms, started_ns, refused)


def _run(context: Context, name: str, bound: Bound, arguments: Any, alarm: Alarm) -> Outcome:
    started_ns = _monotonic_ns()
    number = context.calls + 1
    tool = bound.tool
    writes = bool(tool.writes)
    now_ms = context.now_ms(writes)
    episode = context.episode
    try:
        if now_ms >= context.coming_ms:
            context.receive(now_ms)
        alarm.arm()
        try:
            if (ready := context.loaded.app.ready) is not None:
                ready(episode)
            cleaned = bound.check(arguments)
            if writes:
                # Opening the file for writing must not be left half done.
                left_ns = alarm.pause()
                context.begin(number, now_ms)
                alarm.arm(left_ns)
            episode.start_call(now_ms, context.writes)
            result = bound.renderer.success(_handle(tool, context, cleaned))
            printed = _print(arguments)
        except VendorError as error:
            # A refusal may tell back all that was sent, so its words and the line about it are in time as well.
            result, is_protocol_error = bound.renderer.refusal(name, error)
            printed = _print(arguments)
            raise
        finally:
            alarm.disarm()
    except ArgumentsRefused as refused:
        # The frames it went through hold the arguments, and it: megabytes until the collector comes by.
        refused.__traceback__ = None
        return _finish_refused(context, name, _print(arguments), *_refusal(refused), now_ms, started_ns, refused)
    except VendorError as error:
        if len(result) > ANSWER_BYTES_MAX:
            return _finish_too_long(context, name, arguments, now_ms, started_ns)
        if tool.keeps:
            return _finish_done(context, name, printed, result, now_ms, started_ns, True, is_protocol_error, error)
        context.rollback()
        return _finish_refused(context, name, printed, result, is_protocol_error, now_ms, started_ns, error)
    except Cut:
        alarm.disarm()
        return _finish_cut(context, name, arguments, now_ms, started_ns)
    except Exception as problem:
        # The boundary to a kernel's code: a bug there costs one call, and the call is logged.
        if alarm.fired and isinstance(problem, sqlite3.OperationalError):
            return _finish_cut(context, name, arguments, now_ms, started_ns)
        return _finish_failed(context, name, arguments, now_ms, started_ns, problem)
    if len(result) > ANSWER_BYTES_MAX:
        return _finish_too_long(context, name, arguments, now_ms, started_ns)
    return _finish_done(context, name, printed, result, now_ms, started_ns, writes)


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


def _print(arguments: Any) -> bytes:
    try:
        return orjson.dumps(arguments)
    except orjson.JSONEncodeError:
        # Lone surrogates or integers beyond 64 bits; the standard library takes both, and the log stays readable.
        return print_loose(arguments)


def _line(
    number: int,
    tool: str,
    arguments: bytes,
    result: bytes,
    now_ms: int,
    started_ns: int,
    flags: bytes,
) -> bytes:
    return b'{"n":%d,"tool":%b,"arguments":%b,"result":%b,"started_ns":%d,"ended_ns":%d,"at_ms":%d,"now_ms":%d%b}\n' % (
        number,
        _name(tool) if len(tool) <= _NAME_MAX else _name.__wrapped__(tool),
        arguments,
        result,
        started_ns,
        _monotonic_ns(),
        _time_ns() // 1_000_000,
        now_ms,
        flags,
    )


def _shown_name(tool: str) -> str:
    """Return a tool's name for a message: a client may call a tool by a name of any length."""
    return tool if len(tool) <= _NAME_MAX else f"{tool[:_NAME_MAX]}…"


@lru_cache(maxsize=1024)
def _name(tool: str) -> bytes:
    return exact(orjson.dumps(_without_surrogates(tool)))


def _logged_error(error: bytes) -> bytes:
    """Return a JSON-RPC error as the log has it in a result's place."""
    return b'{"error":%b}' % error


def _finish_refused(
    context: Context,
    tool: str,
    arguments: bytes,
    result: bytes,
    is_protocol_error: bool,
    now_ms: int,
    started_ns: int,
    error: Exception,
) -> Outcome:
    number = context.calls + 1
    logged = _logged_error(result) if is_protocol_error else result
    context.log.append(_line(number, tool, arguments, logged, now_ms, started_ns, b',"refused":true'))
    context.calls = number
    return Outcome(result, is_protocol_error, refused=True, call=number, error=error)


def _finish_failed(
    context: Context, tool: str, arguments: Any, now_ms: int, started_ns: int, problem: Exception
) -> Outcome:
    context.rollback()
    if getattr(problem, "sqlite_errorcode", 0) & 0xFF in _DISK_TROUBLES:
        path = context.files.db(context.generation)
        _logger.error("%s cannot be used (%s); restore a snapshot, or reset the episode", path, problem)
    else:
        # A bug of ours, kept away from the agent's eyes but not from the operator's.
        shown = _print(arguments)[:_SHOWN_MAX].decode(errors="ignore")
        _logger.error("tool %s failed on %s", _shown_name(tool), shown, exc_info=problem)
    message = protocol_error(INTERNAL_ERROR, f"{_BROKEN}{_shown_name(tool)}: {type(problem).__name__}")
    return _finish_refused(context, tool, _print(arguments), message, True, now_ms, started_ns, problem)


def _finish_too_long(context: Context, tool: str, arguments: Any, now_ms: int, started_ns: int) -> Outcome:
    context.rollback()
    limit = f"answers with more than {ANSWER_BYTES_MAX >> 20} MiB"
    problem = FarmError(f"{_shown_name(tool)} {limit}; ask for less; nothing has changed")
    message = protocol_error(INTERNAL_ERROR, str(problem))
    return _finish_refused(context, tool, _print(arguments), message, True, now_ms, started_ns, problem)


def _finish_cut(context: Context, tool: str, arguments: Any, now_ms: int, started_ns: int) -> Outcome:
    context.rollback()
    number = context.calls + 1
    message = f"{_shown_name(tool)}{_CUT}"
    result = protocol_error(INTERNAL_ERROR, message)
    flags = b',"refused":true,"cut":true'
    context.log.append(_line(number, tool, _print(arguments), _logged_error(result), now_ms, started_ns, flags))
    context.calls = number
    return Outcome(result, True, refused=True, call=number, cut=True, error=FarmError(message))


def _finish_done(
    context: Context,
    tool: str,
    arguments: bytes,
    result: bytes,
    now_ms: int,
    started_ns: int,
    writes: bool,
    is_protocol_error: bool = False,
    error: VendorError | None = None,
) -> Outcome:
    """Log a call whose writes stay, then commit; ``error`` is what a call that keeps them refused with."""
    number = context.calls + 1
    flags = b',"wrote":true' if writes else b""
    if error is not None:
        flags = b',"refused":true' + flags
    logged = _logged_error(result) if is_protocol_error else result
    line = _line(number, tool, arguments, logged, now_ms, started_ns, flags)
    size = context.log.size
    try:
        context.log.append(line)
        if writes:
            context.commit(now_ms)
    except (OSError, sqlite3.Error) as problem:
        # The disk is full: the call must not be acknowledged, and neither half of it may stay.
        context.rollback()
        context.log.cut(size)
        reason = problem.strerror if isinstance(problem, OSError) else problem
        _logger.error("tool %s could not be recorded in %s: %s", _shown_name(tool), context.log.path, reason)
        told = f"{_shown_name(tool)} could not be recorded; nothing has changed"
        return Outcome(protocol_error(INTERNAL_ERROR, told), True, True, number)
    context.calls = number
    return Outcome(result, is_protocol_error, refused=error is not None, call=number, wrote=writes, error=error)
