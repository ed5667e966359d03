"""zod 4: issues with a code and a message each, which newer SDKs print as lines instead of JSON.

Real servers: Lark (``Zod4()``: SDK 1.32, a line ``message at place`` an issue), Notion (``Zod4(sdk="1.29.0")``: JSON),
Context7 and DeepSeek (``Zod4(sdk="2.0.0")``: one line, ``place: message``). Sources: their recorded calls; the
published packages of zod 4.1 to 4.6 and the SDK.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from farm.appkit.dialects._base import version
from farm.appkit.dialects._javascript import received, received_4
from farm.appkit.dialects._zod_messages import Issue, Keyword, Measured, Path, Words
from farm.appkit.dialects._zod_server import ZodServer
from farm.appkit.formats.javascript import js_length, js_string

_FORMATS = {
    "email": "email address",
    "uri": "URL",
    "uuid": "UUID",
    "date-time": "ISO datetime",
    "date": "ISO date",
    "time": "ISO time",
    "duration": "ISO duration",
    "ipv4": "IPv4 address",
    "ipv6": "IPv6 address",
    "base64": "base64-encoded string",
    "base64url": "base64url-encoded string",
}
_CODES = {"uri": "url", "date-time": "datetime"}
_PARTS = {
    "starts_with": ("prefix", "start with"),
    "ends_with": ("suffix", "end with"),
    "includes": ("includes", "include"),
}
_UNITS = {"string": "characters", "array": "items"}
_COMPARED = {"minimum": ">=", "maximum": "<=", "exclusiveMinimum": ">", "exclusiveMaximum": "<", "exact": "exactly "}


def _issue(path: Path, message: str, *, fatal: bool = True, **body: Any) -> Issue:
    return Issue(path, message, fatal, body={**body, "path": list(path), "message": message})


@dataclass(frozen=True)
class _Words:
    """zod 4's English texts, by release."""

    release: tuple[int, ...]
    patterns: Mapping[str, str] = field(default_factory=dict, hash=False)

    strict_objects = True
    record = "record"
    late_sizes = True
    exact_numbers = True
    anyof_discriminates = False

    @property
    def too_many_is_enough(self) -> bool:
        return self.release >= (4, 6, 6)

    def length(self, text: str) -> int:
        return len(text) if self.release >= (4, 5) else js_length(text)

    def type(self, path: Path, expected: str, value: Any) -> Issue:
        found = received_4(value)
        # Only if a number is expected does an issue name NaN or Infinity, and then without the sign.
        is_odd = found.endswith(("NaN", "Infinity")) and expected == "number"
        shown: dict[str, Any] = {"received": found.removeprefix("-")} if is_odd else {}
        if self.release < (4, 5) and found != "NaN":
            found = received(value)
        message = f"Invalid input: expected {expected}, received {found}"
        return _issue(path, message, expected=expected, code="invalid_type", **shown)

    def anything(self, path: Path) -> list[Issue]:
        message = "Invalid input: expected nonoptional, received undefined"
        return [_issue(path, message, code="invalid_type", expected="nonoptional")]

    def integer(self, path: Path) -> Issue:
        message = "Invalid input: expected int, received number"
        return _issue(path, message, expected="int", format="safeint", code="invalid_type")

    def enum(self, path: Path, options: Sequence[Any], value: Any) -> Issue:
        if len(options) == 1:
            return self.literal(path, options[0], value)
        message = f"Invalid option: expected one of {'|'.join(map(_primitive, options))}"
        return _issue(path, message, code="invalid_value", values=list(options))

    def literal(self, path: Path, expected: Any, value: Any) -> Issue:
        return _issue(path, f"Invalid input: expected {_primitive(expected)}", code="invalid_value", values=[expected])

    def bound(self, path: Path, measured: Measured, is_small: bool, bound: Any, how: Keyword) -> Issue:
        word, code, limit = ("small", "too_small", "minimum") if is_small else ("big", "too_big", "maximum")
        compared = _COMPARED[how if how != "exact" or self.release >= (4, 5) else limit] + js_string(bound)
        body: dict[str, Any]
        if measured == "int":
            note = "Integers must be within the safe integer range."
            body = {"code": code, limit: bound, "note": note, "origin": measured, "inclusive": True}
        else:
            body = {"origin": measured, "code": code, limit: bound, "inclusive": not how.startswith("exclusive")}
        if how == "exact":
            body["exact"] = True
        what = f"have {compared} {_UNITS[measured]}" if measured in _UNITS else f"be {compared}"
        message = f"Too {word}: expected {measured} to {what}"
        return _issue(path, message, fatal=False, **body)

    def size(self, path: Path, is_small: bool, bound: int) -> Issue:
        word, code, limit = ("small", "too_small", "minimum") if is_small else ("big", "too_big", "maximum")
        message = f"Too {word}: expected array to have {_COMPARED[limit]}{bound} items"
        body: dict[str, Any] = {"code": code, limit: bound, "inclusive": True, "origin": "array"}
        return _issue(path, message, **body)

    def multiple(self, path: Path, divisor: Any) -> Issue:
        message = f"Invalid number: must be a multiple of {js_string(divisor)}"
        return _issue(path, message, fatal=False, origin="number", code="not_multiple_of", divisor=divisor)

    def format(self, path: Path, name: str, pattern: str) -> Issue:
        if name == "uri":
            return _issue(path, "Invalid URL", fatal=False, code="invalid_format", format="url")
        body: dict[str, Any] = {"origin": "string", "code": "invalid_format", "format": _CODES.get(name, name)}
        if name in _PARTS:
            key, verb = _PARTS[name]
            part = _literal_part(pattern)
            return _issue(path, f'Invalid string: must {verb} "{part}"', fatal=False, **body, **{key: part})
        body["pattern"] = f"/{pattern}/"
        if name == "regex":
            told = self.patterns.get(pattern, f"Invalid string: must match pattern /{pattern}/")
            return _issue(path, told, fatal=False, **body)
        return _issue(path, f"Invalid {_FORMATS.get(name, name)}", fatal=False, **body)

    def unrecognized(self, path: Path, keys: Sequence[str]) -> Issue:
        plural = "s" if len(keys) > 1 else ""
        message = f"Unrecognized key{plural}: {', '.join(map(_primitive, keys))}"
        return _issue(path, message, fatal=False, code="unrecognized_keys", keys=list(keys))

    def key(self, path: Path, issues: list[Issue]) -> list[Issue]:
        if not issues:
            return []
        inner = [{**issue.body, "path": []} for issue in issues]
        return [_issue(path, "Invalid key in record", code="invalid_key", origin="record", issues=inner)]

    def union(self, path: Path, branches: Sequence[list[Issue]]) -> list[Issue]:
        near = [issues for issues in branches if not any(issue.fatal for issue in issues)]
        if len(near) == 1:
            return near[0]
        errors = [[{**issue.body, "path": list(issue.path[len(path) :])} for issue in issues] for issues in branches]
        return [_issue(path, "Invalid input", code="invalid_union", errors=errors)]

    def custom(self, path: Path, message: str) -> Issue:
        return Issue(path, message, False, body={"code": "custom", "message": message, "path": list(path)})

    def discriminator(self, path: Path, options: Sequence[Any]) -> Issue:
        named = " | ".join(f"'{option}'" for option in options)
        is_told = self.release >= (4, 4)
        body: dict[str, Any] = {"code": "invalid_union", "errors": [], "note": "No matching discriminator"}
        body["discriminator"] = path[-1]
        if is_told:
            body["options"] = list(options)
        return _issue(path, f"Invalid discriminator value. Expected {named}" if is_told else "Invalid input", **body)


def _primitive(value: Any) -> str:
    return f'"{value}"' if type(value) is str else js_string(value)


def _literal_part(pattern: str) -> str:
    """Recover the text from the pattern that zod publishes for a prefix, a suffix or a part."""
    bare = pattern.removeprefix("^").removesuffix(".*").removeprefix(".*").removesuffix("$")
    return bare.replace("\\", "")


@dataclass(frozen=True)
class Zod4(ZodServer):
    """A server on zod 4; the other parameters are those of ``ZodServer``.

    Attributes:
        zod: version of zod, which decides some texts.
        patterns: pattern of a string → the server schema's own message for a mismatch.
    """

    sdk: str = "1.32.2"
    zod: str = "4.6.7"
    patterns: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def _words(self) -> Words:
        return _Words(version(self.zod), self.patterns)
