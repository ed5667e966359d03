"""Planned faults of one context: calls that fail in the vendor's words, or by the network, the same ones every time.

A plan is lines of the call log, like moves of the clock: ``{"fault": {…}, "after": 3}`` and ``{"heal": "ID",
"after": 5}``. A call's line names the rules that counted it (``counted``) and the one that it fell to (``fault``). So a
plan and its counts are wherever the log is: in snapshots, forks, exports, and after a killed process.

A context with a plan has its own table of bound tools; all others use the app's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import Any

import orjson

from farm._util.json_io import dumps_lossy
from farm.appkit.app import Tool
from farm.appkit.faults import FaultAnswer
from farm.appkit.handler_api import Episode, ProtocolError, Result, VendorError
from farm.content import BoundTool, LoadedApp
from farm.context.fault_rules import (
    DROPPED,
    LOST,
    PARTIAL,
    SLOW,
    UNAUTHORIZED,
    UNAVAILABLE,
    WORDS_OF,
    Rule,
    answers_of,
    page_sizes,
    require_fault,
)
from farm.errors import NotFoundError


@dataclass(frozen=True, slots=True)
class Delivery:
    """How the answer of a call reaches its client, if not at once and whole.

    Attributes:
        delay_s: the seconds after which it is sent.
        status: the HTTP status that it is sent with; 0 for its own.
        retry_after_s: the Retry-After of a status 503.
        breaks_off: whether the connection is closed instead.
        expires: whether the bearer is refused from then on.
    """

    delay_s: float = 0.0
    status: int = 0
    retry_after_s: int = 0
    breaks_off: bool = False
    expires: bool = False


class NoAnswerError(ProtocolError):
    """What a caller in process gets where a client would have no answer: the code that MCP's SDKs use for that."""

    code = -32000


