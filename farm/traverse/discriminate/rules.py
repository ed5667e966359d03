"""The rules: classify an answer by its envelope, then by its body and its words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from farm.traverse.discriminate.contents import body_of, text_of
from farm.traverse.discriminate.context import Context
from farm.traverse.discriminate.failures import STUMBLE, UNREADABLE
from farm.traverse.discriminate.json_refusals import find_refusal
from farm.traverse.discriminate.phrases import CHECKER
from farm.traverse.discriminate.prose import judge_texts
from farm.traverse.discriminate.reasons import (
    NAMES,
    READ_LETTERS_MAX,
    find_failure,
    gives_reason,
    judge_unreadable,
    place_of_failure,
)
from farm.traverse.discriminate.structured import judge_body, judge_refused_body
from farm.traverse.discriminate.verdict import Cause, Verdict

# Keys that mark a missing answer, in our recordings and in older ones.
_SILENCES = ("silence", "gone", "crash", "_process_exit", "process_exited", "_no_response_within_s")
_PROTOCOL_REFUSALS = (-32700, -32600, -32601, -32602)
_INTERNAL = -32603
# A session of the transport, not of the tool.
_SESSION = re.compile(r"\bsession\b.*\b(?:not found|expired|invalid|terminated)|\bno valid session\b", re.IGNORECASE)


def discriminate(record: Mapping[str, Any], context: Context) -> Verdict:
    """Return the verdict on a recorded line's answer."""
    result = record["result"]
    if any(key in result for key in _SILENCES):
        return Verdict("infrastructure", "no answer came", cause="silence")
    error = result.get("error") or result.get("jsonrpc_error")
    if isinstance(error, dict) and "content" not in result and ("code" in error or "jsonrpc_error" in result):
        return _protocol(record, error, context)
    if not isinstance(result.get("content"), list):
        return _unwrapped(record, result, context)
    if result.get("isError"):
        return _flagged(record, text_of(result), context, "isError")
    return _ordinary(record, result, context)


def _protocol(record: Mapping[str, Any], error: Mapping[str, Any], context: Context) -> Verdict:
    code, message = error.get("code"), str(error.get("message"))[:READ_LETTERS_MAX]
    if code in _PROTOCOL_REFUSALS:
        return Verdict("refused", f"JSON-RPC error {code}")
    if CHECKER.search(message):
        return Verdict("refused", f"JSON-RPC error {code} and words of a checker")
    if isinstance(code, int) and (of_status := _cause_of(code)):
        return Verdict("infrastructure", f"JSON-RPC error {code}, an HTTP status", cause=of_status)
    if _SESSION.search(message):
        return Verdict("infrastructure", f"JSON-RPC error {code}, no session", cause="login")
    cause = find_failure(context.sent.mask(message))
    if cause is None and UNREADABLE.search(message) and not context.breaks_schema:
        return judge_unreadable(record, message, context, f"JSON-RPC error {code}")
    if cause == "server" and code == _INTERNAL and context.breaks_schema:
        return Verdict("refused", "JSON-RPC error -32603 to arguments that break the schema", False)
    if cause is not None:
        return Verdict("infrastructure", f"JSON-RPC error {code} and words of {NAMES[cause]}", False, cause)
    if code == _INTERNAL and not message.strip():
        return Verdict("infrastructure", "JSON-RPC error -32603 without a reason", False, "server")
    if context.is_seed and not gives_reason(message):
        return Verdict(
            "infrastructure", f"JSON-RPC error {code} without a reason to a call meant to succeed", False, "server"
        )
    return Verdict("refused", f"JSON-RPC error {code}")


def _cause_of(status: int) -> Cause | None:
    """Return the failure that an HTTP status means; None if it is not a failure, or blames the call."""
    known: dict[int, Cause] = {401: "login", 407: "login", 408: "time", 429: "rate", 504: "time"}
    return known.get(status, "server" if status in range(500, 600) else None)


def _unwrapped(record: Mapping[str, Any], result: Mapping[str, Any], context: Context) -> Verdict:
    """Judge a result that is not a CallToolResult: a body that a recorder stored alone, or something unknown to MCP."""
    if find_refusal(result) is not None:
        return judge_refused_body(record, result, context)
    return Verdict("infrastructure", "no answer of the protocol", False, "server")


def _flagged(record: Mapping[str, Any], text: str, context: Context, sign: str) -> Verdict:
    hidden = context.sent.mask(text)[:READ_LETTERS_MAX]
    checked = CHECKER.search(hidden)
    cause = find_failure(hidden)
    if checked and (cause is None or checked.start() <= place_of_failure(hidden, cause)):
        return Verdict("refused", f"{sign} and words of a checker")
    if cause is None and UNREADABLE.search(hidden):
        return judge_unreadable(record, hidden, context, sign)
    if cause is not None:
        return Verdict("infrastructure", f"{sign} and words of {NAMES[cause]}", False, cause)
    if context.is_seed and STUMBLE.search(hidden):
        return Verdict("infrastructure", f"{sign}, a stumble over what a good call was given", False, "server")
    if context.is_seed and not gives_reason(hidden):
        return Verdict("infrastructure", f"{sign} without a reason to a call meant to succeed", False, "server")
    return Verdict("refused", sign, not context.is_seed)


def _ordinary(record: Mapping[str, Any], result: Mapping[str, Any], context: Context) -> Verdict:
    body = body_of(result)
    if isinstance(body, (dict, list)):
        plain = judge_body(record, body, context)
    elif isinstance(body, str):
        plain = judge_texts(record, body, result["content"], context)
    else:
        plain = Verdict("success", "a number, a truth value or nothing", context.is_seed)
    structured = result.get("structuredContent")
    if plain.kind == "success" and plain.is_sure:
        return plain
    if context.sent.has(text_of(result)):
        return Verdict("success", "what the client itself had sent")
    if structured is not None and find_refusal(structured) is None and context.fits(structured):
        return Verdict("success", "its structured part fits the outputSchema")
    return plain
