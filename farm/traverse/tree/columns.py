"""Determine a field's column type, its time form, and how another world would generate its values."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from farm.appkit.schema import Generation, TimeForm
from farm.traverse.tree.model import ColumnType

_RFC3339 = re.compile(r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$")
_DATE = re.compile(r"^\d{4}-\d\d-\d\d$")
_TS = re.compile(r"^\d{10}\.\d{6}$")
_RANDOM = re.compile(
    r"^[0-9a-f]{8}-[0-9a-f-]{20,}$|^[0-9a-f]{12,}$|^[A-Z][A-Z0-9]{7,}$|^(?=.*\d)(?=.*[A-Za-z])[\w\-]{16,}={0,2}$"
)
# For a key, a weaker pattern suffices.
_DRAWN = re.compile(rf"{_RANDOM.pattern}|^(?=.*\d)[\w\-]{{8,}}$")
_TIME_NAME = re.compile(
    r"(^|[_.])(ts|created|updated|time|date|mtime|ctime|last_set|expires|expiration|at)$|(Time|At|_at|_time)$"
)
_AUTHENTIC_NAME = re.compile(
    r"(^|[_.])(name|title|email|mail|url|uri|link|domain|phone|address|city|country|company|tz|path|filename|file"
    r"|role|label|lang|locale|image\w*|avatar\w*)$|(Name|Title|Url|Email|Phone)$"
)
_AUTHENTIC = re.compile(r"^https?://|^[^\s@]+@[^\s@]+\.\w+$")
_SECONDS = range(631_152_000, 4_102_444_800)
_VALUES_MAX = 12
_INTEGER_MAX = 2**63 - 1


def column_type(values: Sequence[Any]) -> ColumnType:
    """Return the type of a STRICT table's column that accepts these values."""
    if values and all(isinstance(each, bool | int) and -_INTEGER_MAX <= each <= _INTEGER_MAX for each in values):
        return "INTEGER"
    if values and all(
        isinstance(each, float) or (isinstance(each, bool | int) and abs(each) <= _INTEGER_MAX) for each in values
    ):
        return "REAL"
    return "TEXT"


def time_form(name: str, values: Sequence[Any]) -> TimeForm | None:
    """Return how a field stores times, or None if it does not."""
    texts = [each for each in values if isinstance(each, str) and each]
    if texts and len(texts) == len([each for each in values if each is not None]):
        for form, pattern in (("rfc3339", _RFC3339), ("date", _DATE), ("ts", _TS)):
            if all(pattern.match(each) for each in texts):
                return form  # type: ignore[return-value]  # the three are forms of time
        if _TIME_NAME.search(name) and all(each.isdecimal() for each in texts):
            return _scale([int(each) for each in texts], {1: "s_text", 1000: "ms_text"})
        return None
    numbers = [each for each in values if isinstance(each, int) and not isinstance(each, bool) and each]
    if numbers and len(texts) == 0 and _TIME_NAME.search(name):
        return _scale(numbers, {1: "s", 1000: "ms", 1_000_000: "us"})
    return None


def _scale(numbers: Sequence[int], forms: dict[int, TimeForm]) -> TimeForm | None:
    for factor, form in forms.items():
        if all(each // factor in _SECONDS for each in numbers):
            return form
    return None


def choose_generation(
    name: str, values: Sequence[Any], *, is_key: bool, refers: bool, time: TimeForm | None
) -> tuple[Generation, str]:
    """Return which of the four methods generates a field's values, and the reason."""
    filled = [each for each in values if each not in (None, "")]
    texts = [str(each) for each in filled]
    distinct = len(set(texts))
    if refers:
        return "authentic", "holds the key of another row"
    if time is not None:
        return "random", f"a time ({time}): drawn, within what the story allows"
    if not filled:
        return "free-form", "never seen filled"
    if all(isinstance(each, bool) for each in filled):
        return "enumerate", "true or false"
    if all((_DRAWN if is_key else _RANDOM).match(each) for each in texts):
        return "random", "looks drawn: an id, a hash or a token"
    if any(isinstance(each, list | dict) for each in filled):
        return "free-form", "a document"
    if distinct <= min(_VALUES_MAX, max(2, len(texts) // 3)) and all(len(each) <= 40 for each in texts) and not is_key:
        return "enumerate", f"{distinct} values in {len(texts)}"
    if all(isinstance(each, int | float) for each in filled):
        return "random", "a number"
    if _AUTHENTIC_NAME.search(name) or all(_AUTHENTIC.match(each) for each in texts):
        return "authentic", "names something of the world: must agree with other apps"
    if is_key:
        return "authentic", "the key that people call it by"
    words = sum(len(each.split()) + len(re.findall(r"[一-鿿]", each)) / 2 for each in texts) / len(texts)
    if words >= 4 or any("\n" in each for each in texts):
        return "free-form", "sentences"
    return "authentic", "short texts, nearly all different"


def enumerated_values(kind: Generation, values: Collection[Any]) -> tuple[str, ...]:
    """Return the values that an enumeration was seen to hold."""
    if kind != "enumerate":
        return ()
    return tuple(sorted({str(each) for each in values if each not in (None, "") and not isinstance(each, bool)}))
