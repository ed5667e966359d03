"""Check digits: whether a number has the right one, and which is right for another number."""

from __future__ import annotations

from datetime import date

from farm.ids import DIGITS_62, in_base

_CHINESE_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHINESE_DIGITS = "10X98765432"


def luhn_digit(digits: str) -> str:
    """Return the last digit of a card number, from the others (ISO/IEC 7812)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)


def has_luhn(digits: str) -> bool:
    """Whether a card number ends in the digit it should."""
    return luhn_digit(digits[:-1]) == digits[-1]


def iban_digits(country: str, account: str) -> str:
    """Return the two check digits of an IBAN (ISO 13616)."""
    number = "".join(str(int(each, 36)) for each in f"{account}{country}00")
    return f"{98 - int(number) % 97:02}"


def has_iban(text: str) -> bool:
    """Whether letters and digits without spaces are an IBAN with the right check digits."""
    return iban_digits(text[:2], text[4:]) == text[2:4]


def chinese_digit(digits: str) -> str:
    """Return the last sign of a Chinese resident number, from the first 17 (GB 11643)."""
    total = sum(int(digit) * weight for digit, weight in zip(digits, _CHINESE_WEIGHTS, strict=True))
    return _CHINESE_DIGITS[total % 11]


def has_chinese(text: str) -> bool:
    """Whether 18 signs are a resident number: a place, a day of birth, and the right last sign."""
    if text[0] == "0" or chinese_digit(text[:17]) != text[17].upper():
        return False
    try:
        born = date(int(text[6:10]), int(text[10:12]), int(text[12:14]))
    except ValueError:
        return False
    return 1900 <= born.year <= 2100


def crc_letters(text: str) -> str:
    """Return the six letters at the end of a GitHub or npm token: the CRC-32 of the rest, in base 62."""
    from zlib import crc32

    return in_base(crc32(text.encode("utf-8", "surrogatepass")), DIGITS_62, 6)
