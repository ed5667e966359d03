"""Unicode's compatibility normalization in linear time."""

from __future__ import annotations

import re
import unicodedata

# Normalizing sorts each run of combining marks in quadratic time. UAX #15 ("Stream-Safe Text Format") limits a run
# to 30 marks, which is enough for real text.
MARKS_MAX = 30
# Characters that may be marks: the half-width marks of kana, and all outside words, ASCII and blocks without marks.
_NO_MARKS = r"\w\s!-~\u2000-\u20cf\u2100-\u2cee\u2e00-\u3029\u3030-\u3098\ufe30-\uffff\U0001e94b-\U0010ffff"
_RUN = re.compile(rf"(?:[^{_NO_MARKS}]|[\uff9e\uff9f]){{{MARKS_MAX + 1},}}")
# Characters that decompose into marks.
_COMPOSED_MARKS = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")


def nfkc(text: str) -> str:
    """Return a text in normal form KC; combining marks beyond the thirtieth in a row are dropped."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _RUN.sub(_without_surplus_marks, text))


def _without_surplus_marks(run: re.Match[str]) -> str:
    kept, marks = [], 0
    for sign in run[0]:
        marks = marks + 1 if unicodedata.combining(sign) or sign in _COMPOSED_MARKS else 0
        if marks <= MARKS_MAX:
            kept.append(sign)
    return "".join(kept)