class FaultPlan:
    """The planned faults of one app in one episode.

    Attributes:
        bound: the context's own table of bound tools.
        rules: the rules in order; the first that a call falls to decides.
        undone: the number of calls that failed before they did anything.
    """

    def __init__(self, loaded: LoadedApp, seed: int) -> None:
        self._loaded, self._seed = loaded, seed
        self._answers, self._page_sizes = answers_of(loaded), page_sizes(loaded)
        self._fate: tuple[Tool, Rule | None] | None = None
        self._counted: dict[str, str] = {}
        self._failing: Rule | None = None
        self._delivery: Delivery | None = None
        self.rules: list[Rule] = []
        self.undone = 0
        self.bound: dict[str, BoundTool] = {
            name: replace(bound, tool=replace(bound.tool, handler=partial(self._handle, bound.tool)))
            for name, bound in loaded.bound.items()
        }

    def add(self, raw: Mapping[str, Any]) -> None:
        """Add a rule that ``require_fault`` has checked."""
        self.rules.append(Rule.of(raw))

    def require(self, rule_id: str) -> Rule:
        """Return a rule.

        Raises:
            NotFoundError: there is none of this id.
        """
        for rule in self.rules:
            if rule.id == rule_id:
                return rule
        have = ", ".join(rule.id for rule in self.rules) or "none"
        raise NotFoundError(f"no fault '{rule_id}' is planned in {self._loaded.app.name}; have {have}")

    def replay(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Bring the plan to where a log ends."""
        for entry in entries:
            if "n" not in entry:
                if "fault" in entry:
                    # A log may come from another farm.
                    self.add(require_fault(self._loaded, entry["fault"], [rule.id for rule in self.rules]))
                elif "heal" in entry:
                    self.require(entry["heal"]).is_healed = True
                continue
            for rule_id, key in entry.get("counted", {}).items():
                rule = self.require(rule_id)
                rule.seen[key] = rule.seen.get(key, 0) + 1
                rule.matched += 1
            if "fault" in entry:
                self.require(entry["fault"]).failed += 1
                self.undone += bool(entry.get("refused")) and not entry.get("wrote")

    def take_flags(self) -> bytes:
        """Return what the log line of the call that ends says of the plan, and be ready for the next call."""
        told = b"" if not self._counted else b',"counted":%b' % orjson.dumps(self._counted)
        if self._failing is not None:
            told += b',"fault":%b' % orjson.dumps(self._failing.id)
        self._fate, self._counted, self._failing = None, {}, None
        return told

    def take_delivery(self) -> Delivery | None:
        """Return how the answer of the call that ended reaches its client; None for at once."""
        found, self._delivery = self._delivery, None
        return found

    def _handle(self, tool: Tool, ep: Episode, /, **cleaned: Any) -> Result:
        """Do what the tool's own handler does, unless a rule decides otherwise."""
        if self._fate is None or self._fate[0] is not tool:
            # A handler that met a lone surrogate runs a second time; that is still one call.
            self._fate = tool, self._decide(tool, cleaned, ep.now_ms)
            if (rule := self._fate[1]) is not None:
                self._failing = rule
                rule.failed += 1
        rule = self._fate[1]
        if rule is None:
            return tool.handler(ep, **cleaned)
        if rule.kind == PARTIAL:
            return tool.handler(ep, **_with_page(cleaned, self._page_sizes[tool.name], rule.items_max))
        if rule.kind == SLOW:
            self._delivery = Delivery(delay_s=rule.delay_s)
            return tool.handler(ep, **cleaned)
        if rule.kind == LOST:
            tool.handler(ep, **cleaned)
        error = self._refusal(rule, tool, ep)
        self.undone += not error.commits
        raise error

    def _refusal(self, rule: Rule, tool: Tool, ep: Episode) -> VendorError:
        """Return the error of a call that falls to a rule."""
        if rule.kind == UNAVAILABLE:
            self._delivery = Delivery(status=503, retry_after_s=rule.retry_after_s)
            return NoAnswerError("Service Unavailable")
        if rule.kind == UNAUTHORIZED:
            # A rule that says which calls fail refuses those alone.
            is_for_good = not (rule.attempts or rule.calls or rule.heals_after) and rule.share == 1.0
            self._delivery = Delivery(status=401, expires=is_for_good)
            return NoAnswerError("Unauthorized: the access token expired")
        if rule.kind == DROPPED:
            self._delivery = Delivery(breaks_off=True)
            return NoAnswerError("Connection closed")
        answer = self._answers[WORDS_OF.get(rule.kind, rule.kind)]
        assert isinstance(answer, FaultAnswer), "an unknown wording is refused when planned"
        error = answer.make(ep, tool.name, rule.retry_after_s)
        error.commits = rule.kind == LOST and bool(tool.writes)
        return error

    def _decide(self, tool: Tool, cleaned: Mapping[str, Any], now_ms: int) -> Rule | None:
        key = ""
        for rule in self.rules:
            if rule.kind == PARTIAL and tool.name not in self._page_sizes:
                continue
            if rule.matches(tool, cleaned, now_ms):
                key = key or _key(tool.name, cleaned)
                self._counted[rule.id] = key
                if rule.count(key, self._seed):
                    return rule
        return None


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    try:
        said = orjson.dumps(arguments, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    except orjson.JSONEncodeError:
        said = dumps_lossy(dict(sorted(arguments.items())))
    return blake2b(tool.encode() + said, digest_size=8).hexdigest()


def _with_page(arguments: dict[str, Any], path: str, items_max: int) -> dict[str, Any]:
    """Return arguments that ask for a page of at most so many items."""
    outer, _, inner = path.partition(".")
    given = arguments.get(outer)
    if inner:
        return {**arguments, outer: _with_page(dict(given or {}), inner, items_max)}
    size = given if isinstance(given, int) and 0 < given < items_max else items_max
    return {**arguments, outer: size}


def as_line(rule: Mapping[str, Any], after: int = 0) -> bytes:
    """Return the log line of a checked rule."""
    return orjson.dumps({"fault": rule, "after": after}) + b"\n"
