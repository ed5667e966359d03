"""Patterns of queries: globs and JavaScript's regular expressions."""

from __future__ import annotations

import re

from farm.appkit.formats.javascript_patterns import compile_pattern
from farm.appkit.formats.utf16 import to_units


def is_found(pattern: str, text: str) -> bool:
    """Return ``new RegExp(pattern).test(text)``."""
    return compile_pattern(pattern).search(to_units(text)) is not None


def glob_pattern(glob: str) -> str:
    """Return the regular expression of a glob: ``*`` is anything but a line end, all else is meant as it stands."""
    written = "".join(
        ".*" if part.startswith("*") else f"\\{part}" if part in "/$^+.()=!|?[]{}," else part
        for part in re.findall(r"\*+|[^*]", glob)
    )
    return f"^{written}$"
