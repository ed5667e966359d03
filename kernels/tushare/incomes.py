"""Incomes: a company's income statements by period, and what the server reads from them."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row

from . import canned_responses, errors
from .analyses import FIGURES, analysis, table
from .stocks import find_stocks
from .tokens import require_token

_REPORT_TYPES = {
    "1": "合并报表",
    "2": "单季合并",
    "3": "调整单季合并表",
    "4": "调整合并报表",
    "5": "调整前合并报表",
    "6": "母公司报表",
    "7": "母公司单季表",
    "8": "母公司调整单季表",
    "9": "母公司调整表",
    "10": "母公司调整前报表",
    "11": "母公司调整前合并报表",
    "12": "母公司调整前报表",
}


def get_income_statement(
    ep: Episode, *, ts_code: str, start_date: str = "", end_date: str = "", report_type: str = "1"
) -> Result:
    """Show a company's income statements, a column a period, and an analysis of the last one.

    Args:
        ts_code: the whole code.
        start_date: announced on this day or later; empty: since ever.
        end_date: announced on this day or earlier; empty: until now.
        report_type: only the title names it. What is shown is always the consolidated statement.

    Raises:
        NotConfigured: as ``tokens.require_token``.
        QueryFailed: as ``tokens.require_token``; without a code; or Python's own words where a figure that the
            analysis takes is missing, as banks and insurers have no cost of sales.

    Source: the server's code at ba9c0200.
    """
    require_token(ep)
    stocks = find_stocks(ep, ts_code)
    name = stocks[0]["name"] if stocks else ts_code
    rows = _find_statements(ep, ts_code, start_date, end_date)
    if not rows:
        return "未找到符合条件的利润表数据"
    title = f"我查询到了 {name}（{ts_code}）的{_REPORT_TYPES.get(report_type, '未知类型')}利润数据，如下呈现："
    try:
        read = analysis(rows)
    except (TypeError, ZeroDivisionError) as problem:
        raise errors.QueryFailed(problem=str(problem)) from None
    return f"{title}\n\n{table(rows)}\n\n{read}"


def _find_statements(ep: Episode, ts_code: str, start_date: str, end_date: str) -> list[Row]:
    """Return a company's statements that were announced within some days, by the end of their period.

    Raises:
        QueryFailed: no code was given, or Tushare refuses, as the episode tells.
    """
    asked = {"ts_code": ts_code, "start_date": start_date, "end_date": end_date}
    answer = canned_responses.find_answer(ep, "income", {name: value for name, value in asked.items() if value})
    if answer is not None:
        figures = dict.fromkeys(FIGURES)
        return sorted(({**figures, **row} for row in answer), key=lambda row: str(row["end_date"]))
    if not ts_code:
        raise errors.QueryFailed(problem=errors.NO_CODE)
    return ep.reference.all(
        "SELECT * FROM incomes WHERE ts_code = :ts_code AND ann_date BETWEEN :start_date AND :end_date"
        " ORDER BY end_date",
        **(asked | {"end_date": end_date or "9"}),
    )
