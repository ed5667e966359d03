"""The calls made to the real tushare_MCP and to ours, in one session: without a token, with one, and what fails."""

from __future__ import annotations

from tests.upstream.real import call

TOKEN = "0" * 56
_ODD = (None, 1, 1.5, True, ["平安"], {"x": 1})
_CODES = ("002352.SZ", "600519.SH", "688018.SH", "603515.SH", "300750.SZ")
# Without a cost of sales, delisted, not there, in another case, by its number alone.
_POOR_CODES = ("000001.SZ", "601318.SH", "600087.SH", "999999.SH", "002352.sz", "002352", "", " ")
_KEYWORDS = (
    "平安", "照明", "ZZZ", "002352", "688", "sz$", "^60[13]", "a$", "A", ".", "", "顺丰|京东方", "[一-龥]{3}$",
    r"\d+\.SH", "(", "[", "*", "a{2,1}", "(?P<x>", "\\", "(?i)a", "a(?i)",
)  # fmt: skip
_REPORT_TYPES = ("1", "2", "3", "6", "12", "13", "", "x")
_RANGES = (
    ("20250101", ""), ("", "20231231"), ("20240101", "20241231"), ("20251029", "20251029"), ("20260101", ""),
    ("20250901", "20251231"), ("2025", "2026"), ("x", ""), ("20241231", "20240101"),
)  # fmt: skip

BEFORE = [
    call("check_token_status"),
    call("get_stock_basic_info"),
    call("search_stocks", keyword="平安"),
    call("search_stocks", keyword="("),
    call("get_income_statement", ts_code="600519.SH"),
    call("setup_tushare_token"),
    *(call("setup_tushare_token", token=odd) for odd in _ODD),
]

CALLS = [
    *BEFORE,
    call("setup_tushare_token", token=TOKEN),
    call("check_token_status"),
    call("check_token_status", verbose=True),
    ("check_token_status", None),
    *(call("get_stock_basic_info", ts_code=code) for code in (*_CODES, *_POOR_CODES)),
    *(call("get_stock_basic_info", name=name) for name in ("顺丰控股", "顺丰", "万科A", "", "退市长油")),
    call("get_stock_basic_info"),
    call("get_stock_basic_info", ts_code="002352.SZ", name="顺丰控股"),
    call("get_stock_basic_info", ts_code="002352.SZ", name="欧普照明"),
    *(call("get_stock_basic_info", ts_code=odd) for odd in _ODD),
    *(call("get_stock_basic_info", ts_code="1", name=odd) for odd in _ODD[:3]),
    *(call("search_stocks", keyword=keyword) for keyword in _KEYWORDS),
    call("search_stocks"),
    call("search_stocks", query="平安"),
    *(call("search_stocks", keyword=odd) for odd in _ODD),
    *(call("get_income_statement", ts_code=code) for code in (*_CODES, *_POOR_CODES)),
    *(call("get_income_statement", ts_code="002352.SZ", report_type=each) for each in _REPORT_TYPES),
    *(call("get_income_statement", ts_code="002352.SZ", start_date=since, end_date=to) for since, to in _RANGES),
    call("get_income_statement", ts_code="000001.SZ", start_date="20251001"),
    call("get_income_statement"),
    call("get_income_statement", symbol="002352"),
    call("get_income_statement", ts_code=1, start_date=20250101, end_date=None, report_type=2),
    *(call("get_income_statement", ts_code="002352.SZ", report_type=odd) for odd in _ODD),
    call("configure_token"),
    call("get_stock_basic"),
    call(""),
    call("setup_tushare_token", token="1" * 56),
    call("check_token_status"),
    call("get_stock_basic_info", ts_code="002352.SZ"),
]

WRONG_TOKEN = [
    call("setup_tushare_token", token="1" * 56),
    call("check_token_status"),
    call("get_stock_basic_info", ts_code="002352.SZ"),
    call("search_stocks", keyword="顺丰"),
    call("search_stocks", keyword="("),
    call("get_income_statement", ts_code="002352.SZ"),
    call("setup_tushare_token", token=TOKEN),
    call("get_stock_basic_info", ts_code="002352.SZ"),
]

EMPTY_TOKEN = [
    call("setup_tushare_token", token=""),
    call("check_token_status"),
    call("search_stocks", keyword="顺丰"),
    call("setup_tushare_token", token=TOKEN),
    call("check_token_status"),
    call("search_stocks", keyword="顺丰"),
]
