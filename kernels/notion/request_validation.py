"""How the API words what is wrong with a request: ``body failed validation``, with the place and what stands there."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from farm.appkit import compact_json
from farm.appkit.formats.javascript import js_length

from . import errors

COLORS = ("default", "gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red")
TEXT_COLORS = (*COLORS, "default_background", *(f"{color}_background" for color in COLORS[1:]))

# Versions 1 to 8 of the variant that everybody uses: an id of another variant is refused, which is recorded.
_UUID = re.compile(r"([0-9a-f]{8})-?([0-9a-f]{4})-?([1-8][0-9a-f]{3})-?([89ab][0-9a-f]{3})-?([0-9a-f]{12})", re.I)
_CUT, _CUT_FROM = 55, 58
_BODY_MAX = 500 * 1024
# Control characters and the space.
_SPACES = "".join(map(chr, range(0x21)))
_MISSING = object()

_KINDS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "string": ("a string", lambda value: type(value) is str),
    "boolean": ("a boolean", lambda value: type(value) is bool),
    "number": ("a number", lambda value: type(value) in (int, float)),
    "object": ("an object", lambda value: type(value) is dict),
    "array": ("an array", lambda value: type(value) is list),
}


def show(value: Any) -> str:
    """Return a value as a message quotes it: JSON, cut where it is long."""
    text = "undefined" if value is _MISSING else compact_json(value)
    return f"{text[:_CUT]}..." if len(text) > _CUT_FROM else text


def fault(place: str, expected: str, value: Any = _MISSING) -> str:
    """Return the sentence on one place."""
    return f"{place} should be {expected}, instead was `{show(value)}`."


def refuse(*faults: str) -> errors.Invalid:
    """Return the refusal of a request with these faults, the first of which names the part: body, path or query."""
    part = re.match(r"\w+", faults[0])
    head = f"{part[0] if part else 'body'} failed validation"
    return errors.Invalid(f"{head}: {faults[0]}" if len(faults) == 1 else f"{head}. Fix one:\n" + "\n".join(faults))


def either(*expected: str) -> str:
    """Return several things that would do as a message names them."""
    if len(expected) < 3:
        return " or ".join(expected)
    return f"{', '.join(expected[:-1])}, or {expected[-1]}"


@dataclass(frozen=True, slots=True)
class RequestField:
    """A value in a request, where it stands, and what else may stand there."""

    value: Any
    path: str = "body"
    others: tuple[str, ...] = ()

    def or_else(self, *others: str) -> RequestField:
        """Return the same place, of which a refusal also names what else would do: `null`, or nothing."""
        return replace(self, others=others)

    def fault(self, *expected: str) -> errors.Invalid:
        """Return the refusal of what stands here."""
        return refuse(fault(self.path, either(*expected, *self.others), self.value))

    @property
    def is_there(self) -> bool:
        """Whether anything was sent."""
        return self.value is not _MISSING

    def at(self, key: str) -> RequestField:
        """Return a member, there or not; of what is an object."""
        return RequestField(self.value.get(key, _MISSING), f"{self.path}.{key}")

    def items(self) -> list[RequestField]:
        """Return the items of an array."""
        return [RequestField(each, f"{self.path}[{number}]") for number, each in enumerate(self.value)]

    def given(self) -> RequestField:
        """Refuse where nothing was sent."""
        if not self.is_there:
            raise self.fault("defined")
        return self

    def a(self, kind: str) -> RequestField:
        """Refuse what is not of a kind: string, boolean, number, object or array."""
        words, test = _KINDS[kind]
        if not test(self.given().value):
            raise self.fault(words)
        return self

    def one_of(self, options: Sequence[str]) -> RequestField:
        """Refuse what is none of some texts."""
        if self.given().value not in options:
            raise self.fault(*(f'`"{option}"`' for option in options))
        return self

    def most(self, limit: int) -> RequestField:
        """Refuse what is longer than a text or an array may be."""
        length = js_length(self.value) if type(self.value) is str else len(self.value)
        if length > limit:
            raise refuse(fault(f"{self.path}.length", f"≤ `{limit}`", length))
        return self

    def uuid(self) -> str:
        """Return an id with its dashes, or refuse what is none."""
        given = self.given().value
        found = _UUID.fullmatch(given) if type(given) is str else None
        if found is None:
            raise self.fault("a valid uuid")
        return "-".join(found.groups()).lower()

    def only(self, *keys: str) -> RequestField:
        """Refuse members that nobody knows."""
        strange = [
            fault(f"{self.path}.{key}", "not present", each) for key, each in self.value.items() if key not in keys
        ]
        if strange:
            raise refuse(*strange)
        return self


def body(**members: Any) -> RequestField:
    """Return a request's body; members that are None were not sent.

    Raises:
        PayloadTooLarge: it has over 500 KB as JSON.
    """
    sent = {key: value for key, value in members.items() if value is not None}
    if len(compact_json(sent).encode(errors="replace")) > _BODY_MAX:
        raise errors.PayloadTooLarge
    return RequestField(sent)


def path_id(name: str, given: Any, *after: str) -> str:
    """Return the id that the server put into the URL of a request.

    Args:
        name: such as ``page_id``, of ``/v1/pages/{page_id}``.
        after: what follows the id in the URL.

    Raises:
        InvalidRequestUrl: it made another URL of it.
        Invalid: it is no id.
    """
    kind = f"{name.removesuffix('_id')}s"
    match url_path(kind, given, *after):
        case ["v1", found, text, *rest] if found == kind and text and rest == list(after):
            return RequestField(unquote(text), f"path.{name}").uuid()
    raise errors.InvalidRequestUrl


def url_path(kind: str, given: Any, *after: str) -> list[str]:
    """Return the path of a URL that was put together, as it is parsed (WHATWG URL, section 4.4).

    Spaces at the end of a URL are dropped, tabs and line ends anywhere; ``..`` leads back.
    """
    text = given if type(given) is str else compact_json(given)
    if not after:
        text = text.rstrip(_SPACES)
    text = re.sub(r"[\t\r\n]", "", re.split(r"[?#]", text)[0])
    path: list[str] = []
    dots = ""
    for segment in ("v1", kind, *re.split(r"[/\\]", text), *after):
        dots = segment.lower().replace("%2e", ".")
        if dots == "..":
            del path[-1:]
        elif dots != ".":
            path.append(segment)
    # Dots at the end leave a slash behind.
    return [*path, ""] if dots in (".", "..") else path


def page_size(given: Any, part: str = "body") -> int:
    """Return how many results a page has; the server sends none where it is zero."""
    if given is None or given == 0:
        return 100
    place = RequestField(given, f"{part}.page_size").or_else("`undefined`").a("number")
    if not math.isfinite(given) or given != int(given):
        raise place.fault("an integer")
    if not 1 <= given <= 100:
        raise place.fault("≤ `100`" if given > 100 else "≥ `1`")
    return int(given)
