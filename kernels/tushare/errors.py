"""Refusals: the server's own, and what it shows of an exception. (inferred) marks words that nobody recorded."""

from __future__ import annotations

from farm.appkit import VendorError

# What Tushare says behind the server (inferred).
WRONG_TOKEN = "您的token不对，请确认。"
NO_CODE = "必填参数：ts_code"


NotConfigured = VendorError.define("not_configured", "请先配置Tushare token")


class QueryFailed(VendorError):
    """查询失败：{problem}"""

    code = "query_failed"


SearchFailed = QueryFailed.define("search_failed", "搜索失败：{problem}")
