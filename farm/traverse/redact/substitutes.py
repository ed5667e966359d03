"""Stand-ins of the same form and length: each letter becomes one of its kind, and valid check digits stay valid.

A stand-in depends only on the key and the value. So a value has the same stand-in in every call, file and later
recording, and without the key, values cannot be guessed from it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator
from zlib import crc32

from farm._util.private_values.check_digits import (
    chinese_digit,
    has_chinese,
    has_iban,
    has_luhn,
    iban_digits,
    luhn_digit,
)
from farm._util.private_values.detectors import NOBODY, PUBLIC_DOMAINS, RESERVED_DOMAIN, ROLES, PrivateKind, split_words
from farm.appkit.ids import DIGITS_62, in_base

_SECOND_LEVELS = split_words("ac co com edu gov mil net or org")
_COMMON_FOLDERS = NOBODY | split_words(
    "c d e bin data etc files lib local mnt opt private projects src srv tmp usr var"
)
_TRIES_MAX = 200

_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
_LETTERS, _HEX = "abcdefghijklmnopqrstuvwxyz", "abcdef"
# Common in names, so that a name still looks like one; three bytes each in UTF-8, as nearly all Chinese characters.
_HAN = (
    "安白柏蔡曹岑常陈程池初崔戴单邓丁董杜段范方房费冯符傅高葛耿龚古顾关郭韩郝何贺洪侯胡华黄霍姬纪贾江姜蒋金康柯孔赖蓝雷黎李连廉梁林凌刘柳龙卢鲁陆路吕罗"
    "马麦毛梅孟苗莫牟穆倪聂宁牛欧潘裴彭齐钱乔秦邱裘任荣阮沈盛施石史宋苏孙谭汤唐陶田童万汪王韦魏温文翁吴伍武席夏向萧谢辛邢熊徐许薛严颜杨姚叶易尹应尤于余俞"
    "虞袁岳云臧曾翟詹张章赵郑钟周朱祝庄卓邹祖左"
)
_RUN = re.compile(r"[^\W_]+")


class Substitutes:
    """Creates stand-ins that differ from each other and from the texts in the calls."""

    def __init__(self, key: bytes, words: dict[str, str] | None = None) -> None:
        """Use a key.

        Args:
            words: stand-ins of earlier words.
        """
        self._key = key
        self.words = words if words is not None else {}
        self._used = set(self.words.values())
        self.avoided: set[str] = set()

    def stand_in(self, kind: PrivateKind, value: str) -> str:
        """Return a value's stand-in, with the same number of characters and bytes and the same marks between them."""
        make = _MAKERS.get(kind, Substitutes._token)
        return make(self, value)

    def word(self, run: str) -> str:
        """Return the stand-in of one word in any case: names, and the parts of addresses."""
        low = _fold(run)
        if low not in self.words:
            tries = (self._mixed(low, f"word {attempt}", is_name=True) for attempt in range(_TRIES_MAX))
            free = (each for each in tries if each not in self._used | self.avoided and each != low)
            self.words[low] = next(free, self._mixed(low, "word", is_name=True))
            self._used.add(self.words[low])
        return _cased(self.words[low], run)

    def _words(self, value: str) -> str:
        return _RUN.sub(lambda found: self.word(found[0]), value)

    def _stream(self, purpose: str, text: str) -> Iterator[int]:
        """Yield numbers below 2**32, derived by the key from a purpose and a text."""
        count = 0
        while True:
            block = hmac.digest(
                self._key, f"{purpose}\0{text}\0{count}".encode("utf-8", "surrogatepass"), hashlib.sha256
            )
            yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, len(block), 4))
            count += 1

    def _mixed(self, value: str, purpose: str, *, is_name: bool = False, digits: str = "0123456789") -> str:
        """Return a text in which each letter and digit is replaced by another of its kind."""
        draw = self._stream(purpose, _fold(value))
        letters = [each for each in value if each.isascii() and each.isalpha()]
        is_hex = any(each.isdigit() for each in value) and all(each.lower() in _HEX for each in letters)
        out = []
        for place, sign in enumerate(value):
            number = next(draw)
            if "0" <= sign <= "9":
                begins = sign != "0" and (place == 0 or not value[place - 1].isdigit())
                choice = digits.replace("0", "") if begins else digits
                out.append(choice[number % len(choice)])
            elif sign.isascii() and sign.isalpha():
                choice = _HEX if is_hex else _LETTERS if not is_name else _kin(sign)
                out.append(_cased(choice[number % len(choice)], sign))
            else:
                out.append(_like(sign, number))
        return "".join(out)

    def _tried(self, value: str, purpose: str, is_right: Callable[[str], bool]) -> str:
        """Return the first mixture that passes ``is_right``; if none does, the last one."""
        found = value
        for attempt in range(_TRIES_MAX):
            found = self._mixed(value, f"{purpose} {attempt}")
            if found != value and is_right(found):
                break
        return found

    def _token(self, value: str) -> str:
        if len(value) > 12 and value[-6:] == crc_letters(value[:-6]):
            body = self._mixed(value[:-6], "token")
            return body + crc_letters(body)
        is_base32 = value.isupper() and all(each in "234567" or each.isalpha() for each in value)
        if is_base32:
            return self._mixed(value, "token", digits="234567")
        return self._tried(value, "token", lambda found: found not in self._used)

    def _mail(self, value: str) -> str:
        local, _, domain = value.rpartition("@")
        return f"{local if local.lower() in ROLES else self._words(local)}@{self.domain(domain)}"

    def domain(self, domain: str) -> str:
        """Return a domain's stand-in: public domains and top-level domains stay."""
        if is_public(domain) or RESERVED_DOMAIN.fullmatch(domain):
            return domain
        labels = domain.split(".")
        kept = 2 if len(labels) > 2 and labels[-2].lower() in _SECOND_LEVELS else 1
        return ".".join([self._words(each) for each in labels[:-kept]] + labels[-kept:])

    def _phone(self, value: str) -> str:
        from phonenumbers import NumberParseException, is_valid_number, parse

        def is_valid(text: str) -> bool:
            try:
                return is_valid_number(parse(text, region))
            except NumberParseException:
                return False

        plain = re.sub(r"^00", "+", value)
        region = (
            None if plain.startswith("+") else "US" if re.fullmatch(r"\D*1?\D*\d{3}\D+\d{3}\D\d{4}", plain) else "CN"
        )
        national = phone_digits(value)
        kept = value[: _after_digits(value, len(re.sub(r"\D", "", value)) - len(national) + 3)]
        was_valid = is_valid(plain)

        def tried(attempt: int) -> str:
            mixed = iter(self._mixed(national[3:], f"phone {national[:3]} {attempt}"))
            return kept + "".join(next(mixed) if each.isdigit() else each for each in value[len(kept) :])

        found = value
        for attempt in range(_TRIES_MAX):
            found = tried(attempt)
            if found != value and (not was_valid or is_valid(re.sub(r"^00", "+", found))):
                break
        return found

    def _folder(self, value: str) -> str:
        return _RUN.sub(lambda found: found[0] if found[0].lower() in _COMMON_FOLDERS else self.word(found[0]), value)

    def _card(self, value: str) -> str:
        digits = re.sub(r"\D", "", value)
        mixed = digits[:4] + self._mixed(digits[4:-1], "card") + digits[-1]
        if has_luhn(digits):
            mixed = mixed[:-1] + luhn_digit(mixed[:-1])
        return _spaced(mixed, value)

    def _account(self, value: str) -> str:
        plain = value.replace(" ", "")
        if len(plain) < 15 or not has_iban(plain):
            return self._mixed(value, "account")
        account = plain[4:8] + self._mixed(plain[8:], "iban")
        return _spaced(plain[:2] + iban_digits(plain[:2], account) + account, value)

    def _national(self, value: str) -> str:
        if not (len(value) == 18 and value[:17].isdigit() and has_chinese(value)):
            return self._tried(value, "national", lambda found: not found.startswith(("000", "666", "9")))
        draw = self._stream("national", value[:17])
        year, month, day, order = (next(draw) for _ in range(4))
        first = f"{value[:6]}{1950 + year % 55}{1 + month % 12:02}{1 + day % 28:02}{1 + order % 998:03}"
        last = chinese_digit(first)
        return first + (last.lower() if value[17] == "x" else last)

    def _jwt(self, value: str) -> str:
        head, payload, signature = value.split(".")
        return ".".join((head, self._claims(payload), self._mixed(signature, "jwt")))

    def _claims(self, payload: str) -> str:
        """Return a payload with its texts replaced; its times stay, because servers check them."""
        try:
            said = json.loads(_unbase64(payload))
        except ValueError:
            return self._mixed(payload, "claims")
        dumped = json.dumps(self._other_texts(said), separators=(",", ":"), ensure_ascii=False)
        made = base64.urlsafe_b64encode(dumped.encode()).decode().rstrip("=")
        return made if len(made) == len(payload) else self._mixed(payload, "claims")

    def _other_texts(self, value: object) -> object:
        if isinstance(value, str):
            return self._mixed(value, "claim")
        if isinstance(value, dict):
            return {key: self._other_texts(each) for key, each in value.items()}
        return [self._other_texts(each) for each in value] if isinstance(value, list) else value

    def _basic(self, value: str) -> str:
        try:
            user, colon, password = _unbase64(value).decode().partition(":")
        except ValueError:
            return self._mixed(value, "basic")
        made = f"{self._words(user)}{colon}{self._token(password)}"
        return base64.b64encode(made.encode()).decode()[: len(value)] if colon else self._mixed(value, "basic")


