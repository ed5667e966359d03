"""Every app's tables can be drawn: each declares a view whose columns exist, or says why no page shows it."""

from __future__ import annotations

import ast

import pytest

from farm import content
from farm.appkit.view_model import table_models

_COLUMNS = ("title", "body", "author", "when", "until", "within", "thread", "parent", "unread", "value")
_TABLES = ("columns_of", "of")


@pytest.fixture(params=content.app_names())
def app(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_table_declares_a_view_or_is_the_servers_own(app: str) -> None:
    tree = ast.parse((content.context_dir(app) / "schema.py").read_text("utf-8"))
    tables = [each for each in ast.walk(tree) if isinstance(each, ast.Call) and getattr(each.func, "id", "") == "table"]

    lacking = [
        ast.literal_eval(each.args[0])
        for each in tables
        if not {"view", "internal"} & {keyword.arg for keyword in each.keywords}
    ]

    assert lacking == []


def test_a_view_names_columns_and_tables_that_exist(app: str) -> None:
    models = table_models(content.load_app(app).schema)

    unknown = [
        f"{table}.{part}={model[part]}"
        for table, model in models.items()
        for part in (*_COLUMNS, *_TABLES)
        if part in model and model[part] not in (models if part in _TABLES else model["columns"])
    ]

    assert unknown == []


def test_a_view_has_the_columns_that_its_kind_is_drawn_from(app: str) -> None:
    models = table_models(content.load_app(app).schema)
    needed = {
        "chat": ("within", "body"),
        "mail": ("when", "author"),
        "calendar": ("when", "until", "title"),
        "series": ("value", "when"),
        "read_mark": ("of", "within", "value"),
    }

    lacking = [
        f"{table}.{part}"
        for table, model in models.items()
        for part in needed.get(model["kind"], ())
        if part not in model
    ]

    assert lacking == []


def test_a_hidden_table_says_why(app: str) -> None:
    models = table_models(content.load_app(app).schema)

    assert [name for name, model in models.items() if model["kind"] == "hidden" and not model.get("why")] == []
