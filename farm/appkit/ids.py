"""Ids in a vendor's own form, derived from a hash, so that the same inputs always give the same id.

A form is a pattern such as ``om_{hex:32}`` or ``{uuid}_0``: fields in braces are filled from the hash.
Fields: ``hex``, ``digit``, ``lower``, ``upper``, ``alnum`` (letters of both cases and digits), ``base36`` (lower case
and digits), ``caps36`` (upper case and digits), ``base64url``, each with ``:LENGTH``, and ``uuid``.
"""

from __future__ import annotations

import hashlib
import math
import re
import string
from collections.abc import Callable
from functools import lru_cache

_ALPHABETS = {
    "hex": "0123456789abcdef",
    "digit": string.digits,
    "lower": string.ascii_lowercase,
    "upper": string.ascii_uppercase,
    "alnum": string.ascii_letters + string.digits,
    "base36": string.ascii_lowercase + string.digits,
    "caps36": string.ascii_uppercase + string.digits,
    "base64url": string.ascii_letters + string.digits + "-_",
}
DIGITS_62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
CAPS_36 = string.digits + string.ascii_uppercase
LOWER_36 = string.digits + string.ascii_lowercase
_HASH_BYTES = 32
_FIELD = re.compile(r"\{(\w+)(?::(\d+))?\}")


def in_base(number: int, digits: str, width: int = 1) -> str:
    """Return a number of 0 or more in the base of these digits (the digit for 0 first), zero-padded to the width."""
    written = ""
    while number:
        number, digit = divmod(number, len(digits))
        written = digits[digit] + written
    return written.rjust(width, digits[0])


def _hexadecimal(number: int, length: int) -> str:
    return f"{number & ((1 << 4 * length) - 1):0{length}x}"


def _uuid(number: int) -> str:
    digits = _hexadecimal(number, 32)
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def _letters(alphabet: str, length: int) -> Callable[[int], str]:
    base = len(alphabet)
    # One hash fills that many letters: 42 of base64.
    most = int(_HASH_BYTES * 8 / math.log2(base))

    def fill(number: int) -> str:
        letters = []
        for _ in range(min(length, most)):
            number, rest = divmod(number, base)
            letters.append(alphabet[rest])
        return "".join(letters)

    if length <= most:
        return fill
    rest_of = _letters(alphabet, length - most)
    return lambda number: fill(number) + rest_of(_further(number))


def _further(number: int) -> int:
    """Return the hash of a hash."""
    return int.from_bytes(hashlib.blake2b(number.to_bytes(_HASH_BYTES, "big"), digest_size=_HASH_BYTES).digest(), "big")


def _field(name: str, length: int | None) -> Callable[[int], str]:
    if name == "uuid" and length is None:
        return _uuid
    if name not in _ALPHABETS or not length:
        raise ValueError(f"no id field '{{{name}}}'; have {', '.join(sorted(_ALPHABETS))} with a length, and uuid")
    if name == "hex" and length <= 32:
        return lambda number: _hexadecimal(number, length)
    return _letters(_ALPHABETS[name], length)


@lru_cache(maxsize=1024)
def id_maker(form: str) -> Callable[[bytes], str]:
    """Return a function that turns any bytes into an id of this form.

    Raises:
        ValueError: the form has an unknown field.
    """
    parts = _FIELD.split(form)
    texts, fields = (
        parts[::3],
        [_field(n, int(k) if k else None) for n, k in zip(parts[1::3], parts[2::3], strict=True)],
    )
    blake2b, from_bytes = hashlib.blake2b, int.from_bytes
    if len(fields) == 1:
        before, after, fill = texts[0], texts[1], fields[0]
        return lambda source: (
            before + fill(from_bytes(blake2b(source, digest_size=_HASH_BYTES).digest(), "big")) + after
        )

    def make(source: bytes) -> str:
        out = [texts[0]]
        for index, fill in enumerate(fields):
            digest = blake2b(source, digest_size=_HASH_BYTES, salt=bytes([index])).digest()
            out += (fill(from_bytes(digest, "big")), texts[index + 1])
        return "".join(out)

    return make


def make_id(form: str, *parts: object) -> str:
    """Return the id of this form for these parts (seed, app, kind, a sequence …); equal parts give equal ids."""
    return id_maker(form)(":".join(map(str, parts)).encode())
