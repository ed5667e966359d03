"""Listing a directory with sizes."""

import math
import unicodedata
from typing import Any

from farm.appkit import Episode, Result, VendorError
from farm.appkit.formats.javascript import js_length

from . import context


class ListSizesRefused(VendorError):
    """{message}"""

    code = "list_directory_with_sizes_refused"


def list_directory_with_sizes(ep: Episode, *, path: str, sortBy: str = "name") -> Result:
    """List the entries of a directory by name or by size, with a summary.

    Raises:
        ListSizesRefused: the path is refused or is no directory.
    """
    valid, refusal = context.checked(ep, path)
    if refusal:
        raise ListSizesRefused(message=refusal)
    nodes, refusal = context.scanned(ep, valid)
    if refusal:
        raise ListSizesRefused(message=refusal)
    if sortBy == "size":
        nodes = sorted(nodes, key=lambda node: -context.size_of(node))
    else:
        nodes = sorted(nodes, key=lambda node: _collation(node["name"]))
    lines = []
    sizes = []
    for node in nodes:
        name = node["name"] + " " * max(0, 30 - js_length(node["name"]))
        if context.is_directory(node):
            lines.append(f"[DIR] {name} ")
        else:
            sizes.append(context.size_of(node))
            lines.append(f"[FILE] {name} {_shown(sizes[-1]).rjust(10)}")
    lines.append("")
    lines.append(f"Total: {len(sizes)} files, {len(nodes) - len(sizes)} directories")
    lines.append(f"Combined size: {_shown(sum(sizes))}")
    return "\n".join(lines)


def _shown(size: int) -> str:
    units = ("B", "KB", "MB", "GB", "TB")
    if size == 0:
        return "0 B"
    power = math.floor(math.log(size) / math.log(1024))
    if power <= 0:
        return f"{size} B"
    power = min(power, len(units) - 1)
    return f"{size / 1024**power:.2f} {units[power]}"


def _collation(name: str) -> Any:
    """Return a key that sorts nearly as localeCompare does."""
    marks = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
    primary = []
    accents = []
    cases = []
    for sign in unicodedata.normalize("NFD", name):
        if unicodedata.combining(sign):
            accents.append((len(primary), ord(sign)))
            continue
        if sign.isspace():
            primary.append((0, ord(sign), ""))
        elif sign in marks:
            primary.append((1, marks.index(sign), ""))
        elif sign.isdigit():
            primary.append((3, 0, sign))
        elif sign.isalpha():
            primary.append((4, 0, sign.casefold()))
        else:
            primary.append((2, ord(sign), ""))
        cases.append(1 if sign.isupper() else 0)
    return (primary, accents, cases)
