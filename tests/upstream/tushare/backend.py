"""A stand-in for Tushare's API: the rows of our reference and context, in the shape of the real answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from farm.testing import LocalApp
from tests.upstream.real import Asked, Reply

_STOCK_FIELDS = "ts_code,symbol,name,area,industry,cnspell,market,list_date,act_name,act_ent_type"


def backend(app: LocalApp) -> Callable[[Asked], Reply]:
    """Return what answers the API's requests."""
    stocks = app.episode.reference.all("SELECT * FROM stocks ORDER BY ts_code")
    incomes = app.episode.reference.all("SELECT * FROM incomes ORDER BY ts_code, end_date DESC")
    tokens = {row["token"] for row in app.episode.db.all("SELECT token FROM tokens")}

    def answer(asked: Asked) -> Reply:
        request = json.loads(asked.body)
        wanted = {name: value for name, value in request["params"].items() if value and name != "ts_type_name"}
        if request["token"] not in tokens:
            return _said({"code": 40101, "msg": "您的token不对，请确认。", "data": None})
        if request["api_name"] == "stock_basic":
            listed = [{**row, "symbol": row["ts_code"][:6]} for row in stocks if row["list_status"] == "L"]
            return _rows(_STOCK_FIELDS, [row for row in listed if all(row[key] == wanted[key] for key in wanted)])
        assert request["api_name"] == "income"
        if "ts_code" not in wanted:
            return _said({"code": 40203, "msg": "必填参数：ts_code", "data": None})
        since, until = wanted.get("start_date", ""), wanted.get("end_date", "99999999")
        own = [row for row in incomes if row["ts_code"] == wanted["ts_code"] and since <= row["ann_date"] <= until]
        return _rows(request["fields"], [{**row, "report_type": "1", "update_flag": "1"} for row in own])

    return answer


def _rows(fields: str, rows: list[dict[str, Any]]) -> Reply:
    names = fields.split(",")
    data = {"fields": names, "items": [[row.get(name) for name in names] for row in rows], "has_more": False}
    return _said({"request_id": "0", "code": 0, "msg": "", "data": data})


def _said(body: dict[str, Any]) -> Reply:
    return Reply(json.dumps(body).encode())
