"""Rules of planned faults: how somebody writes one, and which calls it counts.

A rule as written is checked against the app that it is for and against the world's calendar. What comes of it is
complete and plain JSON: it is stored in settings and call logs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from fnmatch import fnmatchcase
from hashlib import blake2b
from math import ceil
from typing import Any

from farm import content
from farm.appkit.app import Tool
from farm.appkit.faults import KINDS, FaultAnswer, Faults
from farm.content import LoadedApp
from farm.context.operators import at_path, find_problem, satisfies
from farm.context.template import World
from farm.errors import FarmError, NotFoundError

LOST = "lost"  # the call is done and committed, and its answer is the vendor's time-out
UNAVAILABLE = "unavailable"  # HTTP 503 in place of an answer
DROPPED = "dropped"  # the connection breaks off in place of an answer
UNAUTHORIZED = "unauthorized"  # HTTP 401 in place of an answer, until somebody ends the fault
SLOW = "slow"  # the answer comes late
PARTIAL = "partial"  # the page that is answered has fewer items
WORDS_OF = {LOST: "timeout"}  # kind → the kind whose words it takes
OWN_KINDS = (UNAVAILABLE, LOST, SLOW, PARTIAL, DROPPED, UNAUTHORIZED)
ALL_KINDS = (*KINDS, *OWN_KINDS)
KEYS = (
    *("id", "app", "kind", "tools", "where", "attempts", "calls", "share", "from", "until"),
    *("retry_after", "heals_after", "delay", "items_max"),
)
# What real servers call the size of a page, also inside of one object (``params.page_size``).
PAGE_SIZES = ("limit", "page_size", "max_results", "maxResults", "size")
DELAY_S_MAX = 300
RETRY_AFTER = "30s"  # where a rule says nothing
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DURATION = re.compile(r"([0-9]{1,6})(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_DAY_AND_TIME = re.compile(r"([+-][0-9]{1,4}) ([0-9]{2}:[0-9]{2})")


@dataclass(frozen=True)
class Calendar:
    """What a day of the world is: ``+0`` is the Monday in which it begins."""

    monday: date
    zone: tzinfo

    @classmethod
    def of(cls, world: World, shift_days: int) -> Calendar:
        """Return the calendar of a world that is moved by whole weeks."""
        return cls(world.monday + timedelta(days=shift_days), world.zone)


@dataclass(slots=True)
class Rule:
    """One rule of a plan, and its counts.

    Attributes:
        id: its name in logs and traces.
        kind: one of ``ALL_KINDS``.
        tools: names or globs of tools; ``reads`` and ``writes`` are all tools of that sort.
        where: dotted path of an argument → the value that it equals, or a table of operators.
        attempts: of the same tool and arguments, which ones fail; empty for all.
        calls: of the matching calls in order of arrival, which ones fail; empty for all.
        share: the part of the matching calls that fails, drawn by seed, rule, arguments and attempt.
        from_ms, until_ms: the simulated time in which calls match; None for no bound.
        retry_after_s: the delay that the vendor's words promise.
        heals_after: the number of failed calls after which the rule is over; 0 for never.
        delay_s: how late a slow answer comes.
        items_max: the largest page of a partial answer.
        matched: the number of calls that it counted.
        failed: the number of them that fell to it.
        seen: call → its attempts so far.
    """

    id: str
    kind: str
    tools: tuple[str, ...] = ("*",)
    where: Mapping[str, Any] = field(default_factory=dict)
    attempts: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()
    share: float = 1.0
    from_ms: int | None = None
    until_ms: int | None = None
    retry_after_s: int = 30
    heals_after: int = 0
    delay_s: float = 0.0
    items_max: int = 0
    is_healed: bool = False
    matched: int = 0
    failed: int = 0
    seen: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Rule:
        """Return the rule that ``require_fault`` has checked."""
        made: dict[str, Any] = {f"{name}_ms": _ms(raw[name]) for name in ("from", "until") if name in raw}
        if "retry_after" in raw:
            made["retry_after_s"] = ceil(seconds_of(raw["retry_after"]))
        if "delay" in raw:
            made["delay_s"] = seconds_of(raw["delay"])
        made |= {name: tuple(raw[name]) for name in ("tools", "attempts", "calls") if name in raw}
        made |= {
            name: raw[name] for name in ("id", "kind", "where", "share", "heals_after", "items_max") if name in raw
        }
        return cls(**made)

    def matches(self, tool: Tool, arguments: Mapping[str, Any], now_ms: int) -> bool:
        """Return whether the rule counts a call."""
        if self.is_healed or (self.heals_after and self.failed >= self.heals_after):
            return False
        if not ((self.from_ms or 0) <= now_ms and (self.until_ms is None or now_ms < self.until_ms)):
            return False
        if not is_named(tool, self.tools):
            return False
        return all(satisfies(wanted, at_path(arguments, path)) for path, wanted in self.where.items())

    def count(self, key: str, seed: int) -> bool:
        """Count a matching call and return whether it fails."""
        attempt = self.seen[key] = self.seen.get(key, 0) + 1
        self.matched += 1
        if (self.attempts and attempt not in self.attempts) or (self.calls and self.matched not in self.calls):
            return False
        if self.share < 1.0:
            # Drawn by the call and its attempt: the order in which parallel calls arrive decides nothing.
            drawn = blake2b(f"{seed}:{self.id}:{key}:{attempt}".encode(), digest_size=8).digest()
            return int.from_bytes(drawn, "big") < self.share * (1 << 64)
        return True

    def show(self) -> dict[str, Any]:
        """Return the rule's standing for an operator."""
        return {
            "id": self.id,
            "kind": self.kind,
            "tools": self.tools,
            "matched": self.matched,
            "failed": self.failed,
        } | ({"healed": True} if self.is_healed else {})


