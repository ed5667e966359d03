"""The weather of a city on a day: from the gazetteer if it has the day, else modelled from the month's climate.

The model derives a day's weather from region, city and date, so it is the same for everyone and does not change as
the day approaches. Neighbouring days are correlated (a front lasts two or three), and so are the cities of a region,
which is the first digit of their adcodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import blake2b

from farm.appkit.handler_api import Database

_WINDS = ("北", "东北", "东", "东南", "南", "西南", "西", "西北")
_DRY = ("晴", "晴", "多云", "多云", "阴")
_FORCES = ("1-3", "1-3", "1-3", "4")


@dataclass(frozen=True, slots=True)
class Day:
    """The weather of one day.

    Attributes:
        day: the sky by day, in the words of China's weather service: 晴, 多云, 阴, 小雨, 中雨, 大雨, 阵雨, 雷阵雨,
            小雪, 中雪.
        night: the sky by night.
        high: in degrees Celsius.
        low: in degrees Celsius.
        wind: the direction it comes from: 东北.
        force: on Beaufort's scale: 1-3.
    """

    date: date
    day: str
    night: str
    high: int
    low: int
    wind: str
    force: str


def weather(db: Database, adcode: str, day: date) -> Day | None:
    """Return the weather of a city or of its district on a day; None if the gazetteer has no climate for it."""
    above = db.one("SELECT adcode, parent_adcode FROM districts WHERE adcode = ?", adcode)
    codes = () if above is None else (above["adcode"], above["parent_adcode"])
    for code in codes:
        if (found := _recorded_day(db, code, day)) or (found := _modelled_day(db, code, day)):
            return found
    return None


def forecast(db: Database, adcode: str, first: date, days: int) -> list[Day]:
    """Return the weather of consecutive days; empty if no climate is known."""
    found = [weather(db, adcode, first + timedelta(days=each)) for each in range(days)]
    return [day for day in found if day is not None]


def hour_temperature(day: Day, hour: int) -> int:
    """Return the approximate temperature at an hour: lowest at five, highest at two in the afternoon."""
    warmth = 1 - abs((hour - 14 + 12) % 24 - 12) / 12
    return round(day.low + (day.high - day.low) * warmth)


def _recorded_day(db: Database, adcode: str, day: date) -> Day | None:
    row = db.one("SELECT * FROM weather_days WHERE adcode = ? AND date = ?", adcode, day.isoformat())
    if row is None:
        return None
    return Day(day, row["day_sky"], row["night_sky"], row["high"], row["low"], row["wind"], row["force"])


def _modelled_day(db: Database, adcode: str, day: date) -> Day | None:
    months = {row["month"]: row for row in db.all("SELECT * FROM climate WHERE adcode = ? ORDER BY month", adcode)}
    if not months:
        return None
    here = months[day.month]
    # Means are interpolated between the middles of two months.
    other = months[(day.month + (0 if day.day > 15 else -2)) % 12 + 1]
    share = abs(day.day - 15) / 30
    high = here["high"] + (other["high"] - here["high"]) * share
    low = here["low"] + (other["low"] - here["low"]) * share
    front = _front(adcode, day)
    is_wet = front < here["wet_days"] / 30
    shift = (_draw(_region(adcode), day, "warmth") - 0.5) * 8 - (3 if is_wet else 0)
    warm, cold = round(high + shift), round(low + shift * 0.6 + (1 if is_wet else 0))
    low_c = min(cold, warm - 2)
    sky = _wet(warm, _draw(adcode, day, "rain")) if is_wet else _pick(_DRY, _draw(adcode, day, "sky"))
    after = _front(adcode, day + timedelta(days=1)) < here["wet_days"] / 30
    night = _wet(low_c, _draw(adcode, day, "night")) if after and is_wet else _pick(_DRY, _draw(adcode, day, "night"))
    turn = (_WINDS.index(here["wind"]) + round((_draw(adcode, day, "wind") - 0.5) * 4)) % len(_WINDS)
    return Day(day, sky, night, warm, low_c, _WINDS[turn], _pick(_FORCES, _draw(adcode, day, "force")))


def _front(adcode: str, day: date) -> float:
    """Return a number from 0 to 1, correlated between neighbouring days; the lower, the wetter."""
    both = [_draw(_region(adcode), day + timedelta(days=each), "front") for each in (0, 1)]
    mean = sum(both) / 2
    # The mean of two uniform numbers is not uniform; this makes it uniform again.
    return 2 * mean * mean if mean < 0.5 else 1 - 2 * (1 - mean) ** 2


def _wet(warmth: float, draw: float) -> str:
    if warmth <= 1:
        return "小雪" if draw < 0.75 else "中雪"
    if warmth >= 28:
        return "雷阵雨" if draw < 0.6 else "阵雨"
    return "小雨" if draw < 0.65 else "中雨" if draw < 0.9 else "大雨"


def _pick(choices: tuple[str, ...], draw: float) -> str:
    return choices[min(int(draw * len(choices)), len(choices) - 1)]


def _region(adcode: str) -> str:
    """Return the code of the part of the country that a city is in: 3 is the east."""
    return adcode[0]


def _draw(place: str, day: date, what: str) -> float:
    digest = blake2b(f"{place}:{day.isoformat()}:{what}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
