"""Find refusals in JSON bodies, with their codes and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from farm._util.json_strings import strings_in
from farm.traverse.discriminate.failures import FAILURES
from farm.traverse.discriminate.phrases import NO_AT_START, NO_INSIDE

_YES_NO = ("ok", "success", "successful", "succeeded", "issuccess", "is_success")
_STATUSES = ("error", "fail", "failed", "failure")
_WORDS = (
    "error",
    "errors",
    "err",
    "message",
    "msg",
    "errmsg",
    "err_msg",
    "errormsg",
    "error_msg",
    "errormessage",
    "error_message",
    "error_description",
    "retmsg",
    "info",
    "detail",
    "details",
    "description",
    "reason",
    "cause",
    "title",
)
_CODES = (
    "code",
    "errcode",
    "errno",
    "error_code",
    "errorcode",
    "retcode",
    "ret",
    "infocode",
    "status",
    "statuscode",
    "status_code",
)
# The keys of a body that holds nothing but a refusal.
_BARE = {
    *_WORDS,
    *_CODES,
    "documentation_url",
    "request_id",
    "requestid",
    "type",
    "timestamp",
    "path",
    "url",
    "hint",
    "suggestion",
    "suggestions",
    "help",
    "tip",
    "error_type",
    "errortype",
    "traceid",
    "trace_id",
    "logid",
    "log_id",
    "instance",
}
# Keys whose value alone, or with a body's whole text, may mark a refusal.
SAYS_NO = {*_YES_NO, *_CODES, *_WORDS, "iserror", "valid"}
TEXT_KEYS = {"result", "output", "response", "text", "content", "answer"}
# Keys that hold results in spite of an error.
_DATA = ("data", "result", "results", "items", "rows", "content")
_WRAPPERS = {"result", "data", "response", "output"}
_HTTP_NO = range(400, 600)
_MESSAGE_LETTERS_MAX = 200


@dataclass(frozen=True)
class Refusal:
    """A refusal in a body: its code as a text, and its words."""

    code: str
    words: str


def find_refusal(body: Any, *, is_item: bool = False) -> Refusal | None:
    """Return a body's refusal; None if the body does not refuse.

    Args:
        is_item: whether the body is one of several: a row of data may have an error of its own.
    """
    if not isinstance(body, dict) or not body:
        return None
    # Keys in capitals are names of variables.
    low = {key if key.isupper() else key.lower(): value for key, value in body.items() if isinstance(key, str)}
    if not low:
        return None
    if len(low) == 1 and set(low) <= _WRAPPERS and isinstance(inner := next(iter(low.values())), dict):
        return find_refusal(inner)
    if any(low.get(key) is True for key in _YES_NO):
        return None
    if is_item and not set(low) <= _BARE | set(_YES_NO):
        return None
    if _says_no(low) or (not is_item and set(low) <= _BARE and _says_no_in_words(low)):
        return _no(low)
    return None


def _says_no(low: Mapping[str, Any]) -> bool:
    if any(low.get(key) is False or low.get(key) == "false" for key in _YES_NO) or low.get("iserror") is True:
        return True
    if low.get("object") == "error" or low.get("type") == "error":
        return True
    first, is_bare = next(iter(low)), set(low) <= _BARE
    status = low.get("status")
    if isinstance(status, str) and status.lower() in _STATUSES and (is_bare or first == "status"):
        return any(low.get(key) for key in _WORDS)
    # The error of a job or a row stands among its data; a refusal begins with its error.
    if low.get("error") and (isinstance(low["error"], (str, dict)) or low["error"] is True):
        return is_bare or (first == "error" and not any(low.get(key) for key in _DATA))
    if low.get("errors"):
        return is_bare or (first == "errors" and not any(low.get(key) for key in _DATA))
    if set(low) == {"detail"}:
        return True
    return _code_says_no(low, is_bare)


def _says_no_in_words(low: Mapping[str, Any]) -> bool:
    """Return whether a body of words only, such as a gateway's message, begins with a refusal or names a failure."""
    words, status = _no(low).words, low.get("status", "error")
    if isinstance(status, str) and status.lower() not in (*_STATUSES, "0") and not status.isdigit():
        return False
    if len(words) > _MESSAGE_LETTERS_MAX:
        return False
    is_refusal = NO_AT_START.match(words) or NO_INSIDE.search(words)
    return is_refusal is not None or any(each.search(words) for _, each in FAILURES)


def _code_says_no(low: Mapping[str, Any], is_bare: bool) -> bool:
    if isinstance(low.get("errcode"), int) and low["errcode"] and "errmsg" in low:
        return True
    code = next((low[key] for key in _CODES if key in low), None)
    has_words = any(low.get(key) for key in _WORDS)
    if isinstance(code, bool) or code is None or not has_words:
        return False
    if isinstance(code, int):
        is_no = code not in (0, 1, *range(200, 400))
        return is_no and ("msg" in low or is_bare)
    return is_bare and str(code).isdigit() and int(code) in _HTTP_NO


def _no(low: Mapping[str, Any]) -> Refusal:
    codes = [low[key] for key in _CODES if key in low]
    inner = low.get("error")
    if isinstance(inner, dict):
        codes += [value for key, value in inner.items() if key.lower() in _CODES]
    words = [text for key in _WORDS if key in low for text in strings_in(low[key])]
    return Refusal(" ".join(str(each) for each in codes if isinstance(each, (str, int))), " ".join(words))
