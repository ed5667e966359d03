"""What the MCP server checks by itself, before it asks the API anything."""

from __future__ import annotations

from typing import Any

from . import errors


def require(**arguments: Any) -> None:
    """Refuse what is missing, or empty: JavaScript takes an empty text for nothing.

    Raises:
        ServerError: it names all that are needed, whichever is missing.
    """
    if all(value is not None and value != "" for value in arguments.values()):
        return
    plural = "s" if len(arguments) > 1 else ""
    raise errors.ServerError(f"Missing required argument{plural}: {' and '.join(arguments)}")


def sent(**members: Any) -> dict[str, Any]:
    """Return what the server sends of a request: nothing that is empty or zero."""
    return {key: value for key, value in members.items() if value is not None and value != "" and value != 0}


def js_truthy(value: Any) -> bool:
    """Whether JavaScript takes a value for true: empty lists and objects are."""
    return bool(value) or type(value) in (dict, list)
