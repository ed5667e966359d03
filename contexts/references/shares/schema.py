"""The shares: companies that are listed, what they earned by period, what they own and owe, and ratios of both."""

from sqlalchemy import CheckConstraint

from farm.context.schema import INTEGER, REAL, MetaData, column, reference, table

METADATA = MetaData()

stocks = table(
    "stocks",
    METADATA,
    column("ts_code", made="authentic", primary_key=True),  # 002352.SZ
    column("name", made="authentic", nullable=False),
    column("area", made="authentic"),
    column("industry", made="authentic"),
    column("market", made="enumerate"),
    column("list_date", made="authentic", nullable=False),  # 20100205
    column("list_status", made="enumerate", nullable=False),
    column("total_share", INTEGER, made="random"),
    CheckConstraint("list_status IN ('L', 'D', 'P')", name="stocks_list_status"),
)

# In yuan, from the first of January to the end of the period. Banks and insurers have no cost of sales of their own.
incomes = table(
    "incomes",
    METADATA,
    column("ts_code", reference("stocks.ts_code"), made="authentic", primary_key=True),
    column("end_date", made="authentic", primary_key=True),
    column("ann_date", made="authentic", nullable=False),
    column("basic_eps", REAL, made="random"),
    column("total_revenue", REAL, made="random"),
    column("revenue", REAL, made="random"),
    column("total_cogs", REAL, made="random"),
    column("oper_cost", REAL, made="random"),
    column("biz_tax_surchg", REAL, made="random"),
    column("sell_exp", REAL, made="random"),
    column("admin_exp", REAL, made="random"),
    column("rd_exp", REAL, made="random"),
    column("fin_exp", REAL, made="random"),
    column("oper_exp", REAL, made="random"),
    column("invest_income", REAL, made="random"),
    column("operate_profit", REAL, made="random"),
    column("non_oper_income", REAL, made="random"),
    column("non_oper_exp", REAL, made="random"),
    column("total_profit", REAL, made="random"),
    column("income_tax", REAL, made="random"),
    column("n_income", REAL, made="random"),
)

# In yuan, at the end of a year.
balance_sheets = table(
    "balance_sheets",
    METADATA,
    column("ts_code", reference("stocks.ts_code"), made="authentic", primary_key=True),
    column("end_date", made="authentic", primary_key=True),
    column("money_cap", REAL, made="random", nullable=False),
    column("oth_assets", REAL, made="random", nullable=False),
    column("total_assets", REAL, made="random", nullable=False),
    column("total_liab", REAL, made="random", nullable=False),
    column("total_hldr_eqy", REAL, made="random", nullable=False),
    column("dividends", REAL, made="random", nullable=False),  # paid in the year that ends
)

# In percent but for the two per share.
indicators = table(
    "indicators",
    METADATA,
    column("ts_code", reference("stocks.ts_code"), made="authentic", primary_key=True),
    column("end_date", made="authentic", primary_key=True),
    column("eps", REAL, made="random", nullable=False),
    column("bps", REAL, made="random", nullable=False),
    column("grossprofit_margin", REAL, made="random"),
    column("netprofit_margin", REAL, made="random", nullable=False),
    column("roe", REAL, made="random", nullable=False),
    column("debt_to_assets", REAL, made="random", nullable=False),
)
