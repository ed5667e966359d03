"""List the existing names in error messages, those most similar to a wrong name first."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_SHOWN_MAX = 12
_LIKE_MIN = 0.6


def list_names(names: Iterable[str], wrong: str, count_max: int = _SHOWN_MAX) -> str:
    """Return names joined by commas; of many names, the most similar ones, some others and the total number.

    Args:
        wrong: the unknown name.
        count_max: how many names are listed.
    """
    known = list(names)
    if len(known) <= count_max:
        return ", ".join(known) or "none"
    meant = [
        *get_close_matches(wrong, known, count_max, _LIKE_MIN),
        *(each for each in known if wrong and wrong in each),
    ]
    shown = list(dict.fromkeys([*meant, *known]))[:count_max]
    return f"{', '.join(shown)}, … ({len(known)} in all)"


def split_names(given: Iterable[str] | None) -> list[str]:
    """Return the distinct names of comma-separated lists, without surrounding blanks."""
    return list(dict.fromkeys(name.strip() for each in given or () for name in each.split(",") if name.strip()))
