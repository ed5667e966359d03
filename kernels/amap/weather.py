"""Weather: the forecast of four days, today's first."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row
from farm.appkit.geography import weather
from farm.appkit.geography.districts import CHINA, below, find_district, named_districts

from . import canned_responses, errors

_DAYS = 4


def forecast(ep: Episode, *, city: str) -> Result:
    """Return the weather of a city or district for today and the three days after, by the episode's clock.

    Raises:
        MissingRequiredParams: no city.
        NoForecast: none of this name or adcode is known.

    Source: https://lbs.amap.com/api/webservice/guide/api/weatherinfo
    """
    if (answer := canned_responses.find_answer(ep, "/v3/weather/weatherInfo", city=city, extensions="all")) is not None:
        return canned_responses.forecast(answer)
    if not city:
        raise errors.MissingRequiredParams
    named = named_districts(ep.reference, city)
    if not named:
        raise errors.NoForecast
    district = named[0] if named[0]["level"] != "province" else _capital(ep, named[0])
    first = ep.now.astimezone(CHINA).date()
    days = weather.forecast(ep.reference, district["adcode"], first, _DAYS)
    if not days:
        raise errors.NoForecast
    return {"city": district["name"], "forecasts": [_day(day) for day in days]}


def _capital(ep: Episode, province: Row) -> Row:
    capital = find_district(ep.reference, below(ep.reference, province["adcode"])[1])
    assert capital is not None, "a province of the gazetteer has a city"
    return capital


def _day(day: weather.Day) -> Row:
    return {
        "date": day.date.isoformat(),
        "week": str(day.date.isoweekday()),
        "dayweather": day.day,
        "nightweather": day.night,
        "daytemp": str(day.high),
        "nighttemp": str(day.low),
        "daywind": day.wind,
        "nightwind": day.wind,
        "daypower": day.force,
        "nightpower": day.force,
        "daytemp_float": f"{day.high:.1f}",
        "nighttemp_float": f"{day.low:.1f}",
    }
