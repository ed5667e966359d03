"""Read typed parts of a request; a part of another type is reported, as the agent may be the one under test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.testing.mock_model.conversation import UnanswerableError


def objects(holder: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the list of objects under a key, empty if it is absent.

    Raises:
        UnanswerableError: the value has another type.
    """
    found = holder.get(key)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise UnanswerableError(f"'{key}' must be a list of objects")
    return found


def object_in(holder: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the object under a key, an empty one if it is absent.

    Raises:
        UnanswerableError: the value has another type.
    """
    found = holder.get(key)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UnanswerableError(f"'{key}' must be an object")
    return found


def text_in(holder: Mapping[str, Any], key: str) -> str:
    """Return the text under a key.

    Raises:
        UnanswerableError: there is no text.
    """
    found = holder.get(key)
    if not isinstance(found, str):
        raise UnanswerableError(f"'{key}' must be a text")
    return found
