"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import incomes, stocks, tokens

TOOLS = (
    Tool("setup_tushare_token", tokens.setup_tushare_token, writes=("servers",)),
    Tool("check_token_status", tokens.check_token_status),
    Tool("get_stock_basic_info", stocks.get_stock_basic_info),
    Tool("search_stocks", stocks.search_stocks),
    Tool("get_income_statement", incomes.get_income_statement),
)
