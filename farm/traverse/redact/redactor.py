"""Replace private values in recorded calls; equal values get equal stand-ins in every place and notation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ahocorasick  # type: ignore[import-not-found]  # a compiled module without types

from farm._util.private_values.detectors import (
    NOBODY,
    ROLES,
    PrivateKind,
    PrivateValue,
    find,
    is_id_key,
    is_secret,
    kind_of_key,
    split_words,
)
from farm.traverse.redact.encodings import (
    escape_pieces,
    in_base64,
    is_all_base64,
    is_escaped,
    is_url_encoded,
    url_pieces,
    written,
)
from farm.traverse.redact.substitutes import Substitutes, is_public, phone_digits

# Keys of a line that the recorder sets, never a server or its user.
_OWN_KEYS = split_words(
    "trace step tool at elapsed_ms server version error_class operation seed_step verdict scored duplicate side state"
)
_DEPTH_MAX = 5
# Shorter values occur by chance; they are replaced only where they were detected.
_EVERYWHERE_MIN = 6
# A value of this length is also replaced in the middle of a word.
_UNBOUNDED_MIN = 12
_NAME_PART_MIN = 3
_SEPARATORS = (" ", ".", "_", "-", "")
# Characters that indicate an encoded text.
_WRITING = ("\\", "%", "+")
_PUBLIC_HOSTS = split_words("localhost localhost.localdomain ip6-localhost")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Private:
    """Private values that their form does not reveal.

    Attributes:
        names: names of people, teams, projects.
        values: any other texts.
        keys: names in JSON objects whose texts are private.
        allowed: texts that are never replaced.
        allowed_keys: names in JSON objects that do not mark a value as private, such as ``token`` for a document's id.
        users, hosts, folders: names and homes of people and machines.
    """

    names: Sequence[str] = ()
    values: Sequence[str] = ()
    keys: frozenset[str] = frozenset()
    allowed: frozenset[str] = frozenset()
    allowed_keys: frozenset[str] = frozenset()
    users: Sequence[str] = ()
    hosts: Sequence[str] = ()
    folders: Sequence[str] = ()


@dataclass(frozen=True)
class _Known:
    """A text that is replaced wherever it occurs.

    Attributes:
        value: the text to search for.
        origin: the private value of which it is a form or a part.
    """

    kind: PrivateKind
    value: str
    substitute: str
    origin: str
    is_bounded: bool = True
    is_part_of_name: bool = False


@dataclass(frozen=True)
class _Span:
    """A piece of a text with its kind and its replacement."""

    start: int
    end: int
    kind: PrivateKind
    origin: str
    new: str


class Redactor:
    """Replaces private values in any number of recordings.

    First read everything (``learn``), then replace (``redact``): one call may show a password beside its name, and
    another only the password.
    """

    def __init__(self, key: bytes, private: Private | None = None, mapping: Mapping[str, Any] | None = None) -> None:
        """Use a key and earlier replacements.

        Args:
            mapping: in the form of ``self.mapping``.
        """
        self._private = private or Private()
        before = mapping or {}
        self._substitutes = Substitutes(key, dict(before.get("words", {})))
        self._values: dict[str, tuple[PrivateKind, str]] = {
            value: (kind, substitute) for value, (kind, substitute) in before.get("values", {}).items()
        }
        self._made: set[str] = set()
        for kind, substitute in self._values.values():
            self._remember(kind, substitute)
        self._found: dict[str, PrivateKind] = {}
        self._automaton: Any = None
        self._learning = False
        self._used: dict[PrivateKind, set[str]] = {}
        self._note_private()

    @property
    def mapping(self) -> dict[str, Any]:
        """The replacements so far; the mapping itself is private."""
        return {"values": {value: list(entry) for value, entry in sorted(self._values.items())}, "words": self._words()}

    def used(self) -> dict[str, int]:
        """Return how many values of each kind were replaced; a value counts once."""
        return {kind: len(values) for kind, values in sorted(self._used.items())}

    def learn(self, said: Iterable[Any]) -> None:
        """Search lines, tools or any JSON for private values."""
        self._learning = True
        for each in said:
            self._redact_record(each)
        self._learning = False
        self._automaton = None

    def redact(self, said: Any) -> Any:
        """Return a line, or any JSON, with private values replaced."""
        if self._automaton is None:
            self._settle()
        return self._redact_record(said)

    def redact_all(self, said: Sequence[Any]) -> list[Any]:
        """Return lines with the private values of all of them replaced."""
        self.learn(said)
        return [self.redact(each) for each in said]

    def left(self, said: Any) -> list[PrivateKind]:
        """Return the kinds of the private values that remain; empty after redaction."""
        texts: list[str] = []
        _collect(said, texts.append)
        found = {kind for text in texts for kind in self._kinds_in(text, 0)}
        return sorted(found)

    def _words(self) -> dict[str, str]:
        return dict(sorted(self._substitutes.words.items()))

    # -- known values -------------------------------------------------------------------------------------------------

    def _note_private(self) -> None:
        self._substitutes.avoided.update(_fold(part) for name in self._private.names for part in _WORD.findall(name))
        for value in self._private.values:
            self._note("value", value)
        for user in self._private.users:
            if user.lower() not in NOBODY and len(user) >= _NAME_PART_MIN:
                self._note("user", user)
        for host in self._private.hosts:
            if host.lower() not in _PUBLIC_HOSTS and len(host) >= _NAME_PART_MIN:
                self._note("host", host)
        for folder in self._private.folders:
            self._note("folder", folder)

    def _note(self, kind: PrivateKind, value: str) -> None:
        if value and value not in self._private.allowed and not self._is_made(value) and value not in self._values:
            self._found.setdefault(value, kind)

    def _remember(self, kind: PrivateKind, substitute: str) -> None:
        self._made.add(_fold(substitute))
        if kind == "phone number":
            self._made.add(phone_digits(substitute))

    def _is_made(self, value: str, kind: PrivateKind | None = None) -> bool:
        """Return whether a value is already a stand-in, in any case or spacing."""
        return _fold(value) in self._made or (kind == "phone number" and phone_digits(value) in self._made)

    def _settle(self) -> None:
        """Assign every new value its stand-in, in an order that depends only on the values."""
        for value, kind in sorted(self._found.items()):
            self._substitute(kind, value)
        self._found.clear()
        automaton = ahocorasick.Automaton()
        for known in self._known():
            if known.value == known.substitute or not known.value:
                continue
            folded = _fold(known.value)
            before = automaton.get(folded, None)
            if before is None or (before.is_part_of_name and not known.is_part_of_name):
                automaton.add_word(folded, known)
        automaton.make_automaton()
        self._automaton = automaton

    def _substitute(self, kind: PrivateKind, value: str) -> str:
        if value not in self._values:
            made = self._substitutes.stand_in(kind, value)
            self._values[value] = (kind, made)
            self._remember(kind, made)
        return self._values[value][1]

    def _known(self) -> Iterator[_Known]:
        for name in self._private.names:
            yield from self._name(name)
        for value, (kind, substitute) in list(self._values.items()):
            if kind == "mail address":
                yield from self._address(value, substitute)
            elif kind == "phone number":
                digits, others = phone_digits(value), phone_digits(substitute)
                if len(digits) >= _EVERYWHERE_MIN and len(digits) == len(others):
                    yield _Known(kind, digits, others, value)
            elif kind == "user" and value not in self._private.users:
                # Found as a folder under /home: elsewhere it is an ordinary word.
                continue
            if len(value) >= _EVERYWHERE_MIN or value in self._private.values or kind in ("user", "host", "folder"):
                yield _Known(kind, value, substitute, value, is_bounded=len(value) < _UNBOUNDED_MIN)

    def _address(self, value: str, substitute: str) -> Iterator[_Known]:
        local, _, domain = value.partition("@")
        other, _, other_domain = substitute.partition("@")
        if len(local) >= _EVERYWHERE_MIN and not local.isalpha() and local.lower() not in ROLES:
            yield _Known("mail address", local, other, value)
        if not is_public(domain):
            yield _Known("mail address", domain, other_domain, value)

    def _name(self, name: str) -> Iterator[_Known]:
        parts = _WORD.findall(name)
        others = [self._substitutes.word(each) for each in parts]
        orders = ((parts, others), (parts[::-1], others[::-1]))
        for separator in _SEPARATORS:
            for these, those in orders if len(parts) <= 3 else orders[:1]:
                value = separator.join(these)
                is_bounded = value.isascii() and (len(parts) == 1 or len(value) < _UNBOUNDED_MIN)
                is_short = value.isascii() and len(value) <= _NAME_PART_MIN
                yield _Known("name", value, separator.join(those), name, is_bounded, is_part_of_name=is_short)
        exact = _WORD.sub(lambda found: self._substitutes.word(found[0]), name)
        yield _Known("name", name, exact, name, name.isascii(), name.isascii() and len(name) <= _NAME_PART_MIN)
        if len(parts) > 1:
            for part, other in zip(parts, others, strict=True):
                if len(part) >= _NAME_PART_MIN:
                    yield _Known("name", part, other, name, is_part_of_name=True)

    # -- reading and replacing ----------------------------------------------------------------------------------------

    def _redact_record(self, said: Any) -> Any:
        if not (isinstance(said, dict) and "tool" in said):
            return self._walk(said, None)
        # A line's own keys stay; the arguments are interpreted with the tool's name.
        tool = frozenset([str(said["tool"])])
        return {
            name: each if name in _OWN_KEYS else self._walk(each, None, tool if name == "arguments" else frozenset())
            for name, each in said.items()
        }

    def _walk(self, value: Any, key: str | None, beside: frozenset[str] = frozenset()) -> Any:
        """Redact a JSON value.

        Args:
            key: its name in the object.
            beside: the other names of its object; for arguments, the tool's name.
        """
        if isinstance(value, str):
            return self._under(key, value, beside)
        if isinstance(value, list):
            return [self._walk(each, key, beside) for each in value]
        if isinstance(value, dict):
            names = frozenset(name for name in value if name != "token") | (beside if key is None else frozenset())
            return {self._text(name, 0): self._walk(each, name, names) for name, each in value.items()}
        if isinstance(value, int) and not isinstance(value, bool):
            return self._number(value, key)
        return value

    def _under(self, key: str | None, value: str, beside: frozenset[str] = frozenset()) -> str:
        kind = self._kind_under(key, beside)
        if kind is None and value.isdigit() and is_id_key(key or ""):
            return self._values[value][1] if value in self._values and not self._learning else value
        if kind is None or not _is_value_itself(kind, value) or value in self._private.allowed:
            return self._text(value, 0)
        if self._is_made(value, kind):
            return value
        # "Bearer abc" and "a=b; c=d" contain forms of their own.
        inner = find(f"{key}: {value}")
        if kind != "phone number" and inner and (" " in value or "=" in value):
            return self._text(f"{key}: {value}", 0)[len(f"{key}: ") :]
        if self._learning:
            self._note(kind, value)
            return value
        self._count(kind, value)
        return self._substitute(kind, value)

    def _kind_under(self, key: str | None, beside: frozenset[str] = frozenset()) -> PrivateKind | None:
        if key is None or key in self._private.allowed_keys:
            return None
        return "value" if key in self._private.keys else kind_of_key(key, beside)

    def _number(self, value: int, key: str | None) -> int:
        text = str(abs(value))
        if len(text) < _EVERYWHERE_MIN or value < 0:
            return value
        if self._kind_under(key) == "phone number":
            return int(self._under(key, text))
        if self._learning or self._automaton is None:
            return value
        known = self._values.get(text)
        return int(known[1]) if known and known[1].isdigit() else value

    def _text(self, text: str, depth: int) -> str:
        if len(text) < 3 or depth > _DEPTH_MAX:
            return text
        if not self._learning and any(each in text for each in _WRITING):
            text = self._written_so(text)
        if is_escaped(text):
            return self._layer(list(escape_pieces(text)), depth)
        if is_url_encoded(text):
            return self._layer(list(url_pieces(text)), depth)
        if self._learning and not is_all_base64(text):
            self._substitutes.avoided.update(each.lower() for each in _WORD.findall(text) if len(each) <= 24)
        return in_base64(self._redact_plaintext(text), lambda data: self._data(data, depth))

    def _written_so(self, text: str) -> str:
        """Replace the known values that contain escape characters themselves: decoding would change them."""
        spans = [span for span in self._matches(text) if any(each in text[span.start : span.end] for each in _WRITING)]
        return self._put(text, spans)

    def _layer(self, pieces: list[tuple[str, str]], depth: int) -> str:
        meant = "".join(letter for letter, _ in pieces)
        return written(pieces, self._text(meant, depth + 1))

    def _data(self, data: bytes, depth: int) -> bytes:
        text = _text_of(data)
        if text is not None:
            return self._text(text, depth + 1).encode()
        if self._learning:
            return data
        # A picture or an archive: known values may occur in it literally, and short words by chance.
        return self._replace_known(data.decode("latin-1"), [], letters_min=_EVERYWHERE_MIN).encode("latin-1", "replace")

    def _redact_plaintext(self, text: str) -> str:
        found = [] if is_all_base64(text) else [each for each in find(text) if self._is_private(text, each)]
        if self._learning:
            for each in found:
                self._note(each.kind, text[each.start : each.end])
            return text
        return self._replace_known(text, found)

    def _is_private(self, text: str, found: PrivateValue) -> bool:
        value = text[found.start : found.end]
        if value in self._private.allowed or self._is_made(value, found.kind):
            return False
        if found.kind == "phone number":
            return _is_phone(value)
        return not (found.kind == "mail address" and _is_nobodys(value))

    def _replace_known(self, text: str, found: list[PrivateValue], *, letters_min: int = 0) -> str:
        spans = [self._span(text, each) for each in found] + self._matches(text, letters_min=letters_min)
        return self._put(text, spans)

    def _put(self, text: str, spans: list[_Span]) -> str:
        """Return a text with spans replaced, the first and the longest first."""
        out, end = [], 0
        for span in sorted(spans, key=lambda span: (span.start, -span.end)):
            if span.end > end:
                # Of an overlapping span, only the rest is replaced: a stand-in has the length of its value.
                out += [text[end : span.start], span.new[max(0, end - span.start) :]]
                end = span.end
                self._count(span.kind, span.origin)
        return "".join(out) + text[end:]

    def _count(self, kind: PrivateKind, value: str) -> None:
        self._used.setdefault(kind, set()).add(phone_digits(value) if kind == "phone number" else _fold(value))

    def _span(self, text: str, found: PrivateValue) -> _Span:
        value = text[found.start : found.end]
        return _Span(found.start, found.end, found.kind, value, self._substitute(found.kind, value))

    def _matches(self, text: str, *, letters_min: int = 0) -> list[_Span]:
        """Return the positions of known values, in any case."""
        if self._automaton is None or not len(self._automaton):
            return []
        spans = []
        for last, known in self._automaton.iter(_fold(text)):
            start, end = last + 1 - len(known.value), last + 1
            matched = text[start:end]
            if len(matched) < letters_min:
                continue
            if known.is_bounded and _is_inside_word(text, start, end):
                continue
            if (known.is_part_of_name and matched.islower()) or matched in self._private.allowed:
                continue
            new = _recased(known.value, known.substitute, matched)
            spans.append(_Span(start, end, known.kind, known.origin, new))
        return spans

    def _kinds_in(self, text: str, depth: int) -> set[PrivateKind]:
        kinds: set[PrivateKind] = {span.kind for span in self._matches(text)}
        if depth < _DEPTH_MAX:
            for is_layer, pieces in ((is_escaped, escape_pieces), (is_url_encoded, url_pieces)):
                if is_layer(text):
                    kinds |= self._kinds_in("".join(letter for letter, _ in pieces(text)), depth + 1)

            def look(data: bytes) -> bytes:
                inner = _text_of(data)
                if inner is not None:
                    kinds.update(self._kinds_in(inner, depth + 1))
                else:
                    matches = self._matches(data.decode("latin-1"), letters_min=_EVERYWHERE_MIN)
                    kinds.update(span.kind for span in matches)
                return data

            in_base64(text, look)
        return kinds


def _text_of(data: bytes) -> str | None:
    """Return bytes decoded as text, or None if they are binary data such as a picture."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return text if all(each.isprintable() or each in "\r\n\t" for each in text) else None


