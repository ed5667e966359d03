"""Stocks by code, by name, and by a regular expression."""

from __future__ import annotations

import pytest

from farm.appkit import VendorError
from tests.apps.tushare.conftest import Known, stock

NONE = "未找到符合条件的股票"
ROWS = [
    stock("000001.SZ", "平安银行", area="深圳", industry="银行", market="主板"),
    stock("601318.SH", "中国平安", area=None, industry="保险"),
    stock("000002.SZ", "万科A"),
    stock("600087.SH", "退市长油", list_status="D"),
]


@pytest.mark.fact("basic")
def test_what_is_known_of_a_stock_is_shown_line_by_line(known: Known) -> None:
    rule = "-" * 24
    first = (
        "股票代码: 000001.SZ\n股票名称: 平安银行\n所属地区: 深圳\n所属行业: 银行\n上市日期: 20100205\n市场类型: 主板\n"
    )
    first += rule
    second = f"股票代码: 601318.SH\n股票名称: 中国平安\n所属行业: 保险\n上市日期: 20100205\n{rule}"
    app = known(ROWS[:2])

    assert app.text("get_stock_basic_info", ts_code="000001.SZ") == first
    assert app.text("get_stock_basic_info", name="中国平安") == second
    assert app.text("get_stock_basic_info") == app.text("get_stock_basic_info", name="") == f"{first}\n{second}"


@pytest.mark.fact("basic")
@pytest.mark.parametrize(
    "wanted", [{"name": "平安"}, {"ts_code": "000001"}, {"ts_code": "000001.SZ", "name": "中国平安"}, {"ts_code": "sz"}]
)
def test_a_piece_of_a_code_or_a_name_finds_nothing(known: Known, wanted: dict[str, str]) -> None:
    assert known(ROWS).text("get_stock_basic_info", **wanted) == NONE


@pytest.mark.fact("listed")
def test_a_stock_that_is_no_longer_listed_is_not_found(known: Known) -> None:
    app = known(ROWS)

    assert app.text("get_stock_basic_info", ts_code="600087.SH") == NONE
    assert app.text("search_stocks", keyword="退市") == NONE


@pytest.mark.fact("regex")
@pytest.mark.parametrize(
    ("keyword", "found"),
    [
        ("平安", ["000001.SZ - 平安银行", "601318.SH - 中国平安"]),
        ("sz", ["000001.SZ - 平安银行", "000002.SZ - 万科A"]),
        ("^平安|a$", ["000001.SZ - 平安银行", "000002.SZ - 万科A"]),
        ("6.1318", ["601318.SH - 中国平安"]),
        ("", ["000001.SZ - 平安银行", "000002.SZ - 万科A", "601318.SH - 中国平安"]),
        ("ZZZ", [NONE]),
    ],
)
def test_a_keyword_is_a_regular_expression_over_codes_and_names(known: Known, keyword: str, found: list[str]) -> None:
    assert known(ROWS).text("search_stocks", keyword=keyword).splitlines() == found


@pytest.mark.fact("regex")
@pytest.mark.parametrize(
    ("keyword", "problem"),
    [
        ("(", "missing ), unterminated subpattern at position 0"),
        ("*", "nothing to repeat at position 0"),
        ("a{99999999999}", "the repetition number is too large"),
        (
            f"a{{{'1' * 5000}}}",
            "Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; "
            "use sys.set_int_max_str_digits() to increase the limit",
        ),
    ],
)
def test_what_is_no_regular_expression_is_told_in_python_s_words(known: Known, keyword: str, problem: str) -> None:
    with pytest.raises(VendorError) as refused:
        known(ROWS).text("search_stocks", keyword=keyword)

    assert refused.value.message == f"搜索失败：{problem}"


@pytest.mark.fact("regex")
def test_a_pattern_that_python_warns_of_is_searched_for(known: Known) -> None:
    assert known(ROWS).text("search_stocks", keyword="[[平]安") == "000001.SZ - 平安银行\n601318.SH - 中国平安"
