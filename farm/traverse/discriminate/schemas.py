"""Validate values against the schemas that a tool declares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def fits_schema(schema: Any) -> Callable[[Any], bool]:
    """Return a function that checks whether a value fits a schema; always false for an invalid schema."""
    from jsonschema.exceptions import SchemaError  # type: ignore[import-untyped]  # it has no types
    from jsonschema.validators import validator_for  # type: ignore[import-untyped]  # nor this

    kind = validator_for(schema)
    try:
        kind.check_schema(schema)
    except SchemaError:
        return lambda _: False
    validator = kind(schema)
    return lambda value: bool(validator.is_valid(value))
