"""One call: check the arguments, run the handler in a transaction, log it, commit, answer.

``call`` is independent of the transport, so an MCP server, a test in process and any other caller get the same outcome.
It runs on the caller's thread. An alarm, if there is one, stops it after 250 ms, the longest delay of other episodes'
calls. The limit covers all work that grows with the request: checking arguments and serializing answer and log line.
"""

from __future__ import annotations

import logging
import re
import sqlite3
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from farm._util.bounded_cache import compact_bytes
from farm._util.json_io import LONE_SURROGATE, dumps_lossy
from farm.appkit.app import Tool
from farm.appkit.dialects import InvalidArgumentsError
from farm.appkit.envelope import protocol_error, text_result
from farm.appkit.handler_api import Result, VendorError
from farm.content import BoundTool
from farm.context.context import Context
from farm.context.faults import Delivery
from farm.errors import FarmError
from farm.server.deadline import CALL_S_MAX, Alarm, CallTimeoutError, SignalAlarm

INTERNAL_ERROR = -32603
# Longer answers are refused: an agent could not read them, and each is stored in the log, too.
ANSWER_BYTES_MAX = 8 * 1024 * 1024
_ARGUMENTS_MAX = 1000  # of a call's arguments, as shown to an operator
# The messages to a client for a bug of ours, and for a call that timed out.
_BROKEN = "internal error in "
_TIMED_OUT = f" took longer than {CALL_S_MAX * 1000:.0f} ms and was stopped; nothing has changed"
_HIGH, _LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
# Half a pair, as in a message's content {"text": "\ud83d"}.
_ESCAPED_SURROGATE = re.compile(rf"{_HIGH}(?!{_LOW})|(?<!{_HIGH}){_LOW}")
# SQLite's errors for a disk or a file that is full, read-only, broken or gone: not a bug, so no traceback.
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
_NAME_MAX = 128  # names in the cache below: a client may call a tool by a name of any length
_monotonic_ns, _time_ns = time.monotonic_ns, time.time_ns
_logger = logging.getLogger("farm.server.pipeline")


@dataclass(slots=True)
class Outcome:
    """The outcome of a call.

    Attributes:
        result: bytes of the CallToolResult, or of the JSON-RPC error object when ``is_protocol_error``.
        is_protocol_error: whether the answer is a JSON-RPC error.
        refused: whether the call was refused, timed out or failed; the context is then unchanged, unless ``wrote``.
        call: the call's number within the app.
        wrote: whether it was committed as a writing call; a refused call only if its tool ``commits_on_error``.
        timed_out: whether it timed out.
        error: the exception behind a refusal, for callers in process.
        delivery: how the answer reaches a client, if a planned fault says so.
    """

    result: bytes
    is_protocol_error: bool
    refused: bool
    call: int
    wrote: bool = False
    timed_out: bool = False
    error: Exception | None = None
    delivery: Delivery | None = None


_alarm = SignalAlarm()


def install_deadline() -> None:
    """Make calls on this process's main thread time out after 250 ms. Call once, from the main thread."""
    _alarm.install()


def remove_deadline() -> None:
    """Undo ``install_deadline``, for a process that goes on without a server."""
    _alarm.close()


def is_crash(code: int, message: str) -> bool:
    """Return whether a JSON-RPC error is ours and not the app's: a bug, or a call that timed out."""
    return code == INTERNAL_ERROR and (message.startswith(_BROKEN) or is_timeout(message))


def is_timeout(message: str) -> bool:
    """Return whether an error is that of a call that timed out."""
    return message.endswith(_TIMED_OUT)


def _refusal(context: Context, refused: InvalidArgumentsError) -> tuple[bytes, bool]:
    if refused.code is None:
        annotations = context.loaded.app.envelope.annotations
        return text_result(refused.message, is_error=refused.is_error, annotations=annotations), False
    return protocol_error(refused.code, refused.message, refused.data), True


def _without_surrogates(value: Any) -> Any:
    """Replace lone surrogates, also those that JSON within a text escapes, as the real servers' encoders do."""
    match value:
        case str():
            return _ESCAPED_SURROGATE.sub(r"\\ufffd", LONE_SURROGATE.sub("\ufffd", value))
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
    person: str | None = None,
) -> Outcome:
    """Run one tool call and return its outcome; every call is logged, unless it is beyond a limit.

    Args:
        context: the app's open context in the episode.
        name: the tool's name.
        arguments: the raw ``arguments``; None if the key was absent.
        menu: the episode's tools; None: all. A tool that is not on the menu does not exist.
        is_null: whether the key was present with null, which some servers do not treat as absent.
        alarm: the alarm that limits it; default: that of ``install_deadline``.
        person: who calls, if it is not the person whom the agent works for.

    Raises:
        NotFoundError: the person has no account in the app.
    """
    if person is not None:
        with context.acting_as(person):
            return call(context, name, arguments, menu, is_null=is_null, alarm=alarm)
    if context.limits is not None and (why := context.take_call()) is not None:
        said = text_result(why, is_error=True)
        return Outcome(said, False, refused=True, call=context.calls, error=FarmError(why))
    loaded = context.loaded
    if is_null and (refused := loaded.app.dialect.null_arguments()) is not None:
        return _finish_refused(
            context, name, _print(None), *_refusal(context, refused), context.now_ms(False), _monotonic_ns(), refused
        )
    bound = context.bound.get(name)
    if bound is None or (menu is not None and name not in menu):
        any_name = loaded.app.any_name
        if any_name is None or (menu is not None and any_name not in menu):
            return _refuse_unknown(context, name, arguments, alarm or _alarm)
        bound = context.bound[any_name]
    outcome = _run(context, name, bound, arguments, alarm or _alarm)
    if context.plan is not None:
        outcome.delivery = context.end_planned()
    return outcome