def is_public(domain: str) -> bool:
    """Return whether a domain offers addresses to everyone, or belongs to a service itself."""
    labels = domain.lower().split(".")
    return any(".".join(labels[at:]) in PUBLIC_DOMAINS for at in range(len(labels) - 1))


def phone_digits(value: str) -> str:
    """Return a phone number's significant digits in any notation: without country code and trunk zero."""
    from phonenumbers import NumberParseException, national_significant_number, parse

    digits = re.sub(r"\D", "", value)
    if re.fullmatch(r"(?:00)?86?1[3-9]\d{9}|1[3-9]\d{9}", digits):
        return digits[-11:]
    plain = re.sub(r"^00", "+", value)
    if plain.startswith("+"):
        try:
            return national_significant_number(parse(plain, None))
        except NumberParseException:
            pass
    return digits[-10:] if len(digits) == 11 and digits[0] == "1" else digits


def _unbase64(text: str) -> bytes:
    """Decode base64 in either alphabet, padded or not.

    Raises:
        ValueError: the text is not base64.
    """
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error as problem:
        raise ValueError(str(problem)) from None


def _fold(text: str) -> str:
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def _cased(made: str, like: str) -> str:
    pairs = zip(made, like, strict=True)
    return "".join(one.upper() if other.isupper() and len(one.upper()) == 1 else one for one, other in pairs)


