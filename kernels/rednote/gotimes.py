"""RFC 3339 times as Go's ``time.Parse`` reads them, with its complaints to the letter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

LAYOUT = "2006-01-02T15:04:05Z07:00"
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class InvalidTimeError(ValueError):
    """The text is not a time; the message is Go's."""


class _UnreadableElementError(Exception):
    """The element at hand cannot be read; Go names the layout's element and what is left of the text."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time and how it reads in the zone it was given in.

    Attributes:
        at_ms: milliseconds since 1970 UTC.
        minute: the form ``2006-01-02 15:04`` in its own zone.
    """

    at_ms: int
    minute: str


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.rest = text

    def fail(self, element: str) -> InvalidTimeError:
        parsing = f"parsing time {_quoted(self.text)} as {_quoted(LAYOUT)}"
        return InvalidTimeError(f"{parsing}: cannot parse {_quoted(self.rest)} as {_quoted(element)}")

    def complain(self, what: str) -> InvalidTimeError:
        return InvalidTimeError(f"parsing time {_quoted(self.text)}: {what}")

    def take(self, element: str, read: Callable[[str], tuple[int, str]], *, low: int = 0, most: int, name: str) -> int:
        try:
            number, rest = read(self.rest)
        except _UnreadableElementError:
            raise self.fail(element) from None
        self.rest = rest
        if not low <= number <= most:
            raise self.complain(f"{name} out of range")
        return number

    def skip(self, sign: str) -> None:
        if not self.rest.startswith(sign):
            raise self.fail(sign)
        self.rest = self.rest[1:]


def _digits(text: str) -> int:
    """Return how many ASCII digits the text begins with; ``isdigit`` alone would take other scripts too."""
    return next((at for at, each in enumerate(text) if not "0" <= each <= "9"), len(text))


def _two(text: str) -> tuple[int, str]:
    if _digits(text[:2]) < 2:
        raise _UnreadableElementError
    return int(text[:2]), text[2:]


def _one_or_two(text: str) -> tuple[int, str]:
    # Go takes a one-digit hour here, though RFC 3339 does not.
    length = _digits(text[:2])
    if not length:
        raise _UnreadableElementError
    return int(text[:length]), text[length:]


def _year(text: str) -> tuple[int, str]:
    if _digits(text[:4]) < 4:
        raise _UnreadableElementError
    return int(text[:4]), text[4:]


def parse(text: str) -> Moment:
    """Return the moment a text names.

    Raises:
        BadTime: it names none; the message is what Go's ``time.Parse`` says.
    """
    reader = _Reader(text)
    year = reader.take("2006", _year, most=9999, name="year")
    reader.skip("-")
    month = reader.take("01", _two, low=1, most=12, name="month")
    reader.skip("-")
    # Go looks at the day only when it knows the rest.
    day = reader.take("02", _two, most=99, name="day")
    reader.skip("T")
    hour = reader.take("15", _one_or_two, most=23, name="hour")
    reader.skip(":")
    minute = reader.take("04", _two, most=59, name="minute")
    reader.skip(":")
    second = reader.take("05", _two, most=59, name="second")
    milliseconds = _fraction(reader)
    offset = _offset(reader)
    if reader.rest:
        raise reader.complain(f"extra text: {_quoted(reader.rest)}")
    if not 1 <= day <= _DAYS[month - 1] + (month == 2 and _is_leap(year)):
        raise reader.complain("day out of range")
    minutes = (_days(year, month, day) * 24 + hour) * 60 + minute - offset
    at_ms = (minutes * 60 + second) * 1000 + milliseconds
    return Moment(at_ms, f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")


def _fraction(reader: _Reader) -> int:
    """Read digits after a point or comma, which may follow the seconds though the layout has none."""
    length = _digits(reader.rest[1:]) if reader.rest[:1] in {".", ","} else 0
    if not length:
        return 0
    digits, reader.rest = reader.rest[1 : 1 + length], reader.rest[1 + length :]
    return int(digits[:3].ljust(3, "0"))


def _offset(reader: _Reader) -> int:
    """Read the zone and return its minutes east of UTC."""
    if reader.rest.startswith("Z"):
        reader.rest = reader.rest[1:]
        return 0
    zone = reader.rest[:6]
    if len(zone) < 6 or zone[3] != ":" or zone[0] not in "+-" or _digits(zone[1:3]) < 2 or _digits(zone[4:]) < 2:
        raise reader.fail("Z07:00")
    hours, minutes = int(zone[1:3]), int(zone[4:])
    reader.rest = reader.rest[6:]
    if hours > 24:
        raise reader.complain("time zone offset hour out of range")
    if minutes > 60:
        raise reader.complain("time zone offset minute out of range")
    return (hours * 60 + minutes) * (-1 if zone[0] == "-" else 1)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days(year: int, month: int, day: int) -> int:
    """Return the days since 1970; the year may be 0, which ``datetime`` does not know."""
    before = year * 365 + (year + 3) // 4 - (year + 99) // 100 + (year + 399) // 400
    return before + sum(_DAYS[: month - 1]) + (month > 2 and _is_leap(year)) + day - 1 - 719_528


def _quoted(text: str) -> str:
    """Return the quotes of Go's time package: every byte outside ASCII is escaped."""
    out = []
    for each in text:
        if each in {'"', "\\"}:
            out.append("\\" + each)
        elif " " <= each < "\x80":
            out.append(each)
        else:
            out += [f"\\x{byte:02x}" for byte in each.encode("utf-8", "replace")]
    return '"' + "".join(out) + '"'
