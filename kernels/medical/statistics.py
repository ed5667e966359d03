"""Statistics of health: indicators of WHO's Global Health Observatory and what countries report for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.javascript import js_number_text
from farm.appkit.formats.times import js_iso

from . import lookups
from .notes import with_warning

Point = dict[str, Any]

_INDICATORS_MAX = 3
_POINTS_MAX = 50
_DATED = "2024-08-02T10:00:00+02:00"  # when the observatory says that it loaded its figures
# What is also tried when no indicator has the words asked for.
_VARIATIONS = {
    "maternal mortality": ("maternal", "mortality", "maternal death"),
    "infant mortality": ("infant", "mortality", "infant death", "child mortality"),
    "life expectancy": ("life expectancy", "expectancy", "life"),
    "mortality rate": ("mortality", "death rate", "mortality rate"),
    "birth rate": ("birth", "fertility", "birth rate"),
    "death rate": ("death", "mortality", "death rate"),
    "population": ("population", "demographics"),
    "health expenditure": ("health", "expenditure", "spending"),
    "immunization": ("immunization", "vaccination", "vaccine"),
    "malnutrition": ("malnutrition", "nutrition", "undernutrition"),
    "diabetes": ("diabetes", "diabetic"),
    "hypertension": ("hypertension", "blood pressure", "high blood pressure"),
    "cancer": ("cancer", "neoplasm", "tumor"),
    "hiv": ("hiv", "aids", "hiv/aids"),
    "tuberculosis": ("tuberculosis", "tb"),
    "malaria": ("malaria",),
    "obesity": ("obesity", "overweight"),
}
# Heading, then what it explains, in the order shown; an indicator of another category is not shown at all.
_CATEGORIES = {
    "Life Expectancy - At Birth": "Average number of years a newborn is expected to live, assuming current mortality "
    "patterns remain constant",
    "Life Expectancy - Healthy": "Average number of years a person can expect to live in full health (without "
    "disability or illness)",
    "Life Expectancy": "Average number of years a person is expected to live",
    "Mortality - Infant": "Death rate of infants under 1 year of age, typically expressed per 1,000 live births",
    "Mortality - Maternal": "Death rate of women during pregnancy or within 42 days of termination of pregnancy",
    "Mortality - Child": "Death rate of children under 5 years of age, typically expressed per 1,000 live births",
    "Mortality": "Death rate, typically expressed per 1,000 or 100,000 population",
    "Prevalence": "Proportion of population with a specific condition at a given time",
    "Incidence": "Number of new cases of a condition occurring in a population during a specific time period",
    "Rate": "Frequency of occurrence per unit of population or time",
    "General": "",
}
_CHILD_TERMS = ("child", "pediatric", "infant", "neonatal", "under-five")
_AGES = (
    r"\d+\s*(?:-|\s*to\s*)\s*\d+\s*(?:months?|years?|days?)",
    r"infant|toddler|preschool|school-age|adolescent",
    r"under-five|under 5|under-five years",
    r"neonatal|newborn",
)
_CHILD_NAMES = (*_CHILD_TERMS, "under 5", "0-18", "0 to 18", "under-5")


def get_health_statistics(ep: Episode, *, indicator: str, country: str | None = None, limit: int = 10) -> Result:
    """Return the newest figures of at most three indicators, at most ``limit`` in each category.

    Source: https://www.who.int/data/gho/info/gho-odata-api
    """
    asked = {"indicator": indicator, **({} if country is None else {"country": country}), "limit": limit}
    found, footer = lookups.look_up(ep, "WHO", lambda: _points(ep, indicator, country), **asked)
    if not found:
        return none_found(indicator, country) + footer
    grouped: dict[str, list[Point]] = {}
    for point in found:
        grouped.setdefault(_category(point["IndicatorName"].lower()), []).append(point)
    text = f"**Health Statistics: {indicator}**\n\n" + (f"Country Filter: {country}\n" if country else "")
    text += f"Found {len(found)} data point(s) across {len(grouped)} category/categories\n\n"
    number = 0
    for category, explanation in _CATEGORIES.items():
        if category not in grouped:
            continue
        text += f"## {category}\n\n" + (f"*{explanation}*\n\n" if explanation else "")
        for point in _newest(grouped[category])[:limit]:
            number += 1
            text += f"{number}. **{point['IndicatorName']}**\n   Country: {point['SpatialDim']}\n"
            text += f"   Value: **{js_number_text(point['Value'])}**\n   Context: {point['Comments']}\n"
            text += f"{_range(point)}   Year: {point['TimeDim']}\n   Indicator Code: {point['IndicatorCode']}\n\n"
    return text + footer


def none_found(indicator: str, country: str | None) -> str:
    """Return what is said when no indicator is meant, or its countries report nothing."""
    where = f" in {country}" if country else ""
    return f'No health indicators found for "{indicator}"{where}. Try a different search term.'


def _points(ep: Episode, indicator: str, country: str | None) -> list[Point]:
    found: list[Point] = []
    for each in find_indicators(ep, indicator):
        if country and "'" in country:
            # The filter that it is spliced into breaks, and the indicator is listed without figures.
            found.append(_point(each, country, "Unknown", 0, 0, 0, "Data not available", js_iso(ep.now_ms)))
            continue
        for row in observations(ep, each["code"], country, _POINTS_MAX):
            year = str(row["year"])
            low, high = row["low"] or 0, row["high"] or 0
            found.append(_point(each, row["country"], year, row["number"], low, high, f"Year: {year}", _DATED))
    return found


def _point(
    indicator: Row, country: str, year: str, value: float, low: float, high: float, comments: str, dated: str
) -> Point:
    return {
        "IndicatorCode": indicator["code"],
        "IndicatorName": indicator["name"],
        "SpatialDimType": "COUNTRY" if dated == _DATED else "Country",
        "SpatialDim": country,
        "TimeDim": year,
        "TimeDimType": "YEAR" if dated == _DATED else "Year",
        "DataSourceDim": "WHO",
        "DataSourceType": "Official",
        "Value": value,
        "NumericValue": value,
        "Low": low,
        "High": high,
        "Comments": comments,
        "Date": dated,
    }


def find_indicators(ep: Episode, name: str) -> list[Row]:
    """Return the first three indicators with these words in their name, or with others of the same meaning.

    The name is spliced into a filter as it stands, so an apostrophe breaks it.
    """
    if "'" in name:
        return []
    for words in dict.fromkeys([name, *_variations(name), name.lower()]):
        if found := _named(ep, words):
            return found[:_INDICATORS_MAX]
    return []


def _variations(name: str) -> Iterator[str]:
    for part, others in _VARIATIONS.items():
        if part in name.lower():
            yield from others


def _named(ep: Episode, words: str) -> list[Row]:
    return ep.reference.all(
        "SELECT code, name FROM indicators WHERE instr(lower(name), lower(?)) ORDER BY place", words
    )


def observations(ep: Episode, code: str, country: str | None, most: int) -> list[Row]:
    """Return what was reported for an indicator, in the order it was loaded."""
    sql = "SELECT * FROM observations WHERE code = ? AND country = coalesce(?, country) ORDER BY value_id LIMIT ?"
    return ep.reference.all(sql, code, country or None, most)


def _category(name: str) -> str:
    if "life expectancy" in name:
        kinds = {"healthy": "Life Expectancy - Healthy", "at birth": "Life Expectancy - At Birth"}
        return next((category for word, category in kinds.items() if word in name), "Life Expectancy")
    if "mortality" in name:
        kinds = {
            "infant": "Mortality - Infant",
            "maternal": "Mortality - Maternal",
            "child": "Mortality - Child",
            "under 5": "Mortality - Child",
        }
        return next((category for word, category in kinds.items() if word in name), "Mortality")
    return next((word.capitalize() for word in ("prevalence", "incidence", "rate") if word in name), "General")


def _newest(points: Sequence[Point]) -> list[Point]:
    """Sort by year, then by value, both from the top."""
    return sorted(
        points, key=lambda point: (0 if point["TimeDim"] == "Unknown" else -int(point["TimeDim"]), -point["Value"])
    )


def _range(point: Point) -> str:
    if not (point["Low"] and point["High"]):
        return ""
    return f"   Range: {js_number_text(point['Low'])} - {js_number_text(point['High'])}\n"


def get_child_health_statistics(ep: Episode, *, indicator: str, country: str | None = None, limit: int = 10) -> Result:
    """Return figures of at most three indicators of children, in the order they were loaded.

    The figures carry no name of their indicator, and the server shows ``undefined`` for it.
    """
    asked = {"indicator": indicator, **({} if country is None else {"country": country}), "limit": limit}
    found, footer = lookups.look_up(ep, "ChildHealth", lambda: _child_points(ep, indicator, country, limit), **asked)
    if not found:
        where = f" in {country}" if country else ""
        return f'No child health indicators found for "{indicator}"{where}. Try a different search term.{footer}'
    text = f"**Child Health Statistics: {indicator}**\n\n" + (f"Country Filter: {country}\n" if country else "")
    text += f"Found {len(found)} indicator(s)\n\n"
    for number, point in enumerate(found, start=1):
        text += f"{number}. **undefined**\n   Country: {point['SpatialDim']}\n   Value: **{point['Value']}**\n"
        text += f"   Age Group: {point['AgeGroup']}\n{_range(point)}"
        text += f"   Year: {point['TimeDim']}\n   Indicator Code: {point['IndicatorCode']}\n\n"
    origin = "Child health statistics are retrieved dynamically from WHO Global Health Observatory."
    return with_warning(text, origin) + footer


def _child_points(ep: Episode, indicator: str, country: str | None, limit: int) -> list[Point]:
    indicators = _named(ep, indicator)
    for term in _CHILD_TERMS:
        indicators = indicators or _named(ep, term)
    children = [each for each in indicators if any(word in each["name"].lower() for word in _CHILD_NAMES)]
    found: list[Point] = []
    if country and "'" in country:
        return found
    for each in children[:_INDICATORS_MAX]:
        rows = observations(ep, each["code"], country, limit)
        found += [{**as_loaded(row), "AgeGroup": _age_group(each["name"])} for row in rows]
    return found[:limit]


def as_loaded(row: Row) -> Point:
    """Return a figure as the observatory gives it."""
    value = js_number_text(row["number"])
    if row["low"] is not None:
        value += f" [{js_number_text(row['low'])}-{js_number_text(row['high'])}]"
    return {
        "Id": row["value_id"],
        "IndicatorCode": row["code"],
        "SpatialDimType": "COUNTRY",
        "SpatialDim": row["country"],
        "TimeDimType": "YEAR",
        "TimeDim": row["year"],
        "Value": value,
        "NumericValue": row["number"],
        "Low": row["low"],
        "High": row["high"],
        "Comments": None,
        "Date": _DATED,
    }


def _age_group(name: str) -> str:
    """Return the age that an indicator's name tells."""
    for pattern in _AGES:
        if said := re.search(pattern, name, re.IGNORECASE):
            return said[0]
    return "0-18 years"
