"""Weather: how it is now, and the forecast of five days, today's first."""

from __future__ import annotations

from datetime import datetime, timedelta

from farm.appkit import Episode, Result, Row
from farm.appkit.geography import weather
from farm.appkit.geography.districts import CHINA, district_at, find_district, find_locality, short_name

from . import errors
from .addresses import require_china
from .points import read_point

_DAYS = 5
_WEEK = "一二三四五六日"
_UPDATED = timedelta(minutes=15)
_DAYLIGHT = range(6, 18)
# Of the sky: how damp the air is, in per cent.
_DAMP = {"晴": 45, "多云": 58, "阴": 70}
_DAMP_WET = 88


def show(ep: Episode, *, location: str = "", district_id: str = "", is_china: str = "true") -> Result:
    """Return the weather of a district by the episode's clock.

    Args:
        location: a point, longitude first, unlike everywhere else; with it the district is not looked at.
        district_id: an adcode.

    Raises:
        ServiceOff: it is to be sought abroad.
        InvalidParameter: no point or no district, or none whose weather is known.

    Source: https://lbsyun.baidu.com/faq/api?title=webapi/weather
    """
    require_china(is_china)
    if location:
        point = read_point(location, lng_first=True)
        district = None if point is None else district_at(ep.reference, point)
    else:
        district = find_district(ep.reference, district_id)
    at = None if district is None else find_locality(ep.reference, district["adcode"])
    if at is None or at.city is None:
        raise errors.InvalidParameter
    now = ep.now.astimezone(CHINA)
    days = weather.forecast(ep.reference, at.lowest["adcode"], now.date(), _DAYS)
    if not days:
        raise errors.InvalidParameter
    result = {
        "location": {
            "country": "中国",
            "province": at.province["name"],
            "city": at.city["name"],
            "name": short_name(at.lowest["name"]),
            "id": at.lowest["adcode"],
        },
        "now": _now(days[0], now),
        "forecasts": [_day(day) for day in days],
    }
    return {"status": 0, "result": result, "message": "success"}


def _now(day: weather.Day, now: datetime) -> Row:
    sky = day.day if now.hour in _DAYLIGHT else day.night
    warmth = weather.hour_temperature(day, now.hour)
    updated = now - (now - datetime.min.replace(tzinfo=CHINA)) % _UPDATED
    # Wind makes it feel colder.
    chill = 2 if day.force != "1-3" else 1
    return {
        "text": sky,
        "temp": warmth,
        "feels_like": warmth - chill,
        "rh": _DAMP.get(sky, _DAMP_WET),
        # Of up to three the middle: the same day's forecast says less than three.
        "wind_class": f"{2 if day.force == '1-3' else day.force}级",
        "wind_dir": f"{day.wind}风",
        "uptime": updated.strftime("%Y%m%d%H%M%S"),
    }


def _day(day: weather.Day) -> Row:
    force = "<3级" if day.force == "1-3" else f"{int(day.force) - 1}~{day.force}级"
    return {
        "text_day": day.day,
        "text_night": day.night,
        "high": day.high,
        "low": day.low,
        "wc_day": force,
        "wd_day": f"{day.wind}风",
        "wc_night": force,
        "wd_night": f"{day.wind}风",
        "date": day.date.isoformat(),
        "week": f"星期{_WEEK[day.date.weekday()]}",
    }
