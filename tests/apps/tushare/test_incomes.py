"""Income statements: which periods, how they look, and what is reckoned from them."""

from __future__ import annotations

import pytest

from farm.appkit import VendorError
from tests.apps.tushare.conftest import Known, income, stock

CODE = "002352.SZ"
NONE = "未找到符合条件的利润表数据"
ROWS = [
    stock(CODE, "顺丰控股"),
    income(CODE, "20250930", "20251029", total_revenue=130.0, n_income=12.0, basic_eps=0.4),
    income(CODE, "20241231", "20250418", oper_cost=50.0),
    income(CODE, "20250630", "20250824", total_revenue=104.0),
]


def periods(text: str) -> list[str]:
    header = next(line for line in text.splitlines() if "项目" in line)
    return [cell.strip() for cell in header.split("|")[1:]]


@pytest.mark.fact("income")
def test_statements_stand_from_the_oldest_to_the_newest(known: Known) -> None:
    lines = known(ROWS).text("get_income_statement", ts_code=CODE).splitlines()

    assert lines[:2] == ["我查询到了 顺丰控股（002352.SZ）的合并报表利润数据，如下呈现：", ""]
    assert lines[2] == "     项目      |    2024Q4    |    2025Q2    |    2025Q3   "
    assert lines[3] == "-" * 56
    assert lines[4] == "   营业总收入     |   100.00亿    |   104.00亿    |   130.00亿   "
    assert lines[14:17] == ["    每股收益     |     0.50     |     0.50     |     0.40    ", "", ""]
    assert lines[17:19] == ["📊 财务分析报告", "=" * 50]


@pytest.mark.fact("announced")
@pytest.mark.parametrize(
    ("dates", "shown"),
    [
        ({"start_date": "20250824"}, ["2025Q2", "2025Q3"]),
        ({"end_date": "20250824"}, ["2024Q4", "2025Q2"]),
        ({"start_date": "20250825", "end_date": "20251029"}, ["2025Q3"]),
        ({"start_date": "", "end_date": ""}, ["2024Q4", "2025Q2", "2025Q3"]),
    ],
)
def test_dates_are_those_of_the_announcement(known: Known, dates: dict[str, str], shown: list[str]) -> None:
    assert periods(known(ROWS).text("get_income_statement", ts_code=CODE, **dates)) == shown


@pytest.mark.fact("announced")
@pytest.mark.parametrize("dates", [{"start_date": "20251030"}, {"end_date": "2024"}, {"start_date": "soon"}])
def test_no_statement_of_that_time_is_a_sentence(known: Known, dates: dict[str, str]) -> None:
    assert known(ROWS).text("get_income_statement", ts_code=CODE, **dates) == NONE


@pytest.mark.fact("income")
def test_a_code_of_nobody_is_a_sentence_and_one_that_is_no_longer_listed_is_its_own_name(known: Known) -> None:
    app = known([*ROWS, stock("600087.SH", "退市长油", list_status="D"), income("600087.SH", "20231231", "20240401")])

    assert app.text("get_income_statement", ts_code="002352.sz") == NONE
    assert app.text("get_income_statement", ts_code="600087.SH").startswith("我查询到了 600087.SH（600087.SH）的")


@pytest.mark.fact("title")
@pytest.mark.parametrize(
    ("report_type", "name"), [("1", "合并报表"), ("6", "母公司报表"), ("12", "母公司调整前报表"), ("", "未知类型")]
)
def test_the_type_of_report_changes_the_title_alone(known: Known, report_type: str, name: str) -> None:
    app = known(ROWS)

    said = app.text("get_income_statement", ts_code=CODE, report_type=report_type)

    assert said.startswith(f"我查询到了 顺丰控股（002352.SZ）的{name}利润数据")
    assert said.split("\n", 1)[1] == app.text("get_income_statement", ts_code=CODE).split("\n", 1)[1]


@pytest.mark.fact("change")
def test_both_changes_are_those_from_the_column_before(known: Known) -> None:
    said = known(ROWS).text("get_income_statement", ts_code=CODE)

    # 130 after 104; 12 after 16; the costs of the last period over its own revenue.
    assert "   • 当期营收：130.00亿元\n   • 同比变动：+25.00%\n   • 环比变动：+25.00%\n" in said
    assert "   • 当期净利润：12.00亿元\n   • 同比变动：-25.00%\n   • 环比变动：-25.00%\n" in said
    assert "   • 毛利率：53.85%\n   • 营业利润率：15.38%\n   • 净利润率：9.23%\n" in said
    assert "   • 营业成本率：46.15%\n   • 销售费用率：6.15%\n" in said
    assert "2. 主要费用同比变动：\n   • 销售费用：+0.00%\n" in said
    assert "• 基本每股收益：0.4000元\n• 同比变动：-20.00%\n" in said


@pytest.mark.fact("change")
def test_a_single_period_has_no_change(known: Known) -> None:
    said = known(ROWS).text("get_income_statement", ts_code=CODE, start_date="20251029")

    assert "比变动：+" not in said
    assert "比变动：-" not in said
    assert "2. 主要费用同比变动：\n\n四、每股指标\n" in said


@pytest.mark.fact("change")
@pytest.mark.parametrize(("now", "shown"), [(5.0, "+inf%"), (-5.0, "-inf%"), (0.0, "+nan%")])
def test_a_change_from_nothing_is_infinite(known: Known, now: float, shown: str) -> None:
    before, after = (income(CODE, f"{year}1231", f"{year + 1}0401", fin_exp=0.0) for year in (2023, 2024))
    rows = [stock(CODE, "顺丰控股"), before, {**after, "fin_exp": now}]

    assert f"   • 财务费用：{shown}" in known(rows).text("get_income_statement", ts_code=CODE)


@pytest.mark.fact("missing")
def test_a_missing_cost_of_sales_is_python_s_error(known: Known) -> None:
    app = known([stock("000001.SZ", "平安银行"), income("000001.SZ", "20241231", "20250401", oper_cost=None)])

    with pytest.raises(VendorError) as refused:
        app.text("get_income_statement", ts_code="000001.SZ")

    assert refused.value.message == "查询失败：unsupported operand type(s) for -: 'float' and 'NoneType'"


@pytest.mark.fact("no-code")
def test_an_empty_code_is_refused(known: Known) -> None:
    with pytest.raises(VendorError) as refused:
        known(ROWS).text("get_income_statement", ts_code="")

    assert refused.value.message == "查询失败：必填参数：ts_code"
