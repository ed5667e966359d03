"""Normalize a text before it is read: one width and case, plain dashes and quotes, no emphasis."""

from __future__ import annotations

import re
from functools import lru_cache

from farm.appkit.formats.unicode import nfkc

# A full-width comma or colon is punctuation, unless it is inside a number or a clock of full-width digits. The
# compatibility form would turn 赞3，118 into one number.
_WIDE_COMMA = re.compile(r"，(?!(?<=[０-９]，)[０-９]{3}(?![０-９]))")
_WIDE_COLON = re.compile(r"：(?!(?<=[\d０-９]：)[\d０-９])")
_CIRCLED = re.compile("[①-⑳]")
# An asterisk between digits multiplies.
_EMPHASIS = re.compile(r"\*{2,}|(?<!\d)\*|\*(?!\d)|[`\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]+|~{2,}")
# Between two times or numbers it means "to"; elsewhere it is a mark of emphasis or a drawn-out tone (好的~).
_TILDE = re.compile(r"(?<=[a-z\d点半分刻日号月%元千万一二三四五六七八九十])[ \t]*~[ \t]*(?=[a-z\d$€£¥\u4e00-\u9fff])")
# Struck-out text in Markdown and in Slack.
STRUCK = "\u2421"
_STRUCK = re.compile(r"~~(?=\S)([^~\n]{1,400}?)~~|(?<![\w~\u4e00-\u9fff])~(?=[^\s~])([^~\n]{1,400}?)(?<=\S)~(?![\w~])")
_UNDERSCORE = re.compile(r"__+|(?<![^\W_])_|_(?![^\W_])")
# An emoji's name, as Slack stores it; after a letter only if it cannot be a word between colons.
_EMOJI_NAME = re.compile(
    r"(?:(?<![a-z\d]):(?P<name>[a-z][a-z\d_+-]{0,40}|[+-]1|100)"
    r"|(?<=\d):(?P<close>[a-z][a-z_+-]{2,40}|\+1)|(?<=[a-z]):(?P<joined>[a-z]+(?:_[a-z]+)+))(?:::skin-tone-[2-6])?:"
)
# The meaning of an emoji's name that is an answer; any other emoji is a sign between words.
_SIGNS = {
    "+1": "👍", "thumbsup": "👍", "ok_hand": "👌", "ok_woman": "🙆", "white_check_mark": "✅", "100": "💯",
    "-1": "👎", "thumbsdown": "👎", "no_good": "🙅", "x": "❌", "no_entry_sign": "🚫", "heavy_multiplication_x": "✖",
    "arrow_right": "➡",
}  # fmt: skip
_SIGN = "🔹"
# A drawn-out word ends its clause: "够啦～苏州那家做".
_DRAWN_OUT = re.compile(r"(?<=[^\W\d_])~+[ \t]*(?=[^\W\d_])")
# Numerals in the form that contracts use.
_FORMAL = re.compile("[壹贰叁肆伍陆柒捌玖拾佰仟零万]+")
_FORMAL_TENS = re.compile("[拾佰仟]")
_PLAIN_NUMERALS = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")
# A single blank or hyphen inside a line is kept.
_TIMES = re.compile(r"(?<![a-z\d])x(?=\d{1,3}(?![\da-z]))")  # 🪑x4
_GAP = re.compile(r"[–—―‒][ \t–—―‒-]*|-[ \t–—―‒-]+|(?<![ \t])[ \t]+(?:[–—―‒-][ \t–—―‒-]*|(?<=[ \t]{2})|(?<=\t))")
# Every gap has one of these.
_GAPS = ("  ", "\t", " -", "- ", "--", "–", "—", "―", "‒")
_PLAIN = {"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "〜": "~"}
_QUOTES = re.compile("[’‘“”−〜]")
_SHORT = 1000  # characters


def fold(text: str) -> str:
    """Return a text in one width and case, with uniform dashes and quotes and without emphasis; lines are kept."""
    return (_fold_short if len(text) <= _SHORT else _fold_long)(text)


def _fold(text: str) -> str:
    # Most texts have few of these marks, and looking for one letter takes a tenth of a pattern's time.
    is_ascii = text.isascii()
    if is_ascii:
        text = text.lower()
    else:
        if "：" in text:
            text = _WIDE_COLON.sub(": ", text)
        if "，" in text:
            text = _WIDE_COMMA.sub(", ", text)
        text = _CIRCLED.sub(lambda mark: f" ({ord(mark[0]) - 0x245F}) ", text)
        text = nfkc(text)
        text = nfkc(text.casefold()).casefold()
        text = _QUOTES.sub(lambda mark: _PLAIN[mark[0]], text)
        if _FORMAL_TENS.search(text):
            text = _FORMAL.sub(_numeral, text)
    if "<!--" in text:
        text = _without_comments(text)
    if "~" in text:
        text = _STRUCK.sub(lambda struck: STRUCK + (struck[1] or struck[2]) + STRUCK, text)
    if not is_ascii or "*" in text or "`" in text or "~" in text:
        text = _EMPHASIS.sub("", text)
    if "~" in text:
        text = _DRAWN_OUT.sub(", ", _TILDE.sub("–", text)).replace("~", "")
    if "_" in text:
        text = _UNDERSCORE.sub("", text)
    if ":" in text:
        text = _EMOJI_NAME.sub(_sign, text)
    if "x" in text:
        text = _TIMES.sub("× ", text)
    return _GAP.sub(_gap, text) if any(map(text.__contains__, _GAPS)) else text


# A verdict folds some twenty names and texts of its task, which are short, and the judged text several times.
_fold_short, _fold_long = lru_cache(maxsize=4096)(_fold), lru_cache(maxsize=32)(_fold)


def _numeral(found: re.Match[str]) -> str:
    """Return a contract's numeral in everyday signs; without tens it is not converted: 零, 叁."""
    return found[0].translate(_PLAIN_NUMERALS) if _FORMAL_TENS.search(found[0]) else found[0]


def _without_comments(text: str) -> str:
    """Return a text without HTML comments, which readers do not see; an unclosed one extends to the end of the text."""
    visible, place = [], 0
    while (start := text.find("<!--", place)) >= 0:
        visible.append(text[place:start])
        end = text.find("-->", start + len("<!--"))
        place = len(text) if end < 0 else end + len("-->")
    return " ".join([*visible, text[place:]])


def _sign(found: re.Match[str]) -> str:
    return _SIGNS.get(found["name"] or found["close"] or found["joined"], _SIGN)


def _gap(found: re.Match[str]) -> str:
    """Return one blank, hyphen or dash for a run; a hyphen between blanks is a dash, unless it marks an item."""
    gap, text = found[0], found.string
    dashes = gap.strip(" \t")
    if not dashes:
        return " "
    if dashes != "-":
        return "–"
    if gap == "-":
        return "-"
    is_item = found.start() == 0 or text[found.start() - 1] == "\n"
    is_between = gap[0] in " \t" and gap[-1] in " \t" and not is_item and found.end() < len(text)
    return "–" if is_between else (" " if gap[0] in " \t" else "") + "-" + (" " if gap[-1] in " \t" else "")
