"""The stand-in for Tushare's API, asked without the real server: it reads our rows, which change unseen by it."""

from __future__ import annotations

from collections.abc import Callable

from farm.testing import LocalApp
from tests.upstream.real import by_hand
from tests.upstream.tushare.backend import backend
from tests.upstream.tushare.calls import TOKEN


def test_it_answers_with_rows_of_the_reference(start: Callable[..., LocalApp]) -> None:
    app = start("tushare", rows=[{"table": "tokens", "token": TOKEN, "holder": "me"}])
    stock = app.episode.reference.one("SELECT * FROM stocks WHERE list_status = 'L'")
    assert stock is not None
    own = app.episode.reference.all("SELECT end_date FROM incomes WHERE ts_code = ?", stock["ts_code"])
    asked = {"token": TOKEN, "params": {"ts_code": stock["ts_code"]}, "fields": "ts_code,end_date"}

    listed = by_hand(backend(app), "POST /", body={**asked, "api_name": "stock_basic"})[1]["data"]
    incomes = by_hand(backend(app), "POST /", body={**asked, "api_name": "income"})[1]["data"]["items"]

    assert [dict(zip(listed["fields"], each, strict=True))["name"] for each in listed["items"]] == [stock["name"]]
    assert sorted(incomes) == sorted([stock["ts_code"], each["end_date"]] for each in own)
    assert incomes
    assert by_hand(backend(app), "POST /", body={**asked, "token": "x", "api_name": "income"})[1]["code"] == 40101
