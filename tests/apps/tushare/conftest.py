"""A server with a token that Tushare knows, on stocks and statements of its own or on those that are shipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from farm import content
from farm.appkit.schema import Schema
from farm.context.shared_start import SharedStart
from farm.context.template import build
from farm.testing import LocalApp

ENV_FILE = "~/.tushare_mcp/.env"
Known = Callable[..., LocalApp]


def configured(token: str = "good", read: str = "good") -> list[dict[str, Any]]:
    """Return the rows of a server that has a token, and of the one good token there is."""
    return [
        {"table": "tokens", "token": "good", "holder": "me"},
        {"table": "servers", "env_file": ENV_FILE, "token": token, "token_read": read},
    ]


@pytest.fixture
def tushare(start: Callable[..., LocalApp]) -> LocalApp:
    return start("tushare", rows=configured())


@pytest.fixture
def known(start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch) -> Known:
    """Start Tushare with the stocks and statements of ``rows`` alone."""

    def make(rows: Iterable[Mapping[str, Any]]) -> LocalApp:
        schema = Schema(content.reference_metadata("shares"))
        only = SharedStart(build(schema, rows), schema.searched)
        monkeypatch.setattr("farm.context.context.load_reference", lambda name: only)
        return start("tushare", rows=configured())

    return make


def stock(ts_code: str, name: str, **more: Any) -> dict[str, Any]:
    row = {"table": "stocks", "ts_code": ts_code, "name": name, "list_date": "20100205", "list_status": "L"}
    return {**row, **more}


def income(ts_code: str, end_date: str, ann_date: str, **more: Any) -> dict[str, Any]:
    """Return a statement; figures in hundreds of millions but for the one per share."""
    figures = {"total_revenue": 100.0, "revenue": 99.0, "total_cogs": 80.0, "oper_cost": 60.0, "sell_exp": 8.0}
    figures |= {
        "admin_exp": 6.0,
        "fin_exp": 1.0,
        "operate_profit": 20.0,
        "total_profit": 20.0,
        "n_income": 16.0,
        **more,
    }
    in_yuan = {key: None if value is None else value * 1e8 for key, value in figures.items()}
    row = {"table": "incomes", "ts_code": ts_code, "end_date": end_date, "ann_date": ann_date, **in_yuan}
    return {**row, "basic_eps": more.get("basic_eps", 0.5)}
