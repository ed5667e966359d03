"""What Tushare and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import FaultAnswer, Faults, Known

from .errors import WRONG_TOKEN, QueryFailed, SearchFailed

_PAGE = "权限的具体详情访问：https://tushare.pro/document/1?doc_id=108。"


def _said(problem: str, source: str, known: Known = "inferred") -> FaultAnswer:
    """Return what the server shows of an exception with these words."""
    return FaultAnswer(
        lambda _, tool, __: (SearchFailed if tool == "search_stocks" else QueryFailed)(problem=problem), known, source
    )


FAULTS: Faults = {
    "rate_limited": _said(f"抱歉，您每分钟最多访问该接口200次，{_PAGE}", "Tushare's sentence, as its users quote it"),
    "token_expired": _said(WRONG_TOKEN, "Tushare's sentence, as its users quote it"),
    "no_permission": _said(f"抱歉，您没有接口访问权限，{_PAGE}", "Tushare's sentence, as its users quote it"),
    "server_error": _said(
        "服务器错误(数据库异常)，请稍后再试！期待您能把错误反馈给我们，谢谢！",
        "exceptions of the same client: https://github.com/waditu/tushare/issues/1719 (2023) and /1745 (2024)",
        "recorded",
    ),
    "timeout": _said(
        "HTTPConnectionPool(host='api.waditu.com', port=80): Read timed out. (read timeout=30)",
        "host and seconds of the client tushare 1.4.29, in requests' words as in "
        "https://github.com/waditu/tushare/issues/1033",
        "recorded",
    ),
}
