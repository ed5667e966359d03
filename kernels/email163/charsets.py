"""Charsets of texts in mails, as iconv-lite reads them."""

from __future__ import annotations

import re

from farm.appkit.formats.charsets import decode_charset

_UTF8 = frozenset(("ascii", "usascii", "utf8"))
_CHARSETS = {"gb2312": "gbk", "gb_2312-80": "gbk", "ks_c_5601-1987": "cp949", "x-gbk": "gbk"}
_CHINESE = frozenset(("gbk", "cp936", "gb18030"))
# A character of two or four bytes, or the byte that Windows has for the euro, which Python refuses.
_CHINESE_BYTES = re.compile(rb"[\x81-\xfe][\x30-\x39][\x81-\xfe][\x30-\x39]|[\x81-\xfe][\x40-\x7e\x80-\xfe]|(\x80)")
_TWO_BYTES = re.compile(r"utf-?16(?:le|be)?|ucs-?2")


def decode_text(data: bytes, charset: str) -> str:
    """Return a text; of an unknown charset as UTF-8, what is no character replaced."""
    name = charset.strip().lower()
    if re.sub("[^a-z0-9]+", "", name) in _UTF8:
        return data.decode("utf-8", "replace")
    name = _CHARSETS.get(name, name)
    if _TWO_BYTES.fullmatch(name):
        data = data[: len(data) // 2 * 2]
    pieces = _between_euros(data) if name in _CHINESE else [data]
    texts = [decode_charset(piece, name) for piece in pieces]
    return data.decode("utf-8", "replace") if None in texts else "€".join(map(str, texts))


def _between_euros(data: bytes) -> list[bytes]:
    begins = [0, *(found.end() for found in _CHINESE_BYTES.finditer(data) if found[1])]
    ends = [*(begin - 1 for begin in begins[1:]), len(data)]
    return [data[begin:end] for begin, end in zip(begins, ends, strict=True)]