def is_named(tool: Tool, names: Iterable[str]) -> bool:
    """Return whether names, globs, ``reads`` or ``writes`` include a tool."""
    sort = "writes" if tool.writes else "reads"
    return any(each == sort or fnmatchcase(tool.name, each) for each in names)


def _ms(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp() * 1000)


def seconds_of(duration: str) -> float:
    """Return the seconds of a checked duration such as ``5m``."""
    number, unit = _DURATION.fullmatch(duration).groups()  # type: ignore[union-attr] # it was checked
    return int(number) * _SECONDS[unit]


def parse_duration(given: str) -> float:
    """Return the seconds of a duration that somebody wrote.

    Raises:
        FarmError: it is none.
    """
    if not _DURATION.fullmatch(given):
        raise FarmError(f"a duration is a number and ms, s, m, h or d, such as 90s or 2h, not {given!r}")
    return seconds_of(given)


def answers_of(loaded: LoadedApp) -> Faults:
    """Return an app's wordings; empty if it has none."""
    return content.kernel_declaration(loaded.app.name, "faults", "FAULTS") or {}


def page_size_path(schema: Mapping[str, Any]) -> str | None:
    """Return the dotted path of the argument that sizes a page, or None."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in PAGE_SIZES:
        if name in properties:
            return name
    for outer, inner in properties.items():
        nested = inner.get("properties", {}) if isinstance(inner, Mapping) else {}
        for name in PAGE_SIZES:
            if name in nested:
                return f"{outer}.{name}"
    return None


def page_sizes(loaded: LoadedApp) -> dict[str, str]:
    """Return tool → the dotted path of the argument that sizes its pages, for the tools that have one."""
    found = ((each["name"], page_size_path(each["inputSchema"])) for each in loaded.tool_schemas)
    return {name: path for name, path in found if path is not None}


def require_fault(
    loaded: LoadedApp, raw: Any, taken: Iterable[str] = (), calendar: Calendar | None = None
) -> dict[str, Any]:
    """Check a rule as somebody writes it, and return it complete.

    Args:
        loaded: the app.
        raw: the rule; ``app`` may be absent.
        taken: ids of the rules there are.
        calendar: the world's, for times written as ``+0 09:30``; None for no world.

    Raises:
        FarmError: a key, kind, tool or value is unknown; the message names what there is.
    """
    taken = [*taken]
    if not isinstance(raw, Mapping):
        raise FarmError(f"a fault is an object with {', '.join(KEYS)}, not {raw!r}")
    for key in sorted(set(raw) - set(KEYS)):
        raise FarmError(f"unknown key '{key}' of a fault; it takes {', '.join(KEYS)}")
    kind = raw.get("kind")
    _require_kind(loaded, kind)
    rule_id = raw.get("id") or next(n for i in range(1, len(taken) + 2) if (n := f"{kind}-{i}") not in taken)
    if not isinstance(rule_id, str) or not _ID.fullmatch(rule_id) or rule_id in taken:
        raise FarmError(f"'id' of a fault must be a new name, not {rule_id!r}")
    tools = _tools(loaded, raw.get("tools", ["*"]))
    made = {"id": rule_id, "app": loaded.app.name, "kind": kind, "tools": tools, "where": _where(raw.get("where", {}))}
    return made | _times(raw, calendar) | _counts(raw) | _options(loaded, raw, tools)


def _require_kind(loaded: LoadedApp, kind: Any) -> None:
    name, answers = loaded.app.name, answers_of(loaded)
    have = [each for each in ALL_KINDS if (each in OWN_KINDS and each != LOST) or _is_worded(answers, each)]
    if kind in have:
        return
    having = f"{name} has {', '.join(have)}"
    if kind not in ALL_KINDS:
        raise FarmError(f"no kind of fault {kind!r}; {having}")
    reason = getattr(answers.get(WORDS_OF.get(kind, kind)), "reason", "")
    raise FarmError(f"{name} has no wording of '{kind}'{f' ({reason})' if reason else ''}; {having}")


def _is_worded(answers: Faults, kind: str) -> bool:
    return isinstance(answers.get(WORDS_OF.get(kind, kind)), FaultAnswer)


def _tools(loaded: LoadedApp, given: Any) -> list[str]:
    tools = [given] if isinstance(given, str) else given
    if not isinstance(tools, list) or not tools or not all(isinstance(each, str) for each in tools):
        raise FarmError(f"'tools' of a fault must be a list of names, not {given!r}")
    for each in tools:
        if not any(is_named(bound.tool, [each]) for bound in loaded.bound.values()):
            raise NotFoundError(f"no tool '{each}' of {loaded.app.name}; see 'farm tools {loaded.app.name}'")
    return tools


def _where(given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise FarmError(f"'where' of a fault must be an object of arguments, not {given!r}")
    for name, wanted in given.items():
        if problem := find_problem(wanted):
            raise FarmError(f"'where' of a fault, '{name}': {problem}")
    return dict(given)


def _counts(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return which of the matching calls fail; without a word on it, the first attempt of each."""
    found: dict[str, Any] = {key: _numbers(raw[key], key) for key in ("attempts", "calls") if key in raw}
    share = raw.get("share", 1.0)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share <= 1:
        raise FarmError(f"'share' of a fault must be above 0 and at most 1, not {share!r}")
    heals_after = raw.get("heals_after", 0)
    if isinstance(heals_after, bool) or not isinstance(heals_after, int) or heals_after < 0:
        raise FarmError(f"'heals_after' of a fault must be a number of calls, not {heals_after!r}")
    if not found and raw["kind"] != UNAUTHORIZED and not {"share", "heals_after", "from", "until"} & raw.keys():
        found["attempts"] = [1]
    return found | {"share": share, "heals_after": heals_after}


