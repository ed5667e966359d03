"""Analyses: income statements as the server prints them, and the changes and shares that it reckons.

It takes figures as they come, so a missing one is Python's TypeError; the tool shows that exception's own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, inf, nan
from typing import Any

from farm.appkit import Row

_YI = 100_000_000
_LABELLED = (
    ("total_revenue", "营业总收入"),
    ("revenue", "营业收入"),
    ("total_cogs", "营业总成本"),
    ("oper_cost", "营业成本"),
    ("sell_exp", "销售费用"),
    ("admin_exp", "管理费用"),
    ("fin_exp", "财务费用"),
    ("operate_profit", "营业利润"),
    ("total_profit", "利润总额"),
    ("n_income", "净利润"),
    ("basic_eps", "每股收益"),
)
# The columns that are shown.
FIGURES = tuple(column for column, _ in _LABELLED)
_QUARTERS = {"03": "Q1", "06": "Q2", "09": "Q3", "12": "Q4"}
_RISKS = (
    "以上分析基于历史财务数据，仅供参考。投资决策需考虑更多因素，包括但不限于：",
    "• 行业周期与竞争态势",
    "• 公司经营与治理状况",
    "• 宏观经济环境",
    "• 政策法规变化",
)


def table(rows: Sequence[Row]) -> str:
    """Return the table: a column a period, a line a figure, each cell centred in twelve characters."""
    header = ["项目", *(f"{row['end_date'][:4]}{_QUARTERS[row['end_date'][4:6]]}" for row in rows)]
    lines = [[label, *(_cell(column, row[column]) for row in rows)] for column, label in _LABELLED]
    return "\n".join([_line(header), "-" * (14 * len(header)), *map(_line, lines)])


def analysis(rows: Sequence[Row]) -> str:
    """Return the analysis of the last period.

    What it calls a change over the year and what it calls a change over the quarter are both the change over the
    column before, whatever period that is.

    Raises:
        TypeError: a figure that it takes is missing.
        ZeroDivisionError: there is no revenue.
    """
    last = rows[-1]
    revenue, profit = _change(rows, "total_revenue"), _change(rows, "n_income")
    shares = {
        "毛利率": _percent(last["total_revenue"] - last["oper_cost"], last),
        "营业利润率": _percent(last["operate_profit"], last),
        "净利润率": _percent(last["n_income"], last),
    }
    expenses = (("销售费用", "sell_exp"), ("管理费用", "admin_exp"), ("财务费用", "fin_exp"))
    lines = ["", "📊 财务分析报告", "=" * 50]
    lines += [*_heading("一、收入分析"), "1. 营收规模与增长："]
    lines += [f"   • 当期营收：{last['total_revenue'] / _YI:.2f}亿元", *_both_changes(revenue)]
    lines += [*_heading("二、盈利能力分析"), "1. 利润规模与增长："]
    lines += [f"   • 当期净利润：{last['n_income'] / _YI:.2f}亿元", *_both_changes(profit)]
    lines += ["", "2. 盈利能力指标：", *(f"   • {label}：{share:.2f}%" for label, share in shares.items())]
    lines += [*_heading("三、成本费用分析"), "1. 成本费用结构（占营收比）："]
    costs = (("营业成本", "oper_cost"), *expenses)
    lines += [f"   • {label}率：{_percent(last[column], last):.2f}%" for label, column in costs]
    lines += ["", "2. 主要费用同比变动："]
    changes = ((label, _change(rows, column)) for label, column in expenses)
    lines += [f"   • {label}：{change:+.2f}%" for label, change in changes if change is not None]
    lines += [*_heading("四、每股指标"), f"• 基本每股收益：{last['basic_eps']:.4f}元"]
    lines += [f"• 同比变动：{change:+.2f}%" for change in [_change(rows, "basic_eps")] if change is not None]
    return "\n".join([*lines, *_heading("⚠️ 风险提示"), *_RISKS])


def _line(cells: Sequence[str]) -> str:
    return " | ".join(f"{cell:^12}" for cell in cells)


def _cell(column: str, value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if column == "basic_eps" else f"{value / _YI:.2f}亿"


def _heading(text: str) -> list[str]:
    return ["", text, "-" * 20]


def _change(rows: Sequence[Row], column: str) -> float | None:
    """Return by how many percent the last period differs from the one before; None: there is none before."""
    if len(rows) < 2:
        return None
    before = rows[-2][column]
    difference = rows[-1][column] - before
    if before == 0:
        # As numpy divides.
        return copysign(inf, difference) if difference else nan
    return float(difference / abs(before) * 100)


def _both_changes(change: float | None) -> list[str]:
    return [] if change is None else [f"   • 同比变动：{change:+.2f}%", f"   • 环比变动：{change:+.2f}%"]


def _percent(part: Any, row: Row) -> float:
    return float(part / row["total_revenue"] * 100)