def request(
    context: Context, method: str, params: Any, *, alarm: Alarm | None = None, person: str | None = None
) -> Outcome:
    """Run one request of a prompt or a resource like a tool call, which is logged by the method's name.

    Args:
        context: the app's open context in the episode.
        method: a method of ``LoadedApp.requests``.
        params: the raw parameters, without ``_meta``; None if they were absent.
        alarm: the alarm that limits it; default: that of ``install_deadline``.
        person: who asks, if it is not the person whom the agent works for.

    Raises:
        NotFoundError: the person has no account in the app.
    """
    if person is not None:
        with context.acting_as(person):
            return request(context, method, params, alarm=alarm)
    if context.limits is not None and (why := context.take_call()) is not None:
        refused = protocol_error(INTERNAL_ERROR, why)
        return Outcome(refused, True, refused=True, call=context.calls, error=FarmError(why))
    return _run(context, method, context.loaded.requests[method], params, alarm or _alarm)


def _refuse_unknown(context: Context, name: str, arguments: Any, alarm: Alarm) -> Outcome:
    started_ns = _monotonic_ns()
    now_ms = context.now_ms(False)
    try:
        alarm.arm()
        try:
            app = context.loaded.app
            refused = app.dialect.unknown_tool(name, arguments)
            # A refusal with a code is a JSON-RPC error of the real SDK, which answers before the server's own code.
            if app.serving is not None and refused.code is None:
                app.serving(context.episode)
        finally:
            alarm.disarm()
    except CallTimeoutError:
        return _finish_timeout(context, name, arguments, now_ms, started_ns)
    except VendorError as error:
        said, is_protocol_error = app.envelope.compile().refusal(name, error)
        return _finish_refused(context, name, _print(arguments), said, is_protocol_error, now_ms, started_ns, error)
    return _finish_refused(context, name, _print(arguments), *_refusal(context, refused), now_ms, started_ns, refused)


def _run(context: Context, name: str, bound: BoundTool, arguments: Any, alarm: Alarm) -> Outcome:
    started_ns = _monotonic_ns()
    number = context.calls + 1
    tool = bound.tool
    writes = bool(tool.writes)
    now_ms = context.now_ms(writes)
    episode = context.episode
    try:
        if now_ms >= context.next_due_ms:
            context.deliver_due(now_ms)
        alarm.arm()
        try:
            if (ready := context.loaded.app.ready) is not None:
                ready(episode)
            cleaned = bound.check(arguments)
            if writes:
                # Opening the file for writing must not be interrupted.
                left_ns = alarm.pause()
                context.begin(number, now_ms)
                alarm.arm(left_ns)
            episode.start_call(now_ms, context.writes)
            result = bound.renderer.success(_handle(tool, context, cleaned))
            printed = _print(arguments)
        except VendorError as error:
            # A refusal may repeat the whole request, so its text and log line count against the limit as well.
            result, is_protocol_error = bound.renderer.refusal(name, error)
            printed = _print(arguments)
            raise
        finally:
            alarm.disarm()
    except InvalidArgumentsError as refused:
        # The traceback's frames hold the arguments and the exception: megabytes until the next garbage collection.
        refused.__traceback__ = None
        return _finish_refused(
            context, name, _print(arguments), *_refusal(context, refused), now_ms, started_ns, refused
        )
    except VendorError as error:
        if len(result) > ANSWER_BYTES_MAX:
            return _finish_too_long(context, name, arguments, now_ms, started_ns)
        if tool.commits_on_error or error.commits:
            return _finish_done(context, name, printed, result, now_ms, started_ns, True, is_protocol_error, error)
        context.rollback()
        return _finish_refused(context, name, printed, result, is_protocol_error, now_ms, started_ns, error)
    except CallTimeoutError:
        alarm.disarm()
        return _finish_timeout(context, name, arguments, now_ms, started_ns)
    except Exception as problem:
        # The boundary to a kernel's code: a bug there costs one call, and the call is logged.
        if alarm.fired and isinstance(problem, sqlite3.OperationalError):
            return _finish_timeout(context, name, arguments, now_ms, started_ns)
        return _finish_failed(context, name, arguments, now_ms, started_ns, problem)
    if len(result) > ANSWER_BYTES_MAX:
        return _finish_too_long(context, name, arguments, now_ms, started_ns)
    return _finish_done(context, name, printed, result, now_ms, started_ns, writes)


