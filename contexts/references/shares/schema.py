"""The shares: companies that are listed, what they earned by period, what they own and owe, and ratios of both."""

from sqlalchemy import CheckConstraint

from farm.appkit.schema import INTEGER, REAL, MetaData, column, reference, table

METADATA = MetaData()

stocks = table(
    "stocks",
    METADATA,
    column("ts_code", generation="authentic", primary_key=True),  # 002352.SZ
    column("name", generation="authentic", nullable=False),
    column("area", generation="authentic"),
    column("industry", generation="authentic"),
    column("market", generation="enumerate"),
    column("list_date", generation="authentic", nullable=False),  # 20100205
    column("list_status", generation="enumerate", nullable=False),
    column("total_share", INTEGER, generation="random"),
    CheckConstraint("list_status IN ('L', 'D', 'P')", name="stocks_list_status"),
)

# In yuan, from the first of January to the end of the period. Banks and insurers have no cost of sales of their own.
incomes = table(
    "incomes",
    METADATA,
    column("ts_code", reference("stocks.ts_code"), generation="authentic", primary_key=True),
    column("end_date", generation="authentic", primary_key=True),
    column("ann_date", generation="authentic", nullable=False),
    column("basic_eps", REAL, generation="random"),
    column("total_revenue", REAL, generation="random"),
    column("revenue", REAL, generation="random"),
    column("total_cogs", REAL, generation="random"),
    column("oper_cost", REAL, generation="random"),
    column("biz_tax_surchg", REAL, generation="random"),
    column("sell_exp", REAL, generation="random"),
    column("admin_exp", REAL, generation="random"),
    column("rd_exp", REAL, generation="random"),
    column("fin_exp", REAL, generation="random"),
    column("oper_exp", REAL, generation="random"),
    column("invest_income", REAL, generation="random"),
    column("operate_profit", REAL, generation="random"),
    column("non_oper_income", REAL, generation="random"),
    column("non_oper_exp", REAL, generation="random"),
    column("total_profit", REAL, generation="random"),
    column("income_tax", REAL, generation="random"),
    column("n_income", REAL, generation="random"),
)

# In yuan, at the end of a year.
balance_sheets = table(
    "balance_sheets",
    METADATA,
    column("ts_code", reference("stocks.ts_code"), generation="authentic", primary_key=True),
    column("end_date", generation="authentic", primary_key=True),
    column("money_cap", REAL, generation="random", nullable=False),
    column("oth_assets", REAL, generation="random", nullable=False),
    column("total_assets", REAL, generation="random", nullable=False),
    column("total_liab", REAL, generation="random", nullable=False),
    column("total_hldr_eqy", REAL, generation="random", nullable=False),
    column("dividends", REAL, generation="random", nullable=False),  # paid in the year that ends
)

# In percent but for the two per share.
indicators = table(
    "indicators",
    METADATA,
    column("ts_code", reference("stocks.ts_code"), generation="authentic", primary_key=True),
    column("end_date", generation="authentic", primary_key=True),
    column("eps", REAL, generation="random", nullable=False),
    column("bps", REAL, generation="random", nullable=False),
    column("grossprofit_margin", REAL, generation="random"),
    column("netprofit_margin", REAL, generation="random", nullable=False),
    column("roe", REAL, generation="random", nullable=False),
    column("debt_to_assets", REAL, generation="random", nullable=False),
)
