"""Stocks: what is listed, by code, by name, or by a piece of either."""

from __future__ import annotations

import re
import warnings

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.untrusted_regex import compile_sent

from . import canned_responses, errors
from .tokens import require_token

_NONE = "未找到符合条件的股票"
_RULE = "-" * 24
_LABELS = (
    ("area", "所属地区"),
    ("industry", "所属行业"),
    ("list_date", "上市日期"),
    ("market", "市场类型"),
    ("exchange", "交易所"),
    ("curr_type", "币种"),
    ("list_status", "上市状态"),
    ("delist_date", "退市日期"),
)
# What Tushare sends of a stock unless it is asked for more.
_SENT = ("ts_code", "name", "area", "industry", "market", "list_date")


def get_stock_basic_info(ep: Episode, *, ts_code: str = "", name: str = "") -> Result:
    """Show what is known of the stocks of a code, of a name, or of all.

    Args:
        ts_code: the whole code; empty: any.
        name: the whole name; empty: any.

    Raises:
        NotConfigured, QueryFailed: as ``tokens.require_token``.

    Source: the server's code at ba9c0200.
    """
    require_token(ep)
    return "\n".join(map(_render_stock, find_stocks(ep, ts_code, name))) or _NONE


def search_stocks(ep: Episode, *, keyword: str) -> Result:
    """List the stocks whose code or name a regular expression is found in, whatever its case.

    Raises:
        NotConfigured: as ``tokens.require_token``.
        SearchFailed: as ``tokens.require_token``, or it is no regular expression.

    Source: the server's code at ba9c0200.
    """
    require_token(ep, errors.SearchFailed)
    try:
        # What Python would change about some patterns one day it says to the operator, not to the caller.
        with warnings.catch_warnings(action="ignore"):
            pattern = compile_sent(keyword, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError, ValueError) as problem:
        raise errors.SearchFailed(problem=str(problem)) from None
    found = [
        row
        for row in find_stocks(ep, failed=errors.SearchFailed)
        if pattern.search(row["ts_code"]) or pattern.search(row["name"])
    ]
    return "\n".join(f"{row['ts_code']} - {row['name']}" for row in found) or _NONE


def find_stocks(
    ep: Episode, ts_code: str = "", name: str = "", *, failed: type[errors.QueryFailed] = errors.QueryFailed
) -> list[Row]:
    """Return the listed stocks of a code and a name, in order of their codes; what is empty is not asked for.

    Raises:
        QueryFailed: as ``failed``: Tushare refuses, as the episode tells.
    """
    filters = {"ts_code": ts_code, "name": name}
    wanted = {column: value for column, value in filters.items() if value}
    if (answer := canned_responses.find_answer(ep, "stock_basic", wanted, failed)) is not None:
        return answer
    conditions = "".join(f" AND {column} = :{column}" for column in wanted)
    return ep.reference.all(
        f"SELECT {', '.join(_SENT)} FROM stocks WHERE list_status = 'L'{conditions} ORDER BY ts_code",
        **wanted,
    )


def _render_stock(stock: Row) -> str:
    lines = [f"股票代码: {stock['ts_code']}", f"股票名称: {stock['name']}"]
    lines += [f"{label}: {stock[column]}" for column, label in _LABELS if stock.get(column) is not None]
    return "\n".join([*lines, _RULE])
