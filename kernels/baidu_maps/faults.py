"""What Baidu Maps and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit import Episode, VendorError
from farm.appkit.faults import FaultAnswer, Faults

from .errors import ApiError, ResultTimeout, ServiceOff

_CODES = "https://lbsyun.baidu.com/index.php?title=webapi/appendix"
_OverQuota = ApiError.define(302, "天配额超限，限制访问")
_WrongKey = ApiError.define(200, "APP不存在，AK有误请检查再重试")
_ServerError = ApiError.define(1, "服务器内部错误")
_ReadTimeout = VendorError.define("read_timeout", "an exception without a text")


def _timed_out(ep: Episode, tool: str, retry_after_s: int) -> VendorError:
    return ResultTimeout() if tool == "map_poi_extract" else _ReadTimeout("")


FAULTS: Faults = {
    "rate_limited": FaultAnswer(lambda _, __, ___: _OverQuota(), "documented", _CODES),
    "token_expired": FaultAnswer(lambda _, __, ___: _WrongKey(), "documented", _CODES),
    "no_permission": FaultAnswer(lambda _, __, ___: ServiceOff(), "recorded", "a key without the service"),
    "server_error": FaultAnswer(lambda _, __, ___: _ServerError(), "inferred", f"the status is of {_CODES}"),
    "timeout": FaultAnswer(_timed_out, "inferred", "only the extract's words are known; httpx raises without a text"),
}
