"""The rules for bodies: classify parsed JSON by its keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.traverse.discriminate.context import Context, asks_a_page
from farm.traverse.discriminate.failures import UNREADABLE
from farm.traverse.discriminate.json_refusals import SAYS_NO, TEXT_KEYS, find_refusal
from farm.traverse.discriminate.phrases import CHECKER
from farm.traverse.discriminate.prose import judge_text
from farm.traverse.discriminate.reasons import NAMES, READ_LETTERS_MAX, find_failure, gives_reason, judge_unreadable
from farm.traverse.discriminate.verdict import Verdict

_COUNTS_DONE = ("succeeded", "successful", "success_count", "succeeded_count", "success", "ok")
_COUNTS_FAILED = ("failed", "failures", "failed_count", "failure_count", "error_count", "errors")


def judge_body(record: Mapping[str, Any], body: Any, context: Context) -> Verdict:
    """Judge an object or a list."""
    body = _without_echo(body, context)
    if (
        isinstance(body, dict)
        and len(body) == 1
        and isinstance(told := next(iter(body.values())), str)
        and set(body) & TEXT_KEYS
    ):
        return judge_text(record, told, context)
    if find_refusal(body) is not None and asks_a_page(record) and context.server_flags:
        return Verdict("success", "the contents of a page", False)
    if find_refusal(body) is not None:
        return judge_refused_body(record, body, context)
    if isinstance(body, list) and body:
        noes = _noes(body, context)
        if all(noes):
            return Verdict("refused", "every item of the body says no", False)
        if any(noes):
            return Verdict("success", "in part: some items of the body say no", False)
    if isinstance(body, dict) and _failed_in_all_parts(body, context):
        return Verdict("refused", "every part of the body says no", False)
    return Verdict("success", "a body that says nothing of a failure", context.is_seed or bool(body))


def _noes(items: list[Any], context: Context) -> list[bool]:
    return [find_refusal(_without_echo(each, context), is_item=True) is not None for each in items]


def _failed_in_all_parts(body: Mapping[str, Any], context: Context) -> bool:
    """Return whether a report lists its parts one by one, and all of them failed."""
    lists = [each for each in body.values() if isinstance(each, list) and each and isinstance(each[0], dict)]
    if len(lists) == 1 and all(_noes(lists[0], context)):
        return True
    counts = {
        key.lower(): value for key, value in body.items() if isinstance(value, int) and not isinstance(value, bool)
    }
    done = [counts[key] for key in _COUNTS_DONE if key in counts]
    failed = [counts[key] for key in _COUNTS_FAILED if key in counts]
    return bool(done and failed) and not any(done) and any(failed)


def _without_echo(body: Any, context: Context) -> Any:
    """Return a body without empty values and without the client's texts, which many servers repeat first."""
    if not isinstance(body, dict):
        return body
    has_error = any(body.get(key) for key in ("error", "errors"))
    own = {
        key: value
        for key, value in body.items()
        if key.lower() in SAYS_NO or not (_is_echo(value, context) or (has_error and value in (False, 0)))
    }
    return own if any(key in body for key in own) else body


def _is_echo(value: Any, context: Context) -> bool:
    if isinstance(value, str):
        return not value or context.sent.has(value)
    return value is None or value in ([], {})


def judge_refused_body(record: Mapping[str, Any], body: Any, context: Context) -> Verdict:
    """Judge a body that refuses."""
    found = find_refusal(body)
    assert found is not None
    words = context.sent.mask(found.words)[:READ_LETTERS_MAX]
    cause = None if CHECKER.search(words) else find_failure(words) or find_failure(f"error {found.code}")
    if cause is not None:
        return Verdict("infrastructure", f"its body says no, in words of {NAMES[cause]}", False, cause)
    if UNREADABLE.search(words):
        return judge_unreadable(record, words, context, "its body says no")
    if context.is_seed and not gives_reason(f"{found.code} {words}"):
        return Verdict(
            "infrastructure", "its body says no without a reason to a call meant to succeed", False, "server"
        )
    return Verdict("refused", "its body says no", not context.is_seed)
