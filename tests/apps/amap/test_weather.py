"""The forecast."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp


@pytest.mark.fact("forecast")
def test_the_forecast_is_of_four_days_from_today(amap: LocalApp) -> None:
    body = amap.call("maps_weather", city="上海")

    assert body["city"] == "上海市"
    assert [day["date"] for day in body["forecasts"]] == ["2026-03-09", "2026-03-10", "2026-03-11", "2026-03-12"]
    assert [day["week"] for day in body["forecasts"]] == ["1", "2", "3", "4"]
    assert all(isinstance(value, str) for day in body["forecasts"] for value in day.values())
    assert body == amap.call("maps_weather", city="310000")
    for day in body["forecasts"]:
        assert int(day["nighttemp"]) < int(day["daytemp"]) == float(day["daytemp_float"])


@pytest.mark.fact("forecast")
def test_a_district_has_the_weather_of_its_city_unless_it_has_its_own(amap: LocalApp) -> None:
    shanghai = amap.call("maps_weather", city="上海市")

    assert amap.call("maps_weather", city="徐汇区") == {**shanghai, "city": "徐汇区"}


@pytest.mark.fact("no-forecast")
def test_a_city_that_is_none_has_no_forecast(refused: Callable[..., str]) -> None:
    assert refused("maps_weather", city="Atlantis") == "No forecast data available"
    assert refused("maps_weather", city="") == "Get weather failed: MISSING_REQUIRED_PARAMS"