def _handle(tool: Tool, context: Context, cleaned: dict[str, Any]) -> Result:
    try:
        return tool.handler(context.episode, **cleaned)
    except UnicodeEncodeError:
        # A lone surrogate reached SQLite. Handlers refuse before they write, but roll back to be sure.
        if tool.writes:
            context.rollback()
            context.begin(context.calls + 1, context.episode.now_ms)
            context.episode.start_call(context.episode.now_ms, context.writes)
        return tool.handler(context.episode, **_without_surrogates(cleaned))


def _print(arguments: Any) -> bytes:
    try:
        return orjson.dumps(arguments)
    except orjson.JSONEncodeError:
        # Lone surrogates or integers beyond 64 bits; the standard library accepts both, and the log stays readable.
        return dumps_lossy(arguments)


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


def _truncated_name(tool: str) -> str:
    """Return a tool's name for a message: a client may call a tool by a name of any length."""
    return tool if len(tool) <= _NAME_MAX else f"{tool[:_NAME_MAX]}…"


@lru_cache(maxsize=1024)
def _name(tool: str) -> bytes:
    return compact_bytes(orjson.dumps(_without_surrogates(tool)))


def _logged_error(error: bytes) -> bytes:
    """Return a JSON-RPC error in its form for the log, in a result's place."""
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
    flags = (context.actor if context.plan is None else context.call_flags()) + b',"refused":true'
    context.log.append(_line(number, tool, arguments, logged, now_ms, started_ns, flags))
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
        # A bug of ours, which is hidden from the agent but not from the operator.
        printed = _print(arguments)[:_ARGUMENTS_MAX].decode(errors="ignore")
        _logger.error("tool %s failed on %s", _truncated_name(tool), printed, exc_info=problem)
    message = protocol_error(INTERNAL_ERROR, f"{_BROKEN}{_truncated_name(tool)}: {type(problem).__name__}")
    return _finish_refused(context, tool, _print(arguments), message, True, now_ms, started_ns, problem)


def _finish_too_long(context: Context, tool: str, arguments: Any, now_ms: int, started_ns: int) -> Outcome:
    context.rollback()
    limit = f"answers with more than {ANSWER_BYTES_MAX >> 20} MiB"
    problem = FarmError(f"{_truncated_name(tool)} {limit}; ask for less; nothing has changed")
    message = protocol_error(INTERNAL_ERROR, str(problem))
    return _finish_refused(context, tool, _print(arguments), message, True, now_ms, started_ns, problem)


def _finish_timeout(context: Context, tool: str, arguments: Any, now_ms: int, started_ns: int) -> Outcome:
    context.rollback()
    number = context.calls + 1
    message = f"{_truncated_name(tool)}{_TIMED_OUT}"
    result = protocol_error(INTERNAL_ERROR, message)
    flags = (context.actor if context.plan is None else context.call_flags()) + b',"refused":true,"timed_out":true'
    context.log.append(_line(number, tool, _print(arguments), _logged_error(result), now_ms, started_ns, flags))
    context.calls = number
    return Outcome(result, True, refused=True, call=number, timed_out=True, error=FarmError(message))


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
    """Log a call whose writes stay, then commit; ``error`` is the refusal of a call that commits on error."""
    number = context.calls + 1
    flags = b',"wrote":true' if writes else b""
    if error is not None:
        flags = b',"refused":true' + flags
    flags = (context.actor if context.plan is None else context.call_flags()) + flags
    logged = _logged_error(result) if is_protocol_error else result
    size = context.log.size
    try:
        if writes and context.answering is not None:
            flags = context.notice(number, now_ms) + flags
        line = _line(number, tool, arguments, logged, now_ms, started_ns, flags)
        context.log.append(line)
        if writes:
            context.commit(now_ms)
    except (OSError, sqlite3.Error) as problem:
        # The disk is full: the call must not be acknowledged, and neither its log line nor its writes may stay.
        context.rollback()
        context.log.truncate(size)
        reason = problem.strerror if isinstance(problem, OSError) else problem
        _logger.error("tool %s could not be recorded in %s: %s", _truncated_name(tool), context.log.path, reason)
        told = f"{_truncated_name(tool)} could not be recorded; nothing has changed"
        return Outcome(protocol_error(INTERNAL_ERROR, told), True, True, number)
    context.calls = number
    return Outcome(result, is_protocol_error, refused=error is not None, call=number, wrote=writes, error=error)
