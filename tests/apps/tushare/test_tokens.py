"""The token: set, read once, asked for before anything else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.tushare.conftest import configured

START = Callable[..., LocalApp]
OK = "Token配置正常，可以使用Tushare API。"
UNSET = "未配置Tushare token。请使用configure_token提示来设置您的token。"
QUERIES = [
    ("get_stock_basic_info", {"ts_code": "002352.SZ"}, "查询失败"),
    ("search_stocks", {"keyword": "("}, "搜索失败"),
    ("get_income_statement", {"ts_code": "002352.SZ"}, "查询失败"),
]


@pytest.mark.fact("set")
def test_a_token_is_stored_whatever_it_is(start: START) -> None:
    app = start("tushare")

    assert app.text("check_token_status") == UNSET
    assert app.text("setup_tushare_token", token="any") == "Token配置成功！您现在可以使用Tushare的API功能了。"
    assert app.text("check_token_status") == OK
    assert app.episode.db.all("SELECT token, token_read FROM servers") == [{"token": "any", "token_read": "any"}]


@pytest.mark.fact("kept")
def test_the_first_token_that_was_read_goes_on_being_asked_with(start: START) -> None:
    app = start("tushare", rows=configured())

    app.text("setup_tushare_token", token="bad")

    assert app.text("search_stocks", keyword="顺丰") == "002352.SZ - 顺丰控股"
    assert app.episode.db.all("SELECT token, token_read FROM servers") == [{"token": "bad", "token_read": "good"}]


@pytest.mark.fact("unset")
@pytest.mark.parametrize(("tool", "arguments", "_"), QUERIES)
def test_without_a_token_every_query_is_one_sentence(
    start: START, tool: str, arguments: dict[str, str], _: str
) -> None:
    app = start("tushare")

    text = "请先配置Tushare token"
    answer = {"content": [{"type": "text", "text": text}], "structuredContent": {"result": text}, "isError": False}
    assert app.result(tool, **arguments) == answer
    app.text("setup_tushare_token", token="")
    app.text("setup_tushare_token", token="good")
    assert app.result(tool, **arguments) == answer
    assert app.text("check_token_status") == UNSET


@pytest.mark.fact("wrong")
@pytest.mark.parametrize(("tool", "arguments", "failed"), QUERIES)
def test_a_token_that_is_nobody_s_is_refused_when_it_is_used(
    start: START, tool: str, arguments: dict[str, str], failed: str
) -> None:
    app = start("tushare", rows=configured("bad", "bad"))

    with pytest.raises(VendorError) as refused:
        app.text(tool, **arguments)

    assert refused.value.message == f"{failed}：您的token不对，请确认。"
    assert app.text("check_token_status") == OK
