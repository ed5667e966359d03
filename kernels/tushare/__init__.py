"""Tushare, as tushare_MCP shows it: shares that are listed in China, and what their companies earned."""

from farm.appkit import App, Envelope, Worded, by_output_schema
from farm.appkit.dialects import Pydantic

from .prompts import PROMPTS
from .tools import TOOLS

APP = App(
    name="tushare",
    title="Tushare",
    category="finance",
    dialect=Pydantic(sdk="1.30.0", pydantic="2.14"),
    tools=TOOLS,
    # Whatever goes wrong is a text like any other; that text stands in structuredContent, too.
    envelope=Envelope(is_error=False, structured=by_output_schema, refusal=Worded(is_error=None)),
    reference="shares",
    prompts=PROMPTS,
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "search_stocks",
            "get_income_statement",
            "get_stock_basic_info",
            "check_token_status",
            "setup_tushare_token",
        ),
    },
)
