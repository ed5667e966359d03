"""Decodes texts in the charsets that mail headers name; the names are untrusted."""

from __future__ import annotations

import binascii
import re
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from encodings import normalize_encoding
from encodings.aliases import aliases

# Python's codecs that are not charsets.
_NO_CHARSETS = frozenset(
    (
        *("base64_codec", "bz2_codec", "hex_codec", "idna", "mbcs", "oem", "punycode", "quopri_codec"),
        *("raw_unicode_escape", "rot_13", "undefined", "unicode_escape", "uu_codec", "zlib_codec"),
    )
)
_WITHOUT_ALIAS = ("cp720", "cp737", "cp856", "cp874", "cp875", "cp1006", "koi8_r", "koi8_t", "koi8_u", "utf_8_sig")
# Python caches every codec name it looks up, so only these names are looked up.
_CODECS = {name: codec for name, codec in aliases.items() if codec not in _NO_CHARSETS}
_CODECS |= {codec: codec for codec in (*_CODECS.values(), *_WITHOUT_ALIAS)}
_NAME_MAX = 40
_HALF = re.compile("[\ud800-\udfff]")


def find_codec(charset: str) -> str | None:
    """Return Python's name of a charset, or None if it is unknown."""
    return _CODECS.get(normalize_encoding(charset.strip().lower())) if len(charset) <= _NAME_MAX else None


def decode_charset(data: bytes, charset: str) -> str | None:
    """Decode bytes in a charset, with replacement characters; None if the charset is unknown."""
    codec = find_codec(charset)
    try:
        # UTF-7 can encode a lone surrogate.
        return None if codec is None else _HALF.sub("\ufffd", data.decode(codec, "replace"))
    except UnicodeError:
        return None


def decode_header_words(header: str) -> str:
    """Decode the encoded words of a header; return the header unchanged if one cannot be decoded."""
    if "=?" not in header:
        return header
    try:
        words = decode_header(header)
        if any(charset is not None and find_codec(charset) is None for _, charset in words):
            return header
        return _HALF.sub("\ufffd", str(make_header(words)))
    except (HeaderParseError, LookupError, UnicodeError, binascii.Error):
        return header
