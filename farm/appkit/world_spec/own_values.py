"""Values that look private and are a world's own: the table ``[privacy]`` of world.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from farm.appkit.world_spec.toml_reader import WorldError, check_keys

_KEYS = "phones? domains? names? values?"
_BLOCK = re.compile(r"\+?[\d ().-]*\d[\d ().x-]*")
# Blocks that numbering plans reserve for fiction: the United States, the United Kingdom.
FICTION = ("+1 xxx 555 01xx", "+44 20 7946 0xxx", "+44 1632 960xxx", "+44 7700 900xxx")
_DIGITS_MIN = 7


@dataclass(frozen=True)
class OwnValues:
    """What a world declares as its own.

    Attributes:
        phones: blocks of phone numbers; ``x`` stands for any digit.
        domains: mail domains, beside those that are reserved for examples; or patterns, ``*.example@163.com``.
        names: names of people, places and brands that really exist, or of people without an entry.
        values: anything else.
    """

    phones: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    @staticmethod
    def read(entry: Mapping[str, Any], where: str) -> OwnValues:
        """Parse the table.

        Raises:
            WorldError: it is no table of lists of texts, or a block is too short or has other characters.
        """
        if not isinstance(entry, dict):
            raise WorldError(f"{where}: is no table; write [privacy]")
        check_keys(entry, _KEYS, where)
        for name, values in entry.items():
            if not isinstance(values, list) or not all(isinstance(each, str) and each.strip() for each in values):
                raise WorldError(f"{where}: '{name}' must be a list of texts")
        for block in entry.get("phones", ()):
            if not _BLOCK.fullmatch(block) or len(_digits(block)) < _DIGITS_MIN or "x" not in block:
                raise WorldError(f"{where}: '{block}' is no block of numbers; write '+86 155 5550 xxxx'")
        return OwnValues(**{name: tuple(values) for name, values in entry.items()})

    def has_phone(self, number: str) -> bool:
        """Return whether a number lies in a declared block, or in one that is reserved for fiction."""
        digits = re.sub(r"\D", "", number).removeprefix("00")
        for block in (*FICTION, *self.phones):
            pattern = _digits(block).replace("x", r"\d")
            # People leave the country's code out, and dial a 0 instead.
            local = re.sub(r"^\+(?:1|7|\d\d)", "", re.sub(r"[ ().-]", "", block)).replace("x", r"\d")
            if re.fullmatch(rf"{pattern}|0?{local}", digits):
                return True
        return False

    def has_address(self, address: str) -> bool:
        """Return whether a mail address fits a declared pattern, or its domain or one above it is declared."""
        address = address.lower()
        domain = address.rpartition("@")[2]
        return any(
            fnmatchcase(address, each) if "@" in each else domain == each or domain.endswith(f".{each}")
            for each in map(str.lower, self.domains)
        )


def _digits(block: str) -> str:
    return re.sub(r"[^\dx]", "", block)
