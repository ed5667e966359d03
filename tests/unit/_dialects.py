"""What the tests of the dialects share."""

from __future__ import annotations

from typing import Any

import pytest

from farm.appkit.dialects import Dialect, InvalidArgumentsError


def clean(dialect: Dialect, schema: dict[str, Any], arguments: Any) -> dict[str, Any]:
    return dialect.compile("tool", schema)(arguments)


def refusal(dialect: Dialect, schema: dict[str, Any], arguments: Any) -> tuple[int | None, str]:
    with pytest.raises(InvalidArgumentsError) as refused:
        clean(dialect, schema, arguments)
    return refused.value.code, refused.value.message


def of_property(schema: dict[str, Any], *, required: bool = False, **more: Any) -> dict[str, Any]:
    listed = {"required": ["x"]} if required else {}
    return {"$schema": "-", "type": "object", "properties": {"x": schema}, **listed, **more}
