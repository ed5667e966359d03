"""Names in sentences that say what there is: those most like a wrong one come first."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_SHOWN_MAX = 12
_LIKE_MIN = 0.6


def some_names(names: Iterable[str], wrong: str, count_max: int = _SHOWN_MAX) -> str:
    """Return the names with commas; of many those that a wrong one may have meant, some others, and how many there are.

    Args:
        wrong: the name that is none of them.
        count_max: how many are shown.
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
    """Return the names of comma lists, each once; blanks around them do not count."""
    return list(dict.fromkeys(name.strip() for each in given or () for name in each.split(",") if name.strip()))
