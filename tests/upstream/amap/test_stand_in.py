"""The stand-in for Amap's API, asked without the real server: it uses the geography, which changes unseen by it."""

from __future__ import annotations

from datetime import datetime

from farm.context.reference import load_reference
from tests.upstream.amap.backend import KEY, backend
from tests.upstream.real import by_hand


def test_it_answers_with_rows_of_the_gazetteer() -> None:
    db = load_reference("gazetteer")
    api = backend(db, datetime.fromisoformat("2026-03-09T08:40:00+08:00"), str, int)
    place = db.one("SELECT * FROM places WHERE name = '海灯科技'")
    day = db.one("SELECT * FROM weather_days WHERE adcode = '310000' AND date = '2026-03-09'")
    assert place is not None
    assert day is not None

    found = by_hand(api, "GET /v3/place/text", {"key": KEY, "keywords": place["name"], "city": "上海"})[1]["pois"][0]
    said = by_hand(api, "GET /v3/weather/weatherInfo", {"key": KEY, "city": "上海", "extensions": "all"})[1]

    assert (found["id"], found["name"], found["address"]) == (str(place["place_id"]), place["name"], place["address"])
    cast = said["forecasts"][0]["casts"][0]
    assert (cast["date"], cast["dayweather"], cast["daytemp"]) == (day["date"], day["day_sky"], str(day["high"]))
    assert by_hand(api, "GET /v3/ip", {"key": "another", "ip": ""})[1]["infocode"] == "10001"
