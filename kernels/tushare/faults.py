"""What Tushare and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import FaultAnswer, Faults, NoFaultAnswer

from .errors import WRONG_TOKEN, QueryFailed, SearchFailed

_PAGE = "权限的具体详情访问：https://tushare.pro/document/1?doc_id=108。"


def _said(problem: str, source: str) -> FaultAnswer:
    """Return what the server shows of an exception with these words."""
    return FaultAnswer(
        lambda _, tool, __: (SearchFailed if tool == "search_stocks" else QueryFailed)(problem=problem),
        "inferred",
        source,
    )


FAULTS: Faults = {
    "rate_limited": _said(f"抱歉，您每分钟最多访问该接口200次，{_PAGE}", "Tushare's sentence, as its users quote it"),
    "token_expired": _said(WRONG_TOKEN, "Tushare's sentence, as its users quote it"),
    "no_permission": _said(f"抱歉，您没有接口访问权限，{_PAGE}", "Tushare's sentence, as its users quote it"),
    "server_error": NoFaultAnswer("nobody recorded what Tushare says of an error of its own"),
    "timeout": NoFaultAnswer("nobody recorded what the server shows of a request without an answer"),
}