def _numbers(given: Any, name: str) -> list[int]:
    if not isinstance(given, list) or not given or not all(type(each) is int and each > 0 for each in given):
        raise FarmError(f"'{name}' of a fault must be a list of numbers from 1 on, not {given!r}")
    return given


def _times(raw: Mapping[str, Any], calendar: Calendar | None) -> dict[str, str]:
    found = {name: _moment(raw[name], name, calendar) for name in ("from", "until") if raw.get(name) is not None}
    if len(found) == 2 and _ms(found["from"]) >= _ms(found["until"]):
        raise FarmError(f"'until' of a fault must be after its 'from', {raw['from']}")
    return found


def _moment(given: Any, name: str, calendar: Calendar | None) -> str:
    """Return a moment as RFC 3339; ``+1 09:30`` is Tuesday of the world's first week."""
    words = "a time such as 2026-03-09T09:30:00+08:00"
    words += ", or days after the world's Monday and a time of day such as '+0 09:30'" if calendar else ""
    if calendar is not None and isinstance(given, str) and (parts := _DAY_AND_TIME.fullmatch(given)):
        try:
            day = calendar.monday + timedelta(days=int(parts[1]))
            return datetime.combine(day, time.fromisoformat(parts[2]), calendar.zone).isoformat()
        except ValueError:
            raise FarmError(f"'{name}' of a fault must be {words}, not {given!r}") from None
    try:
        moment = datetime.fromisoformat(given)
    except (TypeError, ValueError):
        raise FarmError(f"'{name}' of a fault must be {words}, not {given!r}") from None
    if moment.tzinfo is None:
        raise FarmError(f"'{name}' of a fault needs an offset from UTC, such as {moment.isoformat()}+08:00")
    return moment.isoformat()


def _options(loaded: LoadedApp, raw: Mapping[str, Any], tools: Iterable[str]) -> dict[str, Any]:
    """Return what only some kinds take."""
    kind, found = raw["kind"], {"retry_after": _duration(raw.get("retry_after", RETRY_AFTER), "retry_after")}
    for key, owner in (("delay", SLOW), ("items_max", PARTIAL)):
        if key in raw and kind != owner:
            raise FarmError(f"'{key}' is of faults of the kind {owner}, not of {kind}")
    if kind == SLOW:
        return found | {"delay": _delay(raw.get("delay", "5s"))}
    if kind == PARTIAL:
        return found | {"items_max": _items_max(loaded, raw.get("items_max", 1), tools)}
    return found


def _duration(given: Any, name: str) -> str:
    if not isinstance(given, str) or not _DURATION.fullmatch(given):
        raise FarmError(f"'{name}' of a fault must be a duration such as 30s or 5m, not {given!r}")
    return given


def _delay(given: Any) -> str:
    delay = _duration(given, "delay")
    if not 0 < seconds_of(delay) <= DELAY_S_MAX:
        raise FarmError(f"'delay' of a fault must be from 1ms to {DELAY_S_MAX}s, not {given!r}")
    return delay


def _items_max(loaded: LoadedApp, given: Any, tools: Iterable[str]) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise FarmError(f"'items_max' of a fault must be a number from 1 on, not {given!r}")
    sized = page_sizes(loaded)
    if not any(is_named(loaded.bound[name].tool, tools) for name in sized if name in loaded.bound):
        have = ", ".join(sorted(sized)) or "no tool"
        raise FarmError(
            f"no tool among {', '.join(tools)} takes a size of page; of {loaded.app.name}, these do: {have}"
        )
    return given
