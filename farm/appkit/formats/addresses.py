"""Mail addresses in headers: ``Wan Lin <wan@example.com>, "Bauer, Jan" <jan@example.com>``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from farm.appkit.formats.charsets import decode_header_words

_PLAIN_NAME = re.compile(r"[\w!#$%&'*+/=?^`{|}~ .-]*")
# A quoted text is one piece; an unclosed quotation mark is a piece of its own.
_PIECE = re.compile(r'"(?:[^"\\]++|\\.)*+"|\\.|[^"\\(),:;<>]++|.', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ADDRESS = re.compile(
    r'(?:"(?:[^"\\]++|\\.)*+"|[^\s@"(),:;<>\[\]\\]++)@(?:[^\s@"(),:;<>\[\]\\.]++(?:\.[^\s@"(),:;<>\[\]\\.]++)*+|\[[^\[\]\\]*+\])',
    re.DOTALL,
)


@dataclass(frozen=True)
class Address:
    """One mailbox; ``name`` is empty for a bare address."""

    name: str
    address: str

    def __str__(self) -> str:
        """Return the header form, with the name quoted if necessary."""
        if not self.name:
            return self.address
        if _PLAIN_NAME.fullmatch(self.name) and "." not in self.name:
            return f"{self.name} <{self.address}>"
        escaped = self.name.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}" <{self.address}>'


def read_entries(header: str) -> Iterator[tuple[str, Address | None]]:
    """Yield the entries of a To, Cc or From header with their mailboxes, including those of groups.

    A text without ``@``, such as ``somebody``, has the mailbox None.
    """
    pieces: list[str] = []
    depth, is_inside = 0, False
    for found in _PIECE.finditer(header):
        piece = found[0]
        if piece in "()":
            depth = max(depth + (1 if piece == "(" else -1), 0)
        elif depth:
            continue  # a comment
        elif piece in "<>":
            is_inside = piece == "<"
            pieces.append(piece)
        elif piece in ",;" and not is_inside:
            yield from _entry(pieces)
            pieces = []
        elif piece == ":" and not is_inside:
            pieces = []  # the text before was a group's name
        else:
            pieces.append(piece)
    yield from _entry(pieces)


def _entry(pieces: list[str]) -> Iterator[tuple[str, Address | None]]:
    said = "".join(pieces).strip()
    if not said:
        return
    # An entry with several pairs of brackets, or text after them, is not a mailbox.
    is_bracketed = pieces.count("<") == 1 and "".join(pieces[pieces.index("<") :]).strip()[-1:] == ">"
    at = pieces.index("<") if is_bracketed else 0
    address = "".join(pieces[at:]).strip().removeprefix("<").removesuffix(">").strip()
    name = " ".join("".join(map(_unquoted, pieces[:at])).split())
    yield said, Address(decode_header_words(name), address) if _ADDRESS.fullmatch(address) else None


def _unquoted(piece: str) -> str:
    return _ESCAPE.sub(r"\1", piece[1:-1]) if len(piece) > 1 and piece[0] == piece[-1] == '"' else piece
