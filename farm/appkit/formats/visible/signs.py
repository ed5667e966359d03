"""Characters that nobody sees, that change the order of others, or that look like others."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from farm.appkit.formats.unicode import nfkc
from farm.appkit.formats.visible.model import struck

# Default ignorable code points that people meet in texts, tag characters and control characters. Unicode Standard,
# chapter 5.21: they are displayed as nothing.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\ufe00-\ufe0f"
    "\ufeff\ufff0-\ufff8\U000e0000-\U000e0fff]|[\u202a-\u202c]"
)
_BLANK = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")
# Right-to-left override and isolate: the characters up to their end are displayed in the reverse order (UAX #9).
_OVERRIDE = re.compile("[\u202e\u202d]([^\u202a-\u202e\u2066-\u2069\n]*)[\u202a-\u202e\u2066-\u2069]?")
_CROSSED = re.compile("(?:[^\\s\u0335-\u0338][\u0335-\u0338]+[ \t]?)+")
_CROSSES = re.compile("[\u0335-\u0338]")
_WORD = re.compile(r"[^\W\d_]+")
# ASCII and Latin-1 letters, Chinese characters and punctuation need no further look.
_ORDINARY = re.compile("[\\s!-~\u00a0-\u024f\u2010-\u2027\u2030-\u205e\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]*")
# Greek letters that are symbols beside Latin ones and look like none of them: ΔE, µm.
_SYMBOLS = str.maketrans("", "", "ΔΘΛΞΠΣΦΨΩδθλμπφψω")
# How the names of letters begin that are read; ideographic: 〇 and 々.
_READ = ("LATIN", "CJK", "IDEOGRAPHIC", "MODIFIER")
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
# Letters that Latin alphabets have besides A to Z with marks.
_LATIN_LETTER = re.compile(
    r"LATIN (?:SMALL|CAPITAL) (?:LETTER|LIGATURE) (?:[A-Z]|AE|OE|IJ|THORN|ETH|ENG|SHARP S|DOTLESS I)(?: WITH .*)?"
)


def visible_signs(text: str) -> str:
    """Return a text without the characters that are not displayed, in the order in which the others are.

    Letters that are crossed out by combining strokes count as struck through.
    """
    if _ORDINARY.fullmatch(text):
        return text
    if "\u202e" in text or "\u202d" in text:
        text = _OVERRIDE.sub(lambda run: run[1][::-1] if run[0][0] == "\u202e" else run[1], text)
    if _CROSSES.search(text):
        text = _CROSSED.sub(lambda run: struck(_CROSSES.sub("", run[0])), text)
    return _BLANK.sub(" ", _UNSEEN.sub("", text))


@lru_cache(maxsize=256)
def doubts_of_signs(text: str) -> tuple[str, ...]:
    """Return why readers may see other words than those that a text has in its characters."""
    if _ORDINARY.fullmatch(text):
        return ()
    doubts = (
        ["characters that change the direction of writing"] if re.search("[\u202a-\u202e\u2066-\u2069]", text) else []
    )
    letters = nfkc(visible_signs(text)).translate(_SYMBOLS)
    words = {word for word in _WORD.findall(letters) if not word.isascii()}
    if any(_is_disguised(word) for word in words):
        doubts.append("letters that look like those of another alphabet")
    elif any(_is_foreign(word) for word in words):
        doubts.append("words in a script that is not read")
    if any(sign.isdecimal() and not sign.isascii() for sign in letters):
        doubts.append("digits of another script")
    return tuple(doubts)


def _is_disguised(word: str) -> bool:
    """Return whether a word mixes alphabets or has letters that no Latin alphabet has."""
    names = [unicodedata.name(letter, "") for letter in word]
    scripts = {name.partition(" ")[0] for name in names} & {*_SCRIPTS}
    odd = any(name.startswith("LATIN ") and not _LATIN_LETTER.fullmatch(name) for name in names)
    return len(scripts) > 1 or odd


def _is_foreign(word: str) -> bool:
    """Return whether a word has letters that are neither Latin nor Chinese; single Greek letters are symbols."""
    read = (*_READ, "GREEK") if len(word) == 1 else _READ
    return any(not unicodedata.name(letter, "").startswith(read) for letter in word)
