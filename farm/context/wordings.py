"""Other wordings of what a world's people say by rules: ``[[worded]]`` in its ``people/*.toml``, kept by the text.

A rule decides what is said, and its text stands where nothing else is kept. Wordings are those of one text of one
person: once the text is another, they are no longer read.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

WORDED = "worded"
KEYS = {"rule", "of", "texts"}
# What is filled in: facts and dates, columns of the row, accounts.
_PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}|\{row\.\w+\}|\{@[\w.-]+\}")


def digest_of(who: str, text: str) -> str:
    """Return what a person's text is found by; the text is as its file has it, with references to facts."""
    return hashlib.sha256(f"{who}\n{text}".encode()).hexdigest()[:16]


def placeholders_in(text: str) -> Counter[str]:
    """Return what is filled into a text, as often as it stands there."""
    return Counter(_PLACEHOLDER.findall(text))


def without_placeholders(text: str) -> str:
    """Return a text without what is filled in."""
    return _PLACEHOLDER.sub(" ", text)


def find_problem(text: str, wording: Any) -> str | None:
    """Return why a wording does not tell what a text tells, or None."""
    if not isinstance(wording, str) or not wording.strip():
        return f"a wording is a text, not {wording!r}"
    wanted, found = placeholders_in(text), placeholders_in(wording)
    if missing := wanted - found:
        return f"does not tell {next(iter(missing))}"
    if more := found - wanted:
        return f"tells {next(iter(more))}, which the text does not tell, or not so often"
    return None


def wordings_in(entries: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return text's digest → its wordings."""
    return {str(each.get("of")): list(each.get("texts", ())) for each in entries}


def with_wordings(
    rule: Mapping[str, Any], as_written: Mapping[str, Any], wordings: Mapping[str, list[str]]
) -> Mapping[str, Any]:
    """Return a rule whose texts are a choice of their wordings, where there are some.

    Args:
        rule: the rule with its facts filled in.
        as_written: the same as its file has it.
        wordings: text's digest → wordings with their facts filled in.
    """
    then, written = rule.get("then"), as_written.get("then")
    if not wordings or not isinstance(then, list) or not isinstance(written, list):
        return rule
    steps = []
    for step, own in zip(then, written, strict=True):
        text = own.get("text") if isinstance(own, Mapping) else None
        found = wordings.get(digest_of(str(rule.get("who")), text)) if isinstance(text, str) else None
        steps.append({**step, "text": found} if found else step)
    return {**rule, "then": steps}
