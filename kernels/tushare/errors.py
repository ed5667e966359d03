"""Refusals: the server's own, and what it shows of an exception. (inferred) marks words that nobody recorded."""

from __future__ import annotations

from farm.appkit import VendorError

# What Tushare says behind the server (inferred).
WRONG_TOKEN = "您的token不对，请确认。"
NO_CODE = "必填参数：ts_code"


class NotConfigured(VendorError):
    """请先配置Tushare token"""

    code = "not_configured"


class QueryFailed(VendorError):
    """查询失败：{problem}"""

    code = "query_failed"


class SearchFailed(QueryFailed):
    """搜索失败：{problem}"""

    code = "search_failed"
