"""What the tools' schemas leave open, which strict checkers of schemas warn of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from farm.content import load_app

_CELLS = "data.fields.additionalProperties"
_ROWS = "data.records.items.fields.additionalProperties"


def parts(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every schema inside a schema, with the way to it."""
    yield path.removeprefix("."), schema
    for name, each in schema.get("properties", {}).items():
        yield from parts(each, f"{path}.{name}")
    for name in ("items", "additionalProperties"):
        if isinstance(each := schema.get(name), dict):
            yield from parts(each, f"{path}.{name}")


@pytest.mark.fact("open-fields")
def test_only_the_cells_of_records_may_be_anything() -> None:
    tools = load_app("lark").tool_schemas

    found = {
        (tool["name"], path)
        for tool in tools
        for path, part in parts(tool["inputSchema"])
        if not isinstance(part.get("type"), str)
    }

    assert found == {
        ("bitable_v1_appTableRecord_create", _CELLS),
        ("bitable_v1_appTableRecord_update", _CELLS),
        ("bitable_v1_appTableRecord_batchCreate", _ROWS),
        ("bitable_v1_appTableRecord_batchUpdate", _ROWS),
    }
