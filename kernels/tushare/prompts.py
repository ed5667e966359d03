"""The prompts: each asks the person for what a tool needs."""

from __future__ import annotations

from farm.appkit import Episode, Prompt

_REPORT_TYPES = (
    "合并",
    "单季合并",
    "调整后的单季合并",
    "调整后的合并",
    "调整前的合并",
    "母公司",
    "母公司单季",
    "调整后的母公司单季",
    "调整后的母公司",
    "调整前的母公司",
    "调整前的母公司合并",
    "调整前",
)


def configure_token(ep: Episode) -> str:
    """Return a request for the person's token, with where to get one."""
    lines = (
        "使用前需要一个 Tushare 的 API token。",
        "已有账号：登录后在 https://tushare.pro/user/token 复制。",
        "没有账号：先到 https://tushare.pro/register 注册一个。",
        "",
        "您的 token 是：",
    )
    return "\n".join(lines)


def income_statement_query(ep: Episode) -> str:
    """Return a request for share, period and kind of report."""
    types = [f"   {number} = {name}报表" for number, name in enumerate(_REPORT_TYPES, 1)]
    types[0] += "（不给时即此项）"
    lines = (
        "查询利润表，需要知道：",
        "",
        "1. 哪只股票：代码必须给出，例如 000001.SZ",
        "",
        "2. 哪段时间，可以不给：",
        "   - 从哪天起，写作 YYYYMMDD，例如 20230101",
        "   - 到哪天止，写法相同，例如 20231231",
        "",
        "3. 哪种报表，可以不给：",
        *types,
        "",
        "可以这样问：",
        '   "平安银行(000001.SZ)最近一期的利润表"',
        '   "平安银行 2023 年第一季度的利润表"',
        '   "平安银行 2023 年的单季合并报表"',
        "",
        "您要查什么：",
    )
    return "\n".join(lines)


PROMPTS = (Prompt("configure_token", configure_token), Prompt("income_statement_query", income_statement_query))
