"""Validate and compute check digits."""

from __future__ import annotations

from datetime import date

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
    """Return whether a card number ends in the right check digit."""
    return luhn_digit(digits[:-1]) == digits[-1]


def iban_digits(country: str, account: str) -> str:
    """Return the two check digits of an IBAN (ISO 13616)."""
    number = "".join(str(int(each, 36)) for each in f"{account}{country}00")
    return f"{98 - int(number) % 97:02}"


def has_iban(text: str) -> bool:
    """Return whether letters and digits without spaces are an IBAN with valid check digits."""
    return iban_digits(text[:2], text[4:]) == text[2:4]


def chinese_digit(digits: str) -> str:
    """Return the last character of a Chinese resident number, from the first 17 (GB 11643)."""
    total = sum(int(digit) * weight for digit, weight in zip(digits, _CHINESE_WEIGHTS, strict=True))
    return _CHINESE_DIGITS[total % 11]


def has_chinese(text: str) -> bool:
    """Return whether 18 characters are a resident number: a place, a date of birth, and a valid last character."""
    if text[0] == "0" or chinese_digit(text[:17]) != text[17].upper():
        return False
    try:
        born = date(int(text[6:10]), int(text[10:12]), int(text[12:14]))
    except ValueError:
        return False
    return 1900 <= born.year <= 2100
