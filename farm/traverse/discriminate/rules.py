"""The rules: what an answer is, by its envelope, its body and its words."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from farm.traverse.discriminate.bodies import find_no
from farm.traverse.discriminate.sent import HIDDEN, Sent
from farm.traverse.discriminate.templates import Templates
from farm.traverse.discriminate.verdict import Cause, Verdict
from farm.traverse.discriminate.words import (
    CHECKER,
    FAILURES,
    NO_AT_START,
    NO_INSIDE,
    NO_SIGNS,
    NOT_DONE,
    NOT_THERE,
    NOT_YES,
    NOTHING,
    SEEKS,
    UNKNOWN_TOOL,
    YES_INSIDE,
    YES_SIGNS,
)

# How recordings say that nothing came: ours, and those of older ones.
_SILENCES = ("silence", "gone", "crash", "_process_exit", "process_exited", "_no_response_within_s")
_PROTOCOL_REFUSALS = (-32700, -32600, -32601, -32602)
_INTERNAL = -32603
# Where the words of a failure are looked for: at the beginning, and in the last line of a traceback.
_HEAD, _TAIL = 600, 300
_SHORT_LETTERS, _SHORT_LINES = 400, 4
_FIRST_LETTERS, _ORNAMENTS = 60, 2
_REPR_LETTERS_MAX = 100_000
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_NO_FAILURES = re.compile(r"(?:errors?|failed|failures?)\W{0,3}(?:0|none|\[\])\b", re.IGNORECASE)
# Signs, headings and emphasis before the first word; brackets and quotes are part of data.
_ORNAMENT = re.compile(r"^[^\w(\[{\"'<\x00]+")
# A line of a log begins with its time or in brackets: somebody else's failure.
_NEWS = re.compile(r"\d{1,4}[-/:.]\d|[\[{<\"']")
_QUOTED = re.compile(r"(?<!\w)(['\"“‘`]).{1,200}?['\"”’`](?!\w)")
_ARTICLE = re.compile(r"(?:your|the|this|sorry,?|oops[,!]?) ", re.IGNORECASE)
# A session of the transport, not of the tool.
_SESSION = re.compile(r"\bsession\b.*\b(?:not found|expired|invalid|terminated)|\bno valid session\b", re.IGNORECASE)
_PAGE = re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_PAGE_TITLE = re.compile(r"<(?:title|h1)[^>]*>\s*([^<]{0,200})", re.IGNORECASE)


@dataclass
class Context:
    """What is known beside an answer itself.

    Attributes:
        sent: what the client has sent in the trace, this call's arguments included.
        templates: how successes of the server's tools read.
        fits: whether a structured result fits the tool's outputSchema, where that says more than "a text".
        choices: values the tool's schema offers for the arguments that were sent.
        flags: whether the tool was seen to mark refusals of its own by isError.
        breaks_schema: whether the arguments break the tool's inputSchema.
        is_seed: whether the call was meant to succeed.
    """

    sent: Sent = field(default_factory=Sent)
    templates: Templates = field(default_factory=Templates)
    fits: Callable[[Any], bool] = field(default=lambda _: False)
    choices: frozenset[str] = frozenset()
    flags: bool = False
    breaks_schema: bool = False
    is_seed: bool = False


def discriminate(record: Mapping[str, Any], context: Context) -> Verdict:
    """Return what the answer of a recorded line is."""
    result = record["result"]
    if any(key in result for key in _SILENCES):
        return Verdict("infrastructure", "no answer came", cause="silence")
    error = result.get("error") or result.get("jsonrpc_error")
    if isinstance(error, dict) and "content" not in result and ("code" in error or "jsonrpc_error" in result):
        return _protocol(error, context)
    if not isinstance(result.get("content"), list):
        return _unwrapped(result, context)
    if result.get("isError"):
        return _flagged(text_of(result), context, "isError")
    return _ordinary(record, result, context)


def text_of(result: Mapping[str, Any]) -> str:
    """Return the texts of a result, or of the resources in it."""
    found = []
    for item in result.get("content") or ():
        if isinstance(item, dict):
            inner = item.get("resource")
            text = item.get("text", inner.get("text") if isinstance(inner, dict) else None)
            if isinstance(text, str):
                found.append(text)
    return "\n".join(found)


def body_of(result: Mapping[str, Any]) -> Any:
    """Return what a result says: its structured part where that is more than a text, else its text, parsed if JSON."""
    structured = result.get("structuredContent")
    if isinstance(structured, dict) and not _is_wrapped_text(structured):
        return structured
    text = text_of(result)
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return _python_of(text)


def _python_of(text: str) -> Any:
    """Return what a text says that is the repr of a Python value, as some servers write rows; else the text."""
    if len(text) > _REPR_LETTERS_MAX:
        return text
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def find_failure(text: str) -> Cause | None:
    """Return what a text says has failed that is not the call."""
    looked_at = text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    return next((cause for cause, words in FAILURES if words.search(looked_at)), None)


def _is_wrapped_text(structured: Mapping[str, Any]) -> bool:
    return len(structured) == 1 and isinstance(next(iter(structured.values())), str)


def _protocol(error: Mapping[str, Any], context: Context) -> Verdict:
    code, message = error.get("code"), str(error.get("message"))
    if code in _PROTOCOL_REFUSALS:
        return Verdict("refused", f"JSON-RPC error {code}")
    if CHECKER.search(message) or UNKNOWN_TOOL.search(message):
        return Verdict("refused", f"JSON-RPC error {code} and words of a checker")
    if isinstance(code, int) and (of_status := _cause_of(code)):
        return Verdict("infrastructure", f"JSON-RPC error {code}, an HTTP status", cause=of_status)
    if _SESSION.search(message):
        return Verdict("infrastructure", f"JSON-RPC error {code}, no session", cause="login")
    cause = find_failure(context.sent.hidden(message))
    if cause == "server" and code == _INTERNAL and context.breaks_schema:
        return Verdict("refused", "JSON-RPC error -32603 to arguments that break the schema", False)
    if cause is not None:
        return Verdict("infrastructure", f"JSON-RPC error {code} and words of {_NAMES[cause]}", False, cause)
    if code == _INTERNAL and not message.strip():
        return Verdict("infrastructure", "JSON-RPC error -32603 without a reason", False, "server")
    return Verdict("refused", f"JSON-RPC error {code}")


def _cause_of(status: int) -> Cause | None:
    """Return what an HTTP status says has failed; None where it is none, or says that the call is at fault."""
    known: dict[int, Cause] = {401: "login", 407: "login", 408: "time", 429: "rate", 504: "time"}
    return known.get(status, "server" if status in range(500, 600) else None)


def _unwrapped(result: Mapping[str, Any], context: Context) -> Verdict:
    """Judge what is no CallToolResult: a body that a recorder wrote down alone, or nothing that MCP knows."""
    if find_no(result) is not None:
        return _no(result, context)
    return Verdict("infrastructure", "no answer of the protocol", False, "server")


def _flagged(text: str, context: Context, sign: str) -> Verdict:
    hidden = context.sent.hidden(text)
    if UNKNOWN_TOOL.search(hidden):
        return Verdict("refused", f"{sign}, the tool is unknown")
    checked = CHECKER.search(hidden)
    cause = find_failure(hidden)
    if checked and (cause is None or checked.start() <= _first_failure(hidden, cause)):
        return Verdict("refused", f"{sign} and words of a checker")
    if cause is not None:
        return Verdict("infrastructure", f"{sign} and words of {_NAMES[cause]}", False, cause)
    return Verdict("refused", sign)


def _first_failure(text: str, cause: Cause) -> int:
    found = dict(FAILURES)[cause].search(text)
    return found.start() if found else len(text)


def _ordinary(record: Mapping[str, Any], result: Mapping[str, Any], context: Context) -> Verdict:
    body, text = body_of(result), text_of(result)
    if isinstance(body, (dict, list)):
        plain = _body(record, body, context)
    elif isinstance(body, str):
        plain = _blocks(record, body, result["content"], context)
    else:
        plain = Verdict("success", "a number, a truth value or nothing", context.is_seed)
    structured = result.get("structuredContent")
    if plain.kind == "success" and plain.is_sure:
        return plain
    if context.sent.said_back(text):
        return Verdict("success", "what the client itself had sent")
    if structured is not None and find_no(structured) is None and context.fits(structured):
        return Verdict("success", "its structured part fits the outputSchema")
    if context.templates.knows(record["tool"], body) and find_no(body) is None:
        return Verdict("success", "it reads like the tool's successes")
    return plain


def _body(record: Mapping[str, Any], body: Any, context: Context) -> Verdict:
    if find_no(body) is not None:
        return _no(body, context)
    if isinstance(body, list) and body:
        noes = [find_no(each, is_item=True) is not None for each in body]
        if all(noes):
            return Verdict("refused", "every item of the body says no", False)
        if any(noes):
            return Verdict("success", "in part: some items of the body say no", False)
    is_known = context.is_seed or context.templates.knows(record["tool"], body)
    return Verdict("success", "a body that says nothing of a failure", is_known or bool(body))


def _no(body: Any, context: Context) -> Verdict:
    found = find_no(body)
    assert found is not None
    words = context.sent.hidden(found.words)
    cause = None if CHECKER.search(words) else find_failure(words) or find_failure(f"error {found.code}")
    if cause is not None:
        return Verdict("infrastructure", f"its body says no, in words of {_NAMES[cause]}", False, cause)
    return Verdict("refused", "its body says no")


def _blocks(record: Mapping[str, Any], text: str, content: list[Any], context: Context) -> Verdict:
    """Judge the texts of an answer one by one where there are several; it succeeds in part where one of them does."""
    texts = [each["text"] for each in content if isinstance(each, dict) and isinstance(each.get("text"), str)]
    if not text.strip() and len(texts) < len(content):
        return Verdict("success", "contents other than text")
    if len(texts) < 2 or text.lstrip().startswith("{"):
        return _prose(record, text, context)
    found = [_prose(record, each, context) for each in texts]
    if any(each.kind == "success" for each in found) and any(each.kind != "success" for each in found):
        return Verdict("success", "in part: some of its texts say no", False)
    return found[0]


def _prose(record: Mapping[str, Any], text: str, context: Context) -> Verdict:
    stripped = text.strip()
    if not stripped:
        return Verdict("success", "an empty answer", context.is_seed)
    if _PAGE.match(stripped):
        title = " ".join(_PAGE_TITLE.findall(stripped))
        cause = find_failure(f"status {title}") if title else None
        if cause is not None:
            return Verdict("infrastructure", f"a web page with words of {_NAMES[cause]}", False, cause)
    said = _said(record, stripped, context)
    if said.kind == "success":
        return said
    # What the client sent may hold the words of a refusal; without it the answer may say none.
    hidden = context.sent.hidden(stripped)
    if hidden == stripped:
        return said
    unsaid = _said(record, hidden, context)
    return (
        Verdict("success", "only what the client itself had sent says no", False)
        if unsaid.kind == "success"
        else unsaid
    )


def _said(record: Mapping[str, Any], text: str, context: Context) -> Verdict:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if text.startswith(YES_SIGNS):
        return Verdict("success", "it begins with a sign of success")
    if text.startswith(NO_SIGNS):
        if any(line.startswith(YES_SIGNS) for line in lines):
            return Verdict("success", "in part: some lines bear a sign of success", False)
        return _refusal(text, "a sign of failure at its start", is_sure=True)
    bare = _ORNAMENT.sub("", text)
    # A refusal is short; an argument that it quotes may be as long as it likes.
    own = text if len(text) <= _SHORT_LETTERS else context.sent.hidden(text).replace(HIDDEN, "")
    is_short = len(own) <= _SHORT_LETTERS and len(lines) <= _SHORT_LINES
    if NO_AT_START.match(bare) and not _NO_FAILURES.match(bare):
        return _begins_with_no(record, text, bare, is_short=is_short, context=context)
    if context.templates.knows(record["tool"], text):
        return Verdict("success", "it reads like the tool's successes")
    if is_short and (cause := _cause_at_start(bare)) is not None:
        return Verdict("infrastructure", f"its first words are those of {_NAMES[cause]}", False, cause)
    if not is_short or context.templates.is_free(record["tool"]):
        return Verdict("success", "nothing at its start says no", context.is_seed)
    return _short(record, bare, context)


def _cause_at_start(text: str) -> Cause | None:
    """Return what a text without any sign says has failed with its first words."""
    first = _ARTICLE.sub("", _SENTENCE.split(text, maxsplit=1)[0])
    found = ((cause, words.search(first[:_FIRST_LETTERS])) for cause, words in FAILURES)
    cause = next((cause for cause, match in found if match and match.start() <= _ORNAMENTS), None)
    is_plain = cause in ("rate", "login", "server") or NOT_DONE.search(first) is not None
    return cause if is_plain else None


def _begins_with_no(record: Mapping[str, Any], text: str, bare: str, *, is_short: bool, context: Context) -> Verdict:
    first = re.match(r"\w+", bare)
    if first and first[0].lower() in context.choices:
        return Verdict("success", "it begins with a word the client chose", False)
    if NOTHING.match(bare) and SEEKS.search(record["tool"]):
        return Verdict("success", "a search that found nothing", False)
    if context.flags and not CHECKER.search(text):
        return Verdict("success", "no isError, though the tool marks its refusals so", False)
    return _refusal(text, "the first words of its text", is_sure=is_short or bool(CHECKER.search(text)))


def _short(record: Mapping[str, Any], text: str, context: Context) -> Verdict:
    """Judge a short text that does not begin with a refusal."""
    first = _SENTENCE.split(text, maxsplit=1)[0]
    if NOT_THERE.search(first) and not (SEEKS.search(record["tool"]) or context.is_seed):
        return Verdict("refused", "what was asked for is not there", is_sure=False)
    if NOTHING.search(first):
        return Verdict("success", "there is nothing, said in an ordinary way", is_sure=context.is_seed)
    if YES_INSIDE.search(first) and not NOT_YES.search(first) and not NO_INSIDE.search(first):
        return Verdict("success", "words of success")
    cause = find_failure(_QUOTED.sub("", first))
    if cause is not None and _NEWS.match(text):
        return Verdict("success", "words of a failure in a line of a log", False)
    if cause in ("rate", "login") or (cause is not None and NOT_DONE.search(first)):
        return Verdict("infrastructure", f"words of {_NAMES[cause]} in a short text", False, cause)
    if CHECKER.search(first) or NO_INSIDE.search(first):
        return _refusal(text, "words of a refusal in a short text", is_sure=False)
    return Verdict("success", "nothing in it says no", context.is_seed)


def _refusal(text: str, why: str, *, is_sure: bool) -> Verdict:
    checked, cause = CHECKER.search(text), find_failure(text)
    if cause is not None and not (checked and checked.start() <= _first_failure(text, cause)):
        return Verdict("infrastructure", f"{why}, in words of {_NAMES[cause]}", False, cause)
    return Verdict("refused", why, is_sure)


_NAMES: Mapping[Cause, str] = {
    "silence": "a server that ended",
    "server": "a server that broke",
    "network": "a network",
    "time": "a time-out",
    "rate": "a rate limit",
    "login": "a login",
}
