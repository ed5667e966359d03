"""Parts of a request, each of the form that its API gives it; another form is told, as an agent may be under work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.model.conversation import Unanswerable


def objects(holder: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the list of objects under a key, empty where there is none.

    Raises:
        Unanswerable: something else is there.
    """
    found = holder.get(key)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise Unanswerable(f"'{key}' must be a list of objects")
    return found


def object_in(holder: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the object under a key, an empty one where there is none.

    Raises:
        Unanswerable: something else is there.
    """
    found = holder.get(key)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise Unanswerable(f"'{key}' must be an object")
    return found


def text_in(holder: Mapping[str, Any], key: str) -> str:
    """Return the text under a key.

    Raises:
        Unanswerable: there is none.
    """
    found = holder.get(key)
    if not isinstance(found, str):
        raise Unanswerable(f"'{key}' must be a text")
    return found
