"""Addresses as nodemailer and mailparser, which share one reader of address headers, take and show them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
_INSIDE = re.compile(r"\b[^@]+@.+\b")
_ENDS = {'"': '"', "(": ")", "<": ">", ",": "", ":": ";", ";": ""}
_UNQUOTED = re.compile(r"[^\"(),:;<>@\[\]\\]*")
_WORDS_ONLY = re.compile(r"(=\?[^?]+\?[Bb]\?[^?]*\?=)(\s*=\?[^?]+\?[Bb]\?[^?]*\?=)*")
_DEPTH_MAX = 50


@dataclass(frozen=True)
class Address:
    """One entry of a header: a mailbox, a name alone, or a group.

    Attributes:
        name: empty where there is none.
        address: empty where there is none.
        group: the entries of a group; None: it is none.
    """

    name: str
    address: str
    group: tuple[Address, ...] | None = None


@dataclass
class _Token:
    kind: str
    value: str
    joins: bool = False  # what follows belongs to it: no blank between


def parse(header: str, depth: int = 0) -> list[Address]:
    """Return the entries of a header, in order; groups in groups are read as deep as anybody would write them."""
    if depth > _DEPTH_MAX:
        return []
    entries: list[list[_Token]] = [[]]
    for token in _tokens(header):
        if token.kind == "operator" and token.value in ",;":
            entries.append([])
        else:
            entries[-1].append(token)
    return [_entry(each, depth) for each in entries if each]


def _tokens(header: str) -> list[_Token]:
    found: list[_Token] = []
    text: list[str] | None = None
    texts: list[tuple[_Token, list[str]]] = []
    expected, is_escaped = "", False
    for place, character in enumerate(header):
        if not is_escaped:
            if expected and character == expected:
                following = header[place + 1 : place + 2]
                found.append(_Token("operator", character, bool(following) and following not in " \t\r\n,;"))
                text, expected = None, ""
                continue
            if not expected and character in _ENDS:
                found.append(_Token("operator", character))
                text, expected = None, _ENDS[character]
                continue
            if expected == '"' and character == "\\":
                is_escaped = True
                continue
        if text is None:
            text = []
            texts.append((_Token("text", ""), text))
            found.append(texts[-1][0])
        if character == "\n":
            character = " "
        if character >= "!" or character in " \t":
            text.append(character)
        is_escaped = False
    for token, characters in texts:
        token.value = "".join(characters).strip()
    return [token for token in found if token.value]


def _entry(tokens: list[_Token], depth: int) -> Address:
    parts: dict[str, list[str]] = {"address": [], "comment": [], "group": [], "text": []}
    state, is_group = "text", False
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.kind == "operator":
            state = {"<": "address", "(": "comment", ":": "group"}.get(token.value, "text")
            is_group |= state == "group"
            continue
        value = re.sub(r"^[^<]*<\s*", "", token.value) if state == "address" else token.value
        if before is not None and before.joins and parts[state]:
            parts[state][-1] += value
        else:
            parts[state].append(value)
    if not parts["text"] and parts["comment"]:
        parts["text"], parts["comment"] = parts["comment"], []
    if is_group:
        return Address(" ".join(parts["text"]), "", tuple(parse(",".join(parts["group"]), depth + 1)))
    return _mailbox(parts)


def _mailbox(parts: dict[str, list[str]]) -> Address:
    texts, addresses = parts["text"], parts["address"]
    if not addresses:
        addresses = _detected(texts)
    if not texts and parts["comment"]:
        texts = parts["comment"]
    texts = [*texts, *addresses[1:]]
    text, address = " ".join(texts), addresses[0] if addresses else ""
    name, address = text or address, address or text
    if name == address:
        return Address("", address) if "@" in address else Address(name, "")
    return Address(name, address)


def _detected(texts: list[str]) -> list[str]:
    """Take an address out of plain words, the last one first; what it stood in stays behind."""
    for place in reversed(range(len(texts))):
        if _ADDRESS.fullmatch(texts[place]):
            return [texts.pop(place)]
    for place in reversed(range(len(texts))):
        for word in re.finditer(r"\S+", texts[place]):
            # Without an @ there is nothing to search for, which would take long in a long word.
            found = _INSIDE.search(word[0]) if "@" in word[0] else None
            if found:
                begin, end = word.start() + found.start(), word.start() + found.end()
                texts[place] = f"{texts[place][:begin].rstrip()} {texts[place][end:].lstrip()}".strip()
                return [found[0]]
    return []


def decode(entries: Iterable[Address], words: Callable[[str], str]) -> list[Address]:
    """Return entries with their names' encoded words read; a name that is nothing else may hold whole addresses."""
    found: list[Address] = []
    late: list[Address] = []
    for each in entries:
        if not each.address and each.group is None and _WORDS_ONLY.fullmatch(each.name):
            late += parse(words(each.name))
            continue
        group = None if each.group is None else tuple(decode(each.group, words))
        found.append(replace(each, name=words(each.name), group=group))
    return [*found, *late]


def format_addresses(entries: Iterable[Address]) -> str:
    """Return entries as mailparser's text shows them: every name in quotes."""
    return ", ".join(map(_format_address, entries))


def _format_address(entry: Address) -> str:
    text = f'"{entry.name}"' + (": " if entry.group is not None else "") if entry.name else ""
    if entry.address:
        address = _readable(entry.address)
        text += f" <{address}>" if entry.name else address
    return text + (f"{format_addresses(entry.group)};" if entry.group is not None else "")


def _readable(address: str) -> str:
    """Return an address with its domain in the letters it stands for."""
    local, at, domain = address.rpartition("@")
    if not domain.startswith("xn--"):
        return address
    try:
        return f"{local}{at}{domain.encode('ascii').decode('idna')}"
    except UnicodeError:
        return address


def header(entries: Iterable[Address]) -> str:
    """Return entries as nodemailer writes them, encoded words read; what has no address is left out."""
    written = []
    for each in entries:
        if each.group is not None:
            written.append(f"{_name(each.name)}:{header(each.group)};")
        elif each.address and each.name:
            written.append(f"{_name(each.name)} <{each.address}>")
        elif each.address:
            written.append(f"<{each.address}>" if " " in each.address else each.address)
    return ", ".join(written)


def _name(name: str) -> str:
    if _UNQUOTED.fullmatch(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def mailboxes(entries: Iterable[Address]) -> list[str]:
    """Return every address once, those of groups too, in order."""
    found: dict[str, None] = {}
    for each in entries:
        if each.group is not None:
            found |= dict.fromkeys(mailboxes(each.group))
        elif each.address:
            found[each.address] = None
    return list(found)


def normalized(address: str) -> str:
    """Return an address as nodemailer sends it: its domain in lower case, a local part with blanks in quotes."""
    address = re.sub(r"[\x00-\x1f<>]+", " ", address).strip()
    local, at, domain = address.rpartition("@")
    if not at:
        return address
    if " " in local:
        local = f'"{local.strip(chr(34))}"'
    return f"{local}@{_ascii(domain.lower())}"


def _ascii(domain: str) -> str:
    if domain.isascii():
        return domain
    try:
        return domain.encode("idna").decode()
    except UnicodeError:
        return domain