def _kin(letter: str) -> str:
    return _VOWELS if letter.lower() in _VOWELS else _CONSONANTS


def _like(sign: str, number: int) -> str:
    """Return another letter of the same script and byte length; other characters stay."""
    if not sign.isalpha() or sign.isascii():
        return sign
    if "一" <= sign <= "鿿":
        return _HAN[number % len(_HAN)]
    block = ord(sign) & ~0x3F
    size = len(sign.encode())
    near = (chr(each) for each in range(block, block + 64))
    kin = [each for each in near if each.isalpha() and each.isupper() == sign.isupper() and len(each.encode()) == size]
    return kin[number % len(kin)] if kin else sign


def _spaced(plain: str, like: str) -> str:
    """Insert the marks of another text between characters."""
    signs = iter(plain)
    return "".join(next(signs) if each.isalnum() else each for each in like)


def _after_digits(text: str, count: int) -> int:
    """Return the index after the first ``count`` digits of a text."""
    for place, sign in enumerate(text):
        if count <= 0:
            return place
        count -= sign.isdigit()
    return len(text)


_MAKERS: dict[PrivateKind, Callable[[Substitutes, str], str]] = {
    "mail address": Substitutes._mail,
    "phone number": Substitutes._phone,
    "card number": Substitutes._card,
    "bank account": Substitutes._account,
    "national id": Substitutes._national,
    "jwt": Substitutes._jwt,
    "basic login": Substitutes._basic,
    "name": Substitutes._words,
    "user": Substitutes._words,
    "host": Substitutes._words,
    "folder": Substitutes._folder,
}


def crc_letters(text: str) -> str:
    """Return the last six letters of a GitHub or npm token: the CRC-32 of the rest, in base 62."""
    return in_base(crc32(text.encode("utf-8", "surrogatepass")), DIGITS_62, 6)
