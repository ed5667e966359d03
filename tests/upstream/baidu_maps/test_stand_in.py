"""The stand-in for Baidu's services, asked without the real server: it uses the geography, which changes unseen."""

from __future__ import annotations

from datetime import datetime

from farm.context.reference import load_reference
from tests.upstream.baidu_maps.backend import KEY, Backend
from tests.upstream.real import by_hand


def test_it_answers_with_rows_of_the_gazetteer() -> None:
    db = load_reference("gazetteer")
    api = Backend(db, datetime.fromisoformat("2026-03-09T08:40:00+08:00"), str, lambda _: None)
    place = db.one("SELECT * FROM places WHERE name = '海灯科技'")
    assert place is not None
    every = {
        "ak": KEY,
        "from": "py_mcp",
        "output": "json",
        "scope": "2",
        "region": "上海",
        "region_limit": "true",
        "type": "",
    }

    listed = by_hand(api, "GET /place/v3/region", {**every, "query": place["name"]})[1]["results"]
    shown = by_hand(api, "GET /place/v2/detail", {**every, "uid": str(place["place_id"])})[1]["result"]

    assert {(each["uid"], each["name"]) for each in listed} >= {(str(place["place_id"]), place["name"])}
    # Baidu's own coordinates lie within a kilometre or so of the gazetteer's, and never on them.
    assert 0 < abs(shown["location"]["lng"] - place["longitude"]) < 0.02
    assert by_hand(api, "GET /place/v2/detail", {**every, "uid": "none"})[1]["status"] == 2
