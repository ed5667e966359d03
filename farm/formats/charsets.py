"""Texts in the charsets that mail names, which anybody may have written there."""

from __future__ import annotations

import binascii
import re
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from encodings import normalize_encoding
from encodings.aliases import aliases

# Codecs of Python's that write a text otherwise and are no charset.
_NO_CHARSETS = frozenset(
    (
        *("base64_codec", "bz2_codec", "hex_codec", "idna", "mbcs", "oem", "punycode", "quopri_codec"),
        *("raw_unicode_escape", "rot_13", "undefined", "unicode_escape", "uu_codec", "zlib_codec"),
    )
)
_WITHOUT_ALIAS = ("cp720", "cp737", "cp856", "cp874", "cp875", "cp1006", "koi8_r", "koi8_t", "koi8_u", "utf_8_sig")
# Python remembers every name it was ever asked for, so it is asked for these alone.
_CODECS = {name: codec for name, codec in aliases.items() if codec not in _NO_CHARSETS}
_CODECS |= {codec: codec for codec in (*_CODECS.values(), *_WITHOUT_ALIAS)}
_NAME_MAX = 40
_HALF = re.compile("[\ud800-\udfff]")


def find_codec(charset: str) -> str | None:
    """Return Python's name of a charset, None where it has none of this name."""
    return _CODECS.get(normalize_encoding(charset.strip().lower())) if len(charset) <= _NAME_MAX else None


def decode_charset(data: bytes, charset: str) -> str | None:
    """Return what bytes say in a charset, with replacement characters; None where there is no such charset."""
    codec = find_codec(charset)
    try:
        # UTF-7 can say half a character.
        return None if codec is None else _HALF.sub("\ufffd", data.decode(codec, "replace"))
    except UnicodeError:
        return None


def decode_header_words(header: str) -> str:
    """Return a header with its encoded words read; as it is where one of them cannot be."""
    if "=?" not in header:
        return header
    try:
        words = decode_header(header)
        if any(charset is not None and find_codec(charset) is None for _, charset in words):
            return header
        return _HALF.sub("\ufffd", str(make_header(words)))
    except (HeaderParseError, LookupError, UnicodeError, binascii.Error):
        return header