def _is_value_itself(kind: PrivateKind, value: str) -> bool:
    """Return whether a text under a private name is the value itself, not a sentence about it."""
    if kind == "phone number":
        return 6 <= sum(each.isdigit() for each in value) <= 15 and not re.search(r"[^\d\s+().\-x#]", value)
    if kind == "value":
        return bool(value)
    return value.count(" ") < 3 and is_secret(value)


def _is_phone(value: str) -> bool:
    from phonenumbers import NumberParseException, is_valid_number, parse

    plain = re.sub(r"^00", "+", value)
    for region in ("CN", "US"):
        try:
            if is_valid_number(parse(plain, region)):
                return True
        except NumberParseException:
            continue
    return False


def _is_nobodys(address: str) -> bool:
    local, _, domain = address.partition("@")
    return local.lower() in ROLES and is_public(domain)


def _is_inside_word(text: str, start: int, end: int) -> bool:
    before = start > 0 and text[start - 1].isalnum() and text[start].isascii() and text[start - 1].isascii()
    after = end < len(text) and text[end].isalnum() and text[end - 1].isascii() and text[end].isascii()
    return before or after


def _recased(value: str, substitute: str, matched: str) -> str:
    signs = zip(value, substitute, matched, strict=True)
    return "".join(new if old == seen else new.swapcase() for old, new, seen in signs)


def _fold(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def _collect(value: Any, take: Callable[[str], None]) -> None:
    if isinstance(value, str):
        take(value)
    elif isinstance(value, dict):
        for key, each in value.items():
            take(key)
            _collect(each, take)
    elif isinstance(value, list):
        for each in value:
            _collect(each, take)
