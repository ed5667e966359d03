"""What was recorded of the running server; and the shares we ship, whose figures add up."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.context.reference import load_reference
from farm.context.template import read_rows
from farm.testing import LocalApp
from tests.apps.tushare.conftest import configured

UPSTREAM = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "tushare"
CODES = [
    row["ts_code"] for row in load_reference("shares").all("SELECT DISTINCT ts_code FROM incomes ORDER BY ts_code")
]

# What the stand-in answered, as rows of the episode. It looked at no filter: two stocks whatever was asked, and to a
# statement's code the name of the first.
ANSWERS = read_rows(Path(__file__).with_name("answers.jsonl"))


@pytest.mark.fact("recorded")
def test_every_recorded_success_is_answered_to_the_letter(start: Callable[..., LocalApp]) -> None:
    if not UPSTREAM.is_dir():
        pytest.skip("the recorded calls are not on this machine")
    lines = [json.loads(line) for line in (UPSTREAM / "envelope_samples.jsonl").read_text("utf-8").splitlines()]

    for line in lines:
        app = start("tushare", rows=ANSWERS)
        assert app.result(line["tool"], **line["arguments"]) == line["result"], line["tool"]
    assert len(lines) == 6


def answered(api: str, body: dict[str, Any], **params: str) -> dict[str, Any]:
    """Return a row that tells what Tushare answers to requests for these."""
    return {"table": "answers", "api": api, "params": json.dumps(params), "body": json.dumps(body)}


@pytest.mark.fact("canned-responses")
@pytest.mark.parametrize(
    ("api", "tool", "arguments", "head"),
    [
        ("stock_basic", "get_stock_basic_info", {"ts_code": "000001.SZ"}, "查询失败"),
        ("stock_basic", "search_stocks", {"keyword": "银行"}, "搜索失败"),
        ("stock_basic", "get_income_statement", {"ts_code": "000001.SZ"}, "查询失败"),
        ("income", "get_income_statement", {"ts_code": "000001.SZ"}, "查询失败"),
    ],
)
def test_an_episode_can_tell_that_tushare_refuses(
    start: Callable[..., LocalApp], api: str, tool: str, arguments: dict[str, str], head: str
) -> None:
    why = "抱歉，您每分钟最多访问该接口1次"
    app = start("tushare", rows=[*configured(), answered(api, {"code": 40203, "msg": why, "data": None})])

    with pytest.raises(VendorError) as refused:
        app.call(tool, **arguments)

    assert refused.value.message == f"{head}：{why}"


@pytest.mark.fact("canned-responses")
def test_the_answer_that_says_most_of_a_request_is_told_with_all_it_has(start: Callable[..., LocalApp]) -> None:
    fields = ["ts_code", "name", "exchange", "list_status", "delist_date"]
    named = {"code": 0, "msg": "", "data": {"fields": fields, "items": [["1.SZ", "甲", "SZSE", "D", "20240101"]]}}
    none = {"code": 0, "msg": "", "data": {"fields": ["ts_code", "name"], "items": []}}
    rows = [*configured(), answered("stock_basic", none), answered("stock_basic", named, name="甲")]
    app = start("tushare", rows=rows)

    assert app.text("get_stock_basic_info", name="甲") == (
        "股票代码: 1.SZ\n股票名称: 甲\n交易所: SZSE\n上市状态: D\n退市日期: 20240101\n" + "-" * 24
    )
    assert app.text("get_stock_basic_info", name="平安银行") == "未找到符合条件的股票"


@pytest.mark.fact("shipped")
def test_there_are_companies_enough_and_each_can_be_asked_for(tushare: LocalApp) -> None:
    assert len(CODES) >= 25
    costs = tushare.episode.reference.all("SELECT DISTINCT ts_code FROM incomes WHERE oper_cost IS NOT NULL")
    for code in (row["ts_code"] for row in costs):
        assert f"（{code}）的合并报表" in tushare.text("get_income_statement", ts_code=code)


@pytest.mark.fact("shipped")
@pytest.mark.parametrize("code", CODES)
def test_a_statement_adds_up(code: str) -> None:
    rows = load_reference("shares").all("SELECT * FROM incomes WHERE ts_code = ? ORDER BY end_date", code)
    shares = load_reference("shares").scalar("SELECT total_share FROM stocks WHERE ts_code = ?", code)
    costs = ("oper_cost", "biz_tax_surchg", "sell_exp", "admin_exp", "rd_exp", "fin_exp", "oper_exp")

    for row in rows:
        assert row["total_cogs"] == sum(row[cost] or 0 for cost in costs)
        assert row["operate_profit"] == row["total_revenue"] - row["total_cogs"] + row["invest_income"]
        assert row["total_profit"] == row["operate_profit"] + row["non_oper_income"] - row["non_oper_exp"]
        assert row["n_income"] == row["total_profit"] - row["income_tax"]
        assert row["basic_eps"] == round(row["n_income"] / shares, 2)
        assert row["end_date"] < row["ann_date"] < "20260101"
        assert 1e8 < row["total_revenue"] < 100e8
    # A year's statements hold those before them.
    for before, after in pairwise(rows):
        if before["end_date"][:4] == after["end_date"][:4]:
            assert before["total_revenue"] < after["total_revenue"]
            assert before["n_income"] < after["n_income"]


@pytest.mark.fact("shipped")
@pytest.mark.parametrize("code", CODES)
def test_a_balance_sheet_balances_and_ratios_follow(code: str) -> None:
    shares = load_reference("shares")
    sheets = {row["end_date"]: row for row in shares.all("SELECT * FROM balance_sheets WHERE ts_code = ?", code)}
    years = {row["end_date"]: row for row in shares.all("SELECT * FROM incomes WHERE ts_code = ?", code)}
    ratios = {row["end_date"]: row for row in shares.all("SELECT * FROM indicators WHERE ts_code = ?", code)}
    total = shares.scalar("SELECT total_share FROM stocks WHERE ts_code = ?", code)

    for sheet in sheets.values():
        assert sheet["total_assets"] == sheet["total_liab"] + sheet["total_hldr_eqy"]
        assert sheet["total_assets"] == sheet["money_cap"] + sheet["oth_assets"]
    assert [*ratios] == ["20231231", "20241231"]
    for end, ratio in ratios.items():
        before, sheet, year = sheets[f"{int(end[:4]) - 1}1231"], sheets[end], years[end]
        equity = sheet["total_hldr_eqy"]
        assert equity == before["total_hldr_eqy"] + year["n_income"] - sheet["dividends"]
        assert ratio["eps"] == year["basic_eps"]
        assert ratio["bps"] == round(equity / total, 2)
        assert ratio["netprofit_margin"] == round(year["n_income"] / year["total_revenue"] * 100, 2)
        assert ratio["roe"] == round(year["n_income"] / ((equity + before["total_hldr_eqy"]) / 2) * 100, 2)
        assert ratio["debt_to_assets"] == round(sheet["total_liab"] / sheet["total_assets"] * 100, 2)
        if year["oper_cost"] is None:
            assert ratio["grossprofit_margin"] is None
        else:
            margin = (year["total_revenue"] - year["oper_cost"]) / year["total_revenue"] * 100
            assert ratio["grossprofit_margin"] == round(margin, 2)


@pytest.mark.fact("shipped")
@pytest.mark.parametrize("world", ["harbor", "mini"])
def test_a_world_s_server_has_a_token_that_works(start: Callable[..., LocalApp], world: str) -> None:
    assert start("tushare", world=world).text("search_stocks", keyword="顺丰") == "002352.SZ - 顺丰控股"
